// The cost model and the event simulation, against values worked out by hand.
#include "tandem/Cost/CostModel.h"

#include <gtest/gtest.h>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tandem/Cost/EventSimulation.h"
#include "tandem/IR/Register.h"

namespace tandem {
namespace {

using mlir::Operation;

// Launch 10, memory 1 B/ps, copies 1/2 B/ps, scalars 1/ps, matmuls 4/ps (f32), wire 100 + 1/ps.
constexpr const char *kTarget = R"({
  "name": "test", "launch_ps": 10, "memory_bytes_per_second": 1000000000000,
  "copy_bytes_per_second": 500000000000, "scalar_ops_per_second": 1000000000000,
  "matmul_flops_per_second": {"default": 1000000000000, "f32": 4000000000000},
  "default_trip_count": 7,
  "links": [{"name": "in", "devices": 2, "latency_ps": 100, "bytes_per_second": 1000000000000},
            {"name": "out", "devices": 0, "latency_ps": 1000, "bytes_per_second": 100000000000}]})";

class CostTest : public testing::Test {
protected:
  CostTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  // The body of a function with the text as its body.
  mlir::Block &parse(const std::string &arguments, const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @main(" + arguments + ") {\n" + body + "\n return }", &context);
    EXPECT_TRUE(module);
    return (*module->getOps<mlir::func::FuncOp>().begin()).getBody().front();
  }

  Operation *op(mlir::Block &block, unsigned index) { return &*std::next(block.begin(), index); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  CostModel cost{*Target::fromJson(kTarget)};
};

const std::string kNegate = R"(
  %k = tandem.kernel(%a = %x : tensor<100xf32>) -> tensor<100xf32> {
    %0 = stablehlo.negate %a : tensor<100xf32>
    tandem.yield %0 : tensor<100xf32>
  })";

std::string gather(const std::string &future, const std::string &groups) {
  return "%" + future +
         R"( = tandem.start(%a = %x : tensor<100xf32>) -> !tandem.future<tensor<200xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<)" +
         groups + R"(> : tensor<2x2xi64>}> : (tensor<100xf32>) -> tensor<200xf32>
    tandem.yield %0 : tensor<200xf32>
  })";
}

TEST_F(CostTest, AMeasuredTimeTakesThePlaceOfThePredictedOne) {
  // The same negation in two places, and one of another shape.
  mlir::Block &block = parse("%x: tensor<100xf32>, %y: tensor<50xf32>", kNegate + R"(
    %l = tandem.kernel(%b = %k : tensor<100xf32>) -> tensor<100xf32> attributes {tandem.note} {
      %7 = stablehlo.negate %b : tensor<100xf32>
      tandem.yield %7 : tensor<100xf32>
    }
    %m = tandem.kernel(%a = %y : tensor<50xf32>) -> tensor<50xf32> {
      %0 = stablehlo.negate %a : tensor<50xf32>
      tandem.yield %0 : tensor<50xf32>
    })");
  std::string key = profileKey(op(block, 0));
  EXPECT_EQ(key, profileKey(op(block, 1)));
  EXPECT_NE(key, profileKey(op(block, 2)));
  EXPECT_EQ(profileKey(&block.back()), ""); // the terminator

  int64_t other = cost.picoseconds(op(block, 2));
  Profile profile;
  profile.add(key, {12345, 3, "negate"});
  profile.add("tandem.gemm 0", {1, 1, "of another program"});
  ProfileUse use = useOf(profile, *module);
  EXPECT_EQ(use.measured, 2u);
  EXPECT_EQ(use.predicted, 1u);
  EXPECT_EQ(use.unused, 1u);
  llvm::Expected<Profile> again = Profile::parse(profile.toJson(), "again");
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->toJson(), profile.toJson());
  cost.setProfile(std::move(*again));
  EXPECT_EQ(cost.picoseconds(op(block, 0)), 12345);
  EXPECT_EQ(cost.picoseconds(op(block, 1)), 12345);
  EXPECT_EQ(cost.picoseconds(op(block, 2)), other);
}

