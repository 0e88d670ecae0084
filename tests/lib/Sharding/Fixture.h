// What the tests of lib/Sharding share: a context, parsed modules, short spellings.
#ifndef TANDEM_TESTS_LIB_SHARDING_FIXTURE_H
#define TANDEM_TESTS_LIB_SHARDING_FIXTURE_H

#include <string>

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tandem/IR/Register.h"
#include "tandem/Sharding/Sharding.h"
#include "gtest/gtest.h"

namespace tandem {

class ShardingFixture : public ::testing::Test {
protected:
  ShardingFixture() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A mesh from its text, `<["a"=2, "b"=4]>`.
  DeviceMesh mesh(const std::string &text) {
    auto attr = mlir::cast<mlir::sdy::MeshAttr>(mlir::parseAttribute("#sdy.mesh" + text, &context));
    return DeviceMesh(attr, mlir::StringAttr::get(&context, "mesh"));
  }

  /// The one op of a function body, parsed from its text with arguments in front:
  /// op("%a: tensor<4xf32>", "%0 = stablehlo.abs %a : tensor<4xf32>").
  mlir::Operation *op(const std::string &args, const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @main(" + args + ") {\n" + text + "\nreturn\n}", &context);
    if (!module)
      return nullptr;
    mlir::Block &block =
        mlir::cast<mlir::func::FuncOp>(module->getBody()->front()).getBody().front();
    return block.getTerminator()->getPrevNode();
  }

  Sharding sharding(std::initializer_list<Atoms> dims) {
    Sharding result(dims.size(), /*isOpen=*/false);
    result.dims.assign(dims.begin(), dims.end());
    return result;
  }

  mlir::RankedTensorType f32(llvm::ArrayRef<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, mlir::Float32Type::get(&context));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tandem

#endif // TANDEM_TESTS_LIB_SHARDING_FIXTURE_H
