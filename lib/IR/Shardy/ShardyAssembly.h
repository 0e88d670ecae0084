// Directives that the op formats of the `sdy` dialect use.

#ifndef TANDEM_LIB_IR_SHARDY_SHARDYASSEMBLY_H
#define TANDEM_LIB_IR_SHARDY_SHARDYASSEMBLY_H

#include "tandem/IR/Shardy/Shardy.h"

namespace mlir::sdy {

ParseResult parseShardingList(OpAsmParser &parser, TensorShardingPerValueAttr &shardings);
void printShardingList(OpAsmPrinter &printer, Operation *op, TensorShardingPerValueAttr shardings);

ParseResult parseBodyWithArguments(OpAsmParser &parser, Region &region);
void printBodyWithArguments(OpAsmPrinter &printer, Operation *op, Region &region);

} // namespace mlir::sdy

#endif // TANDEM_LIB_IR_SHARDY_SHARDYASSEMBLY_H
