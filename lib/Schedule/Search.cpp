// Greedy seeds and local search.
#include "tandem/Schedule/Search.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

#include "tandem/Schedule/Flights.h"
#include "tandem/Schedule/ListScheduler.h"

namespace tandem {
namespace {

// What an order is judged by. First the bytes above the cap; then the step, with a small share of
// the step that a slower compute engine would give, so that of orders as fast the sturdier one
// wins (see slowComputePercent); then the copies; then the peak.
struct Score {
  int64_t excess = 0, time = 0, copies = 0, peak = 0, step = 0;

  bool operator<(const Score &other) const {
    return std::tie(excess, time, copies, peak) <
           std::tie(other.excess, other.time, other.copies, other.peak);
  }
};

constexpr int64_t kStepWeight = 128; // of the step as predicted; that of the slow one is 1

// How much slower than the model has it compute is supposed to be when orders as fast are told
// apart. At least 125 %. Where wires or a chain set the step, as much as makes compute as busy as
// they are: computation is then spread over all flights instead of filling the first ones, and the
// step stays the same whatever compute takes up to there. At most 400 %.
int64_t slowComputePercent(const ScheduleProblem &problem) {
  double compute = 0;
  for (const ScheduleProblem::Node &node : problem.nodes)
    if (node.engine == ScheduleProblem::Engine::Compute)
      compute += static_cast<double>(node.picoseconds);
  double bound = static_cast<double>(stepBound(problem));
  return compute > 0 ? static_cast<int64_t>(std::clamp(100 * bound / compute, 125.0, 400.0)) : 125;
}

constexpr int64_t kListCost = 20; // of a greedy order, in nodes looked at, per node

class Search {
public:
  Search(const ScheduleProblem &problem, const SearchOptions &options)
      : problem(problem), options(options), slowPercent(slowComputePercent(problem)),
        effort(options.effort) {}

  SearchResult run() {
    ScheduleOrder program(problem.size());
    std::iota(program.begin(), program.end(), 0);
    addSeed(std::move(program));
    const int64_t programPeak = seeds.front().score.peak;
    addHidden();
    addGreedy(problem, programPeak, {});
    if (!problem.copies.empty()) {
      std::vector<unsigned> numbers;
      ScheduleProblem ordered = withCopyEdges(problem, numbers);
      addSeed(numbers);
      addGreedy(ordered, programPeak, numbers);
    }
    // Equal ones by when they were found.
    std::sort(seeds.begin(), seeds.end(), [](const Seed &a, const Seed &b) {
      return a.score < b.score || (!(b.score < a.score) && a.number < b.number);
    });
    SearchResult result;
    result.greedyStep = seeds.front().score.step;
    result.greedyPeak = seeds.front().score.peak;

    best = seeds.front();
    shorten(best);
    for (const Seed &seed : seeds)
      if (seed.inProgramOrder)
        shorten(seed);
    if (best.score.excess > 0 || best.score.copies > 0 || best.score.step > stepBound(problem))
      improve();
    shorten(best);
    result.order = std::move(best.order);
    result.step = best.score.step;
    result.peak = best.score.peak;
    result.time = best.score.time;
    if (options.slackPermille && best.score.excess == 0)
      lowerPeak(result);
    return result;
  }

private:
  // The same search under ever lower caps; of what is fast enough, that with the best price.
  void lowerPeak(SearchResult &result) const {
    const int64_t fastest = result.time, highest = result.peak;
    auto slowest = [&](int64_t time) { return time + time / 1000 * options.slackPermille; };
    const int64_t slowestStep = slowest(result.step);
    const int64_t slowestQueued = slowest(queuedStepTime(problem, result.order));
    // In bytes, so that every machine compares alike.
    auto price = [&](const SearchResult &one) {
      int64_t permille = fastest ? (one.time - fastest) / std::max<int64_t>(fastest / 1000, 1) : 0;
      return one.peak + highest * permille / 1000 * kBytesForTime;
    };
    SearchOptions lower = options;
    lower.slackPermille = 0;
    lower.effort = options.effort / 16;
    if (lower.effort < kListCost * static_cast<int64_t>(problem.size()))
      return; // not enough for one greedy order
    int64_t smallest = highest;
    int misses = 0;
    for (int64_t percent : {97, 94, 90, 85, 80, 75, 70, 65, 60, 50, 40, 30, 20, 10}) {
      lower.capBytes = highest / 100 * percent + highest % 100 * percent / 100;
      if (lower.capBytes >= smallest)
        continue;
      SearchResult one = Search(problem, lower).run();
      if (one.peak > lower.capBytes || one.step > slowestStep ||
          queuedStepTime(problem, one.order) > slowestQueued) {
        if (++misses == 2)
          return;
        continue;
      }
      misses = 0;
      smallest = one.peak;
      if (price(one) > price(result))
        continue;
      one.greedyStep = result.greedyStep;
      one.greedyPeak = result.greedyPeak;
      result = std::move(one);
    }
  }

