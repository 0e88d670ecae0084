// Prints Programs.
#include "passes/Lower/ProgramText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tandem {
namespace {

using namespace program;

struct Printer {
  const ProgramT &program;
  llvm::raw_ostream &os;

  static std::string lower(const char *text) { return llvm::StringRef(text).lower(); }

  template <typename Range> void list(const Range &range, const char *open, const char *close) {
    os << open;
    llvm::interleave(range, os, [&](auto value) { os << value; }, ",");
    os << close;
  }

  void type(const TensorTypeT *type) {
    os << lower(EnumNameDType(type->dtype));
    list(type->dims, "[", "]");
  }

  void ref(const BufferRef &ref) {
    const BufferT &buffer = *program.buffers[ref.buffer()];
    os << lower(EnumNameArena(buffer.arena));
    if (buffer.arena == program::Arena::Argument || buffer.arena == program::Arena::Result)
      os << ' ' << buffer.index;
    os << '+' << buffer.offset << ':' << buffer.bytes;
    if (buffer.slots > 1)
      os << " slot (i" << buffer.loop << '+' << ref.rotation() << ")%" << buffer.slots;
  }

  void refs(const std::vector<BufferRef> &refs) {
    os << '(';
    llvm::interleave(refs, os, [&](const BufferRef &r) { ref(r); }, ", ");
    os << ')';
  }

  void body(const CommandBodyUnion &body) {
    if (auto *launch = body.AsLaunch()) {
      os << "launch " << program.kernels[launch->kernel]->symbol << ' ';
      refs(launch->operands);
    } else if (auto *gemm = body.AsGemm()) {
      os << "gemm ";
      list(gemm->batch, "batch [", "] ");
      os << gemm->m << 'x' << gemm->n << 'x' << gemm->k << ' '
         << lower(EnumNameDType(gemm->out_type)) << " (";
      ref(*gemm->lhs);
      os << ", ";
      ref(*gemm->rhs);
      os << ", ";
      ref(*gemm->out);
      os << ')';
    } else if (auto *call = body.AsCustomCall()) {
      os << "call '" << call->target << "' ";
      refs(call->operands);
      os << ' ';
      refs(call->results);
    } else if (auto *copy = body.AsCopy()) {
      os << "copy (";
      ref(*copy->src);
      os << ", ";
      ref(*copy->dst);
      os << ')';
    } else if (auto *id = body.AsWriteDeviceId()) {
      os << "device-id (";
      ref(*id->dst);
      os << ')';
    } else if (auto *collective = body.AsCollective()) {
      os << "collective " << collective->collective << ' ';
      refs(collective->operands);
      os << ' ';
      refs(collective->results);
    } else if (auto *jump = body.AsJump()) {
      os << "jump " << jump->target;
    } else if (auto *branch = body.AsJumpIfNot()) {
      os << "jump-if-not (";
      ref(*branch->predicate);
      os << ") " << branch->target;
    } else if (auto *choice = body.AsSwitch()) {
      os << "switch (";
      ref(*choice->index);
      os << ") ";
      list(choice->targets, "[", "]");
    } else if (auto *begin = body.AsLoopBegin()) {
      os << "loop-begin " << begin->loop;
    } else if (auto *next = body.AsLoopNext()) {
      os << "loop-next " << next->loop;
    } else {
      os << lower(EnumNameCommandBody(body.type));
    }
  }

  bool onStream(CommandBody type) { return type <= CommandBody::Nop; }

  void run() {
    os << "program " << program.name << " devices=" << program.num_devices
       << " streams=" << program.num_streams << " events=" << program.num_events
       << " loops=" << program.num_loops << " temp=" << program.temp_bytes
       << " constants=" << program.constants.size() << '\n';
    for (auto [index, argument] : llvm::enumerate(program.arguments)) {
      os << "argument " << index << " '" << argument->name << "' ";
      type(argument->type.get());
      list(argument->layout->local, " local [", "]");
      if (argument->alias_result >= 0)
        os << " donated to result " << argument->alias_result;
      os << '\n';
    }
    for (auto [index, result] : llvm::enumerate(program.results)) {
      os << "result " << index << " '" << result->name << "' ";
      type(result->type.get());
      list(result->layout->local, " local [", "]");
      if (result->alias_argument >= 0)
        os << " in argument " << result->alias_argument;
      os << '\n';
    }
    for (auto [index, kernel] : llvm::enumerate(program.kernels))
      os << "kernel " << index << ' ' << kernel->symbol << " flops " << kernel->flops << " bytes "
         << kernel->bytes << '\n';
    for (auto [index, op] : llvm::enumerate(program.collectives)) {
      os << "collective " << index << ' ' << lower(EnumNameCollectiveKind(op->kind));
      if (op->reduction != Reduction::None)
        os << ' ' << lower(EnumNameReduction(op->reduction)) << ' '
           << lower(EnumNameDType(op->accumulate));
      for (auto &group : op->groups)
        list(group->devices, " {", "}");
      for (auto &pair : op->pairs)
        os << ' ' << pair->source << "->" << pair->target;
      for (auto &operand : op->operand_types) {
        os << ' ';
        type(operand.get());
      }
      os << " level " << op->link_level << " wire " << op->wire_bytes;
      if (!op->cause.empty())
        os << " cause '" << op->cause << "'";
      os << '\n';
    }
    for (auto [index, command] : llvm::enumerate(program.commands)) {
      os << "  " << index << ' ';
      if (onStream(command->body.type))
        os << "stream " << unsigned(command->stream) << ' ';
      if (!command->waits.empty()) {
        os << "wait";
        for (uint32_t event : command->waits)
          os << " e" << event;
        os << ' ';
      }
      body(command->body);
      if (command->signal >= 0)
        os << " -> e" << command->signal;
      if (!command->name.empty())
        os << "   # " << command->name;
      os << '\n';
    }
  }
};

} // namespace

void printProgram(const ProgramT &program, llvm::raw_ostream &os) { Printer{program, os}.run(); }

} // namespace tandem
