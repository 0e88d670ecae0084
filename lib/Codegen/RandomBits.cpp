// rng_bit_generator: the bits that XLA gives for the same state, which is what JAX's users compare
// with. The state is a key and a counter; element bits depend on these and on the position only.
//
//   PHILOX (and DEFAULT)  Philox4x32-10. Counter c + i, of 128 bits, gives the 32-bit words
//                         4i .. 4i + 3 of the row-major result. A state of two words has the key
//                         for the counter's upper half as well.
//   THREE_FRY             Threefry2x32-20. Counter c + i, of 64 bits, gives a pair of words: of a
//                         64-bit result those of element i, the lower first; else one element each.
//                         The elements of a pair are neighbours along the first dimension of even
//                         size (if none is, the largest), and pairs are in row-major order.
//
// Elements of less than 32 bits are the low bits of a word each.

#include "KernelEmitter.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

using IPred = arith::CmpIPredicate;

/// Both generators on registers of 32 bits, scalars or vectors.
struct Generator {
  KernelBuilder &k;
  ScalarEmitter &s;

  Value low(Value wide) { return s.resizeInt(wide, 32, true); }
  Value high(Value wide) { return low(s.lshr(wide, 32)); }
  Value rotateLeft(Value v, int64_t bits) { return s.ori(s.shl(v, bits), s.lshr(v, 32 - bits)); }

  /// `counter` and `key` from the lowest word on.
  Values philox(Values counter, Value key0, Value key1) {
    constexpr int64_t factor[] = {0xD2511F53, 0xCD9E8D57}, raise[] = {0x9E3779B9, 0xBB67AE85};
    for (int64_t round = 0; round < 10; ++round) {
      auto product = [&](Value word, int64_t by) {
        Value wide = s.resizeInt(word, 64, true);
        return s.muli(wide, s.i(wide, by));
      };
      auto roundKey = [&](Value key, int64_t by) {
        return s.splat(s.addi(key, int32_t(round * by)), s.lanesOf(counter[0]));
      };
      Value first = product(counter[0], factor[0]), second = product(counter[2], factor[1]);
      counter = {s.xori(s.xori(high(second), counter[1]), roundKey(key0, raise[0])), low(second),
                 s.xori(s.xori(high(first), counter[3]), roundKey(key1, raise[1])), low(first)};
    }
    return counter;
  }

  Values threeFry(Value counter0, Value counter1, Value key0, Value key1) {
    constexpr int64_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    Value keys[] = {key0, key1, s.xori(s.xori(key0, key1), s.i(key0, 0x1BD11BDA))};
    int64_t lanes = s.lanesOf(counter0);
    auto inject = [&](Value word, int64_t key, int64_t step) {
      return s.addi(word, s.splat(s.addi(keys[key % 3], step), lanes));
    };
    Value a = inject(counter0, 0, 0), b = inject(counter1, 1, 0);
    for (int64_t group = 1; group <= 5; ++group) {
      for (int64_t bits : rotations[(group - 1) % 2]) {
        a = s.addi(a, b);
        b = s.xori(a, rotateLeft(b, bits));
      }
      a = inject(a, group, 0);
      b = inject(b, group + 1, group);
    }
    return {a, b};
  }
};

/// 0, 1, 2, ... from `first` on.
Value countFrom(KernelBuilder &k, ScalarEmitter &s, Value first, int64_t lanes) {
  if (lanes == 1)
    return first;
  llvm::SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(lane);
  return s.addi(s.splat(first, lanes), k.make<arith::ConstantOp>(k.raw().getI64VectorAttr(steps)));
}

} // namespace