  struct Seed {
    ScheduleOrder order;
    Score score;
    size_t number = 0;
    bool inProgramOrder = false; // of the computation
  };

  // The program's order with starts early enough to be hidden, as far as the cap lets them.
  void addHidden() {
    if (options.effort == 0)
      return;
    Seed seed = seeds.front();
    seed.order = withEarlyWaits(problem, withLateWaits(problem, seed.order));
    seed.score = scoreOf(seed.order);
    withFlightEffort([&] {
      hideStarts(problem, seed.order, effort, [&](const ScheduleOrder &order) {
        Score score = scoreOf(order);
        if (!(score < seed.score))
          return false;
        seed.score = score;
        return true;
      });
    });
    addSeed(withEarlyWaits(problem, std::move(seed.order)), /*inProgramOrder=*/true);
  }

  // Fewer bytes for the same time.
  void shorten(Seed seed) {
    if (options.effort == 0)
      return;
    auto takeWaits = [&] {
      seed.order = withEarlyWaits(problem, std::move(seed.order));
      seed.score = scoreOf(seed.order);
      keep(seed);
    };
    takeWaits();
    withFlightEffort([&] {
      moveStarts(problem, seed.order, effort, [&](const ScheduleOrder &order) {
        Score score = scoreOf(order);
        if (std::tie(score.excess, score.time, score.copies) >
                std::tie(seed.score.excess, seed.score.time, seed.score.copies) ||
            score.peak > seed.score.peak)
          return false;
        seed.score = score;
        return true;
      });
    });
    takeWaits();
  }

  // Such moves have a share of their own.
  template <typename Body> void withFlightEffort(Body body) {
    const int64_t rest = effort;
    effort = std::max(options.effort / 8, kFlightEffort);
    body();
    effort = rest;
  }

  Score scoreOf(const ScheduleOrder &order) {
    effort -= 3 * static_cast<int64_t>(order.size()) + 1;
    Score score;
    const SchedulePeaks most = peaks(problem, order);
    score.peak = options.inPlace ? most.inPlaceBytes : most.bytes;
    score.excess = std::max<int64_t>(score.peak - options.capBytes, 0);
    score.step = stepTime(problem, order);
    score.copies = copyTime(problem, order);
    score.time = kStepWeight * score.step + stepTime(problem, order, slowPercent);
    if (options.queuedWeight)
      score.time += options.queuedWeight * queuedStepTime(problem, order);
    return score;
  }

  // Greedy orders of `variant`, whose nodes are `numbers` here; empty: the problem itself.
  void addGreedy(const ScheduleProblem &variant, int64_t programPeak,
                 const std::vector<unsigned> &numbers) {
    auto add = [&](const ListOptions &list) {
      if (options.effort > 0 && effort <= 0)
        return;
      effort -= kListCost * static_cast<int64_t>(problem.size());
      ScheduleOrder order = listSchedule(variant, list);
      if (!numbers.empty())
        for (unsigned &node : order)
          node = numbers[node];
      addSeed(std::move(order), list.priority == SchedulePriority::Program);
    };
    constexpr int64_t kNoCap = std::numeric_limits<int64_t>::max();
    int64_t cap = options.capBytes;
    for (int64_t limit : {cap, kNoCap, programPeak / 2})
      for (bool patient : {false, true})
        for (int64_t percent : {int64_t(100), slowPercent})
          for (auto direction : {ScheduleDirection::Backward, ScheduleDirection::Forward})
            add({direction, SchedulePriority::Chain, limit, patient, percent});
    for (auto direction : {ScheduleDirection::Backward, ScheduleDirection::Forward})
      add({direction, SchedulePriority::Program, cap});
    // Fewest bytes at every place.
    if (cap != kNoCap)
      for (auto direction : {ScheduleDirection::Backward, ScheduleDirection::Forward})
        for (auto priority : {SchedulePriority::Program, SchedulePriority::Chain})
          add({direction, priority, 0});
  }

