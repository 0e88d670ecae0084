// Tokens, and the frame of a module: header, tables, computations, instructions.
#include "HloReader.h"

#include "llvm/ADT/StringExtras.h"

#include <charconv>

namespace tandem::hlo {
namespace {

constexpr int kMostLevels = 256; // of nested brackets

bool isNameChar(char c) {
  switch (c) {
  case ' ':
  case '\t':
  case '\r':
  case '\n':
  case '\0':
  case '(':
  case ')':
  case '{':
  case '}':
  case '[':
  case ']':
  case ',':
  case '=':
  case ':':
  case '"':
  case '\'':
  case '%':
    return false;
  default:
    return true;
  }
}

std::string describe(const char *cursor, const char *end) {
  if (cursor >= end)
    return "the end of the text";
  const char *stop = cursor;
  while (stop < end && isNameChar(*stop) && stop - cursor < 40)
    ++stop;
  if (stop == cursor)
    ++stop;
  if (*cursor == '\0')
    return "a zero byte";
  return ("'" + StringRef(cursor, stop - cursor) + "'").str();
}

} // namespace

llvm::Error errorAt(const Module &module, const char *position, const llvm::Twine &message) {
  const std::string source = module.getSource().empty() ? "<hlo>" : module.getSource().str();
  if (!position)
    return llvm::createStringError(llvm::Twine(source) + ": error: " + message);
  auto [line, column] = module.lineAndColumn(position);
  const StringRef text = module.getText();
  const size_t offset = position - text.begin();
  const StringRef rest = text.drop_front(offset).take_until([](char c) { return c == '\n'; });
  // A line may be a megabyte long: show what is around the position.
  constexpr size_t kBefore = 60, kShown = 100;
  const size_t before = std::min(column - 1, kBefore);
  const StringRef shown(position - before, std::min(before + rest.size(), kShown));
  std::string caret;
  for (char c : shown.take_front(before))
    caret += c == '\t' ? '\t' : ' ';
  return llvm::createStringError(llvm::Twine(source) + ":" + llvm::Twine(line) + ":" +
                                 llvm::Twine(column) + ": error: " + message + "\n" + shown + "\n" +
                                 caret + "^");
}

bool Reader::fail(const char *position, const llvm::Twine &message) {
  errorPosition = position;
  errorMessage = message.str();
  return true;
}

bool Reader::failHere(const llvm::Twine &expected) {
  skipBlank();
  return fail(cursor, "expected " + expected + ", found " + describe(cursor, end));
}

void Reader::skipBlank() {
  while (cursor < end) {
    if (*cursor == ' ' || *cursor == '\n' || *cursor == '\t' || *cursor == '\r') {
      ++cursor;
    } else if (*cursor == '/' && cursor + 1 < end && cursor[1] == '*') {
      const char *close = cursor + 2;
      while (close + 1 < end && !(close[0] == '*' && close[1] == '/'))
        ++close;
      cursor = close + 1 < end ? close + 2 : end;
    } else if (*cursor == '/' && cursor + 1 < end && cursor[1] == '/') {
      while (cursor < end && *cursor != '\n')
        ++cursor;
    } else {
      return;
    }
  }
}

bool Reader::consumeIf(char c) {
  if (peek() != c || cursor >= end)
    return false;
  ++cursor;
  return true;
}

bool Reader::expect(char c, const char *where) {
  if (consumeIf(c))
    return false;
  return failHere(llvm::Twine("'") + llvm::Twine(c) + "' " + where);
}

bool Reader::consumeWord(StringRef word) {
  skipBlank();
  const StringRef rest(cursor, end - cursor);
  if (!rest.starts_with(word) || (rest.size() > word.size() && isNameChar(rest[word.size()])))
    return false;
  cursor += word.size();
  return true;
}

StringRef Reader::takeName() {
  skipBlank();
  const char *start = cursor;
  while (cursor < end && isNameChar(*cursor))
    ++cursor;
  return StringRef(start, cursor - start);
}

bool Reader::parseName(StringRef &name, const char *what) {
  name = takeName();
  return name.empty() ? failHere(what) : false;
}

bool Reader::parseInt(int64_t &value) {
  skipBlank();
  auto [stop, error] = std::from_chars(cursor, end, value);
  if (error == std::errc::result_out_of_range)
    return fail(cursor, "expected an integer of 64 bits, found " + describe(cursor, end));
  if (error != std::errc())
    return failHere("an integer");
  cursor = stop;
  return false;
}

bool Reader::parseInts(llvm::SmallVectorImpl<int64_t> &values, char open, char close) {
  if (expect(open, "before a list of integers"))
    return true;
  if (consumeIf(close))
    return false;
  do {
    if (parseInt(values.emplace_back()))
      return true;
  } while (consumeIf(','));
  return expect(close, "after a list of integers");
}

bool Reader::parseInts(ArrayRef<int64_t> &values, char open, char close) {
  llvm::SmallVector<int64_t> list;
  if (parseInts(list, open, close))
    return true;
  values = module.save<int64_t>(list);
  return false;
}

bool Reader::parseQuoted(StringRef &inner) {
  skipBlank();
  const char *start = cursor;
  if (expect('"', "before a string"))
    return true;
  while (cursor < end && *cursor != '"')
    cursor += *cursor == '\\' ? 2 : 1;
  if (cursor >= end) {
    cursor = end;
    return fail(start, "this string is not closed");
  }
  inner = StringRef(start + 1, cursor - start - 1);
  ++cursor;
  return false;
}

bool Reader::parseBalanced(StringRef &text) {
  skipBlank();
  const char *start = cursor;
  llvm::SmallVector<std::pair<char, const char *>> open;
  StringRef string;
  while (cursor < end) {
    const char c = *cursor;
    if (c == '"') {
      if (parseQuoted(string))
        return true;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      open.push_back({c == '(' ? ')' : c == '[' ? ']' : '}', cursor});
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty())
        break;
      if (open.back().first != c)
        return fail(cursor, llvm::Twine("expected '") + llvm::Twine(open.back().first) +
                                "', found '" + llvm::Twine(c) + "'");
      open.pop_back();
    } else if (open.empty() && (c == ',' || c == '\n')) {
      break;
    }
    ++cursor;
  }
  if (!open.empty())
    return fail(open.back().second,
                llvm::Twine("this '") + llvm::Twine(*open.back().second) + "' is not closed");
  text = StringRef(start, cursor - start).rtrim();
  return text.empty() ? failHere("a value") : false;
}

