// Copies and reductions of whole groups.
#include "runtime/collectives/Movement.h"

#include <algorithm>
#include <cstring>

#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

using program::CollectiveKind;

namespace {

// Source and target may be the same bytes (in place), never partly.
void copyBytes(std::byte *target, const std::byte *source, size_t bytes) {
  if (target != source && bytes != 0)
    std::memcpy(target, source, bytes);
}

std::vector<int64_t> rowMajorByteStrides(const std::vector<int64_t> &dims, int64_t elementBytes) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = elementBytes;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

} // namespace

absl::StatusOr<Movement> Movement::create(const program::CollectiveOpT &op, size_t operand,
                                          size_t groupSize) {
  const program::TensorTypeT &type = *op.operand_types[operand];
  const program::TensorTypeT &resultType = *op.result_types[operand];
  int64_t ranks = static_cast<int64_t>(groupSize);
  Movement movement;
  movement.kind = op.kind;
  movement.elements = elementCount(type.dims);
  movement.elementBytes = static_cast<size_t>(dtypeBytes(type.dtype));
  movement.operandBytes = static_cast<size_t>(movement.elements) * movement.elementBytes;
  if (op.kind == CollectiveKind::AllReduce || op.kind == CollectiveKind::ReduceScatter) {
    absl::StatusOr<ReduceFunction> reduce =
        findReduceFunction(op.reduction, type.dtype, op.accumulate);
    if (!reduce.ok())
      return reduce.status();
    movement.reduce = *reduce;
  }
  if (op.kind == CollectiveKind::AllGather || op.kind == CollectiveKind::ReduceScatter) {
    for (int64_t d = 0; d < op.dimension; ++d)
      movement.outer *= type.dims[d];
    movement.pieceElements = 1;
    for (size_t d = static_cast<size_t>(op.dimension); d < type.dims.size(); ++d)
      movement.pieceElements *= type.dims[d];
    if (op.kind == CollectiveKind::ReduceScatter)
      movement.pieceElements /= ranks;
  }
  if (op.kind == CollectiveKind::AllToAll) {
    size_t split = static_cast<size_t>(op.dimension);
    size_t concat = static_cast<size_t>(op.concat_dimension);
    int64_t bytes = static_cast<int64_t>(movement.elementBytes);
    std::vector<int64_t> block = type.dims;
    block[split] /= ranks;
    std::vector<int64_t> source = rowMajorByteStrides(type.dims, bytes);
    std::vector<int64_t> target = rowMajorByteStrides(resultType.dims, bytes);
    movement.sourceStep = block[split] * source[split];
    movement.targetStep = block[concat] * target[concat];
    // Everything from the last of the two dimensions on is contiguous on both sides.
    size_t last = std::max(split, concat);
    movement.runBytes = static_cast<size_t>(block[last] * source[last]);
    block.resize(last);
    source.resize(last);
    target.resize(last);
    movement.block = std::move(block);
    movement.sourceStrides = std::move(source);
    movement.targetStrides = std::move(target);
  }
  return movement;
}

void Movement::allGather(absl::Span<const std::byte *const> operands,
                         absl::Span<std::byte *const> results) const {
  size_t piece = static_cast<size_t>(pieceElements) * elementBytes;
  size_t row = piece * operands.size();
  for (std::byte *result : results)
    for (size_t rank = 0; rank < operands.size(); ++rank)
      for (int64_t o = 0; o < outer; ++o)
        copyBytes(result + static_cast<size_t>(o) * row + rank * piece,
                  operands[rank] + static_cast<size_t>(o) * piece, piece);
}

void Movement::reduceScatter(absl::Span<const std::byte *const> operands,
                             absl::Span<std::byte *const> results) const {
  size_t piece = static_cast<size_t>(pieceElements) * elementBytes;
  size_t row = piece * results.size();
  std::vector<const std::byte *> sources(operands.size());
  for (size_t rank = 0; rank < results.size(); ++rank)
    for (int64_t o = 0; o < outer; ++o) {
      for (size_t s = 0; s < operands.size(); ++s)
        sources[s] = operands[s] + static_cast<size_t>(o) * row + rank * piece;
      std::byte *target = results[rank] + static_cast<size_t>(o) * piece;
      reduce(sources, absl::MakeConstSpan(&target, 1), pieceElements);
    }
}

void Movement::allToAll(absl::Span<const std::byte *const> operands,
                        absl::Span<std::byte *const> results) const {
  if (elements == 0)
    return;
  std::vector<int64_t> index(block.size());
  for (size_t to = 0; to < results.size(); ++to)
    for (size_t from = 0; from < operands.size(); ++from) {
      const std::byte *source = operands[from] + static_cast<int64_t>(to) * sourceStep;
      std::byte *target = results[to] + static_cast<int64_t>(from) * targetStep;
      std::fill(index.begin(), index.end(), 0);
      for (;;) {
        copyBytes(target, source, runBytes);
        size_t d = block.size();
        while (d-- > 0) {
          source += sourceStrides[d];
          target += targetStrides[d];
          if (++index[d] < block[d])
            break;
          source -= sourceStrides[d] * block[d];
          target -= targetStrides[d] * block[d];
          index[d] = 0;
        }
        if (d == static_cast<size_t>(-1))
          break;
      }
    }
}

void Movement::permute(absl::Span<const std::byte *const> operands,
                       absl::Span<std::byte *const> results,
                       absl::Span<const std::pair<uint32_t, uint32_t>> pairs) const {
  std::vector<bool> written(results.size(), false);
  bool inPlace = false;
  for (auto [source, target] : pairs) {
    written[target] = true;
    inPlace |= operands[target] == results[target] && operandBytes != 0;
  }
  if (!inPlace) {
    for (auto [source, target] : pairs)
      copyBytes(results[target], operands[source], operandBytes);
  } else {
    // Every result may be somebody's operand: copy all before writing any.
    std::vector<std::byte> values(operandBytes * pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i)
      std::memcpy(values.data() + i * operandBytes, operands[pairs[i].first], operandBytes);
    for (size_t i = 0; i < pairs.size(); ++i)
      std::memcpy(results[pairs[i].second], values.data() + i * operandBytes, operandBytes);
  }
  for (size_t rank = 0; rank < results.size(); ++rank)
    if (!written[rank])
      std::memset(results[rank], 0, operandBytes);
}

void Movement::run(absl::Span<const std::byte *const> operands,
                   absl::Span<std::byte *const> results,
                   absl::Span<const std::pair<uint32_t, uint32_t>> pairs) const {
  switch (kind) {
  case CollectiveKind::AllReduce:
    reduce(operands, results, elements);
    break;
  case CollectiveKind::AllGather:
    allGather(operands, results);
    break;
  case CollectiveKind::ReduceScatter:
    reduceScatter(operands, results);
    break;
  case CollectiveKind::AllToAll:
    allToAll(operands, results);
    break;
  case CollectiveKind::CollectivePermute:
    permute(operands, results, pairs);
    break;
  case CollectiveKind::CollectiveBroadcast: {
    // In place, the first rank's result is its operand: write the others from it.
    const std::byte *source = operands[0];
    for (std::byte *result : results)
      copyBytes(result, source, operandBytes);
    break;
  }
  }
}

} // namespace tandem::runtime