  void addSeed(ScheduleOrder order, bool inProgramOrder = false) {
    Score score = scoreOf(order);
    for (const Seed &seed : seeds)
      if (seed.order == order)
        return;
    seeds.push_back({std::move(order), score, seeds.size(), inProgramOrder});
  }

  void improve() {
    if (problem.size() > kSmall) {
      const int64_t all = effort;
      Seed waits = best;
      improveWaits(waits);
      if (problem.size() > kMedium)
        return;
      // From the best order, and from the fastest one if that needs too many bytes.
      Seed fastest =
          *std::min_element(seeds.begin(), seeds.end(), [](const Seed &a, const Seed &b) {
            return std::tie(a.score.time, a.number) < std::tie(b.score.time, b.number);
          });
      const bool both = fastest.score.excess > 0;
      int64_t share = std::min(effort, all / 4) / (both ? 2 : 1);
      shift(best, share);
      if (both)
        shift(std::move(fastest), share);
      if (best.score.excess > 0)
        shift(best, share, /*bytesFirst=*/true);
      return;
    }
    size_t numSeeds = std::min<size_t>(seeds.size(), 4);
    for (size_t i = 0; i < numSeeds && effort > 0; ++i) {
      Seed seed = seeds[i];
      descend(seed);
      keep(seed);
    }
    // Iterated local search: H. Lourenço, O. Martin, T. Stützle, in Handbook of Metaheuristics,
    // 2003. The generator is specified exactly, so every machine draws the same.
    std::mt19937 random(problem.size());
    for (int round = 0; round < kRounds && effort > 0; ++round) {
      Seed seed = round % 2 ? best : seeds[random() % numSeeds];
      disturb(seed.order, random);
      seed.score = scoreOf(seed.order);
      descend(seed);
      keep(seed);
    }
  }

  void keep(const Seed &seed) {
    if (seed.score < best.score)
      best = seed;
  }

  // Whether order[begin, middle) and order[middle, end) may change places.
  bool mayExchange(const ScheduleOrder &order, unsigned begin, unsigned middle, unsigned end) {
    effort -= end - begin;
    for (unsigned second = middle; second < end; ++second) {
      const std::vector<unsigned> &before = problem.nodes[order[second]].predecessors;
      for (unsigned first = begin; first < middle; ++first)
        if (std::binary_search(before.begin(), before.end(), order[first]))
          return false;
    }
    return true;
  }

  // Takes the move if the order gets better by it.
  bool tryExchange(Seed &seed, unsigned begin, unsigned middle, unsigned end) {
    if (!mayExchange(seed.order, begin, middle, end))
      return false;
    auto first = seed.order.begin();
    std::rotate(first + begin, first + middle, first + end);
    Score score = scoreOf(seed.order);
    if (score < seed.score) {
      seed.score = score;
      return true;
    }
    std::rotate(first + begin, first + (begin + end - middle), first + end);
    return false;
  }

  // Every move, until none is left that makes the order better.
  void descend(Seed &seed) {
    unsigned size = problem.size();
    for (bool improved = true; improved && effort > 0;) {
      improved = false;
      for (unsigned begin = 0; begin + 1 < size; ++begin)
        for (unsigned middle = begin + 1; middle < size; ++middle)
          for (unsigned end = middle + 1; end <= size; ++end)
            if (tryExchange(seed, begin, middle, end))
              improved = true;
    }
  }

  void disturb(ScheduleOrder &order, std::mt19937 &random) {
    for (int moves = 0, tries = 0; moves < 3 && tries < 100; ++tries) {
      unsigned size = problem.size(), begin = random() % (size - 1);
      unsigned middle = begin + 1 + random() % std::min(4u, size - begin - 1);
      unsigned end = std::min<unsigned>(middle + 1 + random() % 4, size);
      if (middle >= end || !mayExchange(order, begin, middle, end))
        continue;
      std::rotate(order.begin() + begin, order.begin() + middle, order.begin() + end);
      ++moves;
    }
  }

