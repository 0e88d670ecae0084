// What must hold of a module's names and references beyond its syntax.
#include "tandem/Import/HloText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem::hlo {
namespace {

// What may hand on a transfer in flight.
bool handsOn(const Instruction &instruction) {
  switch (instruction.base) {
  case Opcode::AddDependency:
  case Opcode::AfterAll:
  case Opcode::Bitcast:
  case Opcode::Call:
  case Opcode::Conditional:
  case Opcode::Copy: // of a tuple's elements, as older dumps have it
  case Opcode::GetTupleElement:
  case Opcode::OptBarrier:
  case Opcode::Parameter:
  case Opcode::Tuple:
  case Opcode::While:
    return instruction.phase == Phase::None;
  default:
    return instruction.phase == Phase::Update;
  }
}

struct Verifier {
  const Module &module;

  llvm::Error fail(const Instruction &instruction, const llvm::Twine &message) const {
    return errorAt(module, instruction.position, message);
  }

  llvm::Error checkElement(const Instruction &instruction) const {
    if (instruction.operands.size() != 1)
      return fail(instruction, "get-tuple-element '" + instruction.name + "' has " +
                                   llvm::Twine(instruction.operands.size()) +
                                   " operands, expected one");
    const Shape &tuple = *instruction.operands[0]->shape;
    const std::optional<int64_t> index = instruction.integer("index");
    if (!index)
      return fail(instruction, "get-tuple-element '" + instruction.name + "' has no index=N");
    if (!tuple.isTuple() || *index < 0 || *index >= static_cast<int64_t>(tuple.elements.size()))
      return fail(instruction, "get-tuple-element '" + instruction.name + "' takes element " +
                                   llvm::Twine(*index) + " of '" + instruction.operands[0]->name +
                                   "', whose shape is " + print(tuple, false));
    if (!sameShape(*tuple.elements[*index], *instruction.shape))
      return fail(instruction, "'" + instruction.name + "' has the shape " +
                                   print(*instruction.shape, false) + ", element " +
                                   llvm::Twine(*index) + " of '" + instruction.operands[0]->name +
                                   "' is " + print(*tuple.elements[*index], false));
    return llvm::Error::success();
  }

  // A start is awaited, or handed on to where it may be; a done has a start.
  llvm::Error checkPair(
      const Instruction &instruction,
      const llvm::DenseMap<const Instruction *, std::vector<const Instruction *>> &users) const {
    if (instruction.phase == Phase::Start || instruction.phase == Phase::Update) {
      auto found = users.find(&instruction);
      const bool awaited =
          found != users.end() && llvm::any_of(found->second, [](const Instruction *user) {
            return user->phase == Phase::Done || handsOn(*user);
          });
      if (!awaited && !instruction.isRoot)
        return fail(instruction, "'" + instruction.name + "' is never awaited: expected a " +
                                     instruction.opcode.rsplit("-start").first +
                                     "-done that uses it");
      if (found != users.end())
        for (const Instruction *user : found->second)
          if (user->phase != Phase::Done && !handsOn(*user) && instruction.base != Opcode::Send &&
              instruction.base != Opcode::Recv)
            return fail(*user, "'" + user->name + "' uses '" + instruction.name +
                                   "' before it is awaited");
    }
    if (instruction.phase == Phase::Start)
      return llvm::Error::success();
    if (instruction.operands.empty())
      return fail(instruction, "'" + instruction.name + "' has no operand, expected a start");
    const Instruction &operand = *instruction.operands[0];
    if (operand.phase == Phase::Start) {
      if (operand.base != instruction.base)
        return fail(instruction, "'" + instruction.name + "', a " + instruction.opcode +
                                     ", awaits '" + operand.name + "', a " + operand.opcode);
    } else if (!handsOn(operand)) {
      return fail(instruction, "'" + instruction.name + "' awaits '" + operand.name +
                                   "', which no start can have come through");
    }
    return llvm::Error::success();
  }

