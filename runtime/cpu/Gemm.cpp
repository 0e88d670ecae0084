// Choice of library, and the products by oneDNN.
#include "runtime/cpu/Gemm.h"

#include <algorithm>
#include <array>
#include <cblas-openblas.h>
#include <cstring>
#include <oneapi/dnnl/dnnl.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/cpu/BlasGemm.h"

// libgomp's own; its header needs -fopenmp's include path.
extern "C" void omp_set_num_threads(int threads);
extern "C" int omp_get_max_threads(void);

namespace tandem::runtime {
namespace {

absl::Status toStatus(dnnl_status_t status, absl::string_view what) {
  if (status == dnnl_success)
    return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("oneDNN: ", what, " failed with status ", static_cast<int>(status)));
}

struct PrimitiveDeleter {
  void operator()(dnnl_primitive_t primitive) const { dnnl_primitive_destroy(primitive); }
};
struct MemoryDeleter {
  void operator()(dnnl_memory_t memory) const { dnnl_memory_destroy(memory); }
};
struct PrimitiveDescDeleter {
  void operator()(dnnl_primitive_desc_t desc) const { dnnl_primitive_desc_destroy(desc); }
};
struct AttrDeleter {
  void operator()(dnnl_primitive_attr_t attr) const { dnnl_primitive_attr_destroy(attr); }
};
using PrimitiveHandle = std::unique_ptr<dnnl_primitive, PrimitiveDeleter>;
using MemoryHandle = std::unique_ptr<dnnl_memory, MemoryDeleter>;

// Primitives remember how many threads there were when they were made.
class SingleThreadScope {
public:
  SingleThreadScope() : threads(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleThreadScope() { omp_set_num_threads(threads); }

private:
  int threads;
};

} // namespace

struct GemmLibrary::Engine {
  dnnl_engine_t engine = nullptr;
  std::vector<dnnl_stream_t> streams; // by worker

  ~Engine() {
    for (dnnl_stream_t stream : streams)
      dnnl_stream_destroy(stream);
    if (engine)
      dnnl_engine_destroy(engine);
  }

  // In pieces where it is large.
  absl::StatusOr<std::shared_ptr<GemmPlan>> split(const GemmShape &shape,
                                                  const std::shared_ptr<Engine> &self);
  absl::StatusOr<std::shared_ptr<GemmPlan>> plan(const GemmShape &shape,
                                                 const std::shared_ptr<Engine> &self);
};

namespace {

// oneDNN objects for one worker: their data handles change with every run.
struct Binding {
  MemoryHandle lhs, rhs, out, scratch;
  std::array<dnnl_exec_arg_t, 4> arguments;
};

class OneDnnPlan : public GemmPlan {
public:
  size_t scratchBytes() const override { return scratch; }
  const char *name() const override { return "onednn"; }

  absl::Status run(const void *lhs, const void *rhs, void *out, int worker,
                   std::byte *scratchpad) const override {
    const Binding &binding = bindings[static_cast<size_t>(worker)];
    dnnl_memory_set_data_handle(binding.lhs.get(), const_cast<void *>(lhs));
    dnnl_memory_set_data_handle(binding.rhs.get(), const_cast<void *>(rhs));
    dnnl_memory_set_data_handle(binding.out.get(), out);
    dnnl_memory_set_data_handle(binding.scratch.get(), scratchpad);
    return toStatus(dnnl_primitive_execute(primitive.get(), streams[static_cast<size_t>(worker)],
                                           static_cast<int>(binding.arguments.size()),
                                           binding.arguments.data()),
                    "matmul");
  }

