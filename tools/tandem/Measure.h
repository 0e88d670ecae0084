// Measures this machine with programs of its own: `tandem targets --measure`.
#pragma once

#include "tandem/Cost/Target.h"

#include "absl/status/statusor.h"

namespace tandem::tool {

// The target `host` with the rates that `devices` virtual devices reach when all of them work at
// once. Takes some seconds; the least of several runs counts, so other load matters little.
absl::StatusOr<Target> measureHost(int devices);

} // namespace tandem::tool
