// HLO text: every form written again as it stood, errors with line and column.
#include "tandem/Import/HloText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem::hlo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Module> parsed(const std::string &text) {
  llvm::Expected<std::unique_ptr<Module>> module = parse(text, "m.hlo.txt");
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  return nullptr;
}

std::string errorOf(const std::string &text) {
  llvm::Expected<std::unique_ptr<Module>> module = parse(text, "m.hlo.txt");
  if (!module)
    return llvm::toString(module.takeError());
  return "no error";
}

std::string entry(const std::string &instructions, const std::string &header = "") {
  return "HloModule m" + header + "\n\n\nENTRY %main {\n" + instructions + "}\n\n";
}

// A module whose entry is `instructions` comes back byte for byte.
void expectSame(const std::string &text) {
  std::unique_ptr<Module> module = parsed(text);
  if (module)
    EXPECT_EQ(print(*module), text);
}

TEST(HloText, HeaderAttributes) {
  expectSame(
      entry("  %a = f32[4]{0} parameter(0)\n  %b = f32[4]{0} parameter(1)\n"
            "  %c = ((f32[4]{0}, f32[4]{0})) parameter(2)\n"
            "  ROOT %t = (f32[4]{0}, f32[4]{0}) tuple(%a, %b)\n",
            ", is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), "
            "{1}: (1, {}, must-alias) }, buffer_donor={ (2, {0,1}) }, "
            "entry_computation_layout={(f32[4]{0}, f32[4]{0}, ((f32[4]{0}, f32[4]{0})))"
            "->(f32[4]{0}, f32[4]{0})}, "
            "allow_spmd_sharding_propagation_to_parameters={false,true}, "
            "allow_spmd_sharding_propagation_to_output={true}, replica_count=2, num_partitions=4, "
            "frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<[\"a\"=8]>},k=\"v\"}"));
}

TEST(HloText, Tables) {
  const std::string text =
      "HloModule m\n\nFileNames\n1 \"/a/b.py\"\n2 \"c.py\"\n\nFunctionNames\n1 \"main\"\n\n"
      "FileLocations\n1 {file_name_id=1 function_name_id=1 line=3 end_line=3}\n\nStackFrames\n"
      "1 {file_location_id=1 parent_frame_id=1}\n\n\nENTRY %main {\n"
      "  ROOT %a = f32[] parameter(0), metadata={op_type=\"add\" op_name=\"jit(f)/add, }\" "
      "stack_frame_id=1}\n}\n\n";
  expectSame(text);
  std::unique_ptr<Module> module = parsed(text);
  ASSERT_EQ(module->tables.size(), 4u);
  EXPECT_EQ(module->tables[0].lines[1], "2 \"c.py\"");
  EXPECT_EQ(module->entry->root->opName(), "jit(f)/add, }");
}

TEST(HloText, ShapesAndLayouts) {
  expectSame(
      entry("  %a = bf16[2,3]{1,0:T(8,128)(2,1)E(16)S(5)} parameter(0)\n"
            "  %b = f32[<=4,2]{1,0:T(*,128)L(4)} parameter(1)\n"
            "  %c = token[] after-all()\n"
            "  %d = s4[0]{0:E(4)} parameter(2)\n"
            "  %e = f8e4m3b11fnuz[] parameter(3)\n"
            "  %g = b(f32[2]{0}) parameter(4)\n"
            "  ROOT %f = ((f32[], ()), opaque[]) custom-call(%a), custom_call_target=\"x\"\n"));
  std::unique_ptr<Module> module =
      parsed(entry("  ROOT %a = (f32[2,3]{1,0:S(5)}, s4[5], pred[7]{0}, token[]) parameter(0)\n"));
  const Shape &shape = *module->entry->root->shape;
  EXPECT_EQ(shape.byteSize(), 24 + 3 + 7);
  EXPECT_EQ(shape.elements[0]->memorySpace(), 5);
  std::vector<const Shape *> leaves;
  appendLeaves(shape, leaves);
  EXPECT_EQ(leaves.size(), 4u);
}

