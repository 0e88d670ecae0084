// Programs by hand.
#include "tests/runtime/ProgramBuilder.h"

#include <cstring>
#include <numeric>

namespace tandem::runtime {

using namespace program;

ProgramBuilder::ProgramBuilder(uint32_t numDevices, uint32_t linkLevels)
    : program(std::make_unique<ProgramT>()) {
  program->name = "test";
  program->num_devices = numDevices;
  program->num_streams = kFirstCommunicationStream + linkLevels;
}

BufferRef ProgramBuilder::addBuffer(Arena arena, uint32_t index, uint64_t offset, uint64_t bytes,
                                    uint32_t slots, uint64_t stride, int32_t loop) {
  auto buffer = std::make_unique<BufferT>();
  buffer->arena = arena;
  buffer->index = index;
  buffer->offset = offset;
  buffer->bytes = bytes;
  buffer->slots = slots;
  buffer->stride = stride;
  buffer->loop = loop;
  program->buffers.push_back(std::move(buffer));
  return BufferRef(static_cast<uint32_t>(program->buffers.size() - 1), 0);
}

std::unique_ptr<LayoutT> ProgramBuilder::layout(const std::vector<int64_t> &dims,
                                                std::vector<int64_t> local,
                                                const std::vector<uint32_t> &tilesOfDimension0) {
  auto result = std::make_unique<LayoutT>();
  result->local = local.empty() ? dims : std::move(local);
  result->tiles.resize(dims.size() * program->num_devices);
  for (size_t device = 0; device < tilesOfDimension0.size(); ++device)
    result->tiles[device * dims.size()] = tilesOfDimension0[device];
  return result;
}

namespace {

std::unique_ptr<TensorTypeT> tensorType(DType dtype, std::vector<int64_t> dims) {
  auto type = std::make_unique<TensorTypeT>();
  type->dtype = dtype;
  type->dims = std::move(dims);
  return type;
}

} // namespace

BufferRef ProgramBuilder::argument(DType dtype, std::vector<int64_t> dims,
                                   std::vector<int64_t> local, std::vector<uint32_t> tiles) {
  auto argument = std::make_unique<ArgumentT>();
  argument->layout = layout(dims, std::move(local), tiles);
  argument->type = tensorType(dtype, std::move(dims));
  uint32_t index = static_cast<uint32_t>(program->arguments.size());
  argument->name = "arg" + std::to_string(index);
  uint64_t bytes = static_cast<uint64_t>(localBytes(*argument));
  program->arguments.push_back(std::move(argument));
  return addBuffer(Arena::Argument, index, 0, bytes);
}

BufferRef ProgramBuilder::result(DType dtype, std::vector<int64_t> dims, std::vector<int64_t> local,
                                 std::vector<uint32_t> tiles) {
  auto result = std::make_unique<ResultT>();
  result->layout = layout(dims, std::move(local), tiles);
  result->type = tensorType(dtype, std::move(dims));
  uint64_t bytes = static_cast<uint64_t>(localBytes(*result));
  program->results.push_back(std::move(result));
  return addBuffer(Arena::Result, static_cast<uint32_t>(program->results.size() - 1), 0, bytes);
}

void ProgramBuilder::aliasResult(uint32_t argumentIndex) {
  ArgumentT &argument = *program->arguments[argumentIndex];
  auto result = std::make_unique<ResultT>();
  result->layout = std::make_unique<LayoutT>(*argument.layout);
  result->type = std::make_unique<TensorTypeT>(*argument.type);
  result->alias_argument = static_cast<int32_t>(argumentIndex);
  argument.alias_result = static_cast<int32_t>(program->results.size());
  program->results.push_back(std::move(result));
}

BufferRef ProgramBuilder::temp(uint64_t bytes) {
  uint64_t offset = program->temp_bytes;
  program->temp_bytes += (bytes + 63) / 64 * 64;
  return addBuffer(Arena::Temp, 0, offset, bytes);
}

BufferRef ProgramBuilder::rotatingTemp(uint64_t bytes, uint32_t slots, uint32_t loop) {
  uint64_t offset = program->temp_bytes, stride = (bytes + 63) / 64 * 64;
  program->temp_bytes += stride * slots;
  return addBuffer(Arena::Temp, 0, offset, bytes, slots, stride, static_cast<int32_t>(loop));
}

BufferRef ProgramBuilder::constantBytes(const void *data, size_t bytes) {
  uint64_t offset = program->constants.size();
  const uint8_t *begin = static_cast<const uint8_t *>(data);
  program->constants.insert(program->constants.end(), begin, begin + bytes);
  program->constants.resize((program->constants.size() + 63) / 64 * 64);
  return addBuffer(Arena::Constant, 0, offset, bytes);
}

uint32_t ProgramBuilder::kernel(const std::string &symbol, const std::string &bytes) {
  auto object = std::make_unique<ObjectT>();
  object->data.assign(bytes.begin(), bytes.end());
  program->objects.push_back(std::move(object));
  auto kernel = std::make_unique<KernelT>();
  kernel->symbol = symbol;
  kernel->object = static_cast<uint32_t>(program->objects.size() - 1);
  program->kernels.push_back(std::move(kernel));
  return static_cast<uint32_t>(program->kernels.size() - 1);
}

void ProgramBuilder::launch(uint32_t kernel, std::vector<BufferRef> operands, On on) {
  LaunchT launch;
  launch.kernel = kernel;
  launch.operands = std::move(operands);
  add(std::move(launch), std::move(on));
}

void ProgramBuilder::copy(BufferRef source, BufferRef target, uint64_t bytes, On on) {
  CopyT copy;
  copy.src = std::make_unique<BufferRef>(source);
  copy.dst = std::make_unique<BufferRef>(target);
  copy.bytes = bytes;
  add(std::move(copy), std::move(on));
}

void ProgramBuilder::writeDeviceId(BufferRef target, On on) {
  WriteDeviceIdT write;
  write.dst = std::make_unique<BufferRef>(target);
  add(std::move(write), std::move(on));
}

void ProgramBuilder::nop(On on) { add(NopT(), std::move(on)); }

void ProgramBuilder::gemm(int64_t m, int64_t n, int64_t k, BufferRef lhs, BufferRef rhs,
                          BufferRef out, On on) {
  GemmT gemm;
  gemm.lhs_type = gemm.rhs_type = gemm.out_type = DType::F32;
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  gemm.lhs_m_stride = k;
  gemm.rhs_k_stride = gemm.out_m_stride = n;
  gemm.lhs_k_stride = gemm.rhs_n_stride = gemm.out_n_stride = 1;
  gemm.lhs = std::make_unique<BufferRef>(lhs);
  gemm.rhs = std::make_unique<BufferRef>(rhs);
  gemm.out = std::make_unique<BufferRef>(out);
  add(std::move(gemm), std::move(on));
}

void ProgramBuilder::customCall(const std::string &target, DType dtype, std::vector<int64_t> dims,
                                BufferRef operand, BufferRef result, On on) {
  CustomCallT call;
  call.target = target;
  call.attributes = "{}";
  call.operands = {operand};
  call.results = {result};
  call.operand_types.push_back(tensorType(dtype, dims));
  call.result_types.push_back(tensorType(dtype, dims));
  add(std::move(call), std::move(on));
}

CollectiveOpT &ProgramBuilder::addOp(CollectiveKind kind, DType dtype, std::vector<int64_t> operand,
                                     std::vector<int64_t> result,
                                     std::vector<std::vector<uint32_t>> groups, uint32_t level) {
  auto op = std::make_unique<CollectiveOpT>();
  op->kind = kind;
  if (groups.empty() && kind != CollectiveKind::CollectivePermute) {
    groups.emplace_back(program->num_devices);
    std::iota(groups[0].begin(), groups[0].end(), 0);
  }
  for (std::vector<uint32_t> &devices : groups) {
    auto group = std::make_unique<GroupT>();
    group->devices = std::move(devices);
    op->groups.push_back(std::move(group));
  }
  op->operand_types.push_back(tensorType(dtype, std::move(operand)));
  op->result_types.push_back(tensorType(dtype, std::move(result)));
  op->accumulate = dtype;
  op->link_level = level;
  program->collectives.push_back(std::move(op));
  return *program->collectives.back();
}

uint32_t ProgramBuilder::allReduce(DType dtype, std::vector<int64_t> dims,
                                   std::vector<std::vector<uint32_t>> groups, uint32_t level) {
  CollectiveOpT &op = addOp(CollectiveKind::AllReduce, dtype, dims, dims, std::move(groups), level);
  op.reduction = Reduction::Add;
  uint64_t size = op.groups[0]->devices.size();
  uint64_t bytes = static_cast<uint64_t>(elementCount(dims) * dtypeBytes(dtype));
  op.wire_bytes = 2 * bytes * (size - 1) / size;
  return static_cast<uint32_t>(program->collectives.size() - 1);
}

uint32_t ProgramBuilder::allGather(DType dtype, std::vector<int64_t> dims,
                                   std::vector<std::vector<uint32_t>> groups, uint32_t level) {
  uint64_t size = groups.empty() ? program->num_devices : groups[0].size();
  std::vector<int64_t> result = dims;
  result[0] *= static_cast<int64_t>(size);
  uint64_t bytes = static_cast<uint64_t>(elementCount(dims) * dtypeBytes(dtype));
  CollectiveOpT &op =
      addOp(CollectiveKind::AllGather, dtype, dims, result, std::move(groups), level);
  op.wire_bytes = bytes * (size - 1);
  return static_cast<uint32_t>(program->collectives.size() - 1);
}

uint32_t ProgramBuilder::permute(DType dtype, std::vector<int64_t> dims,
                                 std::vector<std::pair<uint32_t, uint32_t>> pairs) {
  CollectiveOpT &op = addOp(CollectiveKind::CollectivePermute, dtype, dims, dims, {}, 0);
  for (auto [source, target] : pairs) {
    auto pair = std::make_unique<PairT>();
    pair->source = source;
    pair->target = target;
    op.pairs.push_back(std::move(pair));
  }
  return static_cast<uint32_t>(program->collectives.size() - 1);
}

void ProgramBuilder::collective(uint32_t op, std::vector<BufferRef> operands,
                                std::vector<BufferRef> results, On on) {
  CollectiveT collective;
  collective.collective = op;
  collective.operands = std::move(operands);
  collective.results = std::move(results);
  if (on.stream == kComputeStream)
    on.stream = kFirstCommunicationStream + program->collectives[op]->link_level;
  add(std::move(collective), std::move(on));
}

uint32_t ProgramBuilder::jump(uint32_t target) {
  JumpT jump;
  jump.target = target;
  add(std::move(jump), {});
  return here() - 1;
}

uint32_t ProgramBuilder::jumpIfNot(BufferRef predicate, std::vector<uint32_t> waits,
                                   uint32_t target) {
  JumpIfNotT jump;
  jump.predicate = std::make_unique<BufferRef>(predicate);
  jump.target = target;
  add(std::move(jump), {.waits = std::move(waits)});
  return here() - 1;
}

uint32_t ProgramBuilder::branch(BufferRef index, std::vector<uint32_t> waits, size_t numTargets) {
  SwitchT branch;
  branch.index = std::make_unique<BufferRef>(index);
  branch.targets.resize(numTargets);
  add(std::move(branch), {.waits = std::move(waits)});
  return here() - 1;
}

void ProgramBuilder::setTarget(uint32_t command, uint32_t target, size_t which) {
  CommandBodyUnion &body = program->commands[command]->body;
  if (JumpT *jump = body.AsJump())
    jump->target = target;
  else if (JumpIfNotT *jump = body.AsJumpIfNot())
    jump->target = target;
  else
    body.AsSwitch()->targets[which] = target;
}

void ProgramBuilder::loopBegin(uint32_t loop) {
  LoopBeginT begin;
  begin.loop = loop;
  add(std::move(begin), {});
}

void ProgramBuilder::loopNext(uint32_t loop) {
  LoopNextT next;
  next.loop = loop;
  add(std::move(next), {});
}

void ProgramBuilder::ret() { add(ReturnT(), {}); }

} // namespace tandem::runtime