bool Reader::enter() {
  if (++depth > kMostLevels)
    return fail(cursor, "brackets are nested more than " + llvm::Twine(kMostLevels) + " deep");
  return false;
}

// ---- the frame

bool Reader::parseModule() {
  if (parseHeader() || parseTables())
    return true;
  while (peek() != '\0' || cursor < end)
    if (parseComputation())
      return true;
  if (module.computations.empty())
    return failHere("a computation");
  if (!module.entry) {
    module.entry = module.computations.back();
    module.entry->isEntry = true;
  }
  return resolveCalls();
}

bool Reader::parseHeader() {
  if (!consumeWord("HloModule"))
    return failHere("'HloModule'");
  if (parseName(module.name, "the module's name"))
    return true;
  return parseAttributes(module, /*header=*/true);
}

bool Reader::parseTables() {
  auto lineEnd = [&] {
    const char *stop = cursor;
    while (stop < end && *stop != '\n')
      ++stop;
    return stop;
  };
  for (StringRef title : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
    if (!consumeWord(title))
      continue;
    Table table{title, {}};
    cursor = std::min(lineEnd() + 1, end);
    for (; cursor < end; cursor = std::min(lineEnd() + 1, end)) {
      const StringRef line = StringRef(cursor, lineEnd() - cursor).trim();
      if (line.empty() || !llvm::isDigit(line.front()))
        break;
      table.lines.push_back(line);
    }
    module.tables.push_back(std::move(table));
  }
  return false;
}