TEST(HloText, Literals) {
  expectSame(entry("  %a = f32[] constant(0.1)\n"
                   "  %b = f32[3]{0} constant({-6.48925, 14.8479271, -2.38197633e+38})\n"
                   "  %c = s32[2,1]{1,0} constant({ {1}, {-2} })\n"
                   "  %d = s32[1,2]{1,0} constant({ { 1, -2 } })\n"
                   "  %e = f32[0,3]{1,0} constant({  })\n"
                   "  %f = pred[3]{0} constant({1, 0, 1})\n"
                   "  %g = pred[] constant(true)\n"
                   "  %h = f32[4]{0} constant({inf, -inf, nan, nan(0x7fffff)})\n"
                   "  %i = c64[2]{0} constant({(1, -2.5), (0.1, nan)})\n"
                   "  %j = bf16[2]{0} constant({0.1001, -3})\n"
                   "  %k = f64[] constant(0.30000000000000004)\n"
                   "  %l = u64[] constant(18446744073709551615)\n"
                   "  %m = s8[2]{0} constant({-128, 127})\n"
                   "  %n = f32[4,8]{1,0} constant({...})\n"
                   "  %o = f16[] constant(65504)\n"
                   "  %p = (s32[], f32[2]{0}) constant(( 1, {2, 3} ))\n"
                   "  ROOT %q = f32[2,1,2]{2,1,0} constant({ { { 1, 2 } }, { { 3, 4 } } })\n"));
  std::unique_ptr<Module> module = parsed(entry("  ROOT %a = bf16[2]{0} constant({1, 3.0e0})\n"));
  const unsigned char bytes[] = {0x80, 0x3f, 0x40, 0x40};
  ArrayRef<char> got = module->entry->root->literal->bytes;
  EXPECT_EQ(std::string(got.begin(), got.end()), std::string((const char *)bytes, 4));
}

TEST(HloText, Shardings) {
  std::string text;
  int number = 0;
  for (const char *sharding :
       {"{replicated}", "{manual}", "{unknown}", "{unreduced}", "{maximal device=3}",
        "{devices=[2,1]0,1}", "{devices=[2,4]<=[8]}",
        "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
        "{devices=[2]<=[2] shard_as 1}", "{{replicated}, {devices=[2]<=[2]}}", "{}",
        "{{replicated}, {replicated}, {replicated}, {replicated}, {replicated}, "
        "/*index=5*/{manual}}",
        "{mesh['a'=2,'b'=4], [{'a'}, {}], replicated={'b'}}"}) {
    const std::string n = std::to_string(number++);
    text += "  %p" + n + " = f32[8]{0} parameter(" + n + "), sharding=" + sharding + "\n";
  }
  expectSame(entry(text + "  ROOT %r = f32[8]{0} negate(%p0)\n"));
}

