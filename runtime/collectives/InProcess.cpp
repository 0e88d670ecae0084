// Rendezvous of devices by counting, data movement by the worker that is free first.
#include "runtime/collectives/InProcess.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "runtime/collectives/Movement.h"

namespace tandem::runtime {

using program::CollectiveKind;
using program::CollectiveOpT;

namespace {

class Session;

// Devices that communicate over one link level.
struct Communicator {
  // Task::run finds the communicator from its task.
  struct Work : Task {
    Work(Function run, Communicator *owner) : Task(run), owner(owner) {}
    Communicator *owner;
  };

  Communicator(Session *session, std::vector<uint32_t> members);

  Session *session;
  const std::vector<uint32_t> members; // ascending
  std::mutex mutex;                    // guards what follows
  int64_t op = -1;                     // the collective in progress
  uint32_t arrived = 0;
  uint32_t left = 0;
  int64_t lastArrival = 0;
  // By position in `members`. A member can join the next collective only after its completion
  // of this one, when others may not have been completed yet: two sets take turns.
  std::vector<CollectiveJoin *> joins[2];
  int turn = 0;
  std::vector<bool> hasLeft;

  Work movement, wire;
  // Of the collective whose movement runs; untouched by the next one until all are completed.
  int64_t end = 0;
  // Pointers by rank, of one operand at a time.
  std::vector<const std::byte *> sources;
  std::vector<std::byte *> targets;
};

// What one group of an op needs.
struct GroupPlan {
  Communicator *communicator = nullptr;
  std::vector<uint32_t> rankToMember;               // position in communicator->members
  std::vector<std::pair<uint32_t, uint32_t>> pairs; // by rank
};

struct OpPlan {
  std::vector<GroupPlan> groups;
  std::vector<uint32_t> groupOf;    // by device
  std::vector<uint32_t> positionOf; // by device: in its communicator's members
  std::vector<Movement> movements;  // by operand
  int64_t wireNanoseconds = 0;
};

class Session : public CollectiveSession {
public:
  Session(WorkerPool &pool, CollectiveObserver &observer, bool emulate, uint32_t numDevices)
      : pool(pool), observer(observer), emulate(emulate), communicatorsOf(numDevices) {}

  absl::Status addOp(const CollectiveOpT &op, uint32_t numDevices,
                     const std::optional<EmulatedLink> &link);

  void begin() override;
  void join(CollectiveJoin *join) override;
  void leave(uint32_t device) override;
  std::vector<PendingCollective> pending() override;

private:
  friend struct Communicator;
  static void runMovement(Task *task);
  static void runWire(Task *task);
  void complete(Communicator &communicator);
  Communicator *getCommunicator(uint32_t level, std::vector<uint32_t> members);
  PendingCollective describe(const Communicator &communicator) const;

