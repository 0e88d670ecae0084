// Compiles and runs kernels in tests.

#include "KernelRunner.h"

#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

#include <random>

using namespace mlir;

namespace tandem::test {

std::vector<float> randomFloats(size_t count, float low, float high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(engine);
  return values;
}

ParsedKernels parseKernels(StringRef text, const RunOptions &options) {
  ParsedKernels parsed;
  DialectRegistry registry;
  registry
      .insert<func::FuncDialect, stablehlo::StablehloDialect, chlo::ChloDialect, TandemDialect>();
  parsed.context = std::make_unique<MLIRContext>(registry);
  parsed.context->loadAllAvailableDialects();
  parsed.module = parseSourceString<ModuleOp>(text, parsed.context.get());
  EXPECT_TRUE(parsed.module) << text.str();
  if (!parsed.module)
    return parsed;
  for (auto function : llvm::to_vector(parsed.module->getOps<func::FuncOp>())) {
    Block &body = function.getBody().front();
    OpBuilder b = OpBuilder::atBlockBegin(&body);
    auto kernel = KernelOp::create(b, function.getLoc(), ValueRange(body.getArguments()),
                                   TypeRange(function.getResultTypes()));
    if (!options.inPlace.empty())
      kernel.setInPlaceAttr(b.getDenseI64ArrayAttr(options.inPlace));
    Block &inner = kernel.getBody().front();
    Operation *terminator = body.getTerminator();
    for (Operation &op : llvm::make_early_inc_range(body))
      if (&op != kernel && &op != terminator)
        op.moveBefore(&inner, inner.end());
    for (auto [outer, argument] : llvm::zip(body.getArguments(), inner.getArguments()))
      outer.replaceUsesWithIf(
          argument, [&](OpOperand &use) { return use.getOwner() != kernel.getOperation(); });
    b.setInsertionPointToEnd(&inner);
    YieldOp::create(b, function.getLoc(), terminator->getOperands());
    terminator->setOperands(kernel.getOutputs());
    parsed.kernels.push_back(kernel);
    for (Operation &op : inner.without_terminator())
      EXPECT_TRUE(canEmit(&op)) << op.getName().getStringRef().str();
  }
  EXPECT_TRUE(succeeded(verify(*parsed.module)));
  return parsed;
}

std::vector<Array> runKernel(StringRef text, std::vector<Array> arguments,
                             const RunOptions &options) {
  ParsedKernels parsed = parseKernels(text, options);
  if (parsed.kernels.empty())
    return {};
  if (std::getenv("TANDEM_SHOW_KERNELS"))
    emitKernels(parsed.kernels, hostFeatures())->print(llvm::errs());
  auto compiled = compileKernels(parsed.kernels, hostFeatures());
  if (!compiled) {
    ADD_FAILURE() << llvm::toString(compiled.takeError());
    return {};
  }
  // Kernels that come from the cache have not needed a target yet; the JIT does.
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  for (const KernelObject &object : compiled->objects)
    llvm::cantFail(jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object.bytes)));
  auto entry = llvm::cantFail(jit->lookup(compiled->kernels[0].symbol))
                   .toPtr<void (*)(void *const *, int64_t, int64_t)>();

  KernelOp kernel = parsed.kernels[0];
  std::vector<Array> results;
  for (Type type : kernel.getOutputs().getTypes())
    results.emplace_back(getByteSize(cast<RankedTensorType>(type)), char(0xa5));
  std::vector<void *> buffers;
  for (auto [array, type] : llvm::zip_equal(arguments, kernel.getInputs().getTypes())) {
    EXPECT_EQ(int64_t(array.size()), getByteSize(cast<RankedTensorType>(type)));
    buffers.push_back(array.data());
  }
  std::map<unsigned, unsigned> sharing;
  if (options.coincide)
    for (auto [result, operand] : kernel.getInPlacePairs())
      sharing[result] = operand;
  for (unsigned r = 0; r < results.size(); ++r)
    buffers.push_back(sharing.count(r) ? arguments[sharing[r]].data() : results[r].data());
  // In slices, the last first, which must make no difference.
  int64_t units = compiled->kernels[0].units, half = units / 2;
  if (units > 1)
    entry(buffers.data(), half, units);
  entry(buffers.data(), 0, units > 1 ? half : units);
  for (auto [result, operand] : sharing)
    results[result] = arguments[operand];
  return results;
}

void expectNear(const std::vector<float> &got, const std::vector<float> &want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (!std::isfinite(want[i])) {
      EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == want[i])
          << "element " << i << ": got " << got[i] << ", want " << want[i];
      continue;
    }
    EXPECT_LE(std::abs(got[i] - want[i]), tolerance * (std::abs(want[i]) + 1e-6))
        << "element " << i << ": got " << got[i] << ", want " << want[i];
  }
}

} // namespace tandem::test
