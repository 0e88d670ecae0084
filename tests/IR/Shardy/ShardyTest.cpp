// The C++ side of the sdy dialect: axis algebra, local types, and where shardings are kept.

#include "tandem/IR/Shardy/Shardy.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::sdy;

namespace {

class ShardyTest : public ::testing::Test {
protected:
  ShardyTest() {
    context.loadDialect<SdyDialect, func::FuncDialect>();
    context.allowUnregisteredDialects();
    mesh = parse<MeshAttr>(R"(#sdy.mesh<["a"=2, "b"=4, "c"=16]>)");
  }

  template <typename AttrT> AttrT parse(const char *text) {
    auto attr = dyn_cast_or_null<AttrT>(parseAttribute(text, &context));
    EXPECT_TRUE(attr) << text;
    return attr;
  }
  AxisRefAttr axis(StringRef name) { return AxisRefAttr::get(&context, name); }
  AxisRefAttr part(StringRef name, int64_t preSize, int64_t size) {
    return AxisRefAttr::get(&context, name, preSize, size);
  }
  OwningOpRef<ModuleOp> module(const char *text) {
    OwningOpRef<ModuleOp> op = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(op);
    return op;
  }

  MLIRContext context;
  MeshAttr mesh;
};

TEST_F(ShardyTest, MeshAccessors) {
  EXPECT_EQ(mesh.getTotalSize(), 128);
  EXPECT_EQ(mesh.getAxisSize("b"), 4);
  EXPECT_EQ(mesh.getAxisIndex("c"), 2);
  EXPECT_FALSE(mesh.hasAxis("d"));
  EXPECT_EQ(mesh.getDeviceId(5), 5);
  auto ordered = parse<MeshAttr>(R"(#sdy.mesh<["a"=2], device_ids=[1, 0]>)");
  EXPECT_EQ(ordered.getDeviceId(0), 1);
  auto maximal = parse<MeshAttr>("#sdy.mesh<[], device_ids=[3]>");
  EXPECT_TRUE(maximal.isMaximal(3));
  EXPECT_EQ(maximal.getMaximalDeviceId(), 3);
  EXPECT_EQ(maximal.getTotalSize(), 1);
  // The natural order is no order, however the mesh is made.
  EXPECT_EQ(MeshAttr::get(&context, mesh.getAxes().take_front(), {0, 1}),
            MeshAttr::get(&context, mesh.getAxes().take_front()));
}

TEST_F(ShardyTest, AxisContainsAndOverlaps) {
  AxisRefAttr c = axis("c");
  EXPECT_TRUE(c.contains(part("c", 2, 2)));
  EXPECT_FALSE(part("c", 2, 2).contains(c));
  EXPECT_TRUE(part("c", 2, 8).contains(part("c", 4, 2)));
  EXPECT_FALSE(part("c", 1, 4).contains(part("c", 2, 4)));
  EXPECT_FALSE(c.strictlyContains(c));
  EXPECT_FALSE(c.contains(axis("b")));
  EXPECT_TRUE(part("c", 1, 4).overlaps(part("c", 2, 4)));
  EXPECT_TRUE(c.overlaps(part("c", 8, 2)));
  EXPECT_FALSE(part("c", 1, 4).overlaps(part("c", 4, 2)));
}

TEST_F(ShardyTest, AxisPrefixAndSuffix) {
  AxisRefAttr c = axis("c");
  EXPECT_TRUE(part("c", 1, 2).prefixOf(c));
  EXPECT_FALSE(part("c", 2, 2).prefixOf(c));
  EXPECT_TRUE(part("c", 8, 2).suffixOf(c, mesh));
  EXPECT_FALSE(part("c", 4, 2).suffixOf(c, mesh));
  EXPECT_TRUE(c.suffixOf(c, mesh));
  EXPECT_EQ(c.getPrefixWithoutOverlap(part("c", 2, 2)), part("c", 1, 2));
  EXPECT_EQ(part("c", 2, 8).getPrefixWithoutOverlap(part("c", 4, 2)), part("c", 2, 2));
  EXPECT_EQ(part("c", 2, 2).getPrefixWithoutOverlap(part("c", 2, 2)), std::nullopt);
  EXPECT_EQ(part("c", 1, 4).getPrefixWithoutOverlap(part("c", 4, 2)), part("c", 1, 4));
  EXPECT_EQ(c.getGreatestCommonPrefix(part("c", 1, 4)), part("c", 1, 4));
  EXPECT_EQ(part("c", 1, 2).getGreatestCommonPrefix(part("c", 2, 4)), std::nullopt);
  EXPECT_EQ(c.getSuffixWithoutPrefix(part("c", 1, 4), mesh), part("c", 4, 4));
  EXPECT_EQ(c.getSuffixWithoutPrefix(c, mesh), std::nullopt);
}

TEST_F(ShardyTest, AxisMergeAndOrder) {
  EXPECT_TRUE(part("c", 2, 4).canMerge(part("c", 8, 2)));
  EXPECT_FALSE(part("c", 2, 4).canMerge(part("c", 1, 2)));
  EXPECT_EQ(part("c", 2, 4).merge(part("c", 8, 2), mesh), part("c", 2, 8));
  EXPECT_EQ(part("c", 1, 2).merge(part("c", 2, 8), mesh), axis("c"));
  SmallVector<AxisRefAttr> axes = {axis("c"), part("b", 2, 2), part("b", 1, 2), axis("a")};
  llvm::sort(axes, AxisRefAttr::getMeshComparator(mesh));
  EXPECT_EQ(axes,
            (SmallVector<AxisRefAttr>{axis("a"), part("b", 1, 2), part("b", 2, 2), axis("c")}));
  EXPECT_EQ(part("b", 2, 2).toString(), "\"b\":(2)2");
}

TEST_F(ShardyTest, LocalAndGlobalTypes) {
  auto sharding =
      parse<TensorShardingAttr>(R"(#sdy.sharding<@mesh, [{"a", "b":(1)2}, {}, {"c"}]>)");
  auto f32 = Float32Type::get(&context);
  auto global = RankedTensorType::get({8, 3, 20}, f32);
  // The last dimension is padded to 32.
  EXPECT_EQ(sharding.getLocalTensorType(global, mesh), RankedTensorType::get({2, 3, 2}, f32));
  EXPECT_EQ(sharding.getGlobalTensorType(RankedTensorType::get({2, 3, 2}, f32), mesh),
            RankedTensorType::get({8, 3, 32}, f32));
  EXPECT_FALSE(sharding.isFullyReplicated());
  EXPECT_TRUE(TensorShardingAttr::getFullyClosedLike(sharding).isFullyReplicated());
  EXPECT_TRUE(sharding.isBound("b"));
  EXPECT_FALSE(sharding.isBound("d"));
  // A partial sum is no replica.
  EXPECT_FALSE(parse<TensorShardingAttr>(R"(#sdy.sharding<@mesh, [], unreduced={"a"}>)")
                   .isFullyReplicated());
}

TEST_F(ShardyTest, AccessOfEachKindOfValue) {
  OwningOpRef<ModuleOp> op = module(R"(
    sdy.mesh @mesh = <["a"=2, "b"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8xf32> {
      %0:2 = "test.loop"(%arg0, %arg0) ({
      ^bb0(%x: tensor<8xf32>, %y: tensor<8xi1>):
        "test.yield"() : () -> ()
      }) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi1>)
      %1 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "b"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%x: tensor<4xf32>) {
        sdy.return %x : tensor<4xf32>
      } : (tensor<8xf32>) -> tensor<8xf32>
      %2 = sdy.reshard %1 <@mesh, [{"b"}]> : tensor<8xf32>
      return %2 : tensor<8xf32>
    }
  )");
  auto function = *op->getOps<func::FuncOp>().begin();
  auto ops = llvm::to_vector(llvm::make_pointer_range(function.front().without_terminator()));
  auto one = [&](const char *dim) {
    return parse<TensorShardingAttr>((std::string("#sdy.sharding<@mesh, [") + dim + "]>").c_str());
  };
  TensorShardingAttr a = one(R"({"a"})"), b = one(R"({"b"})");