  WorkerPool &pool;
  CollectiveObserver &observer;
  const bool emulate;
  std::vector<OpPlan> ops;
  std::map<std::pair<uint32_t, std::vector<uint32_t>>, std::unique_ptr<Communicator>> communicators;
  std::vector<std::vector<Communicator *>> communicatorsOf; // by device
};

Communicator::Communicator(Session *session, std::vector<uint32_t> members)
    : session(session), members(std::move(members)), movement(&Session::runMovement, this),
      wire(&Session::runWire, this) {
  size_t size = this->members.size();
  joins[0].resize(size);
  joins[1].resize(size);
  hasLeft.resize(size);
  sources.resize(size);
  targets.resize(size);
}

Communicator *Session::getCommunicator(uint32_t level, std::vector<uint32_t> members) {
  auto [entry, isNew] = communicators.try_emplace({level, members});
  if (isNew) {
    entry->second = std::make_unique<Communicator>(this, members);
    for (uint32_t device : members)
      communicatorsOf[device].push_back(entry->second.get());
  }
  return entry->second.get();
}

// The groups of a permute: devices connected by pairs. A device without a pair is alone.
std::vector<std::vector<uint32_t>> connectedDevices(const CollectiveOpT &op, uint32_t numDevices) {
  std::vector<uint32_t> parent(numDevices);
  std::iota(parent.begin(), parent.end(), 0);
  auto find = [&](uint32_t device) {
    while (parent[device] != device)
      device = parent[device] = parent[parent[device]];
    return device;
  };
  for (const auto &pair : op.pairs) {
    uint32_t a = find(pair->source), b = find(pair->target);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::vector<uint32_t>> groups(numDevices);
  for (uint32_t device = 0; device < numDevices; ++device)
    groups[find(device)].push_back(device);
  std::erase_if(groups, [](const std::vector<uint32_t> &group) { return group.empty(); });
  return groups;
}

absl::Status Session::addOp(const CollectiveOpT &op, uint32_t numDevices,
                            const std::optional<EmulatedLink> &link) {
  OpPlan plan;
  plan.groupOf.resize(numDevices);
  plan.positionOf.resize(numDevices);
  std::vector<std::vector<uint32_t>> groups;
  if (op.kind == CollectiveKind::CollectivePermute)
    groups = connectedDevices(op, numDevices);
  else
    for (const auto &group : op.groups)
      groups.push_back(group->devices);
  for (const std::vector<uint32_t> &ranks : groups) {
    std::vector<uint32_t> members = ranks;
    std::sort(members.begin(), members.end());
    GroupPlan group;
    group.communicator = getCommunicator(op.link_level, members);
    for (uint32_t device : ranks) {
      uint32_t position = static_cast<uint32_t>(
          std::lower_bound(members.begin(), members.end(), device) - members.begin());
      group.rankToMember.push_back(position);
      plan.groupOf[device] = static_cast<uint32_t>(plan.groups.size());
      plan.positionOf[device] = position;
    }
    plan.groups.push_back(std::move(group));
  }
  // A permute's ranks are its sorted devices, so rank and position agree.
  for (const auto &pair : op.pairs)
    plan.groups[plan.groupOf[pair->source]].pairs.emplace_back(plan.positionOf[pair->source],
                                                               plan.positionOf[pair->target]);
  size_t groupSize = op.kind == CollectiveKind::CollectivePermute ? 1 : groups.front().size();
  for (size_t i = 0; i < op.operand_types.size(); ++i) {
    absl::StatusOr<Movement> movement = Movement::create(op, i, groupSize);
    if (!movement.ok())
      return movement.status();
    plan.movements.push_back(std::move(*movement));
  }
  if (link)
    plan.wireNanoseconds = link->transferNanoseconds(op.wire_bytes);
  ops.push_back(std::move(plan));
  return absl::OkStatus();
}

void Session::begin() {
  for (auto &[key, communicator] : communicators) {
    std::lock_guard lock(communicator->mutex);
    communicator->op = -1;
    communicator->arrived = 0;
    communicator->left = 0;
    for (std::vector<CollectiveJoin *> &joins : communicator->joins)
      std::fill(joins.begin(), joins.end(), nullptr);
    std::fill(communicator->hasLeft.begin(), communicator->hasLeft.end(), false);
  }
}

PendingCollective Session::describe(const Communicator &communicator) const {
  PendingCollective result;
  result.op = static_cast<uint32_t>(communicator.op);
  for (size_t i = 0; i < communicator.members.size(); ++i)
    (communicator.joins[communicator.turn][i] ? result.arrived : result.missing)
        .push_back(communicator.members[i]);
  return result;
}

void Session::join(CollectiveJoin *join) {
  const OpPlan &plan = ops[join->op];
  Communicator &communicator = *plan.groups[plan.groupOf[join->device]].communicator;
  PendingCollective failure;
  int64_t other = -1;
  {
    std::lock_guard lock(communicator.mutex);
    if (communicator.op < 0) {
      communicator.op = join->op;
      communicator.lastArrival = join->arrivalNanoseconds;
    }
    if (communicator.op != join->op) {
      failure = describe(communicator);
      other = join->op;
    } else {
      communicator.joins[communicator.turn][plan.positionOf[join->device]] = join;
      communicator.lastArrival = std::max(communicator.lastArrival, join->arrivalNanoseconds);
      if (++communicator.arrived < communicator.members.size()) {
        if (communicator.left == 0)
          return;
        failure = describe(communicator);
      }
    }
  }
  if (!failure.missing.empty()) {
    observer.collectiveFailed(failure, other, join->device);
    return;
  }
  pool.push(&communicator.movement, WorkerPool::Urgent);
}

void Session::leave(uint32_t device) {
  for (Communicator *communicator : communicatorsOf[device]) {
    PendingCollective failure;
    {
      std::lock_guard lock(communicator->mutex);
      size_t position = static_cast<size_t>(
          std::lower_bound(communicator->members.begin(), communicator->members.end(), device) -
          communicator->members.begin());
      if (!communicator->hasLeft[position])
        ++communicator->left;
      communicator->hasLeft[position] = true;
      if (communicator->op < 0 || communicator->joins[communicator->turn][position])
        continue;
      failure = describe(*communicator);
    }
    observer.collectiveFailed(failure, -1, 0);
  }
}

std::vector<PendingCollective> Session::pending() {
  std::vector<PendingCollective> result;
  for (auto &[key, communicator] : communicators) {
    std::lock_guard lock(communicator->mutex);
    if (communicator->op >= 0)
      result.push_back(describe(*communicator));
  }
  return result;
}

// All members have joined: nobody else touches the communicator until they are completed.
void Session::runMovement(Task *task) {
  Communicator &communicator = *static_cast<Communicator::Work *>(task)->owner;
  Session &session = *communicator.session;
  const OpPlan &plan = session.ops[static_cast<size_t>(communicator.op)];
  const GroupPlan &group = plan.groups[plan.groupOf[communicator.members.front()]];
  const std::vector<CollectiveJoin *> &joins = communicator.joins[communicator.turn];
  for (size_t operand = 0; operand < plan.movements.size(); ++operand) {
    for (size_t rank = 0; rank < group.rankToMember.size(); ++rank) {
      const CollectiveJoin &join = *joins[group.rankToMember[rank]];
      communicator.sources[rank] = static_cast<const std::byte *>(join.operands[operand]);
      communicator.targets[rank] = static_cast<std::byte *>(join.results[operand]);
    }
    plan.movements[operand].run(communicator.sources, communicator.targets, group.pairs);
  }
  int64_t now = WorkerPool::now();
  communicator.end = now;
  if (session.emulate) {
    // The bytes are there, but the wire is slower.
    int64_t deadline = communicator.lastArrival + plan.wireNanoseconds;
    communicator.end = std::max(now, deadline);
    if (deadline > now) {
      session.pool.pushAt(&communicator.wire, deadline);
      return;
    }
  }
  session.complete(communicator);
}

void Session::runWire(Task *task) {
  Communicator &communicator = *static_cast<Communicator::Work *>(task)->owner;
  communicator.session->complete(communicator);
}

void Session::complete(Communicator &communicator) {
  // Free the communicator for the next collective before the first member can join it.
  std::vector<CollectiveJoin *> *joins;
  int64_t transfer = communicator.lastArrival, end = communicator.end;
  {
    std::lock_guard lock(communicator.mutex);
    joins = &communicator.joins[communicator.turn];
    communicator.turn ^= 1;
    communicator.op = -1;
    communicator.arrived = 0;
  }
  for (size_t i = 0, size = joins->size(); i < size; ++i) {
    CollectiveJoin *join = (*joins)[i];
    (*joins)[i] = nullptr;
    join->transferNanoseconds = transfer;
    join->endNanoseconds = end;
    join->complete(join);
  }
}

} // namespace

absl::StatusOr<std::unique_ptr<CollectiveSession>>
InProcessBackend::load(absl::Span<const std::unique_ptr<CollectiveOpT>> ops, uint32_t numDevices,
                       CollectiveObserver &observer) {
  auto session = std::make_unique<Session>(pool, observer, link.has_value(), numDevices);
  for (size_t i = 0; i < ops.size(); ++i)
    if (absl::Status status = session->addOp(*ops[i], numDevices, link); !status.ok())
      return absl::Status(status.code(),
                          absl::StrCat("collectives[", i, "] (", collectiveKindName(ops[i]->kind),
                                       "): ", status.message()));
  return session;
}

} // namespace tandem::runtime
