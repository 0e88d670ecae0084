// What the tests of the analyses share: a function from text, and a value by name.
#ifndef TANDEM_TESTS_LIB_ANALYSIS_ANALYSISTEST_H
#define TANDEM_TESTS_LIB_ANALYSIS_ANALYSISTEST_H

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tandem/IR/Register.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {

class AnalysisTest : public testing::Test {
protected:
  AnalysisTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::func::FuncOp parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *module->getOps<mlir::func::FuncOp>().begin();
  }

  // "%result = kernel(operands)", all tensor<16xf32>: one that negates or adds.
  static std::string kernel(const std::string &result, const std::vector<std::string> &operands,
                            const std::string &attributes = "") {
    std::string text = "%" + result + " = tandem.kernel(";
    for (size_t i = 0; i < operands.size(); ++i)
      text += (i ? ", %k" : "%k") + std::to_string(i) + " = %" + operands[i] + " : tensor<16xf32>";
    text += ") -> tensor<16xf32> " + attributes + " {\n";
    text += operands.size() > 1 ? "%o = stablehlo.add %k0, %k1 : tensor<16xf32>\n"
                                : "%o = stablehlo.negate %k0 : tensor<16xf32>\n";
    return text + "tandem.yield %o : tensor<16xf32>\n}\n";
  }
  static std::string kernelInPlace(const std::string &result, const std::string &operand) {
    return kernel(result, {operand}, "attributes {in_place = array<i64: 0, 0>}");
  }
  static std::string start(const std::string &future, const std::string &operand) {
    return "%" + future + " = tandem.start(%s = %" + operand +
           R"( : tensor<16xf32>) -> !tandem.future<tensor<16xf32>> {
      %o = "stablehlo.collective_permute"(%s) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<16xf32>) -> tensor<16xf32>
      tandem.yield %o : tensor<16xf32>
    }
    )";
  }
  static std::string done(const std::string &result, const std::string &future) {
    return "%" + result + " = tandem.done %" + future + " : !tandem.future<tensor<16xf32>>\n";
  }

  template <typename Analysis> static std::string print(const Analysis &analysis) {
    std::string text;
    llvm::raw_string_ostream os(text);
    analysis.print(os);
    return text;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tandem

#endif // TANDEM_TESTS_LIB_ANALYSIS_ANALYSISTEST_H
