/* The C ABI of custom-call kernels.
 *
 *   static int scale(const TandemCustomCallFrame *frame) {
 *     const float *x = (const float *)frame->operands[0].data;
 *     float *y = (float *)frame->results[0].data;
 *     for (int64_t i = 0; i < frame->operands[0].dims[0]; ++i) y[i] = 2 * x[i];
 *     return 0;
 *   }
 *   client->registerCustomCall("my_scale", scale);
 *
 * A kernel runs on a worker thread of the client, for one device at a time; several devices may
 * run the same kernel at once. It must not block on other devices. All pointers belong to the
 * caller and are valid during the call only. Arrays are dense, row-major, local to the device. If
 * the program's call asks for another layout, the dimensions are given in the order in which they
 * lie in memory, outermost first: a column-major [m, n] as a row-major [n, m].
 * A nonzero return ends the step with an error; the kernel may describe it in `message`.
 */
#ifndef TANDEM_RUNTIME_CUSTOMCALL_H
#define TANDEM_RUNTIME_CUSTOMCALL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TandemArray {
  void *data;
  const int64_t *dims;
  int32_t rank;
  int32_t dtype; /* tandem::program::DType in Program.fbs; sub-byte types take one byte */
} TandemArray;

typedef struct TandemCustomCallFrame {
  size_t frame_size; /* sizeof(TandemCustomCallFrame) of the runtime: later fields come after */
  const char *target;
  const char *attributes; /* a JSON object */
  const TandemArray *operands;
  size_t num_operands;
  const TandemArray *results; /* written by the kernel */
  size_t num_results;
  uint32_t device; /* index in the Program */
  uint32_t num_devices;
  void *user_data; /* as registered */
  char *message;   /* message_size bytes for an error text, empty on entry */
  size_t message_size;
} TandemCustomCallFrame;

typedef int (*TandemCustomCall)(const TandemCustomCallFrame *frame);

#ifdef __cplusplus
}
#endif

#endif
