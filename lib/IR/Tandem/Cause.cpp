// Causes are the metadata of a FusedLoc around the location that the op came from.

#include "tandem/IR/Tandem/Cause.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tandem {

CauseAttr makeCause(MLIRContext *context, StringRef rule, StringRef array,
                    ArrayRef<StringRef> axes) {
  context->getOrLoadDialect<TandemDialect>();
  SmallVector<StringAttr> axisAttrs;
  for (StringRef axis : axes)
    axisAttrs.push_back(StringAttr::get(context, axis));
  return CauseAttr::get(context, rule, array, axisAttrs);
}

Location withCause(Location source, CauseAttr cause) {
  return FusedLoc::get(source.getContext(), {source}, cause);
}

static void collectCauses(Location loc, SmallVectorImpl<CauseAttr> &causes) {
  TypeSwitch<LocationAttr>(loc)
      .Case<FusedLoc>([&](FusedLoc fused) {
        if (auto cause = dyn_cast_or_null<CauseAttr>(fused.getMetadata()))
          causes.push_back(cause);
        for (Location inner : fused.getLocations())
          collectCauses(inner, causes);
      })
      .Case<NameLoc>([&](NameLoc name) { collectCauses(name.getChildLoc(), causes); })
      .Case<CallSiteLoc>([&](CallSiteLoc call) {
        collectCauses(call.getCallee(), causes);
        collectCauses(call.getCaller(), causes);
      });
}

SmallVector<CauseAttr> getCauses(Location loc) {
  SmallVector<CauseAttr> causes;
  collectCauses(loc, causes);
  return causes;
}

CauseAttr getCause(Location loc) {
  SmallVector<CauseAttr> causes = getCauses(loc);
  return causes.empty() ? CauseAttr() : causes.front();
}

Location stripCauses(Location loc) {
  return TypeSwitch<LocationAttr, Location>(loc)
      .Case<FusedLoc>([&](FusedLoc fused) -> Location {
        SmallVector<Location> inner;
        for (Location location : fused.getLocations())
          inner.push_back(stripCauses(location));
        if (!isa_and_nonnull<CauseAttr>(fused.getMetadata()))
          return FusedLoc::get(loc.getContext(), inner, fused.getMetadata());
        return inner.size() == 1 ? inner.front() : FusedLoc::get(loc.getContext(), inner);
      })
      .Case<NameLoc>([&](NameLoc name) -> Location {
        return NameLoc::get(name.getName(), stripCauses(name.getChildLoc()));
      })
      .Case<CallSiteLoc>([&](CallSiteLoc call) -> Location {
        return CallSiteLoc::get(stripCauses(call.getCallee()), stripCauses(call.getCaller()));
      })
      .Default([&](LocationAttr other) -> Location { return other; });
}

} // namespace tandem