  std::shared_ptr<void> owner; // of the engine and its streams
  PrimitiveHandle primitive;
  std::vector<dnnl_stream_t> streams;
  std::vector<Binding> bindings; // by worker
  size_t scratch = 0;
};

std::optional<dnnl_data_type_t> dnnlType(DType dtype) {
  if (dtype == DType::F32)
    return dnnl_f32;
  if (dtype == DType::BF16)
    return dnnl_bf16;
  return std::nullopt;
}

// Batch dimensions outermost. A stride of zero is a dimension of size one, which oneDNN
// broadcasts. Empty when it cannot be said.
std::optional<dnnl_memory_desc_t> describe(const GemmShape &shape, const StridedMatrix &matrix) {
  std::optional<dnnl_data_type_t> type = dnnlType(matrix.dtype);
  size_t rank = shape.batch.size() + 2;
  if (!type || rank > DNNL_MAX_NDIMS)
    return std::nullopt;
  dnnl_dims_t dims, strides;
  for (size_t d = 0; d < shape.batch.size(); ++d) {
    bool broadcasts = matrix.batchStrides[d] == 0;
    dims[d] = broadcasts ? 1 : shape.batch[d];
    strides[d] = broadcasts ? 1 : matrix.batchStrides[d];
  }
  dims[rank - 2] = matrix.rows;
  dims[rank - 1] = matrix.columns;
  // The stride of a single row or column is arbitrary: give the dense one.
  strides[rank - 2] = matrix.rows == 1 ? std::max<int64_t>(1, matrix.columnStride * matrix.columns)
                                       : matrix.rowStride;
  strides[rank - 1] =
      matrix.columns == 1 ? (matrix.rowStride == 1 ? matrix.rows : 1) : matrix.columnStride;
  if (strides[rank - 2] == 0 || strides[rank - 1] == 0)
    return std::nullopt;
  dnnl_memory_desc_t desc;
  if (dnnl_memory_desc_init_by_strides(&desc, static_cast<int>(rank), dims, *type, strides) !=
      dnnl_success)
    return std::nullopt;
  return desc;
}

absl::StatusOr<MemoryHandle> makeMemory(const dnnl_memory_desc_t &desc, dnnl_engine_t engine) {
  dnnl_memory_t memory = nullptr;
  if (absl::Status status =
          toStatus(dnnl_memory_create(&memory, &desc, engine, DNNL_MEMORY_NONE), "memory");
      !status.ok())
    return status;
  return MemoryHandle(memory);
}

// Null where oneDNN has no optimised implementation.
absl::StatusOr<std::unique_ptr<OneDnnPlan>>
makeOneDnnGemm(const GemmShape &shape, dnnl_engine_t engine,
               const std::vector<dnnl_stream_t> &streams) {
  std::optional<dnnl_memory_desc_t> lhs = describe(shape, shape.lhs),
                                    rhs = describe(shape, shape.rhs),
                                    out = describe(shape, shape.out);
  if (!lhs || !rhs || !out || shape.k() == 0)
    return nullptr;
  dnnl_matmul_desc_t matmul;
  if (dnnl_matmul_desc_init(&matmul, &*lhs, &*rhs, nullptr, &*out) != dnnl_success)
    return nullptr;
  SingleThreadScope singleThread;
  dnnl_primitive_attr_t rawAttr = nullptr;
  if (absl::Status status = toStatus(dnnl_primitive_attr_create(&rawAttr), "attributes");
      !status.ok())
    return status;
  std::unique_ptr<dnnl_primitive_attr, AttrDeleter> attr(rawAttr);
  dnnl_primitive_attr_set_scratchpad_mode(attr.get(), dnnl_scratchpad_mode_user);
  dnnl_primitive_desc_t rawDesc = nullptr;
  if (dnnl_primitive_desc_create(&rawDesc, &matmul, attr.get(), engine, nullptr) != dnnl_success)
    return nullptr;
  std::unique_ptr<dnnl_primitive_desc, PrimitiveDescDeleter> desc(rawDesc);
  const char *implementation = "";
  dnnl_primitive_desc_query(desc.get(), dnnl_query_impl_info_str, 0, &implementation);
  if (std::strncmp(implementation, "ref", 3) == 0)
    return nullptr;

  auto plan = std::make_unique<OneDnnPlan>();
  dnnl_primitive_t primitive = nullptr;
  if (absl::Status status = toStatus(dnnl_primitive_create(&primitive, desc.get()), "matmul");
      !status.ok())
    return status;
  plan->primitive.reset(primitive);
  plan->streams = streams;
  const dnnl_memory_desc_t *scratch =
      dnnl_primitive_desc_query_md(desc.get(), dnnl_query_scratchpad_md, 0);
  plan->scratch = dnnl_memory_desc_get_size(scratch);
  for (size_t worker = 0; worker < streams.size(); ++worker) {
    Binding binding;
    for (auto [handle, memoryDesc] :
         {std::pair{&binding.lhs, &*lhs}, std::pair{&binding.rhs, &*rhs},
          std::pair{&binding.out, &*out},
          std::pair{&binding.scratch, const_cast<dnnl_memory_desc_t *>(scratch)}}) {
      absl::StatusOr<MemoryHandle> memory = makeMemory(*memoryDesc, engine);
      if (!memory.ok())
        return memory.status();
      *handle = std::move(*memory);
    }
    binding.arguments = {{{DNNL_ARG_SRC, binding.lhs.get()},
                          {DNNL_ARG_WEIGHTS, binding.rhs.get()},
                          {DNNL_ARG_DST, binding.out.get()},
                          {DNNL_ARG_SCRATCHPAD, binding.scratch.get()}}};
    plan->bindings.push_back(std::move(binding));
  }
  return plan;
}

// Nothing to compute.
class EmptyPlan : public GemmPlan {
public:
  size_t scratchBytes() const override { return 0; }
  const char *name() const override { return "empty"; }
  absl::Status run(const void *, const void *, void *, int, std::byte *) const override {
    return absl::OkStatus();
  }
};

// A large product as several, each of some rows, columns or batch elements.
class SplitPlan : public GemmPlan {
public:
  struct Piece {
    std::shared_ptr<GemmPlan> plan;
    int64_t lhs, rhs, out; // bytes from the whole's first elements
  };
  explicit SplitPlan(std::vector<Piece> list) : pieces(std::move(list)) {
    for (const Piece &piece : pieces)
      scratch = std::max(scratch, piece.plan->scratchBytes());
  }

