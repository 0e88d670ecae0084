// The older spelling of shardings, strings as in `mhlo.sharding = "{devices=[2,4]<=[8]}"`, and
// one mesh for all the strings of a module.
//
//   {devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}
//   tile [4,1,2] over iota(8) reshaped to 2x4 and transposed: the first dimension is split by
//   the minor axis (stride 1, size 4); the last tile dimension (stride 4, size 2) replicates.
//   With the mesh <["axis_0"=2, "axis_1"=4]> that is [{"axis_1"}, {}].
//
// Every tile dimension is a list of blocks (stride, size) of the row-major device number; the
// mesh has a boundary wherever a block of any string begins or ends. Values; not thread-safe.
#ifndef TANDEM_SHARDING_GSPMDSHARDING_H
#define TANDEM_SHARDING_GSPMDSHARDING_H

#include <cstdint>
#include <set>

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

struct GspmdSharding {
  enum Kind : uint8_t { Replicated, Manual, Maximal, Tiled, Unknown, ShardAlike };
  /// Device numbers `i * stride`, 0 <= i < size.
  struct Block {
    int64_t stride, size;
  };
  using Blocks = llvm::SmallVector<Block, 2>; // major to minor

  Kind kind = Unknown;
  int64_t group = 0;                 // of ShardAlike
  int64_t numDevices = 1;            // of Tiled
  llvm::SmallVector<Blocks, 4> dims; // of Tiled: by dimension of the array
  Blocks manual;                     // of Tiled: of last_tile_dims={manual}

  /// Reads a string. `fail` starts the diagnostic for what is wrong with it.
  static mlir::FailureOr<GspmdSharding> parse(llvm::StringRef text,
                                              llvm::function_ref<mlir::InFlightDiagnostic()> fail);
};

/// The mesh that a set of shardings needs.
class GspmdMesh {
public:
  explicit GspmdMesh(int64_t numDevices) : numDevices(numDevices), cuts{1, numDevices} {}

  void add(const GspmdSharding &sharding);
  /// Settles the axes; false if two shardings cut the devices in ways no mesh can have.
  bool finish();

  mlir::sdy::MeshAttr getAttr(mlir::MLIRContext *ctx) const;
  /// Closed, except the dimensions in `openDims`. Manual parts are left out.
  mlir::sdy::TensorShardingAttr getSharding(mlir::MLIRContext *ctx, llvm::StringRef mesh,
                                            const GspmdSharding &sharding, int64_t rank,
                                            llvm::ArrayRef<int64_t> openDims = {}) const;
  /// Axis names of blocks, major to minor.
  llvm::SmallVector<mlir::StringAttr> getAxes(mlir::MLIRContext *ctx,
                                              const GspmdSharding::Blocks &blocks) const;
  llvm::SmallVector<mlir::StringAttr> getAllAxes(mlir::MLIRContext *ctx) const;

private:
  int64_t numDevices;
  std::set<int64_t> cuts;             // strides at which an axis begins or ends
  llvm::SmallVector<int64_t> strides; // of the axes, major to minor
  llvm::SmallVector<int64_t> sizes;
};

} // namespace tandem

#endif // TANDEM_SHARDING_GSPMDSHARDING_H
