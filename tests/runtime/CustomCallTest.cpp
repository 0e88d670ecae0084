// The C ABI: what a kernel sees.
#include "runtime/cpu/CustomCalls.h"

#include <cstring>

#include "tandem/Runtime/DType.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

int inspect(const TandemCustomCallFrame *frame) {
  if (frame->frame_size != sizeof(TandemCustomCallFrame) ||
      std::strcmp(frame->target, "inspect") != 0 ||
      std::strcmp(frame->attributes, "{\"k\": 3}") != 0 || frame->num_operands != 1 ||
      frame->num_results != 2 || frame->device != 5 || frame->num_devices != 8)
    return 1;
  const TandemArray &x = frame->operands[0];
  if (x.rank != 2 || x.dims[1] != 3 || x.dtype != static_cast<int32_t>(DType::BF16))
    return 2;
  *static_cast<float *>(frame->results[1].data) = 1.5f;
  return 0;
}

TEST(CustomCall, frameDescribesOperandsAndResults) {
  CustomCallRegistry registry;
  registry.add("inspect", inspect, nullptr);
  program::CustomCallT call;
  call.target = "inspect";
  call.attributes = "{\"k\": 3}";
  auto type = [](DType dtype, std::vector<int64_t> dims) {
    auto result = std::make_unique<program::TensorTypeT>();
    result->dtype = dtype;
    result->dims = std::move(dims);
    return result;
  };
  call.operands.resize(1);
  call.results.resize(2);
  call.operand_types.push_back(type(DType::BF16, {2, 3}));
  call.result_types.push_back(type(DType::I32, {}));
  call.result_types.push_back(type(DType::F32, {1}));
  auto plan = CustomCallPlan::create(call, registry);
  ASSERT_OK(plan);
  uint16_t x[6] = {};
  int32_t y = 0;
  float z = 0;
  void *buffers[] = {x, &y, &z};
  std::vector<TandemArray> scratch(plan->numArrays());
  EXPECT_OK(plan->run(buffers, 5, 8, scratch.data()));
  EXPECT_EQ(z, 1.5f);
  EXPECT_FALSE(plan->run(buffers, 4, 8, scratch.data()).ok());
}

TEST(CustomCall, laterRegistrationReplaces) {
  CustomCallRegistry registry;
  registry.add("f", inspect, nullptr);
  int data = 0;
  registry.add("f", inspect, &data);
  EXPECT_EQ(registry.find("f")->userData, &data);
  expectError(registry.find("g"), absl::StatusCode::kNotFound, {"'g'", "registered: f"});
  expectError(CustomCallRegistry().find("g"), absl::StatusCode::kNotFound, {"registered: none"});
}

} // namespace
} // namespace tandem::runtime