void KernelEmitter::emitRandomBits(hlo::RngBitGeneratorOp op, ArrayRef<Buffer> to) {
  Generator generator{k, s};
  int64_t stateSize = shapeOf(op.getInitialState())[0];
  auto stateWord = [&](int64_t at) {
    Index index;
    index.dims.push_back(k.index(at));
    return elements.element(op.getInitialState(), index);
  };
  auto storeState = [&](int64_t at, Value word) {
    Index index;
    index.dims.push_back(k.index(at));
    elements.store(word, to[0], index);
  };
  // Before the first store: the new state may lie over the old.
  Values state;
  for (int64_t at = 0; at < stateSize; ++at)
    state.push_back(stateWord(at));
  Value key0 = generator.low(state[0]), key1 = generator.high(state[0]);
  const Buffer &bits = to[1];
  int64_t width = bits.kind.bytes * 8, count = elementsOf(bits.shape);
  storeState(0, state[0]);

  // Words of 32 bits as integers of the result's width, or two to an element.
  Type stored = s.intType(std::min<int64_t>(width, 32));
  auto storeWords = [&](Value words, Value at, Value mask) {
    words = s.resizeInt(words, stored.getIntOrFloatBitWidth(), true);
    k.store(words, {bits.base, at, stored, s.lanesOf(words), 1, mask});
  };

  if (op.getRngAlgorithm() == hlo::RngAlgorithm::THREE_FRY) {
    llvm::SmallVector<int64_t> half(bits.shape);
    int64_t split = -1;
    if (width < 64) {
      auto even = llvm::find_if(half, [](int64_t size) { return size % 2 == 0; });
      auto chosen = even != half.end() ? even : llvm::max_element(half);
      if (chosen != half.end()) {
        split = chosen - half.begin();
        *chosen = (*chosen + 1) / 2;
      }
    }
    storeState(1, s.addi(state[1], elementsOf(half)));
    if (op.getOutput().use_empty() || count == 0)
      return;
    auto pairAt = [&](Value at, int64_t lanes) {
      Value counter = s.addi(s.splat(state[1], lanes), countFrom(k, s, at, lanes));
      return generator.threeFry(generator.low(counter), generator.high(counter), key0, key1);
    };
    if (split < 0) {
      k.loop(0, count, 1, [&](Value at) {
        for (auto [part, word] : llvm::enumerate(pairAt(at, 1)))
          if (width == 64 || part == 0)
            storeWords(word, k.addI(k.mulI(at, width == 64 ? 2 : 1), part), Value());
      });
      return;
    }
    int64_t outer = elementsOf(ArrayRef(half).take_front(split));
    int64_t inner = elementsOf(ArrayRef(half).drop_front(split + 1));
    int64_t pairs = half[split], size = bits.shape[split];
    k.nest({outer, pairs}, [&](ValueRange ivs) {
      Value firstPair = k.mulI(k.addI(k.mulI(ivs[0], pairs), ivs[1]), inner);
      Value row = k.addI(k.mulI(ivs[0], size), k.mulI(ivs[1], 2));
      visitChunks(inner, inner >= elements.lanes() / 2, 1,
                  [&](Value at, int64_t lanes, Value mask) {
                    Values words = pairAt(k.addI(firstPair, at), lanes);
                    storeWords(words[0], k.addI(k.mulI(row, inner), at), mask);
                    auto storeSecond = [&] {
                      storeWords(words[1], k.addI(k.mulI(k.addI(row, 1), inner), at), mask);
                    };
                    if (size % 2 == 0)
                      storeSecond();
                    else
                      k.when(s.cmp(IPred::slt, ivs[1], pairs - 1), storeSecond);
                  });
    });
    return;
  }

  int64_t numWords = count * (width == 64 ? 2 : 1), numCounters = (numWords + 3) / 4;
  Value counterLow = state[1], counterHigh = stateSize > 2 ? state[2] : state[0];
  auto advance = [&](Value by) -> std::pair<Value, Value> {
    int64_t lanes = s.lanesOf(by);
    Value low = s.addi(s.splat(counterLow, lanes), by);
    Value carry = s.resizeInt(s.cmp(IPred::ult, low, by), 64, true);
    return {low, s.addi(s.splat(counterHigh, lanes), carry)};
  };
  auto [nextLow, nextHigh] = advance(k.index(numCounters));
  storeState(1, nextLow);
  if (stateSize > 2)
    storeState(2, nextHigh);
  if (op.getOutput().use_empty())
    return;
  auto wordsAt = [&](Value at, int64_t lanes) {
    auto [low, high] = advance(countFrom(k, s, at, lanes));
    return generator.philox(
        {generator.low(low), generator.high(low), generator.low(high), generator.high(high)}, key0,
        key1);
  };
  int64_t lanes = elements.lanes();
  int64_t wholeEnd = numWords / 4, vectorEnd = wholeEnd - wholeEnd % lanes;
  k.loop(0, vectorEnd, lanes, [&](Value at) {
    Values words = wordsAt(at, lanes);
    auto interleave = [&](Value a, Value b) { return k.make<vector::InterleaveOp>(a, b); };
    storeWords(interleave(interleave(words[0], words[2]), interleave(words[1], words[3])),
               k.mulI(at, 4), Value());
  });
  k.loop(vectorEnd, wholeEnd, 1, [&](Value at) {
    for (auto [part, word] : llvm::enumerate(wordsAt(at, 1)))
      storeWords(word, k.addI(k.mulI(at, 4), part), Value());
  });
  if (wholeEnd < numCounters)
    for (auto [part, word] : llvm::enumerate(wordsAt(k.index(wholeEnd), 1)))
      if (int64_t at = 4 * wholeEnd + part; at < numWords)
        storeWords(word, k.index(at), Value());
}

} // namespace tandem::codegen
