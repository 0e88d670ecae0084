// The library's front door: options, diagnostics and statuses, without the command line.
#include "tandem/Compiler/Compilation.h"
#include "tandem/Compiler/Compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tandem {
namespace {

using testing::HasSubstr;
using testing::Not;

Source text(std::string bytes) {
  Source source{"test.mlir", std::move(bytes), Source::Kind::Unknown};
  source.kind = kindOf(source.bytes);
  return source;
}

const char *const kDouble = R"(module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.add %a, %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
})";

std::string messageOf(const absl::Status &status) { return std::string(status.message()); }

TEST(Compilation, OptionsBecomeAttributes) {
  CompileOptions options;
  options.memoryLimitBytes = 1 << 20;
  options.disable = {"latency-hiding-schedule"};
  options.reductionDtype = "f32";
  auto compilation = Compilation::parse(text(kDouble), options);
  ASSERT_TRUE(compilation.ok()) << compilation.status();
  EXPECT_EQ((*compilation)->getProgramDevices(), 4);
  const std::string module = (*compilation)->print();
  for (const char *attribute : {"tandem.num_devices = 4", "tandem.memory_limit = 1048576",
                                "tandem.disable = [\"latency-hiding-schedule\"]",
                                "tandem.reduction_dtype = \"f32\"", "tandem.target = \"host\""})
    EXPECT_THAT(module, HasSubstr(attribute));
  EXPECT_THAT(module, Not(HasSubstr("tandem.unpartitioned")));
}

TEST(Compilation, MeshSizesAndDevices) {
  CompileOptions options;
  options.mesh = {{"x", 4}};
  auto larger = Compilation::parse(text(kDouble), options);
  ASSERT_TRUE(larger.ok()) << larger.status();
  EXPECT_EQ((*larger)->getProgramDevices(), 8);

  options.devices = 4;
  auto tooLarge = Compilation::parse(text(kDouble), options);
  EXPECT_EQ(tooLarge.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(messageOf(tooLarge.status()), HasSubstr("test.mlir:2:3: error:"));
  EXPECT_THAT(messageOf(tooLarge.status()), HasSubstr("has 8 devices, expected at most the 4"));

  options.unpartitioned = true;
  auto oracle = Compilation::parse(text(kDouble), options);
  ASSERT_TRUE(oracle.ok()) << oracle.status();
  EXPECT_EQ((*oracle)->getProgramDevices(), 1);
}

TEST(Compilation, DiagnosticsShowAWindowOfLongLines) {
  std::string line = "  func.func @main(%a: tensor<8xf32>";
  for (int i = 0; i < 200; ++i)
    line += ", %a" + std::to_string(i) + ": tensor<8xf32>";
  line += ", %b tensor<8xf32>) { return }";
  auto compilation = Compilation::parse(text("module {\n" + line + "\n}\n"), {});
  ASSERT_FALSE(compilation.ok());
  const std::string message = messageOf(compilation.status());
  // The parser points just behind "%b"; columns count from 1.
  EXPECT_THAT(message,
              HasSubstr("test.mlir:2:" + std::to_string(line.find("%b") + 3) + ": error:"));
  EXPECT_THAT(message, HasSubstr("%b tensor<8xf32>"));
  EXPECT_LT(message.size(), 400u);
}

TEST(Compilation, AProgramComesOutAndRuns) {
  runtime::ClientOptions devices;
  devices.devices = 4;
  absl::StatusOr<std::unique_ptr<runtime::Client>> client = runtime::Client::create(devices);
  ASSERT_TRUE(client.ok()) << client.status();
  auto executable = compile(text(kDouble), {}, **client);
  ASSERT_TRUE(executable.ok()) << executable.status();
  runtime::HostArray a = runtime::HostArray::zeros(runtime::DType::F32, {8});
  for (int i = 0; i < 8; ++i)
    a.as<float>()[static_cast<size_t>(i)] = static_cast<float>(i);
  std::vector<runtime::Buffer> arguments;
  absl::StatusOr<runtime::Buffer> argument = (*executable)->makeArgument(0, a);
  ASSERT_TRUE(argument.ok()) << argument.status();
  EXPECT_EQ(argument->bytesPerDevice(), 16);
  arguments.push_back(*std::move(argument));
  auto results = (*executable)->run(absl::MakeSpan(arguments), {});
  ASSERT_TRUE(results.ok()) << results.status();
  absl::StatusOr<runtime::HostArray> sum = (*results)[0].toHost();
  ASSERT_TRUE(sum.ok()) << sum.status();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(sum->as<float>()[static_cast<size_t>(i)], static_cast<float>(2 * i));
}

TEST(Compilation, PartOfThePipelineGivesNoProgram) {
  CompileOptions options;
  options.to = "import";
  EXPECT_FALSE(compileToProgram(text(kDouble), options).ok());
  auto compilation = Compilation::parse(text(kDouble), options);
  ASSERT_TRUE(compilation.ok()) << compilation.status();
  EXPECT_TRUE((*compilation)->run().ok());
  EXPECT_EQ((*compilation)->takeProgram(), nullptr);
}

} // namespace
} // namespace tandem
