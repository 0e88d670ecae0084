// Builds small Programs for tests, without a compiler.
//
//   ProgramBuilder b(2);                                      // devices
//   BufferRef x = b.argument(DType::F32, {8}, {4}, {0, 1});    // global,
//   local, tiles BufferRef y = b.result(DType::F32, {8}, {4}, {0, 1});
//   b.copy(x, y);
//   b.ret();
//   std::unique_ptr<ProgramT> program = b.take();
#ifndef TANDEM_TESTS_RUNTIME_PROGRAMBUILDER_H
#define TANDEM_TESTS_RUNTIME_PROGRAMBUILDER_H

#include <memory>
#include <string>
#include <vector>

#include "tandem/Runtime/DType.h"
#include "tandem/Runtime/HostArray.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

using program::BufferRef;
using program::CollectiveKind;
using program::Reduction;

// Where a command goes, what it waits for and what it signals.
struct On {
  uint32_t stream = kComputeStream;
  std::vector<uint32_t> waits = {};
  int32_t signal = -1;
  std::string name = {};
};

class ProgramBuilder {
public:
  explicit ProgramBuilder(uint32_t numDevices, uint32_t linkLevels = 1);

  // With empty `local`: replicated. Tiles of dimension 0 only, one number per
  // device.
  BufferRef argument(DType dtype, std::vector<int64_t> dims, std::vector<int64_t> local = {},
                     std::vector<uint32_t> tilesOfDimension0 = {});
  BufferRef result(DType dtype, std::vector<int64_t> dims, std::vector<int64_t> local = {},
                   std::vector<uint32_t> tilesOfDimension0 = {});
  // A result that shares the bytes of argument `index`; its buffer is the
  // argument's.
  void aliasResult(uint32_t argumentIndex);
  BufferRef temp(uint64_t bytes);
  BufferRef rotatingTemp(uint64_t bytes, uint32_t slots, uint32_t loop);
  template <typename T> BufferRef constant(const std::vector<T> &values) {
    return constantBytes(values.data(), values.size() * sizeof(T));
  }
  uint32_t event() { return program->num_events++; }
  uint32_t loop() { return program->num_loops++; }

  uint32_t kernel(const std::string &symbol, const std::string &object);

  void launch(uint32_t kernel, std::vector<BufferRef> operands, On on = {});
  void copy(BufferRef source, BufferRef target, uint64_t bytes, On on = {});
  void writeDeviceId(BufferRef target, On on = {});
  void nop(On on);
  // Dense row-major f32: out[m,n] = lhs[m,k] * rhs[k,n].
  void gemm(int64_t m, int64_t n, int64_t k, BufferRef lhs, BufferRef rhs, BufferRef out,
            On on = {});
  void customCall(const std::string &target, DType dtype, std::vector<int64_t> dims,
                  BufferRef operand, BufferRef result, On on = {});

  // Ops. Groups default to all devices.
  uint32_t allReduce(DType dtype, std::vector<int64_t> dims,
                     std::vector<std::vector<uint32_t>> groups = {}, uint32_t level = 0);
  uint32_t allGather(DType dtype, std::vector<int64_t> dims,
                     std::vector<std::vector<uint32_t>> groups = {}, uint32_t level = 0);
  uint32_t permute(DType dtype, std::vector<int64_t> dims,
                   std::vector<std::pair<uint32_t, uint32_t>> pairs);
  void collective(uint32_t op, std::vector<BufferRef> operands, std::vector<BufferRef> results,
                  On on);

  // Control. Targets are command indices; here() is the next one's.
  uint32_t here() const { return static_cast<uint32_t>(program->commands.size()); }
  uint32_t jump(uint32_t target = 0);
  uint32_t jumpIfNot(BufferRef predicate, std::vector<uint32_t> waits, uint32_t target = 0);
  uint32_t branch(BufferRef index, std::vector<uint32_t> waits, size_t numTargets);
  void setTarget(uint32_t command, uint32_t target, size_t which = 0);
  void loopBegin(uint32_t loop);
  void loopNext(uint32_t loop);
  void ret();

  program::ProgramT &get() { return *program; }
  std::unique_ptr<program::ProgramT> take() { return std::move(program); }

private:
  BufferRef addBuffer(program::Arena arena, uint32_t index, uint64_t offset, uint64_t bytes,
                      uint32_t slots = 1, uint64_t stride = 0, int32_t loop = -1);
  BufferRef constantBytes(const void *data, size_t bytes);
  std::unique_ptr<program::LayoutT> layout(const std::vector<int64_t> &dims,
                                           std::vector<int64_t> local,
                                           const std::vector<uint32_t> &tilesOfDimension0);
  program::CollectiveOpT &addOp(CollectiveKind kind, DType dtype, std::vector<int64_t> operand,
                                std::vector<int64_t> result,
                                std::vector<std::vector<uint32_t>> groups, uint32_t level);
  template <typename Body> program::CommandT &add(Body body, On on) {
    auto command = std::make_unique<program::CommandT>();
    command->body.Set(std::move(body));
    command->stream = static_cast<uint8_t>(on.stream);
    command->waits = std::move(on.waits);
    command->signal = on.signal;
    command->name = std::move(on.name);
    program->commands.push_back(std::move(command));
    return *program->commands.back();
  }

  std::unique_ptr<program::ProgramT> program;
};

// An array from values.
template <typename T>
HostArray hostArray(DType dtype, std::vector<int64_t> dims, const std::vector<T> &values) {
  HostArray array = HostArray::zeros(dtype, std::move(dims));
  for (size_t i = 0; i < values.size(); ++i)
    array.as<T>()[i] = values[i];
  return array;
}

} // namespace tandem::runtime

#endif