TEST(HloText, ReplicaGroups) {
  const std::string text = entry(
      "  %p = f32[8]{0} parameter(0)\n"
      "  %a = f32[8]{0} all-reduce(%p), replica_groups={{0,2},{1,3}}, to_apply=%add\n"
      "  %b = f32[8]{0} all-reduce(%a), replica_groups={}, to_apply=%add\n"
      "  %c = f32[8]{0} all-reduce(%b), replica_groups=[4,2]<=[2,4]T(1,0), to_apply=%add\n"
      "  %d = f32[8]{0} all-reduce(%c), replica_groups=mesh['a'=2,'b'=4] {'a'}, to_apply=%add\n"
      "  %e = f32[8]{0} all-reduce(%d), replica_groups=mesh['a'=8], "
      "device_ids=([2,2,2]T(1,0,2)) {'a':(2)2}, use_global_device_ids=true, to_apply=%add\n"
      "  ROOT %f = f32[8]{0} collective-permute(%e), source_target_pairs={{0,1},{1,0}}\n");
  const std::string add = "\n%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n"
                          "  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n";
  std::string whole = text;
  whole.insert(whole.find("\nENTRY"), add);
  expectSame(whole);
  std::unique_ptr<Module> module = parsed(whole);
  auto groups = [&](size_t index) {
    return module->entry->instructions[index]
        ->get<const ReplicaGroups *>("replica_groups")
        ->expand(8);
  };
  using Group = std::vector<int64_t>;
  EXPECT_THAT(groups(1), ElementsAre(Group{0, 2}, Group{1, 3}));
  EXPECT_THAT(groups(2), ElementsAre(Group{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_THAT(groups(3), ElementsAre(Group{0, 4}, Group{1, 5}, Group{2, 6}, Group{3, 7}));
  EXPECT_THAT(groups(4), ElementsAre(Group{0, 4}, Group{1, 5}, Group{2, 6}, Group{3, 7}));
  // Devices in mesh order 0 1 4 5 2 3 6 7; digits (2)2 of 8: places that differ by 2.
  EXPECT_THAT(groups(5), ElementsAre(Group{0, 4}, Group{1, 5}, Group{2, 6}, Group{3, 7}));
}

TEST(HloText, AttributesOfOps) {
  expectSame(
      entry("  %p = f32[8,8]{1,0} parameter(0)\n"
            "  %a = f32[2,4]{1,0} slice(%p), slice={[0:4:2], [2:6:1]}\n"
            "  %b = f32[2,4]{1,0} slice(%p), slice={[0:2], [2:6]}\n"
            "  %c = f32[] constant(0)\n"
            "  %d = f32[10,9]{1,0} pad(%p, %c), padding=1_1x-1_2\n"
            "  %e = f32[15,8]{1,0} pad(%p, %c), padding=0_0_1x0_0_0\n"
            "  %f = f32[8,8]{1,0} convolution(%p, %p), window={size=3x3 stride=2x1 pad=1_1x0_-1 "
            "lhs_dilate=2x1 rhs_dilate=1x2 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, "
            "feature_group_count=2, operand_precision={highest,default}\n"
            "  %g = f32[8,8]{1,0} dot(%p, %p), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
            "algorithm=dot_bf16_bf16_f32, backend_config={\"sizes\":[\"16\",\"}\"]}\n"
            "  %h = f32[8,8]{1,0} custom-call(%p, %g), custom_call_target=\"lapack \\\"x\\\"\", "
            "operand_layout_constraints={f32[8,8]{1,0}, f32[8,8]{1,0}}, "
            "custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, "
            "output_to_operand_aliasing={{}: (1, {})}, backend_config=\"text, with } brackets\"\n"
            "  %i = f32[8,8]{1,0} a-new-op(%h), strange={x=[1, (2, 3)], y}, level=7, rate=0.5\n"
            "  ROOT %j = f32[8,8]{1,0} negate(%i), control-predecessors={%a, %b}, "
            "metadata={op_name=\"neg\" source_file=\"/x y.py\" source_line=12}, "
            "origin={{\"a\" {1}}}\n"));
}

TEST(HloText, AsyncPairsAndCalls) {
  const std::string text =
      "HloModule m, is_scheduled=true\n\n\n%inner {\n  ROOT %n = f32[4]{0} parameter(0)\n"
      "}, execution_thread=\"other\"\n\nENTRY %main (p: f32[4]) -> f32[8] {\n"
      "  %p = f32[4]{0} parameter(0)\n"
      "  %s = ((f32[4]{0}), f32[4]{0}, s32[]) async-start(%p), async_execution_thread=\"other\", "
      "calls=%inner\n"
      "  %u = ((f32[4]{0}), f32[4]{0}, s32[]) async-update(%s)\n"
      "  %g = (f32[4]{0}, f32[8]{0}) all-gather-start(%p), dimensions={0}, "
      "replica_groups={{0,1}}\n"
      "  %d = f32[4]{0} async-done(%u)\n"
      "  ROOT %h = f32[8]{0} all-gather-done(%g)\n}\n\n";
  expectSame(text);
  std::unique_ptr<Module> module = parsed(text);
  const Instruction &start = *module->entry->instructions[3];
  EXPECT_EQ(start.base, Opcode::AllGather);
  EXPECT_EQ(start.phase, Phase::Start);
  EXPECT_EQ(module->entry->instructions[1]->callee("calls")->name, "inner");
}

TEST(HloText, ShortForms) {
  // Names without %, shapes of operands, comments, no signature, blank space anywhere.
  std::unique_ptr<Module> module =
      parsed("HloModule m // note\n add { x = f32[] parameter(0) /* first */\n"
             "y = f32[] parameter(1)\nROOT s = f32[] add(f32[] x,\n f32[] y) }\n"
             "ENTRY main {\n p = f32[4] parameter(0)\n z = f32[] constant(0)\n"
             "ROOT r = f32[] reduce(f32[4] p, f32[] z), dimensions={0},\n   to_apply=add\n}\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(print(*module),
            "HloModule m\n\n\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
            "  ROOT s = f32[] add(f32[] x, f32[] y)\n}\n\nENTRY main {\n"
            "  p = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
            "  ROOT r = f32[] reduce(f32[4] p, f32[] z), dimensions={0}, to_apply=add\n}\n\n");
}

struct Bad {
  const char *text, *error;
};

TEST(HloText, Errors) {
  for (
      const Bad &bad : std::initializer_list<Bad>{
          {"", ":1:1: error: expected 'HloModule', found the end of the text"},
          {"HloModule m\n", "expected a computation, found the end of the text"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2]{0} parameter(0)\n",
           ":2:10: error: this '{' is not closed: the text ends inside computation 'e'"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2]{0} parameter(0), metadata={op_name=\"x\n}\n",
           ":3:50: error: this string is not closed"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2]{0} parameter(0), backend_config={\"x\":[1}\n}\n",
           "expected ']', found '}'"},
          {"HloModule m\nENTRY %e {\n  %a = f33[2]{0} parameter(0)\n}\n",
           ":3:8: error: unknown element type 'f33' of a shape"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2,x]{0} parameter(0)\n}\n",
           ":3:14: error: expected an integer, found 'x'"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2,2]{0} parameter(0)\n}\n",
           "the layout orders 1 dimensions, the shape has 2"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2,2]{1,1} parameter(0)\n}\n",
           "the layout is no order of the shape's dimensions"},
          {"HloModule m\nENTRY %e {\n  %a = f32[9223372036854775807,3] parameter(0)\n}\n",
           "more elements than 64 bits can count"},
          {"HloModule m\nENTRY %e {\n  %a = f32[] parameter(0)\n  %a = f32[] negate(%a)\n}\n",
           ":4:4: error: computation 'e' already has an instruction 'a'"},
          {"HloModule m\nENTRY %e {\n  %a = f32[] negate(%b)\n}\n",
           ":3:22: error: operand 'b' of 'a' is not defined in computation 'e'"},
          {"HloModule m, is_scheduled=true\nENTRY %e {\n  %a = f32[] negate(%b)\n"
           "  %b = f32[] parameter(0)\n}\n",
           ":3:22: error: 'a' stands before its operand 'b' (line 4)"},
          {"HloModule m, is_scheduled=true\nENTRY %e {\n  %b = f32[] parameter(0)\n"
           "  %a = f32[] negate(%b), control-predecessors={%c}\n  %c = f32[] negate(%b)\n}\n",
           ":4:49: error: 'a' stands before its control predecessor 'c' (line 5)"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  ROOT %s = (f32[2], f32[4]) all-gather-start(%a), dimensions={0}\n"
           "  ROOT %t = f32[2] negate(%a)\n}\n",
           ":5:3: error: computation 'e' already has a root, 's'"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  %s = (f32[2], f32[4]) all-gather-start(%a), dimensions={0}\n"
           "  ROOT %t = f32[2] negate(%a)\n}\n",
           ":4:4: error: 's' is never awaited: expected a all-gather-done that uses it"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  ROOT %t = f32[2] all-gather-done(%s)\n}\n",
           "operand 's' of 't' is not defined"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n  %b = f32[2] negate(%a)\n"
           "  ROOT %t = f32[2] all-gather-done(%b)\n}\n",
           ":5:9: error: 't' awaits 'b', which no start can have come through"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  %s = f32[2] all-reduce-start(%a)\n  %b = f32[2] negate(%s)\n"
           "  ROOT %t = f32[2] all-reduce-done(%s)\n}\n",
           ":5:4: error: 'b' uses 's' before it is awaited"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  ROOT %t = f32[2] call(%a), to_apply=%f\n}\n",
           ":4:40: error: computation 'f' is not defined"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  ROOT %t = f32[2] call(%a), to_apply=%e\n}\n",
           "'t' calls 'e', in which it is itself called"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(0)\n"
           "  ROOT %t = f32[2] get-tuple-element(%a), index=1\n}\n",
           "takes element 1 of 'a', whose shape is f32[2]"},
          {"HloModule m\nENTRY %e {\n  %a = f32[2] parameter(1)\n}\n",
           "has no parameters between this one, number 1, and the others"},
          {"HloModule m\nENTRY %e (a: f32[3]) -> f32[2] {\n  %a = f32[2] parameter(0)\n}\n",
           "parameter 'a' has the shape f32[2], the computation's head says f32[3]"},
          {"HloModule m\nENTRY %e {\n  %a = s8[] constant(128)\n}\n",
           ":3:22: error: this number is out of the range of s8"},
          {"HloModule m\nENTRY %e {\n  %a = s8[3] constant({1, 2})\n}\n",
           "expected ',' and the remaining 1 of 3 elements of dimension 0, found '}'"},
          {"HloModule m\nENTRY %e {\n  %a = f32[] parameter(0), sharding={devices=[2,2]<=[8]}\n}\n",
           "the sharding has 4 tiles for 8 devices"},
          {"HloModule m\n%e {\n  %a = f32[] parameter(0)\n}\n%e {\n  %a = f32[] parameter(0)\n}\n",
           ":5:2: error: the module already has a computation 'e'"}})
    EXPECT_THAT(errorOf(bad.text), HasSubstr(bad.error)) << bad.text;
}

