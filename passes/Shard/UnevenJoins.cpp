// Joins along a dimension that does not divide (rules M5, F18).
//
//   concatenate a (7 in 4 tiles of 2), b (1)    update of (a, padded to the result) by b at 7
//
// A split array is moved to where it goes by a pad, whose neighbours' elements rule F14 fetches; of
// two such the later begins where the earlier one's true elements end. A whole array is written by
// an update, for which nothing is sent (F15).
#include "passes/Shard/UnevenPadder.h"

#include "tandem/IR/Tandem/Cause.h"
#include "tandem/Sharding/Names.h"
#include "tandem/Sharding/Neutral.h"

namespace tandem {
using namespace mlir;

void UnevenPadder::padJoin(stablehlo::ConcatenateOp op) {
  int64_t dim = op.getDimension();
  Value result = op.getResult();
  RankedTensorType trueResult = trueType(result), padded = paddedType(result);
  bool isUneven = padded.getDimSize(dim) != trueResult.getDimSize(dim) ||
                  llvm::any_of(op.getInputs(), [&](Value input) {
                    return cast<RankedTensorType>(input.getType()).getDimSize(dim) !=
                           trueType(input).getDimSize(dim);
                  });
  if (!isUneven)
    return padByRule(op, rules.find(op)->second);
  b.setInsertionPoint(op);
  Location loc = withCause(op.getLoc(), makeCause(b.getContext(), "join of an uneven dimension",
                                                  describeArray(result), {}));
  Sharding sharding = shardingOf(result);
  auto own = [&](Operation *made) {
    setShardings(made, {sharding});
    return made->getResult(0);
  };
  Type element = padded.getElementType();
  Value joined;
  SmallVector<std::pair<Value, int64_t>> whole; // array, where it begins
  int64_t begin = 0;
  for (Value input : op.getInputs()) {
    int64_t first = begin;
    begin += trueType(input).getDimSize(dim);
    if (shardingOf(input).dims[dim].empty()) {
      whole.push_back({input, first});
      continue;
    }
    Shape from(padded.getRank(), 0);
    from[dim] = -first;
    Value piece = resize(input, from, padded.getShape(), sharding, op.getLoc());
    joined = joined ? own(stablehlo::SelectOp::create(
                          b, loc, padded, isBefore(piece, dim, first, loc), joined, piece))
                    : piece;
  }
  if (!joined) {
    Value zero =
        scalar(getSplatAttr(RankedTensorType::get({}, element), 0).getSplatValue<Attribute>(),
               element, loc);
    joined =
        own(stablehlo::BroadcastInDimOp::create(b, loc, padded, zero, b.getDenseI64ArrayAttr({})));
  }
  for (auto [input, first] : whole) {
    Shape shape(padded.getShape());
    shape[dim] = trueType(input).getDimSize(dim);
    if (shape[dim] == 0)
      continue;
    Value part = input;
    if (cast<RankedTensorType>(input.getType()).getShape() != ArrayRef<int64_t>(shape)) {
      Sharding mine = shardingOf(input);
      mine.makeDivisible(RankedTensorType::get(shape, element), mesh);
      part = resize(input, Shape(shape.size(), 0), shape, mine, op.getLoc());
    }
    SmallVector<Value> starts;
    for (int64_t d = 0; d < padded.getRank(); ++d)
      starts.push_back(scalar(b.getI32IntegerAttr(d == dim ? first : 0), b.getI32Type(), loc));
    joined = own(stablehlo::DynamicUpdateSliceOp::create(b, loc, padded, joined, part, starts));
  }
  result.replaceAllUsesWith(joined);
  if (padded != trueResult) {
    trueTypes[joined] = trueResult;
    ++numPadded;
  }
  rules.erase(op);
  op.erase();
}

} // namespace tandem
