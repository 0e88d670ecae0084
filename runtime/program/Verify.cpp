// Checks of everything but the commands.
#include "runtime/program/Verifier.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "absl/strings/str_join.h"
#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

using namespace program;

uint64_t typeBytes(const TensorTypeT &type) {
  return static_cast<uint64_t>(elementCount(type.dims) * dtypeBytes(type.dtype));
}

absl::Status verifyProgram(const ProgramT &program) { return ProgramVerifier(program).run(); }

absl::Status ProgramVerifier::checkType(const TensorTypeT *type, absl::string_view where) const {
  if (!type)
    return programError(where, " has no type");
  if (static_cast<int>(type->dtype) >= kNumDTypes)
    return programError(where, " has an unknown element type ", static_cast<int>(type->dtype));
  // A product that overflows would make every later size check meaningless.
  int64_t bytes = dtypeBytes(type->dtype);
  for (int64_t dim : type->dims) {
    if (dim < 0)
      return programError(where, " has a negative dimension ", dim);
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(dim, 1), &bytes))
      return programError(
          where, " is larger than the address space: ", describeType(type->dtype, type->dims));
  }
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkLayout(const TensorTypeT *type, const LayoutT *layout,
                                          absl::string_view where) const {
  if (absl::Status status = checkType(type, where); !status.ok())
    return status;
  if (!layout)
    return programError(where, " has no layout");
  size_t rank = type->dims.size();
  if (layout->local.size() != rank)
    return programError(where, ": rank of the local shape is ", layout->local.size(),
                        ", of the global one ", rank);
  if (layout->tiles.size() != rank * program.num_devices)
    return programError(where, ": found ", layout->tiles.size(), " tile indices, expected ",
                        rank * program.num_devices, " (devices x rank)");
  int64_t expectedTiles = 1;
  for (size_t d = 0; d < rank; ++d) {
    int64_t local = layout->local[d], global = type->dims[d];
    if (local < 0 || (local == 0) != (global == 0) || local > std::max<int64_t>(global, 1))
      return programError(where, ": dimension ", d, " is ", local, " locally and ", global,
                          " globally");
    expectedTiles *= local == 0 ? 1 : (global + local - 1) / local;
  }
  // Together the devices hold every element: tiles beyond the end are padding.
  std::set<std::vector<uint32_t>> tiles;
  for (uint32_t device = 0; device < program.num_devices; ++device) {
    auto begin = layout->tiles.begin() + device * rank;
    std::vector<uint32_t> tile(begin, begin + rank);
    bool padding = false;
    for (size_t d = 0; d < rank; ++d)
      padding |= layout->local[d] == 0
                     ? tile[d] != 0
                     : static_cast<int64_t>(tile[d]) * layout->local[d] >= type->dims[d];
    if (!padding)
      tiles.insert(std::move(tile));
  }
  if (static_cast<int64_t>(tiles.size()) != expectedTiles)
    return programError(where, ": the devices hold ", tiles.size(), " of ", expectedTiles,
                        " tiles");
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkArgumentsAndResults() const {
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const ArgumentT *argument = program.arguments[i].get();
    std::string where = absl::StrCat("arguments[", i, "]");
    if (!argument)
      return programError(where, " is missing");
    if (absl::Status status = checkLayout(argument->type.get(), argument->layout.get(), where);
        !status.ok())
      return status;
    if (argument->alias_result >= 0 &&
        (static_cast<size_t>(argument->alias_result) >= program.results.size() ||
         !program.results[argument->alias_result] ||
         program.results[argument->alias_result]->alias_argument != static_cast<int64_t>(i)))
      return programError(where, " is aliased by results[", argument->alias_result,
                          "], which does not exist or aliases another argument");
  }
  for (size_t i = 0; i < program.results.size(); ++i) {
    const ResultT *result = program.results[i].get();
    std::string where = absl::StrCat("results[", i, "]");
    if (!result)
      return programError(where, " is missing");
    if (absl::Status status = checkLayout(result->type.get(), result->layout.get(), where);
        !status.ok())
      return status;
    int32_t alias = result->alias_argument;
    if (alias < 0)
      continue;
    if (static_cast<size_t>(alias) >= program.arguments.size() ||
        program.arguments[alias]->alias_result != static_cast<int64_t>(i))
      return programError(where, " aliases arguments[", alias,
                          "], which does not exist or is aliased by another result");
    const ArgumentT &argument = *program.arguments[alias];
    if (argument.type->dtype != result->type->dtype || argument.type->dims != result->type->dims ||
        argument.layout->local != result->layout->local ||
        argument.layout->tiles != result->layout->tiles)
      return programError(where, " (", describeType(result->type->dtype, result->type->dims),
                          ") aliases arguments[", alias, "] (",
                          describeType(argument.type->dtype, argument.type->dims),
                          "): types and layouts must be equal");
  }
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkBuffers() const {
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const BufferT *buffer = program.buffers[i].get();
    std::string where = absl::StrCat("buffers[", i, "]");
    if (!buffer)
      return programError(where, " is missing");
    uint64_t size = 0;
    switch (buffer->arena) {
    case Arena::Argument:
      if (buffer->index >= program.arguments.size())
        return programError(where, " lies in argument ", buffer->index, " of ",
                            program.arguments.size());
      size = static_cast<uint64_t>(localBytes(*program.arguments[buffer->index]));
      break;
    case Arena::Result:
      if (buffer->index >= program.results.size())
        return programError(where, " lies in result ", buffer->index, " of ",
                            program.results.size());
      if (program.results[buffer->index]->alias_argument >= 0)
        return programError(where, " lies in result ", buffer->index,
                            ", which has no bytes of its own: it aliases argument ",
                            program.results[buffer->index]->alias_argument);
      size = static_cast<uint64_t>(localBytes(*program.results[buffer->index]));
      break;
    case Arena::Temp:
      size = program.temp_bytes;
      break;
    case Arena::Constant:
      size = program.constants.size();
      break;
    default:
      return programError(where, " lies in an unknown arena ", static_cast<int>(buffer->arena));
    }
    if (buffer->slots == 0)
      return programError(where, " has no slots");
    if (buffer->slots > 1 &&
        (buffer->loop < 0 || static_cast<uint32_t>(buffer->loop) >= program.num_loops))
      return programError(where, " rotates with loop ", buffer->loop, " of ", program.num_loops);
    uint64_t end = buffer->offset, rotation = 0;
    if (__builtin_mul_overflow(uint64_t{buffer->slots} - 1, buffer->stride, &rotation) ||
        __builtin_add_overflow(end, rotation, &end) ||
        __builtin_add_overflow(end, buffer->bytes, &end) || end > size)
      return programError(where, " (offset ", buffer->offset, ", ", buffer->bytes, " bytes, ",
                          buffer->slots, " slots) ends beyond its arena of ", size, " bytes (",
                          EnumNameArena(buffer->arena), " ", buffer->index, ")");
  }
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkKernels() const {
  for (size_t i = 0; i < program.objects.size(); ++i)
    if (!program.objects[i] || program.objects[i]->data.empty())
      return programError("objects[", i, "] is empty");
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const KernelT *kernel = program.kernels[i].get();
    if (!kernel || kernel->symbol.empty())
      return programError("kernels[", i, "] has no symbol");
    if (kernel->object >= program.objects.size())
      return programError("kernels[", i, "] '", kernel->symbol, "' is in object ", kernel->object,
                          " of ", program.objects.size());
  }
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkGroups(const CollectiveOpT &op, absl::string_view where) const {
  if (op.kind == CollectiveKind::CollectivePermute) {
    if (!op.groups.empty())
      return programError(where, ": a permute has pairs, not groups");
    std::vector<bool> isSource(program.num_devices), isTarget(program.num_devices);
    for (const std::unique_ptr<PairT> &entry : op.pairs) {
      if (!entry)
        return programError(where, ": a pair is missing");
      const PairT &pair = *entry;
      if (pair.source >= program.num_devices || pair.target >= program.num_devices)
        return programError(where, ": pair ", pair.source, " -> ", pair.target, " with ",
                            program.num_devices, " devices");
      if (isSource[pair.source] || isTarget[pair.target])
        return programError(where, ": pair ", pair.source, " -> ", pair.target,
                            " repeats a source or a target");
      isSource[pair.source] = isTarget[pair.target] = true;
    }
    return absl::OkStatus();
  }
  if (!op.pairs.empty())
    return programError(where, ": only a permute has pairs");
  std::vector<int> seen(program.num_devices, 0);
  for (const std::unique_ptr<GroupT> &group : op.groups) {
    if (!group || group->devices.empty() ||
        group->devices.size() != op.groups.front()->devices.size())
      return programError(where, ": groups must be of one size, and not empty");
    for (uint32_t device : group->devices) {
      if (device >= program.num_devices)
        return programError(where, ": device ", device, " of ", program.num_devices);
      if (seen[device]++)
        return programError(where, ": device ", device, " is in more than one group");
    }
  }
  for (uint32_t device = 0; device < program.num_devices; ++device)
    if (!seen[device])
      return programError(where, ": device ", device, " is in no group");
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkCollective(const CollectiveOpT &op,
                                              absl::string_view where) const {
  if (op.kind > CollectiveKind::MAX)
    return programError(where, ": unknown kind ", static_cast<int>(op.kind));
  if (absl::Status status = checkGroups(op, where); !status.ok())
    return status;
  if (kFirstCommunicationStream + op.link_level >= program.num_streams)
    return programError(where, ": link level ", op.link_level, " needs stream ",
                        kFirstCommunicationStream + op.link_level, " of ", program.num_streams);
  bool reduces = op.kind == CollectiveKind::AllReduce || op.kind == CollectiveKind::ReduceScatter;
  if (op.reduction > Reduction::MAX || reduces != (op.reduction != Reduction::None))
    return programError(where, ": ", collectiveKindName(op.kind), " with reduction ",
                        EnumNameReduction(op.reduction));
  if (op.operand_types.size() != op.result_types.size() || op.operand_types.empty())
    return programError(where, ": ", op.operand_types.size(), " operands and ",
                        op.result_types.size(), " results, expected as many, at least one");
  int64_t groupSize =
      op.groups.empty() ? 1 : static_cast<int64_t>(op.groups.front()->devices.size());
  for (size_t i = 0; i < op.operand_types.size(); ++i) {
    const TensorTypeT *operand = op.operand_types[i].get(), *result = op.result_types[i].get();
    if (absl::Status status = checkType(operand, absl::StrCat(where, " operand ", i)); !status.ok())
      return status;
    if (absl::Status status = checkType(result, absl::StrCat(where, " result ", i)); !status.ok())
      return status;
    std::vector<int64_t> expected = operand->dims;
    int64_t rank = static_cast<int64_t>(expected.size());
    auto dimensionError = [&](int64_t dimension) {
      return programError(where, " operand ", i, ": dimension ", dimension, " of ",
                          describeType(operand->dtype, operand->dims), " in groups of ", groupSize);
    };
    bool splits = op.kind == CollectiveKind::ReduceScatter || op.kind == CollectiveKind::AllToAll;
    if (splits || op.kind == CollectiveKind::AllGather) {
      if (op.dimension < 0 || op.dimension >= rank ||
          (splits && expected[op.dimension] % groupSize != 0))
        return dimensionError(op.dimension);
      if (splits)
        expected[op.dimension] /= groupSize;
      else
        expected[op.dimension] *= groupSize;
    }
    if (op.kind == CollectiveKind::AllToAll) {
      if (op.concat_dimension < 0 || op.concat_dimension >= rank)
        return dimensionError(op.concat_dimension);
      expected[op.concat_dimension] *= groupSize;
    }
    if (result->dtype != operand->dtype || result->dims != expected)
      return programError(where, " result ", i, " is ", describeType(result->dtype, result->dims),
                          ", expected ", describeType(operand->dtype, expected), " for operand ",
                          describeType(operand->dtype, operand->dims), " in groups of ", groupSize);
    if (!reduces)
      continue;
    bool bitwise = op.reduction == Reduction::And || op.reduction == Reduction::Or ||
                   op.reduction == Reduction::Xor;
    bool ordered = op.reduction == Reduction::Min || op.reduction == Reduction::Max;
    if ((bitwise && !isInteger(operand->dtype)) || (ordered && isComplex(operand->dtype)))
      return programError(where, " operand ", i, ": reduction ", EnumNameReduction(op.reduction),
                          " of ", dtypeName(operand->dtype));
    if (static_cast<int>(op.accumulate) >= kNumDTypes ||
        isFloat(op.accumulate) != isFloat(op.operand_types[0]->dtype))
      return programError(where, ": accumulates ", dtypeName(op.operand_types[0]->dtype), " in ",
                          dtypeName(op.accumulate));
  }
  return absl::OkStatus();
}

absl::Status ProgramVerifier::run() {
  if (program.version != kProgramVersion)
    return programError("version ", program.version, ", this runtime reads version ",
                        kProgramVersion);
  if (program.num_devices == 0)
    return programError("no devices");
  if (program.num_streams < kFirstCommunicationStream || program.num_streams > 64)
    return programError("found ", program.num_streams, " streams, expected 2 to 64");
  if (absl::Status status = checkArgumentsAndResults(); !status.ok())
    return status;
  if (absl::Status status = checkBuffers(); !status.ok())
    return status;
  if (absl::Status status = checkKernels(); !status.ok())
    return status;
  for (size_t i = 0; i < program.collectives.size(); ++i) {
    std::string where = absl::StrCat("collectives[", i, "]");
    if (!program.collectives[i])
      return programError(where, " is missing");
    if (absl::Status status = checkCollective(*program.collectives[i], where); !status.ok())
      return status;
  }
  if (program.commands.empty())
    return programError("no commands");
  for (uint32_t i = 0; i < program.commands.size(); ++i) {
    std::string where = describeCommand(program, i);
    if (!program.commands[i])
      return programError(where, " is missing");
    if (absl::Status status = checkCommand(*program.commands[i], where); !status.ok())
      return status;
  }
  CommandBody last = program.commands.back()->body.type;
  if (last != CommandBody::Return && last != CommandBody::Jump)
    return programError("the last command must be Return or Jump, found ",
                        EnumNameCommandBody(last));
  return absl::OkStatus();
}

} // namespace tandem::runtime
