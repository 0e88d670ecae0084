// Reads file positions and names out of nested locations.
#include "tandem/Explain/Place.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Twine.h"

namespace tandem {

mlir::FileLineColLoc findPlace(mlir::Location location) {
  mlir::FileLineColLoc place;
  location->walk([&](mlir::Location inner) {
    place = mlir::dyn_cast<mlir::FileLineColLoc>(inner);
    return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return place;
}

std::string describePlace(mlir::Location location) {
  if (mlir::FileLineColLoc place = findPlace(location))
    return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()) + ":" +
            llvm::Twine(place.getColumn()))
        .str();
  std::string name;
  location->walk([&](mlir::Location inner) {
    if (auto named = mlir::dyn_cast<mlir::NameLoc>(inner))
      name = named.getName().str();
    return mlir::WalkResult::advance();
  });
  return name;
}

} // namespace tandem