TEST_F(CostTest, KernelIsLaunchPlusTheLargerOfMemoryAndScalars) {
  mlir::Block &block = parse("%x: tensor<100xf32>", kNegate + R"(
    %t = tandem.kernel(%a = %x : tensor<100xf32>) -> tensor<100xf32> {
      %0 = stablehlo.tanh %a : tensor<100xf32>
      tandem.yield %0 : tensor<100xf32>
    })");
  EXPECT_EQ(cost.work(op(block, 0)), (Work{100, 0, 800}));
  EXPECT_EQ(cost.picoseconds(op(block, 0)), 10 + 800);
  // 16 operations an element.
  EXPECT_EQ(cost.picoseconds(op(block, 1)), 10 + 1600);
}

TEST_F(CostTest, KernelReadsAndWritesOnlyWhatItSlices) {
  mlir::Block &block = parse("%x: tensor<10x100xf32>, %u: tensor<1x100xf32>, %i: tensor<i32>", R"(
    %k = tandem.kernel(%a = %x : tensor<10x100xf32>, %b = %u : tensor<1x100xf32>, %c = %i : tensor<i32>) -> tensor<10x100xf32> {
      %0 = stablehlo.dynamic_update_slice %a, %b, %c, %c : (tensor<10x100xf32>, tensor<1x100xf32>, tensor<i32>, tensor<i32>) -> tensor<10x100xf32>
      tandem.yield %0 : tensor<10x100xf32>
    })");
  EXPECT_EQ(cost.work(op(block, 0)), (Work{100, 0, 400 + 4 + 400}));
}

TEST_F(CostTest, GemmIsArithmeticOrTraffic) {
  mlir::Block &block = parse("%x: tensor<64x64xf32>, %v: tensor<64x1xf32>", R"(
    %0 = tandem.gemm(%a = %x : tensor<64x64xf32>, %b = %x : tensor<64x64xf32>) -> tensor<64x64xf32> {
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      tandem.yield %1 : tensor<64x64xf32>
    }
    %2 = tandem.gemm(%a = %x : tensor<64x64xf32>, %b = %v : tensor<64x1xf32>) -> tensor<64x1xf32> {
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
      tandem.yield %1 : tensor<64x1xf32>
    })");
  // 2 * 64^3 flops at 4/ps against 3 * 16384 bytes at 1/ps.
  EXPECT_EQ(cost.picoseconds(op(block, 0)), 10 + 131072);
  // 2 * 64^2 / 4 against 16384 + 256 + 256.
  EXPECT_EQ(cost.picoseconds(op(block, 1)), 10 + 16896);
}

TEST_F(CostTest, CollectivesByLevelAndWireBytes) {
  mlir::Block &block =
      parse("%x: tensor<100xf32>", gather("f", "[[0, 1], [2, 3]]") +
                                       "%r = tandem.done %f : !tandem.future<tensor<200xf32>>" +
                                       gather("g", "[[0, 2], [1, 3]]") +
                                       "%s = tandem.done %g : !tandem.future<tensor<200xf32>>");
  Operation *inner = &op(block, 0)->getRegion(0).front().front();
  EXPECT_EQ(CostModel::wireBytes(inner), 400);
  EXPECT_EQ(cost.linkLevel(inner), 0u);
  EXPECT_EQ(cost.picoseconds(op(block, 0)), 100 + 400);
  EXPECT_EQ(cost.picoseconds(op(block, 1)), 0);
  EXPECT_EQ(cost.linkLevel(&op(block, 2)->getRegion(0).front().front()), 1u);
  EXPECT_EQ(cost.picoseconds(op(block, 2)), 1000 + 4000);
}

TEST_F(CostTest, WireBytesOfEachKind) {
  mlir::Block &block = parse("%x: tensor<8x4xf32>", R"(
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x4xf32>) -> tensor<2x16xf32>
    %3 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>)");
  EXPECT_EQ(CostModel::wireBytes(op(block, 0)), 2 * 128 * 3 / 4);
  EXPECT_EQ(CostModel::wireBytes(op(block, 1)), 128 * 3 / 4);
  EXPECT_EQ(CostModel::wireBytes(op(block, 2)), 128 * 3 / 4);
  EXPECT_EQ(CostModel::wireBytes(op(block, 3)), 128);
}

