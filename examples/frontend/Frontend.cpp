// A front end in one file: builds y = tanh(x w1) w2 with the dialects' C++ builders, shards it
// over a mesh of 2 x 2 devices, compiles it, runs it, and checks the numbers against plain loops.
//
// x is split by rows over "data"; w1 by columns and w2 by rows over "model" (the two halves of a
// tensor-parallel MLP), so the compiler has to add an all-reduce over "model" at the end.
#include "tandem/Compiler/Compiler.h"
#include "tandem/IR/Register.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

namespace sdy = mlir::sdy;
namespace stablehlo = mlir::stablehlo;
using tandem::runtime::Buffer;
using tandem::runtime::DType;
using tandem::runtime::HostArray;

constexpr int64_t kRows = 8, kInner = 16, kHidden = 32, kColumns = 4;

template <typename T> T valueOrExit(absl::StatusOr<T> result) {
  if (result.ok())
    return *std::move(result);
  std::fprintf(stderr, "%s\n", std::string(result.status().message()).c_str());
  std::exit(1);
}

// [{first}, {second}] on @mesh; an empty name leaves a dimension whole.
sdy::TensorShardingAttr sharding(mlir::MLIRContext *context, llvm::StringRef first,
                                 llvm::StringRef second) {
  std::vector<sdy::DimensionShardingAttr> dims;
  for (llvm::StringRef axis : {first, second}) {
    std::vector<sdy::AxisRefAttr> axes;
    if (!axis.empty())
      axes.push_back(sdy::AxisRefAttr::get(context, axis));
    dims.push_back(sdy::DimensionShardingAttr::get(context, axes, /*is_closed=*/true));
  }
  return sdy::TensorShardingAttr::get(context, "mesh", dims, {}, {});
}

mlir::Value matmul(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs) {
  auto lhsType = mlir::cast<mlir::RankedTensorType>(lhs.getType());
  auto rhsType = mlir::cast<mlir::RankedTensorType>(rhs.getType());
  auto type = mlir::RankedTensorType::get({lhsType.getDimSize(0), rhsType.getDimSize(1)},
                                          lhsType.getElementType());
  auto dims = stablehlo::DotDimensionNumbersAttr::get(builder.getContext(), {}, {}, {1}, {0});
  return stablehlo::DotGeneralOp::create(builder, loc, type, lhs, rhs, dims,
                                         /*precision_config=*/{}, /*algorithm=*/{});
}

mlir::OwningOpRef<mlir::ModuleOp> buildModule(mlir::MLIRContext *context) {
  mlir::OpBuilder builder(context);
  mlir::Location loc = builder.getUnknownLoc();
  auto module = mlir::ModuleOp::create(loc, "mlp");
  builder.setInsertionPointToEnd(module.getBody());
  sdy::MeshOp::create(builder, loc, "mesh",
                      sdy::MeshAttr::get(context, {sdy::MeshAxisAttr::get(context, "data", 2),
                                                   sdy::MeshAxisAttr::get(context, "model", 2)}));
  auto matrix = [&](int64_t rows, int64_t columns) {
    return mlir::RankedTensorType::get({rows, columns}, builder.getF32Type());
  };
  auto main = mlir::func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(
          {matrix(kRows, kInner), matrix(kInner, kHidden), matrix(kHidden, kColumns)},
          {matrix(kRows, kColumns)}));
  main.setArgAttr(0, sdy::kShardingAttr, sharding(context, "data", ""));
  main.setArgAttr(1, sdy::kShardingAttr, sharding(context, "", "model"));
  main.setArgAttr(2, sdy::kShardingAttr, sharding(context, "model", ""));
  main.setResultAttr(0, sdy::kShardingAttr, sharding(context, "data", ""));

  mlir::Block *body = main.addEntryBlock();
  builder.setInsertionPointToStart(body);
  mlir::Value hidden = matmul(builder, loc, body->getArgument(0), body->getArgument(1));
  hidden = stablehlo::TanhOp::create(builder, loc, hidden);
  mlir::Value result = matmul(builder, loc, hidden, body->getArgument(2));
  mlir::func::ReturnOp::create(builder, loc, result);
  return module;
}

// Small numbers that differ from element to element.
HostArray makeMatrix(int64_t rows, int64_t columns, int salt) {
  HostArray array = HostArray::zeros(DType::F32, {rows, columns});
  int i = 0;
  for (float &x : array.as<float>())
    x = static_cast<float>((i++ * 37 + salt) % 101 - 50) / 100;
  return array;
}

double expectedElement(const HostArray &x, const HostArray &w1, const HostArray &w2, int64_t row,
                       int64_t column) {
  double sum = 0;
  for (int64_t h = 0; h < kHidden; ++h) {
    double inner = 0;
    for (int64_t k = 0; k < kInner; ++k)
      inner += x.as<float>()[row * kInner + k] * w1.as<float>()[k * kHidden + h];
    sum += std::tanh(inner) * w2.as<float>()[h * kColumns + column];
  }
  return sum;
}

} // namespace

int main() {
  mlir::DialectRegistry registry;
  tandem::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();

  tandem::runtime::ClientOptions devices;
  devices.devices = 4;
  auto client = valueOrExit(tandem::runtime::Client::create(devices));
  auto step = valueOrExit(tandem::compile(buildModule(&context), {}, *client));

  const HostArray x = makeMatrix(kRows, kInner, 1), w1 = makeMatrix(kInner, kHidden, 2),
                  w2 = makeMatrix(kHidden, kColumns, 3);
  std::vector<Buffer> arguments;
  arguments.push_back(valueOrExit(step->makeArgument(0, x)));
  arguments.push_back(valueOrExit(step->makeArgument(1, w1)));
  arguments.push_back(valueOrExit(step->makeArgument(2, w2)));
  // Each device holds half of x's rows.
  if (arguments[0].bytesPerDevice() != kRows / 2 * kInner * 4) {
    std::fprintf(stderr, "x takes %lld bytes per device, expected half of it\n",
                 static_cast<long long>(arguments[0].bytesPerDevice()));
    return 1;
  }
  tandem::runtime::RunStats stats;
  tandem::runtime::RunOptions options;
  options.stats = &stats;
  std::vector<Buffer> results = valueOrExit(step->run(absl::MakeSpan(arguments), options));
  const HostArray y = valueOrExit(results[0].toHost());

  double worst = 0;
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < kColumns; ++column)
      worst = std::max(worst, std::abs(y.as<float>()[row * kColumns + column] -
                                       expectedElement(x, w1, w2, row, column)));
  std::printf("%lld x %lld results on %d devices, %zu kinds of collectives, largest error %.1e\n",
              static_cast<long long>(kRows), static_cast<long long>(kColumns), client->numDevices(),
              stats.collectives.size(), worst);
  return worst < 1e-5 && stats.collectives.size() == 1 ? 0 : 1;
}
