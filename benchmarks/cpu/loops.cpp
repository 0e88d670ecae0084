// Hand-written loops over 64 MiB of f32, what a careful programmer gets from the compiler: the
// bound that generated kernels are held against.
//
//   bench-loops softmax|rmsnorm|gelu STEPS THREADS
//
// prints the seconds of each step, separated by blanks. Rows are divided among the threads; memory
// is on huge pages and warm, as the runtime's is.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace {

constexpr long kRows = 4096, kColumns = 4096;

// 2^n by the exponent bits, times a polynomial; for x in [-87, 88].
inline float fastExp(float x) {
  x = std::fmax(std::fmin(x, 88.0f), -87.0f);
  float n = std::nearbyint(x * 1.44269504f);
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  int bits = (static_cast<int>(n) + 127) << 23;
  float scale;
  std::memcpy(&scale, &bits, sizeof(scale));
  return p * scale;
}

void softmax(const float *__restrict x, float *__restrict y) {
  float max = x[0], sum = 0;
  for (long i = 0; i < kColumns; ++i)
    max = std::fmax(max, x[i]);
  for (long i = 0; i < kColumns; ++i) {
    y[i] = fastExp(x[i] - max);
    sum += y[i];
  }
  float scale = 1 / sum;
  for (long i = 0; i < kColumns; ++i)
    y[i] *= scale;
}

void rmsnorm(const float *__restrict x, float *__restrict y) {
  float sum = 0;
  for (long i = 0; i < kColumns; ++i)
    sum += x[i] * x[i];
  float scale = 1 / std::sqrt(sum / kColumns + 1e-6f);
  for (long i = 0; i < kColumns; ++i)
    y[i] = x[i] * scale;
}

void gelu(const float *__restrict x, float *__restrict y) {
  for (long i = 0; i < kColumns; ++i) {
    float inner = 0.797884561f * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
    float e = fastExp(2 * inner); // tanh(a) = 1 - 2 / (exp(2 a) + 1)
    y[i] = 0.5f * x[i] * (2 - 2 / (e + 1));
  }
}

float *allocate() {
  void *memory = nullptr;
  constexpr size_t bytes = kRows * kColumns * sizeof(float);
  if (posix_memalign(&memory, 2 << 20, bytes) != 0)
    std::abort();
  madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<float *>(memory);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    return std::fprintf(stderr, "usage: bench-loops softmax|rmsnorm|gelu STEPS THREADS\n"), 2;
  auto *row = !std::strcmp(argv[1], "softmax")   ? softmax
              : !std::strcmp(argv[1], "rmsnorm") ? rmsnorm
                                                 : gelu;
  int steps = std::atoi(argv[2]), threads = std::atoi(argv[3]);
  float *x = allocate(), *y = allocate();
  for (long i = 0; i < kRows * kColumns; ++i)
    x[i] = static_cast<float>((i * 7919) % 1000) * 0.004f - 2.0f, y[i] = 0;
  for (int step = 0; step < steps; ++step) {
    auto start = std::chrono::steady_clock::now();
    auto part = [&](int t) {
      for (long r = kRows * t / threads; r < kRows * (t + 1) / threads; ++r)
        row(x + r * kColumns, y + r * kColumns);
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t)
      others.emplace_back(part, t);
    part(0);
    for (std::thread &other : others)
      other.join();
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%.9f ", seconds.count());
  }
  std::printf("\n");
}