  llvm::Error check(const Computation &computation) const {
    llvm::DenseMap<const Instruction *, std::vector<const Instruction *>> users;
    bool anyAsync = false;
    for (const Instruction *instruction : computation.instructions)
      anyAsync |= instruction->phase != Phase::None;
    if (anyAsync)
      for (const Instruction *instruction : computation.instructions)
        for (const Instruction *operand : instruction->operands)
          users[operand].push_back(instruction);
    for (const Instruction *instruction : computation.instructions) {
      if (instruction->base == Opcode::GetTupleElement && instruction->phase == Phase::None)
        if (llvm::Error error = checkElement(*instruction))
          return error;
      if (instruction->phase != Phase::None)
        if (llvm::Error error = checkPair(*instruction, users))
          return error;
      if (llvm::Error error = checkCalls(*instruction))
        return error;
      if (llvm::Error error = checkGroups(*instruction))
        return error;
    }
    return llvm::Error::success();
  }

  // A computation that takes the place of an instruction takes its operands and has its shape.
  llvm::Error checkBody(const Instruction &instruction, StringRef role) const {
    const Computation *callee = instruction.callee(role);
    if (!callee || !callee->root)
      return llvm::Error::success();
    if (!sameShape(*callee->root->shape, *instruction.shape))
      return fail(instruction, "'" + instruction.name + "' has the shape " +
                                   print(*instruction.shape, false) + ", its computation '" +
                                   callee->name + "' gives " + print(*callee->root->shape, false));
    if (callee->parameters.size() != instruction.operands.size())
      return fail(instruction, "'" + instruction.name + "' has " +
                                   llvm::Twine(instruction.operands.size()) +
                                   " operands, its computation '" + callee->name + "' takes " +
                                   llvm::Twine(callee->parameters.size()));
    for (auto [operand, parameter] : llvm::zip(instruction.operands, callee->parameters))
      if (!sameShape(*operand->shape, *parameter->shape))
        return fail(instruction, "operand '" + operand->name + "' of '" + instruction.name +
                                     "' has the shape " + print(*operand->shape, false) +
                                     ", its computation '" + callee->name + "' takes " +
                                     print(*parameter->shape, false));
    return llvm::Error::success();
  }

  llvm::Error checkGroups(const Instruction &instruction) const {
    const auto *groups = instruction.get<const ReplicaGroups *>("replica_groups");
    if (!groups || groups->form != ReplicaGroups::Form::List)
      return llvm::Error::success();
    llvm::DenseSet<int64_t> seen;
    for (ArrayRef<int64_t> group : groups->groups)
      for (int64_t member : group)
        if (member < 0 || !seen.insert(member).second)
          return fail(instruction, "replica_groups of '" + instruction.name + "' name " +
                                       llvm::Twine(member) +
                                       (member < 0 ? "" : " twice, expected each once"));
    return llvm::Error::success();
  }

  // The place that a path into a shape names exists.
  static bool hasPlace(const Shape *shape, ArrayRef<int64_t> path) {
    for (int64_t element : path) {
      if (!shape->isTuple() || element < 0 ||
          element >= static_cast<int64_t>(shape->elements.size()))
        return false;
      shape = shape->elements[element];
    }
    return true;
  }

  llvm::Error checkAliases() const {
    auto check = [&](StringRef what, int64_t parameter, ArrayRef<int64_t> index) -> llvm::Error {
      const auto count = static_cast<int64_t>(module.entry->parameters.size());
      if (parameter < 0 || parameter >= count)
        return errorAt(module, module.getText().data(),
                       what + " names parameter " + llvm::Twine(parameter) + ", the entry has " +
                           llvm::Twine(count));
      if (!hasPlace(module.entry->parameters[parameter]->shape, index))
        return errorAt(module, module.getText().data(),
                       what + " names a part that parameter " + llvm::Twine(parameter) +
                           " does not have");
      return llvm::Error::success();
    };
    for (const Alias &alias : module.aliases()) {
      if (llvm::Error error = check("input_output_alias", alias.parameter, alias.parameterIndex))
        return error;
      if (!hasPlace(module.entry->root->shape, alias.outputIndex))
        return errorAt(module, module.getText().data(),
                       "input_output_alias names a part that the result, " +
                           print(*module.entry->root->shape, false) + ", does not have");
    }
    for (const Donor &donor : module.donors())
      if (llvm::Error error = check("buffer_donor", donor.parameter, donor.parameterIndex))
        return error;
    return llvm::Error::success();
  }

