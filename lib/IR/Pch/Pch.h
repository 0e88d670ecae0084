// The headers that nearly every file on MLIR parses; see TANDEM_PCH.
#include "lib/IR/Pch/MlirPch.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"
