// The verifier of Programs: one mutation of a good program per rule; files.
#include "tandem/Runtime/Program.h"

#include <filesystem>
#include <functional>

#include "tandem/Runtime/AtomicFile.h"
#include "tests/runtime/ProgramBuilder.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

using namespace program;

// commands: 0 id, 1 copy, 2 all-reduce, 3 switch, 4 nop, 5 jump, 6 gemm, 7
// custom call, 8 loop begin, 9 conditional, 10 loop next, 11 permute, 12
// return.
std::unique_ptr<ProgramT> goodProgram() {
  ProgramBuilder b(4);
  BufferRef in = b.argument(DType::F32, {6, 4}, {2, 4}, {0, 1, 2, 2}); // buffer 0
  BufferRef state = b.argument(DType::F32, {2, 2});                    // buffer 1
  BufferRef out = b.result(DType::F32, {2, 4});                        // buffer 2
  b.aliasResult(1);
  BufferRef x = b.temp(32), id = b.temp(4);             // buffers 3, 4
  BufferRef constant = b.constant<float>({1, 2, 3, 4}); // buffer 5
  uint32_t loop = b.loop();
  BufferRef rotating = b.rotatingTemp(32, 2, loop); // buffer 6
  uint32_t event = b.event(), done = b.event();
  b.kernel("k", "object");
  b.writeDeviceId(id, {.name = "id"});
  b.copy(in, x, 32, {.signal = static_cast<int32_t>(event)});
  b.collective(b.allReduce(DType::F32, {2, 4}), {x}, {out},
               {.waits = {event}, .signal = static_cast<int32_t>(done)});
  uint32_t branch = b.branch(id, {}, 2);
  b.nop({.waits = {done}});
  b.jump(6);
  b.setTarget(branch, 4, 0);
  b.setTarget(branch, 6, 1);
  b.gemm(2, 2, 2, constant, constant, state);
  b.customCall("f", DType::F32, {2, 4}, x, rotating);
  b.loopBegin(loop);
  b.jumpIfNot(id, {}, 11);
  b.loopNext(loop);
  b.collective(b.permute(DType::F32, {2, 4}, {{0, 1}, {1, 2}}), {x}, {rotating}, {});
  b.ret();
  return b.take();
}

TEST(ProgramVerifier, acceptsAGoodProgram) { EXPECT_OK(verifyProgram(*goodProgram())); }

struct Mutation {
  const char *message; // part of the error
  std::function<void(ProgramT &)> apply;
};