TEST(HloText, EveryTruncationIsAnErrorOrAModule) {
  const std::string text = entry(
      "  %p = f32[2,2]{1,0:S(5)} parameter(0), sharding={devices=[2,1,2]<=[2,2]T(1,0) "
      "last_tile_dims={manual}}\n  %c = f32[2,2]{1,0} constant({ { 1, nan }, { -inf, 4 } })\n"
      "  %s = f32[1,2]{1,0} slice(%p), slice={[0:1], [0:2:2]}, metadata={op_name=\"a\\\"b\"}\n"
      "  %a = f32[2,2]{1,0} all-reduce(%c), replica_groups=mesh['a'=2], device_ids=([2]T(0)) "
      "{'a':(1)2}, backend_config={\"x\":[\"}\"]}\n"
      "  ROOT %t = (f32[2,2]{1,0}, f32[1,2]{1,0}) tuple(%a, %s)\n",
      ", input_output_alias={ {0}: (0, {}, may-alias) }, num_partitions=2");
  for (size_t length = 0; length < text.size(); ++length) {
    llvm::Expected<std::unique_ptr<Module>> module = parse(text.substr(0, length), "m");
    if (module)
      EXPECT_GE(length, text.size() - 2);
    else
      EXPECT_THAT(llvm::toString(module.takeError()), HasSubstr(": error: "));
  }
}

TEST(HloText, DeepNesting) {
  const std::string deep(100000, '(');
  EXPECT_THAT(errorOf("HloModule m\nENTRY %e {\n  %a = " + deep), HasSubstr("nested more than"));
  const std::string braces(100000, '{');
  EXPECT_THAT(errorOf("HloModule m\nENTRY %e {\n  %a = f32[] parameter(0), sharding=" + braces),
              HasSubstr("nested more than"));
}

} // namespace
} // namespace tandem::hlo
