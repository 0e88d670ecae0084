// What a compile is asked to do. One struct for the library and the command line; what phases
// read travels as attributes of the module (`tandem.num_devices`, ...), set once by
// Compilation from this struct.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tandem {

struct CompileOptions {
  // ---- what to compile for
  int64_t devices = 0; // virtual devices; 0: as many as the program's mesh has, else one
  std::vector<std::pair<std::string, int64_t>> mesh; // new sizes of the program's mesh axes
  bool unpartitioned = false;                        // the whole program on one device
  std::string target = "host";                       // name or JSON file of a machine
  std::string profile; // JSON file of measured times (Cost/Profile.h); empty: all predicted

  // For partitioned HLO text: the file of the same module before partitioning, which says how
  // arguments and results are cut. Empty: see Import/HloImport.h.
  std::string shardingsFrom;

  std::string emulatedLink; // "latency=20us,bandwidth=25GB/s": links of the target; empty: its own

  // ---- which phases; empty: from the first, to the last
  std::string from, to;
  std::vector<std::string> disable; // passes, without the `tandem-` prefix

  // ---- limits and choices that phases read
  int64_t memoryLimitBytes = 0;   // per device; 0: none
  std::string copyRegionAnalysis; // off, on, after-schedule; empty: the default
  std::string reductionDtype;     // of sums across devices, e.g. "f32"; empty: the array's own

  // ---- what is written besides the result
  bool timing = false;       // collect times for Compilation::timingTable()
  std::string dumpDirectory; // the module after each phase as NN-phase.mlir; empty: none
};

} // namespace tandem
