// Checks of commands.
#include "runtime/program/Verifier.h"

#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

using namespace program;

absl::Status ProgramVerifier::checkRef(const BufferRef &ref, uint64_t bytes, bool written,
                                       absl::string_view where) const {
  if (ref.buffer() >= program.buffers.size())
    return programError(where, " uses buffer ", ref.buffer(), " of ", program.buffers.size());
  const BufferT &buffer = *program.buffers[ref.buffer()];
  if (buffer.bytes < bytes)
    return programError(where, " needs ", bytes, " bytes of buffers[", ref.buffer(),
                        "], which has ", buffer.bytes);
  if (written && buffer.arena == Arena::Constant)
    return programError(where, " writes to buffers[", ref.buffer(), "], a constant");
  if (written && buffer.arena == Arena::Argument &&
      program.arguments[buffer.index]->alias_result < 0)
    return programError(where, " writes to buffers[", ref.buffer(), "] in argument ", buffer.index,
                        ", which no result aliases");
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkGemm(const GemmT &gemm, absl::string_view where) const {
  for (DType dtype : {gemm.lhs_type, gemm.rhs_type, gemm.out_type})
    if (static_cast<int>(dtype) >= kNumDTypes || !isFloat(dtype))
      return programError(where, ": a matrix product of ", dtypeName(dtype));
  size_t batch = gemm.batch.size();
  if (gemm.lhs_batch_strides.size() != batch || gemm.rhs_batch_strides.size() != batch ||
      gemm.out_batch_strides.size() != batch)
    return programError(where, ": ", batch, " batch dimensions, but ",
                        gemm.lhs_batch_strides.size(), ", ", gemm.rhs_batch_strides.size(), " and ",
                        gemm.out_batch_strides.size(), " strides");
  if (gemm.m < 0 || gemm.n < 0 || gemm.k < 0)
    return programError(where, ": negative size ", gemm.m, "x", gemm.n, "x", gemm.k);
  bool empty = gemm.m == 0 || gemm.n == 0;
  for (int64_t dim : gemm.batch) {
    if (dim < 0)
      return programError(where, ": negative batch dimension ", dim);
    empty |= dim == 0;
  }
  // Bytes from the first to past the last element; strides are not negative.
  auto check = [&](const char *name, const BufferRef *ref, DType dtype,
                   const std::vector<int64_t> &batchStrides, int64_t rows, int64_t rowStride,
                   int64_t columns, int64_t columnStride, bool written) -> absl::Status {
    if (!ref)
      return programError(where, ": no ", name);
    if (rowStride < 0 || columnStride < 0)
      return programError(where, ": negative stride of ", name);
    int64_t last = 0;
    if (!empty && rows > 0 && columns > 0) {
      last = (rows - 1) * rowStride + (columns - 1) * columnStride + 1;
      for (size_t i = 0; i < batch; ++i) {
        if (batchStrides[i] < 0)
          return programError(where, ": negative batch stride of ", name);
        last += (gemm.batch[i] - 1) * batchStrides[i];
      }
    }
    return checkRef(*ref, static_cast<uint64_t>(last * dtypeBytes(dtype)), written, where);
  };
  if (absl::Status status = check("lhs", gemm.lhs.get(), gemm.lhs_type, gemm.lhs_batch_strides,
                                  gemm.m, gemm.lhs_m_stride, gemm.k, gemm.lhs_k_stride, false);
      !status.ok())
    return status;
  if (absl::Status status = check("rhs", gemm.rhs.get(), gemm.rhs_type, gemm.rhs_batch_strides,
                                  gemm.k, gemm.rhs_k_stride, gemm.n, gemm.rhs_n_stride, false);
      !status.ok())
    return status;
  return check("out", gemm.out.get(), gemm.out_type, gemm.out_batch_strides, gemm.m,
               gemm.out_m_stride, gemm.n, gemm.out_n_stride, true);
}

absl::Status ProgramVerifier::checkCustomCall(const CustomCallT &call,
                                              absl::string_view where) const {
  if (call.target.empty())
    return programError(where, ": no target");
  auto check = [&](const char *name, const std::vector<BufferRef> &refs,
                   const std::vector<std::unique_ptr<TensorTypeT>> &types,
                   bool written) -> absl::Status {
    if (refs.size() != types.size())
      return programError(where, ": ", refs.size(), " ", name, "s with ", types.size(), " types");
    for (size_t i = 0; i < refs.size(); ++i) {
      if (absl::Status status = checkType(types[i].get(), absl::StrCat(where, " ", name, " ", i));
          !status.ok())
        return status;
      if (absl::Status status = checkRef(refs[i], typeBytes(*types[i]), written, where);
          !status.ok())
        return status;
    }
    return absl::OkStatus();
  };
  if (absl::Status status = check("operand", call.operands, call.operand_types, false);
      !status.ok())
    return status;
  return check("result", call.results, call.result_types, true);
}

absl::Status ProgramVerifier::checkCollectiveCommand(const CollectiveT &command, uint32_t stream,
                                                     absl::string_view where) const {
  if (command.collective >= program.collectives.size())
    return programError(where, ": collective ", command.collective, " of ",
                        program.collectives.size());
  const CollectiveOpT &op = *program.collectives[command.collective];
  if (stream != kFirstCommunicationStream + op.link_level)
    return programError(where, " is on stream ", stream, ", link level ", op.link_level,
                        " has stream ", kFirstCommunicationStream + op.link_level);
  if (command.operands.size() != op.operand_types.size() ||
      command.results.size() != op.result_types.size())
    return programError(where, ": ", command.operands.size(), " operands and ",
                        command.results.size(), " results, the collective has ",
                        op.operand_types.size());
  for (size_t i = 0; i < command.operands.size(); ++i) {
    if (absl::Status status =
            checkRef(command.operands[i], typeBytes(*op.operand_types[i]), false, where);
        !status.ok())
      return status;
    if (absl::Status status =
            checkRef(command.results[i], typeBytes(*op.result_types[i]), true, where);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status ProgramVerifier::checkCommand(const CommandT &command, absl::string_view where) const {
  for (uint32_t event : command.waits)
    if (event >= program.num_events)
      return programError(where, " waits for event ", event, " of ", program.num_events);
  if (command.signal >= 0 && static_cast<uint32_t>(command.signal) >= program.num_events)
    return programError(where, " signals event ", command.signal, " of ", program.num_events);
  if (command.body.type == CommandBody::NONE || !command.body.value)
    return programError(where, " has no body");
  bool control = command.body.type >= CommandBody::Jump;
  if (control && command.signal >= 0)
    return programError(where, ": a control command cannot signal");
  if (!control && command.stream >= program.num_streams)
    return programError(where, " is on stream ", static_cast<int>(command.stream), " of ",
                        program.num_streams);
  bool communicates = command.stream >= kFirstCommunicationStream;
  if (!control && communicates && command.body.type != CommandBody::Collective &&
      command.body.type != CommandBody::Nop)
    return programError(where, " is on communication stream ", static_cast<int>(command.stream));

  auto checkTarget = [&](uint32_t target) -> absl::Status {
    if (target >= program.commands.size())
      return programError(where, " goes to command ", target, " of ", program.commands.size());
    return absl::OkStatus();
  };
  auto checkLoop = [&](uint32_t loop) -> absl::Status {
    if (loop >= program.num_loops)
      return programError(where, " counts loop ", loop, " of ", program.num_loops);
    return absl::OkStatus();
  };
  switch (command.body.type) {
  case CommandBody::Launch: {
    const LaunchT &launch = *command.body.AsLaunch();
    if (launch.kernel >= program.kernels.size())
      return programError(where, " launches kernel ", launch.kernel, " of ",
                          program.kernels.size());
    for (const BufferRef &ref : launch.operands)
      if (absl::Status status = checkRef(ref, 0, false, where); !status.ok())
        return status;
    return absl::OkStatus();
  }
  case CommandBody::Gemm:
    return checkGemm(*command.body.AsGemm(), where);
  case CommandBody::CustomCall:
    return checkCustomCall(*command.body.AsCustomCall(), where);
  case CommandBody::Copy: {
    const CopyT &copy = *command.body.AsCopy();
    if (!copy.src || !copy.dst)
      return programError(where, ": no source or destination");
    if (absl::Status status = checkRef(*copy.src, copy.bytes, false, where); !status.ok())
      return status;
    return checkRef(*copy.dst, copy.bytes, true, where);
  }
  case CommandBody::WriteDeviceId: {
    const WriteDeviceIdT &write = *command.body.AsWriteDeviceId();
    if (!write.dst)
      return programError(where, ": no destination");
    return checkRef(*write.dst, sizeof(uint32_t), true, where);
  }
  case CommandBody::Collective:
    return checkCollectiveCommand(*command.body.AsCollective(), command.stream, where);
  case CommandBody::Jump:
    return checkTarget(command.body.AsJump()->target);
  case CommandBody::JumpIfNot: {
    const JumpIfNotT &jump = *command.body.AsJumpIfNot();
    if (!jump.predicate)
      return programError(where, ": no predicate");
    if (absl::Status status = checkRef(*jump.predicate, 1, false, where); !status.ok())
      return status;
    return checkTarget(jump.target);
  }
  case CommandBody::Switch: {
    const SwitchT &branch = *command.body.AsSwitch();
    if (!branch.index || branch.targets.empty())
      return programError(where, ": no index or no targets");
    if (absl::Status status = checkRef(*branch.index, sizeof(int32_t), false, where); !status.ok())
      return status;
    for (uint32_t target : branch.targets)
      if (absl::Status status = checkTarget(target); !status.ok())
        return status;
    return absl::OkStatus();
  }
  case CommandBody::LoopBegin:
    return checkLoop(command.body.AsLoopBegin()->loop);
  case CommandBody::LoopNext:
    return checkLoop(command.body.AsLoopNext()->loop);
  default:
    return absl::OkStatus();
  }
}

} // namespace tandem::runtime