  // Function argument and result.
  EXPECT_EQ(getSharding(function.getArgument(0)), a);
  setSharding(function.getArgument(0), b);
  EXPECT_EQ(getSharding(function.getArgument(0)), b);
  EXPECT_FALSE(getFuncResultSharding(function, 0));
  setFuncResultSharding(function, 0, a);
  EXPECT_EQ(getFuncResultSharding(function, 0), a);

  // One result of two: the other becomes open. The loop's argument follows its result.
  Operation *loop = ops[0];
  EXPECT_FALSE(getSharding(loop->getResult(1)));
  EXPECT_TRUE(getShardings(loop).empty());
  setSharding(loop->getResult(1), a);
  EXPECT_EQ(getShardings(loop), (SmallVector<TensorShardingAttr>{one("{?}"), a}));
  EXPECT_EQ(getSharding(loop->getRegion(0).getArgument(1)), a);
  setSharding(loop->getRegion(0).getArgument(0), b);
  EXPECT_EQ(getSharding(loop->getResult(0)), b);

  // Manual axes are hidden inside, and kept.
  auto manual = cast<ManualComputationOp>(ops[1]);
  BlockArgument inside = manual.getBody().getArgument(0);
  EXPECT_EQ(getSharding(manual.getResult(0)), a);
  EXPECT_EQ(getSharding(inside), b);
  setSharding(inside, one("{?}"));
  EXPECT_EQ(manual.getInSharding(0), one(R"({"a", ?})"));

  // Inherent attribute.
  EXPECT_EQ(getSharding(ops[2]->getResult(0)), b);
  setSharding(ops[2]->getResult(0), a);
  EXPECT_EQ(cast<ReshardOp>(ops[2]).getSharding(), a);
  EXPECT_FALSE(ops[2]->hasAttr(kShardingAttr));

  EXPECT_EQ(a.getMesh(function).getTotalSize(), 4);
  EXPECT_EQ(a.getMesh(SymbolTable(op.get())).getTotalSize(), 4);
  EXPECT_TRUE(succeeded(op->verify()));
}

} // namespace