TEST_F(CostTest, SimulationHidesWhatStandsBetweenStartAndDone) {
  // The kernel takes 810, the gather 500: hidden behind it when issued before.
  mlir::Block &hidden =
      parse("%x: tensor<100xf32>", gather("f", "[[0, 1], [2, 3]]") + kNegate +
                                       "%r = tandem.done %f : !tandem.future<tensor<200xf32>>");
  SimulatedTime time = EventSimulation(cost).run(hidden);
  EXPECT_EQ(time.step, 810);
  EXPECT_EQ(time.compute, 810);
  EXPECT_EQ(time.communication, 500);
  EXPECT_EQ(time.exposed(), 0);
}

TEST_F(CostTest, SimulationExposesWhatIsWaitedFor) {
  mlir::Block &exposed = parse("%x: tensor<100xf32>", gather("f", "[[0, 1], [2, 3]]") + R"(
    %r = tandem.done %f : !tandem.future<tensor<200xf32>>
    %k = tandem.kernel(%a = %r : tensor<200xf32>) -> tensor<200xf32> {
      %0 = stablehlo.negate %a : tensor<200xf32>
      tandem.yield %0 : tensor<200xf32>
    })");
  SimulatedTime time = EventSimulation(cost).run(exposed);
  EXPECT_EQ(time.step, 500 + 10 + 1600);
  EXPECT_EQ(time.exposed(), 500);
}

TEST_F(CostTest, SimulationQueuesOnOneWireAndNotOnTwo) {
  std::string dones = "%r = tandem.done %f : !tandem.future<tensor<200xf32>>\n%s = tandem.done %g "
                      ": !tandem.future<tensor<200xf32>>";
  mlir::Block &same = parse("%x: tensor<100xf32>", gather("f", "[[0, 1], [2, 3]]") +
                                                       gather("g", "[[0, 1], [2, 3]]") + dones);
  EXPECT_EQ(EventSimulation(cost).run(same).step, 1000);
  mlir::Block &other = parse("%x: tensor<100xf32>", gather("f", "[[0, 1], [2, 3]]") +
                                                        gather("g", "[[0, 2], [1, 3]]") + dones);
  EXPECT_EQ(EventSimulation(cost).run(other).step, 5000);
}

TEST_F(CostTest, LoopsCostTripsTimesTheirBody) {
  auto loop = [](const std::string &trips) {
    return R"(
    %r = tandem.loop %p (%c = %x : tensor<100xf32>) )" +
           trips + R"( {
      %n:2 = tandem.kernel(%a = %c : tensor<100xf32>) -> (tensor<i1>, tensor<100xf32>) {
        %0 = stablehlo.constant dense<false> : tensor<i1>
        %1 = stablehlo.negate %a : tensor<100xf32>
        tandem.yield %0, %1 : tensor<i1>, tensor<100xf32>
      }
      tandem.yield %n#0, %n#1 : tensor<i1>, tensor<100xf32>
    })";
  };
  // 10 + 400 read + 400 + 1 written.
  mlir::Block &known = parse("%x: tensor<100xf32>, %p: tensor<i1>", loop("trip_count 3"));
  EXPECT_EQ(cost.picoseconds(op(known, 0)), 3 * 811);
  EXPECT_EQ(EventSimulation(cost).run(known).step, 3 * 811);
  mlir::Block &unknown = parse("%x: tensor<100xf32>, %p: tensor<i1>", loop(""));
  EXPECT_EQ(EventSimulation(cost).run(unknown).step, 7 * 811);
}

TEST_F(CostTest, ModuleSaysTargetAndEmulatedLink) {
  parse("%x: tensor<100xf32>", "");
  mlir::Builder builder(&context);
  (*module)->setAttr("tandem.target", builder.getStringAttr("h100x8x4"));
  (*module)->setAttr("tandem.emulated_link", builder.getStringAttr("latency=1us,bandwidth=1GB/s"));
  auto found = CostModel::forModule(*module);
  ASSERT_TRUE(llvm::succeeded(found));
  ASSERT_EQ(found->getTarget().links.size(), 2u);
  for (const Link &link : found->getTarget().links)
    EXPECT_EQ(link.picoseconds(1000), 2'000'000);
}

} // namespace
} // namespace tandem