  size_t scratchBytes() const override { return scratch; }
  const char *name() const override { return pieces.front().plan->name(); }
  int64_t numPieces() const override { return static_cast<int64_t>(pieces.size()); }
  absl::Status runPiece(int64_t i, const void *lhs, const void *rhs, void *out, int worker,
                        std::byte *scratchpad) const override {
    const Piece &piece = pieces[static_cast<size_t>(i)];
    return piece.plan->run(static_cast<const std::byte *>(lhs) + piece.lhs,
                           static_cast<const std::byte *>(rhs) + piece.rhs,
                           static_cast<std::byte *>(out) + piece.out, worker, scratchpad);
  }
  absl::Status run(const void *lhs, const void *rhs, void *out, int worker,
                   std::byte *scratchpad) const override {
    for (int64_t i = 0; i < numPieces(); ++i)
      if (absl::Status status = runPiece(i, lhs, rhs, out, worker, scratchpad); !status.ok())
        return status;
    return absl::OkStatus();
  }

private:
  std::vector<Piece> pieces;
  size_t scratch = 0;
};

// Where a product is divided: along its outermost batch dimension, its rows or its columns, into
// parts of `size` (the last may be smaller). Nothing if it is too small.
struct Split {
  enum { Batch, Rows, Columns } along;
  int64_t size, extent;
};
std::optional<Split> splitOf(const GemmShape &shape) {
  constexpr double kPiece = 1 << 20; // multiply-adds: some 15 us
  double multiplies = static_cast<double>(shape.m()) * static_cast<double>(shape.n()) *
                      static_cast<double>(shape.k()) * static_cast<double>(shape.batchCount());
  int64_t parts = multiplies >= 1024 * kPiece ? 8 : multiplies >= 4 * kPiece ? 4 : 2;
  if (multiplies < 2 * kPiece)
    return std::nullopt;
  auto part = [&](int64_t extent, int64_t multiple) {
    int64_t size = (extent + parts - 1) / parts;
    return (size + multiple - 1) / multiple * multiple;
  };
  Split split;
  if (!shape.batch.empty() && shape.batch.front() > 1)
    split = {Split::Batch, part(shape.batch.front(), 1), shape.batch.front()};
  else if (shape.m() >= shape.n())
    split = {Split::Rows, part(shape.m(), 32), shape.m()};
  else
    split = {Split::Columns, part(shape.n(), 64), shape.n()};
  if (split.size >= split.extent)
    return std::nullopt;
  return split;
}

GemmShape partOf(const GemmShape &shape, const Split &split, int64_t size) {
  GemmShape part = shape;
  if (split.along == Split::Batch)
    part.batch.front() = size;
  else if (split.along == Split::Rows)
    part.lhs.rows = part.out.rows = size;
  else
    part.rhs.columns = part.out.columns = size;
  return part;
}

// Drops batch dimensions of size one and joins adjacent ones that are contiguous in all three.
GemmShape normalise(const program::GemmT &gemm) {
  GemmShape shape;
  shape.lhs = {gemm.lhs_type, gemm.m, gemm.k, gemm.lhs_m_stride, gemm.lhs_k_stride, {}};
  shape.rhs = {gemm.rhs_type, gemm.k, gemm.n, gemm.rhs_k_stride, gemm.rhs_n_stride, {}};
  shape.out = {gemm.out_type, gemm.m, gemm.n, gemm.out_m_stride, gemm.out_n_stride, {}};
  struct Operand {
    StridedMatrix *matrix;
    const std::vector<int64_t> *strides;
  };
  const Operand operands[] = {{&shape.lhs, &gemm.lhs_batch_strides},
                              {&shape.rhs, &gemm.rhs_batch_strides},
                              {&shape.out, &gemm.out_batch_strides}};
  for (size_t d = 0; d < gemm.batch.size(); ++d) {
    int64_t size = gemm.batch[d];
    if (size == 1)
      continue;
    bool joins = !shape.batch.empty();
    for (const Operand &operand : operands)
      joins = joins && operand.matrix->batchStrides.back() == size * (*operand.strides)[d];
    if (joins)
      shape.batch.back() *= size;
    else
      shape.batch.push_back(size);
    for (const Operand &operand : operands) {
      if (joins)
        operand.matrix->batchStrides.back() = (*operand.strides)[d];
      else
        operand.matrix->batchStrides.push_back((*operand.strides)[d]);
    }
  }
  return shape;
}

// Measured on one thread: see the header. Of a large product, `shape` is a piece.
bool isBlasFaster(const GemmShape &shape) {
  constexpr int64_t kSmall = 32 * 32 * 32, kLarge = 128 * 512 * 512, kRows = 128, kInner = 512;
  int64_t m = shape.m(), n = shape.n(), k = shape.k();
  if (shape.batchCount() != 1 || !isBlasTuned())
    return false;
  bool isLarge = m >= kRows && n >= kRows && k >= kInner && m * n * k >= kLarge;
  return m == 1 || n == 1 || m * n * k <= kSmall || (isLarge && shape.rhs.columnStride == 1);
}

} // namespace

absl::StatusOr<std::shared_ptr<GemmPlan>>
GemmLibrary::Engine::split(const GemmShape &shape, const std::shared_ptr<Engine> &self) {
  if (shape.batchCount() == 0 || shape.m() == 0 || shape.n() == 0)
    return std::make_shared<EmptyPlan>();
  std::optional<Split> division = splitOf(shape);
  if (!division)
    return plan(shape, self);
  std::vector<SplitPlan::Piece> pieces;
  std::shared_ptr<GemmPlan> whole; // of the parts that have the full size
  for (int64_t begin = 0; begin < division->extent; begin += division->size) {
    int64_t size = std::min(division->size, division->extent - begin);
    SplitPlan::Piece piece{whole, 0, 0, 0};
    if (!whole || size != division->size) {
      absl::StatusOr<std::shared_ptr<GemmPlan>> made = plan(partOf(shape, *division, size), self);
      if (!made.ok())
        return made.status();
      piece.plan = std::move(*made);
      if (size == division->size)
        whole = piece.plan;
    }
    auto bytes = [&](const StridedMatrix &matrix, int64_t stride) {
      return begin * stride * dtypeBytes(matrix.dtype);
    };
    if (division->along == Split::Batch) {
      piece.lhs = bytes(shape.lhs, shape.lhs.batchStrides.front());
      piece.rhs = bytes(shape.rhs, shape.rhs.batchStrides.front());
      piece.out = bytes(shape.out, shape.out.batchStrides.front());
    } else if (division->along == Split::Rows) {
      piece.lhs = bytes(shape.lhs, shape.lhs.rowStride);
      piece.out = bytes(shape.out, shape.out.rowStride);
    } else {
      piece.rhs = bytes(shape.rhs, shape.rhs.columnStride);
      piece.out = bytes(shape.out, shape.out.columnStride);
    }
    pieces.push_back(std::move(piece));
  }
  return std::make_shared<SplitPlan>(std::move(pieces));
}

absl::StatusOr<std::shared_ptr<GemmPlan>>
GemmLibrary::Engine::plan(const GemmShape &shape, const std::shared_ptr<Engine> &self) {
  bool allF64 = shape.lhs.dtype == DType::F64 && shape.rhs.dtype == DType::F64;
  if (allF64 || isBlasFaster(shape))
    if (std::unique_ptr<GemmPlan> blas = makeBlasGemm(shape))
      return std::shared_ptr<GemmPlan>(std::move(blas));
  absl::StatusOr<std::unique_ptr<OneDnnPlan>> oneDnn = makeOneDnnGemm(shape, engine, streams);
  if (!oneDnn.ok())
    return oneDnn.status();
  if (*oneDnn) {
    (*oneDnn)->owner = self;
    return std::shared_ptr<GemmPlan>(std::move(*oneDnn));
  }
  if (std::unique_ptr<GemmPlan> blas = makeBlasGemm(shape))
    return std::shared_ptr<GemmPlan>(std::move(blas));
  if (shape.m() > 0x7FFFFFFF || shape.n() > 0x7FFFFFFF || shape.k() > 0x7FFFFFFF)
    return absl::UnimplementedError("a matrix product with a size beyond 2^31");
  return std::shared_ptr<GemmPlan>(makePackedGemm(shape));
}

GemmLibrary::GemmLibrary(int numWorkers) : engine(std::make_shared<Engine>()) {
  openblas_set_num_threads(1);
  SingleThreadScope singleThread;
  dnnl_engine_create(&engine->engine, dnnl_cpu, 0);
  engine->streams.resize(static_cast<size_t>(numWorkers));
  for (dnnl_stream_t &stream : engine->streams)
    dnnl_stream_create(&stream, engine->engine, dnnl_stream_default_flags);
}

GemmLibrary::~GemmLibrary() = default;

void GemmLibrary::prepareThread() { omp_set_num_threads(1); }

absl::StatusOr<std::shared_ptr<GemmPlan>>
GemmLibrary::plan(const program::GemmT &gemm,
                  std::map<std::string, std::shared_ptr<GemmPlan>> &shared) {
  GemmShape shape = normalise(gemm);
  std::string key = absl::StrJoin(shape.batch, ",");
  for (const StridedMatrix *matrix : {&shape.lhs, &shape.rhs, &shape.out})
    absl::StrAppend(&key, ";", dtypeName(matrix->dtype), " ", matrix->rows, "x", matrix->columns,
                    " ", matrix->rowStride, ",", matrix->columnStride, " ",
                    absl::StrJoin(matrix->batchStrides, ","));
  auto [entry, isNew] = shared.try_emplace(key);
  if (isNew) {
    absl::StatusOr<std::shared_ptr<GemmPlan>> plan = engine->split(shape, engine);
    if (!plan.ok()) {
      shared.erase(entry);
      return plan.status();
    }
    entry->second = std::move(*plan);
  }
  return entry->second;
}

} // namespace tandem::runtime