  llvm::Error checkCalls(const Instruction &instruction) const {
    if (instruction.phase == Phase::None) {
      if (instruction.base == Opcode::Fusion)
        return checkBody(instruction, "calls");
      if (instruction.base == Opcode::Call)
        return checkBody(instruction, "to_apply");
    }
    if (instruction.base != Opcode::While || instruction.phase != Phase::None)
      return llvm::Error::success();
    for (StringRef role : {"condition", "body"}) {
      const Computation *callee = instruction.callee(role);
      if (!callee)
        return fail(instruction, "while '" + instruction.name + "' has no " + role + "=");
      if (instruction.operands.size() != 1 || callee->parameters.size() != 1 ||
          !sameShape(*callee->parameters[0]->shape, *instruction.operands[0]->shape))
        return fail(instruction, "the " + role + " '" + callee->name + "' of while '" +
                                     instruction.name +
                                     "' does not take the loop's state as its one parameter");
    }
    if (!sameShape(*instruction.callee("body")->root->shape, *instruction.shape) ||
        !sameShape(*instruction.operands[0]->shape, *instruction.shape))
      return fail(instruction, "the state that enters while '" + instruction.name +
                                   "', its body's result and its own result differ in shape");
    return llvm::Error::success();
  }

  // Computations must not call themselves, nor each other very deep or very often: everybody walks
  // them, one within the other.
  llvm::Error checkRecursion() const {
    struct Call {
      const Computation *callee;
      const Instruction *caller;
    };
    auto callsOf = [](const Computation &computation) {
      std::vector<Call> calls;
      for (const Instruction *instruction : computation.instructions)
        for (const Attribute &attribute : instruction->attributes)
          if (const Called *called = std::get_if<Called>(&attribute.value))
            for (const Computation *callee : called->computations)
              calls.push_back({callee, instruction});
      return calls;
    };
    constexpr int64_t kDeepest = 1000;
    int64_t most = 1'000'000;
    for (const Computation *computation : module.computations)
      most += 4 * static_cast<int64_t>(computation->instructions.size());
    struct Extent { // with the computations called, by call; bodies of loops once
      int64_t instructions = 0, depth = 1;
    };
    llvm::DenseMap<const Computation *, Extent> extents;
    enum State { New, Open, Closed };
    llvm::DenseMap<const Computation *, State> states;
    struct Visit {
      const Computation *computation;
      std::vector<Call> calls;
      size_t next = 0;
    };
    std::vector<Visit> path;
    auto open = [&](const Computation &computation) {
      states[&computation] = Open;
      path.push_back({&computation, callsOf(computation)});
    };
    for (const Computation *start : module.computations) {
      if (states[start] != New)
        continue;
      open(*start);
      while (!path.empty()) {
        Visit &visit = path.back();
        if (visit.next == visit.calls.size()) {
          states[visit.computation] = Closed;
          Extent extent{static_cast<int64_t>(visit.computation->instructions.size())};
          for (const Call &call : visit.calls) {
            const Extent callee = extents.lookup(call.callee);
            extent.instructions += callee.instructions;
            extent.depth = std::max(extent.depth, callee.depth + 1);
            if (extent.instructions > most)
              return fail(*call.caller, "'" + visit.computation->name + "' comes to more than " +
                                            llvm::Twine(most) +
                                            " instructions with those it calls, expected fewer");
            if (extent.depth > kDeepest)
              return fail(*call.caller, "'" + visit.computation->name +
                                            "' nests calls deeper than " + llvm::Twine(kDeepest) +
                                            ", expected fewer");
          }
          extents[visit.computation] = extent;
          path.pop_back();
          continue;
        }
        const Call call = visit.calls[visit.next++];
        if (states[call.callee] == Open)
          return fail(*call.caller, "'" + call.caller->name + "' calls '" + call.callee->name +
                                        "', in which it is itself called");
        if (states[call.callee] == New)
          open(*call.callee);
      }
    }
    return llvm::Error::success();
  }
};

} // namespace

llvm::Error verify(const Module &module) {
  const Verifier verifier{module};
  for (const Computation *computation : module.computations)
    if (llvm::Error error = verifier.check(*computation))
      return error;
  if (llvm::Error error = verifier.checkAliases())
    return error;
  return verifier.checkRecursion();
}

} // namespace tandem::hlo