  // Moves near the places where compute waits: what is behind comes before the wait, what is
  // before goes behind it, in runs of up to kReach nodes.
  void improveWaits(Seed &seed) {
    for (bool improved = true; improved && effort > 0;) {
      improved = false;
      std::vector<int64_t> idle;
      stepTime(problem, seed.order, 100, &idle);
      std::vector<std::pair<int64_t, unsigned>> waits;
      for (unsigned place = 0; place < idle.size(); ++place)
        if (idle[place] > 0)
          waits.push_back({-idle[place], place});
      std::sort(waits.begin(), waits.end());
      for (auto [negative, place] : waits) {
        if (effort <= 0)
          break;
        if (moveNear(seed, place)) {
          improved = true;
          break; // places and waits have changed
        }
      }
    }
    keep(seed);
  }

  // What an order is compared by while searching: bytes above the cap may be taken for a while. In
  // whole numbers, so that every machine compares alike.
  using Price = std::pair<int64_t, int64_t>;
  Price mixedPriceOf(const Score &score) const {
    int64_t price = score.time;
    if (score.excess) {
      int64_t cap = std::max<int64_t>(options.capBytes / 1024, 1);
      price +=
          score.time / 50 + score.time / 1024 * std::min<int64_t>(4 * score.excess / cap, 16384);
    }
    return {price, score.peak};
  }

  // Random nodes go to random places that are allowed, for `work`; late acceptance (E. Burke and
  // Y. Bykov, European Journal of Operational Research 258, 2017) leads out of local optima.
  void shift(Seed seed, int64_t work, bool bytesFirst = false) {
    auto priceOf = [&](const Score &score) {
      return bytesFirst ? Price(score.excess, score.time) : mixedPriceOf(score);
    };
    const unsigned size = problem.size();
    const int64_t until = effort - work;
    std::vector<unsigned> place = placesIn(seed.order);
    Price price = priceOf(seed.score);
    std::vector<Price> history(kHistory, price);
    std::mt19937 random(size);
    for (size_t turn = 0; effort > until; ++turn) {
      unsigned node = random() % size, from = place[node];
      unsigned low = 0, high = size - 1;
      for (unsigned before : problem.nodes[node].predecessors)
        low = std::max(low, place[before] + 1);
      for (unsigned after : problem.nodes[node].successors)
        high = std::min(high, place[after] - 1);
      effort -= 1;
      if (low == high)
        continue;
      // Near places more often than far ones.
      unsigned reach = 1u << random() % 8;
      low = std::max(low, from > reach ? from - reach : 0);
      high = std::min(high, from + reach);
      unsigned to = low + random() % (high - low + 1);
      if (to == from)
        continue;
      moveNode(seed.order, place, from, to);
      Score score = scoreOf(seed.order);
      Price next = priceOf(score);
      Price &late = history[turn % kHistory];
      if (next <= price || next <= late) {
        price = next;
        seed.score = score;
        keep(seed);
      } else {
        moveNode(seed.order, place, to, from);
      }
      late = std::min(late, price);
    }
  }

  bool moveNear(Seed &seed, unsigned place) {
    unsigned size = problem.size();
    // The wait and up to `first` nodes before it change places with `second` behind.
    for (unsigned second = 1; second <= kReach; second *= 2)
      for (unsigned skip = 0; skip <= kReach; skip = skip ? 2 * skip : 1)
        for (unsigned first = 1; first <= kReach; first *= 2) {
          unsigned middle = place + 1 + skip;
          if (middle + second > size || first > middle || effort <= 0)
            continue;
          if (tryExchange(seed, middle - first, middle, middle + second))
            return true;
        }
    return false;
  }

  static constexpr unsigned kSmall = 40, kMedium = 3000, kReach = 32;
  static constexpr size_t kHistory = 200;
  static constexpr int kRounds = 40;
  // A thousandth of the step for so many thousandths of the peak.
  static constexpr int64_t kBytesForTime = 2;
  static constexpr int64_t kFlightEffort = 1'000'000; // at least, for moves of starts

  const ScheduleProblem &problem;
  const SearchOptions &options;
  const int64_t slowPercent;
  int64_t effort;
  std::vector<Seed> seeds;
  Seed best;
};

} // namespace

SearchResult searchOrder(const ScheduleProblem &problem, const SearchOptions &options) {
  return Search(problem, options).run();
}

} // namespace tandem
