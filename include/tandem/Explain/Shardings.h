// How every array lies over the mesh, and who decided so: `tandem explain --sharding`.
//
//   llvm::Expected<ShardingReport> report = explainShardings(module);   // after phase import
//   llvm::outs() << formatShardings(*report);                  // or shardingsJson(*report)
//
//   [{"data"}, {}]     dimension 0 in 4 tiles
//     | 0,1 | 2,3 | 4,5 | 6,7 |
//     arguments: x tensor<64x16xf32>, y tensor<64xf32>
//     0 by data: argument x 14 times, as given 2 times
//
// Runs propagation as phase shard does, on the module it is given; that module is edited as by
// tandem-split-constants. Sizes are global unless they say local.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tandem {

/// One axis on one dimension of one array.
struct AxisDecision {
  int64_t dim = 0;
  std::string axis;   // as written: data, or "data":(2)2
  std::string origin; // "as given", "argument 3 params['w']", "constraint at step.mlir:9:5"
};

struct ShardedArray {
  std::string role; // argument, result, constraint, loop, value
  std::string name; // params['w'], result 2, stablehlo.add
  std::string place;
  std::string type;     // tensor<64x16xf32>
  std::string sharding; // [{"data"}, {}]
  int64_t bytes = 0, localBytes = 0;
  std::vector<AxisDecision> axes;
  size_t tiling = 0; // index into the report's pictures
};

/// Which devices hold which tile.
struct TilingPicture {
  std::string sharding;
  std::string legend;            // "dimension 0 in 4 tiles, dimension 1 in 2"
  std::vector<std::string> rows; // of the grid
};

struct ShardingReport {
  std::string mesh; // @mesh: data=4, model=2
  int64_t devices = 1;
  std::vector<TilingPicture> pictures;
  std::vector<ShardedArray> arrays; // in program order
};

llvm::Expected<ShardingReport> explainShardings(mlir::ModuleOp module);

std::string formatShardings(const ShardingReport &report);
std::string shardingsJson(const ShardingReport &report);

} // namespace tandem
