// rng_bit_generator against bits recorded from XLA, and in other shapes against plain code.

#include "KernelRunner.h"

#include <array>

using namespace tandem::test;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace {

const uint64_t key = 0x123456789abcdef0, counter = 0xfffffffffffffffe;

std::vector<Array> run(std::string algorithm, std::string output, std::vector<uint64_t> state) {
  std::string words = "tensor<" + std::to_string(state.size()) + "xui64>";
  return runKernel("func.func @main(%s: " + words + ") -> (" + words + ", " + output + ") {\n" +
                       "%t, %r = stablehlo.rng_bit_generator %s, algorithm = " + algorithm +
                       " : (" + words + ") -> (" + words + ", " + output + ")\n" +
                       "return %t, %r : " + words + ", " + output + "\n}",
                   {array(state)});
}

std::array<uint32_t, 4> philox(uint64_t low, uint64_t high) {
  std::array<uint32_t, 4> x{uint32_t(low), uint32_t(low >> 32), uint32_t(high),
                            uint32_t(high >> 32)};
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    uint64_t a = uint64_t(x[0]) * 0xD2511F53, b = uint64_t(x[2]) * 0xCD9E8D57;
    x = {uint32_t(b >> 32) ^ x[1] ^ k0, uint32_t(b), uint32_t(a >> 32) ^ x[3] ^ k1, uint32_t(a)};
  }
  return x;
}

std::vector<uint32_t> philoxWords(size_t count, uint64_t low, uint64_t high) {
  std::vector<uint32_t> words;
  for (uint64_t i = 0; words.size() < count; ++i)
    for (uint32_t word : philox(low + i, high + (low + i < low)))
      words.push_back(word);
  words.resize(count);
  return words;
}

TEST(Random, PhiloxAsRecorded) {
  auto out = run("PHILOX", "tensor<5x3xui32>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 2));
  EXPECT_THAT(values<uint32_t>(out[1]),
              ElementsAre(0xbbd856ff, 0xb795d4a1, 0x9db4dbb7, 0xb129d7a7, 0x583ddf1e, 0xb3bb590c,
                          0xea99e9da, 0x40230b26, 0x102d8cf3, 0x2012dc06, 0xe29031fe, 0xb33c65fe,
                          0x99f81036, 0xaa1b32c0, 0x142aaee3));
  out = run("DEFAULT", "tensor<3xui64>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 0));
  EXPECT_THAT(values<uint64_t>(out[1]),
              ElementsAre(0xb795d4a1bbd856ff, 0xb129d7a79db4dbb7, 0xb3bb590c583ddf1e));
  out = run("PHILOX", "tensor<3xui8>", {key, counter});
  EXPECT_THAT(values<uint8_t>(out[1]), ElementsAre(0xff, 0xa1, 0xb7));
  out = run("PHILOX", "tensor<ui32>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, counter + 1));
  EXPECT_THAT(values<uint32_t>(out[1]), ElementsAre(0xbbd856ff));
}

// Long enough for vectors, single counters and a part of one; the carry falls into a vector.
TEST(Random, PhiloxInVectors) {
  uint64_t low = ~uint64_t(0) - 20;
  std::vector<uint32_t> words = philoxWords(1003, low, 7);
  auto out = run("PHILOX", "tensor<17x59xui32>", {key, low, 7});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, low + 251, 8));
  EXPECT_THAT(values<uint32_t>(out[1]), ElementsAreArray(words));

  out = run("PHILOX", "tensor<501xi64>", {key, low, 7});
  std::vector<uint64_t> pairs;
  pairs.reserve(501);
  for (size_t i = 0; i < 501; ++i)
    pairs.push_back(words[2 * i] | uint64_t(words[2 * i + 1]) << 32);
  EXPECT_THAT(values<uint64_t>(out[1]), ElementsAreArray(pairs));

  out = run("PHILOX", "tensor<1003xui16>", {key, low, 7});
  EXPECT_THAT(values<uint16_t>(out[1]),
              ElementsAreArray(std::vector<uint16_t>(words.begin(), words.end())));
}

TEST(Random, ThreeFryAsRecorded) {
  // No dimension is even: pairs are split along the longest, whose last row has no partner.
  auto out = run("THREE_FRY", "tensor<5x3xui32>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 7));
  EXPECT_THAT(values<uint32_t>(out[1]),
              ElementsAre(0x3c3b507a, 0xa4317ba7, 0x5eff803d, 0x7093e72c, 0x21f1aaca, 0x4ce380f9,
                          0x394bdefc, 0x523f5786, 0x553d0168, 0x64dfd0ae, 0x4028dd8d, 0xe364850a,
                          0x1f390015, 0x81171b02, 0x8393e486));
  out = run("THREE_FRY", "tensor<2x3x4xui16>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 10));
  EXPECT_THAT(values<uint16_t>(out[1]),
              ElementsAre(0x507a, 0x7ba7, 0x803d, 0xdefc, 0x5786, 0x168, 0x15, 0x1b02, 0xe486,
                          0xa089, 0xf33a, 0x991, 0xe72c, 0xaaca, 0x80f9, 0xd0ae, 0xdd8d, 0x850a,
                          0x9cb9, 0x7d1c, 0x8296, 0x74f7, 0x80ba, 0xc3cc));
  out = run("THREE_FRY", "tensor<3xui64>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 1));
  EXPECT_THAT(values<uint64_t>(out[1]),
              ElementsAre(0x7093e72c3c3b507a, 0x21f1aacaa4317ba7, 0x4ce380f95eff803d));
  out = run("THREE_FRY", "tensor<ui32>", {key, counter});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, counter + 1));
  EXPECT_THAT(values<uint32_t>(out[1]), ElementsAre(0x3c3b507a));
}

// Rows long enough for vectors hold the words of those that are not.
TEST(Random, ThreeFryInVectors) {
  auto halves = [](std::string type) {
    auto words = values<uint32_t>(run("THREE_FRY", type, {key, counter})[1]);
    return words;
  };
  std::vector<uint32_t> flat = halves("tensor<74xui32>"), rows = halves("tensor<2x37xui32>");
  for (size_t i = 0; i < 37; ++i) {
    EXPECT_EQ(rows[i], flat[2 * i]);
    EXPECT_EQ(rows[37 + i], flat[2 * i + 1]);
  }
}

TEST(Random, EmptyResultAndUnusedBits) {
  auto out = run("PHILOX", "tensor<0x4xui32>", {key, 5});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 5));
  out = runKernel(R"(
    func.func @main(%s: tensor<2xui64>) -> tensor<2xui64> {
      %t, %r = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui32>)
      return %t : tensor<2xui64>
    })",
                  {array<uint64_t>({key, 5})});
  EXPECT_THAT(values<uint64_t>(out[0]), ElementsAre(key, 8));
}

// Used where it is made: the bits lie in scratch.
TEST(Random, BitsFeedOtherOps) {
  auto out = runKernel(R"(
    func.func @main(%s: tensor<2xui64>) -> tensor<8xui32> {
      %t, %r = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
      %0 = stablehlo.reverse %r, dims = [0] : tensor<8xui32>
      return %0 : tensor<8xui32>
    })",
                       {array<uint64_t>({key, counter})});
  std::vector<uint32_t> words = philoxWords(8, counter, key);
  EXPECT_THAT(values<uint32_t>(out[0]),
              ElementsAreArray(std::vector<uint32_t>(words.rbegin(), words.rend())));
}

} // namespace