bool Reader::parseComputation() {
  skipBlank();
  const char *start = cursor;
  const bool isEntry = consumeWord("ENTRY");
  consumeIf('%');
  StringRef name;
  const char *namePosition = cursor;
  if (parseName(name, "a computation"))
    return true;
  Computation &computation = *module.addComputation(name);
  computation.position = start;
  if (!computations.try_emplace(name, &computation).second)
    return fail(namePosition, "the module already has a computation '" + name + "'");
  if (isEntry) {
    if (module.entry)
      return fail(start,
                  "the module already has an entry computation, '" + module.entry->name + "'");
    computation.isEntry = true;
    module.entry = &computation;
  }
  llvm::SmallVector<std::pair<StringRef, const Shape *>> signature;
  const char *signaturePosition = cursor;
  computation.hasSignature = peek() == '(';
  const Shape *result = nullptr;
  if (computation.hasSignature) {
    if (parseSignature(computation, signature))
      return true;
    if (!consumeIf('-') || !consumeIf('>'))
      return failHere("'->' behind the parameters");
    if (parseShape(result))
      return true;
  }
  skipBlank();
  const char *brace = cursor;
  if (expect('{', "before the instructions of a computation"))
    return true;
  names.clear();
  missing.clear();
  while (!consumeIf('}')) {
    if (cursor >= end)
      return fail(brace, "this '{' is not closed: the text ends inside computation '" + name + "'");
    if (parseInstruction(computation))
      return true;
  }
  if (parseAttributes(computation, /*header=*/false) || finishComputation(computation))
    return true;
  if (!computation.hasSignature)
    return false;
  if (signature.size() != computation.parameters.size())
    return fail(signaturePosition, "computation '" + name + "' lists " +
                                       llvm::Twine(signature.size()) + " parameters and has " +
                                       llvm::Twine(computation.parameters.size()));
  for (auto [listed, parameter] : llvm::zip(signature, computation.parameters))
    if (!sameShape(*listed.second, *parameter->shape))
      return fail(parameter->position, "parameter '" + parameter->name + "' has the shape " +
                                           print(*parameter->shape, false) +
                                           ", the computation's head says " +
                                           print(*listed.second, false));
  if (!sameShape(*result, *computation.root->shape))
    return fail(computation.root->position,
                "the root has the shape " + print(*computation.root->shape, false) +
                    ", the computation's head says " + print(*result, false));
  return false;
}

bool Reader::parseSignature(Computation &computation,
                            llvm::SmallVectorImpl<std::pair<StringRef, const Shape *>> &signature) {
  if (expect('(', "before the parameters"))
    return true;
  if (consumeIf(')'))
    return false;
  do {
    auto &[name, shape] = signature.emplace_back();
    consumeIf('%');
    if (parseName(name, "a parameter's name") || expect(':', "behind a parameter's name") ||
        parseShape(shape))
      return true;
  } while (consumeIf(','));
  return expect(')', "behind the parameters");
}

bool Reader::parseInstruction(Computation &computation) {
  skipBlank();
  const char *start = cursor;
  const bool isRoot = consumeWord("ROOT");
  const bool percent = consumeIf('%');
  if (computation.instructions.empty() && module.computations.size() == 1)
    module.percentNames = percent;
  skipBlank();
  const char *namePosition = cursor;
  StringRef name;
  if (parseName(name, "an instruction or '}'") || expect('=', "behind an instruction's name"))
    return true;
  current = name;
  Instruction &instruction = *module.make<Instruction>();
  instruction.name = name;
  instruction.position = namePosition;
  instruction.parent = &computation;
  instruction.isRoot = isRoot;
  instruction.index = computation.instructions.size();
  if (isRoot) {
    if (computation.root)
      return fail(start, "computation '" + computation.name + "' already has a root, '" +
                             computation.root->name + "'");
    computation.root = &instruction;
  }
  if (parseShape(instruction.shape) || parseName(instruction.opcode, "an opcode"))
    return true;
  std::tie(instruction.base, instruction.phase) = opcodeFromName(instruction.opcode);
  if (parseArguments(instruction) || parseAttributes(instruction, /*header=*/false))
    return true;
  if (!names.try_emplace(name, &instruction).second)
    return fail(namePosition,
                "computation '" + computation.name + "' already has an instruction '" + name + "'");
  computation.instructions.push_back(&instruction);
  return false;
}

bool Reader::parseArguments(Instruction &instruction) {
  skipBlank();
  const char *open = cursor;
  if (expect('(', "behind the opcode"))
    return true;
  if (instruction.base == Opcode::Constant && instruction.phase == Phase::None) {
    Literal *literal = module.make<Literal>();
    if (parseLiteral(*instruction.shape, *literal))
      return true;
    instruction.literal = literal;
    return expect(')', "behind the literal");
  }
  if (instruction.base == Opcode::Parameter) {
    if (parseInt(instruction.parameter))
      return true;
    if (instruction.parameter < 0)
      return fail(open + 1,
                  "expected a parameter's number, found " + llvm::Twine(instruction.parameter));
    return expect(')', "behind the parameter's number");
  }
  llvm::SmallVector<Instruction *> operands;
  if (!consumeIf(')')) {
    do {
      if (cursor >= end)
        return fail(open, "this '(' is not closed");
      if (parseOperand(operands))
        return true;
    } while (consumeIf(','));
    if (expect(')', "or ',' behind an operand"))
      return true;
  }
  instruction.operands = module.save<Instruction *>(operands);
  return false;
}

