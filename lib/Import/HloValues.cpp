// Shapes and the values of attributes.
#include "HloReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tandem::hlo {
namespace {

// Forms of values that the attribute's name decides.
enum class Form {
  Aliases,
  Called,
  ConvDims,
  Dict,
  Donors,
  Metadata,
  Padding,
  Pairs,
  Predecessors,
  ProgramLayout,
  Raw,
  ReplicaGroups,
  Shapes,
  Sharding,
  Slices,
  Window,
};

std::optional<Form> formOf(StringRef name) {
  static const llvm::StringMap<Form> table = {
      {"backend_config", Form::Raw},
      {"body", Form::Called},
      {"branch_computations", Form::Called},
      {"buffer_donor", Form::Donors},
      {"called_computation", Form::Called},
      {"called_computations", Form::Called},
      {"calls", Form::Called},
      {"comparator", Form::Called},
      {"condition", Form::Called},
      {"control-predecessors", Form::Predecessors},
      {"dim_labels", Form::ConvDims},
      {"entry_computation_layout", Form::ProgramLayout},
      {"false_computation", Form::Called},
      {"frontend_attributes", Form::Dict},
      {"input_output_alias", Form::Aliases},
      {"metadata", Form::Metadata},
      {"operand_layout_constraints", Form::Shapes},
      {"output_to_operand_aliasing", Form::Aliases},
      {"padding", Form::Padding},
      {"replica_groups", Form::ReplicaGroups},
      {"scatter", Form::Called},
      {"select", Form::Called},
      {"sharding", Form::Sharding},
      {"slice", Form::Slices},
      {"source_target_pairs", Form::Pairs},
      {"to_apply", Form::Called},
      {"true_computation", Form::Called},
      {"window", Form::Window},
  };
  auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

// ---- shapes

bool Reader::parseShape(const Shape *&result) {
  skipBlank();
  const char *start = cursor;
  if (consumeIf('(')) {
    llvm::SmallVector<const Shape *> elements;
    if (enter())
      return true;
    if (!consumeIf(')')) {
      do {
        if (parseShape(elements.emplace_back()))
          return true;
      } while (consumeIf(','));
      if (expect(')', "or ',' in a tuple's shape"))
        return true;
    }
    leave();
    Shape tuple;
    tuple.elements = module.save<const Shape *>(elements);
    result = module.make<Shape>(tuple);
    return false;
  }
  // The text of an array's shape: a word, [..], and {..} if it follows at once.
  const char *stop = cursor;
  auto skipTo = [&](char close) {
    while (stop < end && *stop != close && *stop != '\n')
      ++stop;
    if (stop < end && *stop == close)
      ++stop;
  };
  skipTo(']');
  if (stop < end && *stop == '{')
    skipTo('}');
  const StringRef text(start, stop - start);
  if (auto found = shapes.find(text); found != shapes.end()) {
    cursor = stop;
    result = found->second;
    return false;
  }

  Shape shape;
  StringRef type = takeName();
  if (type == "b" && consumeIf('(')) {
    shape.isBuffer = true;
    type = takeName();
  }
  const std::optional<DType> dtype = dtypeFromName(type);
  if (!dtype)
    return type.empty() ? failHere("a shape")
                        : fail(start, "unknown element type '" + type + "' of a shape");
  shape.dtype = *dtype;
  if (expect('[', "before the dimensions of a shape"))
    return true;
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<bool> dynamic;
  bool anyDynamic = false;
  int64_t count = 1;
  if (!consumeIf(']')) {
    do {
      bool bounded = false;
      int64_t dim = 0;
      if (consumeIf('<'))
        bounded = true;
      if (bounded && expect('=', "behind '<' of a bounded dimension"))
        return true;
      if (consumeIf('?')) {
        bounded = true;
        dim = 0;
      } else if (parseInt(dim)) {
        return true;
      }
      if (dim < 0 || __builtin_mul_overflow(count, std::max<int64_t>(dim, 1), &count))
        return fail(start, dim < 0 ? "a dimension of a shape is negative"
                                   : "a shape has more elements than 64 bits can count");
      dims.push_back(dim);
      dynamic.push_back(bounded);
      anyDynamic |= bounded;
    } while (consumeIf(','));
    if (expect(']', "or ',' behind a dimension"))
      return true;
  }
  shape.dims = module.save<int64_t>(dims);
  if (anyDynamic)
    shape.dynamic = module.save<bool>(dynamic);
  if (cursor < end && *cursor == '{') {
    if (parseLayout(shape.layout))
      return true;
    const size_t rank = shape.layout->minorToMajor.size();
    if (rank != dims.size())
      return fail(start, "the layout orders " + llvm::Twine(rank) + " dimensions, the shape has " +
                             llvm::Twine(dims.size()));
    llvm::SmallVector<bool> seen(rank, false);
    for (int64_t dim : shape.layout->minorToMajor) {
      if (dim < 0 || dim >= static_cast<int64_t>(rank) || seen[dim])
        return fail(start, "the layout is no order of the shape's dimensions");
      seen[dim] = true;
    }
  }
  if (shape.isBuffer && expect(')', "behind a buffer's shape"))
    return true;
  if (shape.isArray() && bitsOf(shape.dtype) &&
      __builtin_mul_overflow(count, static_cast<int64_t>(bitsOf(shape.dtype)), &count))
    return fail(start, "a shape has more bits than 64 bits can count");
  const Shape *made = module.make<Shape>(shape);
  if (cursor == stop)
    shapes.try_emplace(text, made);
  result = made;
  return false;
}

bool Reader::parseLayout(const Layout *&result) {
  const char *start = cursor;
  const char *stop = cursor;
  while (stop < end && *stop != '}' && *stop != '\n')
    ++stop;
  const StringRef text(start, stop - start);
  if (auto found = layouts.find(text); found != layouts.end() && stop < end && *stop == '}') {
    cursor = stop + 1;
    result = found->second;
    return false;
  }
  Layout layout;
  llvm::SmallVector<int64_t> order;
  if (expect('{', "before a layout"))
    return true;
  if (peek() != '}' && peek() != ':') {
    do {
      if (parseInt(order.emplace_back()))
        return true;
    } while (consumeIf(','));
  }
  llvm::SmallVector<ArrayRef<int64_t>> tiles;
  llvm::SmallVector<std::pair<StringRef, StringRef>> others;
  if (consumeIf(':')) {
    while (peek() != '}') {
      const StringRef letter = takeName();
      if (letter == "T") {
        do {
          llvm::SmallVector<int64_t> tile;
          if (expect('(', "before a tile"))
            return true;
          do {
            if (consumeIf('*'))
              tile.push_back(-1);
            else if (parseInt(tile.emplace_back()))
              return true;
          } while (consumeIf(','));
          if (expect(')', "behind a tile"))
            return true;
          tiles.push_back(module.save<int64_t>(tile));
        } while (peek() == '(');
      } else if (letter == "S" || letter == "E") {
        int64_t &value = letter == "S" ? layout.memorySpace : layout.elementBits;
        if (expect('(', "in a layout") || parseInt(value) || expect(')', "in a layout"))
          return true;
      } else if (!letter.empty() && peek() == '(') {
        // Balanced text, with the brackets.
        int level = 0;
        const char *open = cursor;
        do {
          level += *cursor == '(' ? 1 : *cursor == ')' ? -1 : 0;
          ++cursor;
        } while (cursor < end && level > 0 && *cursor != '\n');
        if (level > 0)
          return fail(open, "this '(' is not closed");
        others.push_back({letter, StringRef(open, cursor - open)});
      } else {
        return failHere("a property of a layout, such as T(8,128) or S(5)");
      }
    }
  }
  if (expect('}', "behind a layout"))
    return true;
  layout.minorToMajor = module.save<int64_t>(order);
  layout.tiles = module.save<ArrayRef<int64_t>>(tiles);
  layout.others = module.save<std::pair<StringRef, StringRef>>(others);
  const Layout *made = module.make<Layout>(layout);
  if (cursor == stop + 1)
    layouts.try_emplace(text, made);
  result = made;
  return false;
}

// ---- values

bool Reader::parseValue(StringRef name, bool header, Value &value) {
  skipBlank();
  const char first = peek();
  if (std::optional<Form> form = formOf(name)) {
    switch (*form) {
    case Form::Raw: {
      RawText text;
      const bool failed = parseBalanced(text.text);
      value = text;
      return failed;
    }
    case Form::Aliases:
      return parseAliases(header, value);
    case Form::Called:
      return parseCalled(name, first == '{', value);
    case Form::ConvDims:
      return parseConvDims(value);
    case Form::Dict:
      return parseDict(/*spaced=*/false, value);
    case Form::Donors:
      return parseDonors(value);
    case Form::Metadata:
      return parseDict(/*spaced=*/true, value);
    case Form::Padding:
      return parsePadding(value);
    case Form::Pairs:
      return parsePairs(value);
    case Form::Predecessors:
      return parsePredecessors(value);
    case Form::ProgramLayout:
      return parseProgramLayout(value);
    case Form::ReplicaGroups:
      return parseReplicaGroups(value);
    case Form::Shapes:
      return parseShapes(value);
    case Form::Sharding: {
      Sharding *sharding = module.make<Sharding>();
      value = static_cast<const Sharding *>(sharding);
      return parseSharding(*sharding);
    }
    case Form::Slices:
      return parseSlices(value);
    case Form::Window:
      return parseWindow(value);
    }
  }
  if (first == '"') {
    Quoted quoted;
    const bool failed = parseQuoted(quoted.text);
    value = quoted;
    return failed;
  }
  if (first == '{')
    return parseBraced(name, value);
  if (first == '%')
    return parseCalled(name, /*braced=*/false, value);
  const char *start = cursor;
  StringRef word = takeName();
  int64_t integer = 0;
  if (!word.empty() &&
      (cursor >= end || *cursor == ',' || *cursor == '\n' || *cursor == ' ' || *cursor == '\r')) {
    // "01" would not be written again as it stands.
    if (!word.getAsInteger(10, integer) && llvm::Twine(integer).str() == word)
      value = integer;
    else
      value = Word{word};
    return false;
  }
  cursor = start;
  RawText text;
  const bool failed = parseBalanced(text.text);
  value = text;
  return failed;
}

// {1,2}, {true,false}; any other form stays text.
bool Reader::parseBraced(StringRef, Value &value) {
  const char *start = cursor;
  const char *stop = start + 1;
  bool isInts = true, isWords = true;
  for (; stop < end && *stop != '}'; ++stop) {
    isInts &= llvm::isDigit(*stop) || *stop == ',' || *stop == '-';
    isWords &= llvm::isAlnum(*stop) || *stop == ',' || *stop == '_' || *stop == '-';
  }
  if (isInts) {
    ArrayRef<int64_t> ints;
    if (parseInts(ints, '{', '}'))
      return true;
    value = ints;
    return false;
  }
  if (!isWords) {
    RawText text;
    const bool failed = parseBalanced(text.text);
    value = text;
    return failed;
  }
  llvm::SmallVector<StringRef> words;
  ++cursor;
  do {
    StringRef &word = words.emplace_back();
    if (parseName(word, "a word"))
      return true;
  } while (consumeIf(','));
  if (expect('}', "behind a list of words"))
    return true;
  value = Words{module.save<StringRef>(words)};
  return false;
}

bool Reader::parseCalled(StringRef, bool braced, Value &value) {
  llvm::SmallVector<PendingCall> calls;
  if (braced)
    consumeIf('{');
  if (!braced || !consumeIf('}')) {
    do {
      consumeIf('%');
      skipBlank();
      PendingCall &call = calls.emplace_back();
      call.position = cursor;
      if (parseName(call.name, "a computation's name"))
        return true;
    } while (braced && consumeIf(','));
    if (braced && expect('}', "behind the computations"))
      return true;
  }
  Computation **slots = module.getArena().Allocate<Computation *>(calls.size());
  for (size_t i = 0; i < calls.size(); ++i) {
    slots[i] = nullptr;
    calls[i].slot = &slots[i];
    pendingCalls.push_back(calls[i]);
  }
  value = Called{ArrayRef<Computation *>(slots, calls.size()), braced};
  return false;
}

bool Reader::parsePredecessors(Value &value) {
  llvm::SmallVector<Instruction *> list;
  if (expect('{', "before the control predecessors"))
    return true;
  if (!consumeIf('}')) {
    do {
      consumeIf('%');
      skipBlank();
      const char *position = cursor;
      StringRef name;
      if (parseName(name, "a control predecessor"))
        return true;
      auto found = names.find(name);
      if (found == names.end())
        missing.push_back({name, position, current, true});
      list.push_back(found == names.end() ? nullptr : found->second);
    } while (consumeIf(','));
    if (expect('}', "behind the control predecessors"))
      return true;
  }
  value = Predecessors{module.save<Instruction *>(list)};
  return false;
}

// {key=value,key=value}, metadata with blanks between. Values are strings, words or bracketed.
bool Reader::parseDict(bool spaced, Value &value) {
  llvm::SmallVector<DictEntry> entries;
  skipBlank();
  const char *open = cursor;
  if (expect('{', "before named values"))
    return true;
  while (!consumeIf('}')) {
    if (cursor >= end)
      return fail(open, "this '{' is not closed");
    DictEntry &entry = entries.emplace_back();
    if (parseName(entry.key, "a name") || expect('=', "behind a name"))
      return true;
    skipBlank();
    const char *start = cursor;
    StringRef inner;
    if (peek() == '"') {
      if (parseQuoted(inner))
        return true;
    } else if (peek() == '{' || peek() == '[') {
      // Bracketed text, which may hold anything balanced.
      llvm::SmallVector<char> levels;
      do {
        if (*cursor == '"') {
          if (parseQuoted(inner))
            return true;
          continue;
        }
        if (*cursor == '{' || *cursor == '[' || *cursor == '(')
          levels.push_back(*cursor);
        else if ((*cursor == '}' || *cursor == ']' || *cursor == ')') && !levels.empty())
          levels.pop_back();
        ++cursor;
      } while (cursor < end && !levels.empty());
      if (!levels.empty())
        return fail(start, llvm::Twine("this '") + llvm::Twine(*start) + "' is not closed");
    } else {
      while (cursor < end && *cursor != ',' && *cursor != '}' && *cursor != ' ' && *cursor != '\n')
        ++cursor;
    }
    entry.value = StringRef(start, cursor - start);
    if (entry.value.empty())
      return failHere("a value");
    if (!spaced && !consumeIf(',') && peek() != '}')
      return failHere("',' or '}' behind a named value");
    if (spaced)
      consumeIf(',');
  }
  value = Dict{module.save<DictEntry>(entries), spaced};
  return false;
}

bool Reader::parseSlices(Value &value) {
  llvm::SmallVector<SliceDim> dims;
  if (expect('{', "before the bounds of a slice"))
    return true;
  if (!consumeIf('}')) {
    do {
      SliceDim &dim = dims.emplace_back();
      if (expect('[', "before bounds") || parseInt(dim.start) || expect(':', "between bounds") ||
          parseInt(dim.limit) || (consumeIf(':') && parseInt(dim.stride)) ||
          expect(']', "behind bounds"))
        return true;
    } while (consumeIf(','));
    if (expect('}', "behind the bounds of a slice"))
      return true;
  }
  value = module.save<SliceDim>(dims);
  return false;
}

// 0_5x0_0, with an interior 1_2_0x0_1_2. An empty list is written as nothing.
bool Reader::parsePadding(Value &value) {
  llvm::SmallVector<PadDim> dims;
  if (peek() != ',' && cursor < end && *cursor != '\n') {
    do {
      PadDim &dim = dims.emplace_back();
      if (parseInt(dim.low) || expect('_', "between amounts of padding") || parseInt(dim.high) ||
          (consumeIf('_') && parseInt(dim.interior)))
        return true;
    } while (consumeIf('x'));
  }
  value = module.save<PadDim>(dims);
  return false;
}

bool Reader::parsePairs(Value &value) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> pairs;
  if (expect('{', "before pairs of devices"))
    return true;
  if (!consumeIf('}')) {
    do {
      auto &[source, target] = pairs.emplace_back();
      if (expect('{', "before a pair") || parseInt(source) || expect(',', "in a pair") ||
          parseInt(target) || expect('}', "behind a pair"))
        return true;
    } while (consumeIf(','));
    if (expect('}', "behind pairs of devices"))
      return true;
  }
  value = Pairs{module.save<std::pair<int64_t, int64_t>>(pairs)};
  return false;
}

bool Reader::parseShapes(Value &value) {
  llvm::SmallVector<const Shape *> list;
  if (expect('{', "before shapes"))
    return true;
  if (!consumeIf('}')) {
    do {
      if (parseShape(list.emplace_back()))
        return true;
    } while (consumeIf(','));
    if (expect('}', "behind shapes"))
      return true;
  }
  value = Shapes{module.save<const Shape *>(list)};
  return false;
}

bool Reader::parseProgramLayout(Value &value) {
  llvm::SmallVector<const Shape *> parameters;
  ProgramLayout *layout = module.make<ProgramLayout>();
  if (expect('{', "before the layout of the entry computation") ||
      expect('(', "before the parameters"))
    return true;
  if (!consumeIf(')')) {
    do {
      if (parseShape(parameters.emplace_back()))
        return true;
    } while (consumeIf(','));
    if (expect(')', "behind the parameters"))
      return true;
  }
  if (!consumeIf('-') || !consumeIf('>'))
    return failHere("'->' behind the parameters");
  if (parseShape(layout->result) || expect('}', "behind the layout of the entry computation"))
    return true;
  layout->parameters = module.save<const Shape *>(parameters);
  value = static_cast<const ProgramLayout *>(layout);
  return false;
}

// {{0}: (1, {}), ...}; in the header { {0}: (1, {}, may-alias), ... }.
bool Reader::parseAliases(bool, Value &value) {
  llvm::SmallVector<Alias> aliases;
  if (expect('{', "before aliases"))
    return true;
  if (!consumeIf('}')) {
    do {
      Alias &alias = aliases.emplace_back();
      if (parseInts(alias.outputIndex, '{', '}') || expect(':', "behind an output's index") ||
          expect('(', "before a parameter's number") || parseInt(alias.parameter) ||
          expect(',', "behind a parameter's number") || parseInts(alias.parameterIndex, '{', '}') ||
          (consumeIf(',') && parseName(alias.kind, "may-alias or must-alias")) ||
          expect(')', "behind an alias"))
        return true;
    } while (consumeIf(','));
    if (expect('}', "behind aliases"))
      return true;
  }
  value = module.save<Alias>(aliases);
  return false;
}

bool Reader::parseDonors(Value &value) {
  llvm::SmallVector<Donor> donors;
  if (expect('{', "before donors"))
    return true;
  if (!consumeIf('}')) {
    do {
      Donor &donor = donors.emplace_back();
      if (expect('(', "before a donor") || parseInt(donor.parameter) ||
          expect(',', "behind a parameter's number") || parseInts(donor.parameterIndex, '{', '}') ||
          expect(')', "behind a donor"))
        return true;
    } while (consumeIf(','));
    if (expect('}', "behind donors"))
      return true;
  }
  value = module.save<Donor>(donors);
  return false;
}

bool Reader::parseConvDims(Value &value) {
  ConvDims *dims = module.make<ConvDims>();
  value = static_cast<const ConvDims *>(dims);
  const StringRef rest = StringRef(cursor, end - cursor).take_until([](char c) {
    return c == ',' || c == '\n' || c == ' ';
  });
  auto [operands, output] = rest.split("->");
  auto [input, kernel] = operands.split('_');
  if (input.empty() || kernel.size() != input.size() || output.size() != input.size())
    return fail(cursor,
                "expected labels of dimensions as in b01f_01io->b01f, found '" + rest + "'");
  *dims = {input, kernel, output};
  cursor += rest.size();
  return false;
}

} // namespace tandem::hlo