TEST(ProgramVerifier, rejectsEveryMutation) {
  using P = ProgramT &;
  const Mutation mutations[] = {
      {"version 2", [](P p) { p.version = 2; }},
      {"no devices", [](P p) { p.num_devices = 0; }},
      {"found 1 streams", [](P p) { p.num_streams = 1; }},
      // Arguments and results.
      {"arguments[0] is missing", [](P p) { p.arguments[0].reset(); }},
      {"arguments[0] has no type", [](P p) { p.arguments[0]->type.reset(); }},
      {"unknown element type 99",
       [](P p) { p.arguments[0]->type->dtype = static_cast<DType>(99); }},
      {"negative dimension -6", [](P p) { p.arguments[0]->type->dims[0] = -6; }},
      {"larger than the address space",
       [](P p) { p.arguments[0]->type->dims = {INT64_MAX / 2, 4}; }},
      {"has no layout", [](P p) { p.results[0]->layout.reset(); }},
      {"rank of the local shape is 1", [](P p) { p.arguments[0]->layout->local.pop_back(); }},
      {"found 7 tile indices, expected 8", [](P p) { p.arguments[0]->layout->tiles.pop_back(); }},
      {"the devices hold 2 of 3 tiles",
       [](P p) { p.arguments[0]->layout->tiles[4] = 1, p.arguments[0]->layout->tiles[6] = 1; }},
      {"dimension 0 is 7 locally and 6", [](P p) { p.arguments[0]->layout->local[0] = 7; }},
      {"aliased by results[7]", [](P p) { p.arguments[1]->alias_result = 7; }},
      {"results[0] aliases arguments[0]", [](P p) { p.results[0]->alias_argument = 0; }},
      {"types and layouts must be equal", [](P p) { p.results[1]->type->dtype = DType::I32; }},
      // Buffers.
      {"buffers[0] is missing", [](P p) { p.buffers[0].reset(); }},
      {"buffers[0] lies in argument 5 of 2", [](P p) { p.buffers[0]->index = 5; }},
      {"aliases argument 1", [](P p) { p.buffers[2]->index = 1; }},
      {"ends beyond its arena", [](P p) { p.buffers[3]->offset = 1 << 20; }},
      {"ends beyond its arena", [](P p) { p.buffers[3]->offset = UINT64_MAX - 3; }},
      {"ends beyond its arena", [](P p) { p.buffers[6]->slots = 1000; }},
      {"ends beyond its arena", [](P p) { p.buffers[5]->bytes = 65; }},
      {"has no slots", [](P p) { p.buffers[3]->slots = 0; }},
      {"rotates with loop -1", [](P p) { p.buffers[6]->loop = -1; }},
      {"unknown arena", [](P p) { p.buffers[3]->arena = static_cast<Arena>(9); }},
      // Kernels.
      {"objects[0] is empty", [](P p) { p.objects[0]->data.clear(); }},
      {"is in object 3 of 1", [](P p) { p.kernels[0]->object = 3; }},
      {"kernels[0] has no symbol", [](P p) { p.kernels[0]->symbol.clear(); }},
      // Collectives.
      {"device 3 is in no group", [](P p) { p.collectives[0]->groups[0]->devices.pop_back(); }},
      {"more than one group", [](P p) { p.collectives[0]->groups[0]->devices[3] = 0; }},
      {"device 9 of 4", [](P p) { p.collectives[0]->groups[0]->devices[3] = 9; }},
      {"link level 4 needs stream 6", [](P p) { p.collectives[0]->link_level = 4; }},
      {"all-reduce with reduction None",
       [](P p) { p.collectives[0]->reduction = Reduction::None; }},
      {"reduction And of f32", [](P p) { p.collectives[0]->reduction = Reduction::And; }},
      {"accumulates f32 in i32", [](P p) { p.collectives[0]->accumulate = DType::I32; }},
      {"1 operands and 0 results", [](P p) { p.collectives[0]->result_types.clear(); }},
      {"result 0 is f32[2,5], expected f32[2,4]",
       [](P p) { p.collectives[0]->result_types[0]->dims[1] = 5; }},
      {"repeats a source or a target", [](P p) { p.collectives[1]->pairs[1]->target = 1; }},
      {"pair 0 -> 8 with 4 devices", [](P p) { p.collectives[1]->pairs[0]->target = 8; }},
      {"only a permute has pairs",
       [](P p) { std::swap(p.collectives[0]->pairs, p.collectives[1]->pairs); }},
      {"dimension 2 of f32[2,4]",
       [](P p) {
         p.collectives[0]->kind = CollectiveKind::AllGather;
         p.collectives[0]->reduction = Reduction::None;
         p.collectives[0]->dimension = 2;
       }},
      {"dimension 0 of f32[2,4] in groups of 4",
       [](P p) { p.collectives[0]->kind = CollectiveKind::ReduceScatter; }},
      // Commands.
      {"no commands", [](P p) { p.commands.clear(); }},
      {"commands[0] 'id' (WriteDeviceId): no destination",
       [](P p) { p.commands[0]->body.AsWriteDeviceId()->dst.reset(); }},
      {"uses buffer 77 of",
       [](P p) { *p.commands[0]->body.AsWriteDeviceId()->dst = BufferRef(77, 0); }},
      {"waits for event 5 of 2", [](P p) { p.commands[2]->waits[0] = 5; }},
      {"signals event 2 of 2", [](P p) { p.commands[2]->signal = 2; }},
      {"on stream 5 of 3", [](P p) { p.commands[1]->stream = 5; }},
      {"commands[1] '' (Copy) is on communication stream 2",
       [](P p) { p.commands[1]->stream = 2; }},
      {"link level 0 has stream 2", [](P p) { p.commands[2]->stream = 0; }},
      {"needs 33 bytes of buffers[3]",
       [](P p) {
         p.commands[1]->body.AsCopy()->bytes = 33, p.buffers[0]->bytes = 32,
         p.commands[1]->body.AsCopy()->src = std::make_unique<BufferRef>(3, 0);
       }},
      {"a constant",
       [](P p) {
         *p.commands[1]->body.AsCopy()->dst = BufferRef(5, 0),
         p.commands[1]->body.AsCopy()->bytes = 16;
       }},
      {"which no result aliases",
       [](P p) { *p.commands[1]->body.AsCopy()->dst = BufferRef(0, 0); }},
      {"goes to command 99", [](P p) { p.commands[5]->body.AsJump()->target = 99; }},
      {"goes to command 99", [](P p) { p.commands[3]->body.AsSwitch()->targets[1] = 99; }},
      {"goes to command 99", [](P p) { p.commands[9]->body.AsJumpIfNot()->target = 99; }},
      {"no targets", [](P p) { p.commands[3]->body.AsSwitch()->targets.clear(); }},
      {"counts loop 3 of 1", [](P p) { p.commands[8]->body.AsLoopBegin()->loop = 3; }},
      {"counts loop 3 of 1", [](P p) { p.commands[10]->body.AsLoopNext()->loop = 3; }},
      {"a control command cannot signal", [](P p) { p.commands[5]->signal = 0; }},
      {"collective 8 of 2", [](P p) { p.commands[2]->body.AsCollective()->collective = 8; }},
      {"2 operands and 1 results",
       [](P p) { p.commands[2]->body.AsCollective()->operands.push_back(BufferRef(3, 0)); }},
      {"(Gemm): a matrix product of i32",
       [](P p) { p.commands[6]->body.AsGemm()->lhs_type = DType::I32; }},
      {"(Gemm) needs 24 bytes of buffers[5]",
       [](P p) { p.commands[6]->body.AsGemm()->lhs_m_stride = 4, p.buffers[5]->bytes = 16; }},
      {"negative stride of rhs", [](P p) { p.commands[6]->body.AsGemm()->rhs_k_stride = -1; }},
      {"1 batch dimensions, but 0", [](P p) { p.commands[6]->body.AsGemm()->batch = {2}; }},
      {"1 operands with 0 types",
       [](P p) { p.commands[7]->body.AsCustomCall()->operand_types.clear(); }},
      {"(CustomCall): no target", [](P p) { p.commands[7]->body.AsCustomCall()->target.clear(); }},
      {"launches kernel 4 of 1",
       [](P p) {
         LaunchT launch;
         launch.kernel = 4;
         p.commands[4]->body.Set(std::move(launch));
       }},
      {"has no body", [](P p) { p.commands[4]->body.Reset(); }},
      {"the last command must be Return or Jump", [](P p) { p.commands.pop_back(); }},
  };
  for (const Mutation &mutation : mutations) {
    std::unique_ptr<ProgramT> program = goodProgram();
    mutation.apply(*program);
    expectError(verifyProgram(*program), absl::StatusCode::kInvalidArgument,
                {"invalid program: ", mutation.message});
  }
}