bool Reader::parseOperand(llvm::SmallVectorImpl<Instruction *> &operands) {
  if (peek() != '%') {
    // Either a name or a shape before it: a shape has a bracket.
    const char *start = cursor;
    if (peek() != '(')
      takeName();
    const bool isShape = cursor < end && (*cursor == '(' || *cursor == '[');
    cursor = start;
    const Shape *shape;
    if (isShape) {
      if (parseShape(shape))
        return true;
      module.operandShapes = true;
    }
  }
  consumeIf('%');
  skipBlank();
  const char *position = cursor;
  StringRef name;
  if (parseName(name, "an operand"))
    return true;
  auto found = names.find(name);
  if (found == names.end())
    missing.push_back({name, position, current, false});
  operands.push_back(found == names.end() ? nullptr : found->second);
  return false;
}

bool Reader::parseAttributes(Attributes &owner, bool header) {
  llvm::SmallVector<Attribute, 8> attributes;
  while (consumeIf(',')) {
    Attribute &attribute = attributes.emplace_back();
    skipBlank();
    const char *position = cursor;
    if (parseName(attribute.name, "an attribute's name") ||
        expect('=', "behind an attribute's name"))
      return true;
    for (const Attribute &other : ArrayRef<Attribute>(attributes).drop_back())
      if (other.name == attribute.name)
        return fail(position, "attribute '" + attribute.name + "' stands here twice");
    if (parseValue(attribute.name, header, attribute.value))
      return true;
  }
  owner.attributes = module.save<Attribute>(attributes);
  return false;
}

bool Reader::finishComputation(Computation &computation) {
  if (computation.instructions.empty())
    return fail(computation.position, "computation '" + computation.name + "' has no instructions");
  if (!missing.empty()) {
    const PendingName &name = missing.front();
    const std::string role = name.isPredecessor ? "control predecessor" : "operand";
    auto found = names.find(name.name);
    if (found == names.end())
      return fail(name.position, role + " '" + name.name + "' of '" + name.user +
                                     "' is not defined in computation '" + computation.name + "'");
    const size_t line = module.lineAndColumn(found->second->position).first;
    return fail(name.position, "'" + name.user + "' stands before its " + role + " '" + name.name +
                                   "' (line " + llvm::Twine(line) +
                                   "): instructions come in an order in which they can run");
  }
  if (!computation.root) {
    computation.root = computation.instructions.back();
    computation.root->isRoot = true;
  }
  for (Instruction *instruction : computation.instructions) {
    if (instruction->base != Opcode::Parameter)
      continue;
    const size_t number = instruction->parameter;
    if (number >= computation.instructions.size())
      return fail(instruction->position, "computation '" + computation.name +
                                             "' has no parameters between this one, number " +
                                             llvm::Twine(number) + ", and the others");
    if (number >= computation.parameters.size())
      computation.parameters.resize(number + 1);
    if (computation.parameters[number])
      return fail(instruction->position, "parameter " + llvm::Twine(number) + " is already '" +
                                             computation.parameters[number]->name + "'");
    computation.parameters[number] = instruction;
  }
  for (auto [number, parameter] : llvm::enumerate(computation.parameters))
    if (!parameter)
      return fail(computation.position,
                  "computation '" + computation.name + "' has no parameter " + llvm::Twine(number));
  return false;
}

bool Reader::resolveCalls() {
  for (const PendingCall &call : pendingCalls) {
    auto found = computations.find(call.name);
    if (found == computations.end())
      return fail(call.position, "computation '" + call.name + "' is not defined");
    *call.slot = found->second;
  }
  return false;
}

llvm::Expected<std::unique_ptr<Module>> parse(std::string text, StringRef source) {
  auto module = std::make_unique<Module>(std::move(text), source.str());
  Reader reader(*module);
  if (reader.parseModule())
    return reader.takeError();
  if (llvm::Error error = verify(*module))
    return error;
  return module;
}

} // namespace tandem::hlo
