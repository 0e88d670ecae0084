//===- RegisterPasses.h - the passes that tandem-opt offers ---------------------===//

#ifndef TANDEM_TOOLS_TANDEMOPT_REGISTERPASSES_H
#define TANDEM_TOOLS_TANDEMOPT_REGISTERPASSES_H

namespace tandem {

/// Makes every pass of Tandem, and those of MLIR that tests use, known by its flag.
void registerAllPasses();

} // namespace tandem

#endif // TANDEM_TOOLS_TANDEMOPT_REGISTERPASSES_H