TEST(ProgramVerifier, rejectsGroupsOfDifferentSizes) {
  ProgramBuilder b(3);
  b.allReduce(DType::F32, {4}, {{0, 1}, {2}});
  b.ret();
  expectError(verifyProgram(b.get()), absl::StatusCode::kInvalidArgument,
              {"groups must be of one size"});
}

class ProgramFile : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "programXXXXXX";
    folder = mkdtemp(name.data());
    path = folder + "/p.tandem";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string folder, path;
};

TEST_F(ProgramFile, roundTrips) {
  std::unique_ptr<ProgramT> program = goodProgram();
  ASSERT_OK(saveProgram(*program, path));
  auto back = loadProgram(path);
  ASSERT_OK(back);
  EXPECT_EQ(serializeProgram(**back), serializeProgram(*program));
  EXPECT_EQ((*back)->commands[6]->body.AsGemm()->m, 2);
  EXPECT_EQ((*back)->results[1]->alias_argument, 1);
}

TEST_F(ProgramFile, badFilesAreErrorsThatNameTheFile) {
  std::string whole = serializeProgram(*goodProgram());
  for (size_t size = 0; size < whole.size(); size += 41) {
    ASSERT_OK(writeFileAtomically(path, {absl::string_view(whole).substr(0, size)}));
    auto program = loadProgram(path);
    ASSERT_FALSE(program.ok()) << size;
    EXPECT_THAT(std::string(program.status().message()), testing::HasSubstr("p.tandem: "));
  }
  // A flipped byte is noticed wherever it is, in the kernels' code and in the checksum too.
  for (size_t i = 0; i < whole.size(); i += 3) {
    std::string bad = whole;
    bad[i] = static_cast<char>(bad[i] ^ 0xFF);
    EXPECT_FALSE(parseProgram(bad, "flipped").ok()) << i;
  }
  ASSERT_OK(writeFileAtomically(path, {"module {}"}));
  expectError(loadProgram(path), absl::StatusCode::kInvalidArgument, {"not a Tandem program"});
  expectError(loadProgram(folder + "/none"), absl::StatusCode::kNotFound, {"/none"});
}

} // namespace
} // namespace tandem::runtime
