// Reads and writes target descriptions, and the text form of one link.
#include "tandem/Cost/Target.h"

#include <cmath>
#include <map>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/TargetParser/Host.h"

namespace tandem {
namespace {

struct EmbeddedTarget {
  llvm::StringRef name;
  llvm::StringRef text;
};

// Generated from targets/*.json, sorted by name.
const EmbeddedTarget kTargets[] = {
#include "tandem/Cost/Targets.inc"
};

llvm::Error invalid(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "invalid target: " + message);
}

// Reads obj[key] into `value`; it must be an integer of at least `least`.
llvm::Error readInteger(const llvm::json::Object &obj, llvm::StringRef key, int64_t least,
                        int64_t &value) {
  std::optional<int64_t> found = obj.getInteger(key);
  if (!found) return invalid("expected an integer '" + key + "'");
  if (*found < least)
    return invalid("'" + key + "' is " + llvm::Twine(*found) + ", expected at least " +
                   llvm::Twine(least));
  value = *found;
  return llvm::Error::success();
}

}  // namespace

int64_t picosecondsFor(int64_t amount, int64_t perSecond) {
  __int128 ps = (static_cast<__int128>(amount) * 1'000'000'000'000 + perSecond - 1) / perSecond;
  return ps > INT64_MAX ? INT64_MAX : static_cast<int64_t>(ps);
}

int64_t Target::matmulRate(llvm::StringRef elementType) const {
  int64_t fallback = 1;
  for (const auto &[type, rate] : matmulFlopsPerSecond) {
    if (type == elementType) return rate;
    if (type == "default") fallback = rate;
  }
  // Every 8-bit float has the rate of "f8".
  if (elementType.starts_with("f8"))
    for (const auto &[type, rate] : matmulFlopsPerSecond)
      if (type == "f8") return rate;
  return fallback;
}

std::vector<std::string> Target::names() {
  std::vector<std::string> names;
  for (const EmbeddedTarget &target : kTargets) names.push_back(target.name.str());
  return names;
}

llvm::Expected<Target> Target::named(llvm::StringRef name) {
  for (const EmbeddedTarget &embedded : kTargets) {
    if (embedded.name != name) continue;
    llvm::Expected<Target> target = fromJson(embedded.text);
    if (target && name == "host" && target->cpu.empty()) {
      target->cpu = llvm::sys::getHostCPUName().str();
      std::map<std::string, bool> features;
      for (const auto &feature : llvm::sys::getHostCPUFeatures())
        features[feature.getKey().str()] = feature.getValue();
      for (const auto &[feature, on] : features)
        target->features += (target->features.empty() ? "" : ",") + std::string(on ? "+" : "-") + feature;
    }
    return target;
  }
  std::string known;
  for (const EmbeddedTarget &embedded : kTargets)
    known += (known.empty() ? "" : ", ") + embedded.name.str();
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "unknown target '" + name + "', expected one of: " + known);
}

llvm::Expected<Target> Target::fromJson(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return value.takeError();
  const llvm::json::Object *obj = value->getAsObject();
  if (!obj) return invalid("expected an object");
  Target target;
  auto name = obj->getString("name");
  if (!name) return invalid("expected a string 'name'");
  target.name = name->str();
  target.comment = obj->getString("comment").value_or("").str();
  target.cpu = obj->getString("cpu").value_or("").str();
  target.features = obj->getString("features").value_or("").str();
  for (auto [key, least, field] :
       {std::tuple<const char *, int64_t, int64_t *>{"launch_ps", 0, &target.launchPicoseconds},
        {"memory_bytes_per_second", 1, &target.memoryBytesPerSecond},
        {"copy_bytes_per_second", 1, &target.copyBytesPerSecond},
        {"scalar_ops_per_second", 1, &target.scalarOpsPerSecond},
        {"default_trip_count", 1, &target.defaultTripCount}})
    if (llvm::Error error = readInteger(*obj, key, least, *field)) return error;

  const llvm::json::Object *matmul = obj->getObject("matmul_flops_per_second");
  if (!matmul || !matmul->getInteger("default"))
    return invalid("expected an object 'matmul_flops_per_second' with a 'default'");
  std::map<std::string, int64_t> rates;
  for (const auto &entry : *matmul)
    if (llvm::Error error = readInteger(*matmul, entry.first, 1, rates[entry.first.str()]))
      return error;
  target.matmulFlopsPerSecond.assign(rates.begin(), rates.end());

  const llvm::json::Array *links = obj->getArray("links");
  if (!links || links->empty()) return invalid("expected a non-empty array 'links'");
  for (const llvm::json::Value &entry : *links) {
    const llvm::json::Object *linkObj = entry.getAsObject();
    if (!linkObj) return invalid("expected an object for each link");
    Link link;
    link.name = linkObj->getString("name").value_or("link").str();
    if (llvm::Error error = readInteger(*linkObj, "devices", 0, link.devices)) return error;
    if (llvm::Error error = readInteger(*linkObj, "latency_ps", 0, link.latencyPicoseconds))
      return error;
    if (llvm::Error error = readInteger(*linkObj, "bytes_per_second", 1, link.bytesPerSecond))
      return error;
    target.links.push_back(std::move(link));
  }
  return target;
}

std::string Target::toJson() const {
  llvm::json::Object matmul;
  for (const auto &[type, rate] : matmulFlopsPerSecond) matmul[type] = rate;
  llvm::json::Array linkArray;
  for (const Link &link : links)
    linkArray.push_back(llvm::json::Object{{"name", link.name},
                                           {"devices", link.devices},
                                           {"latency_ps", link.latencyPicoseconds},
                                           {"bytes_per_second", link.bytesPerSecond}});
  llvm::json::Object obj{{"name", name},
                         {"launch_ps", launchPicoseconds},
                         {"memory_bytes_per_second", memoryBytesPerSecond},
                         {"copy_bytes_per_second", copyBytesPerSecond},
                         {"scalar_ops_per_second", scalarOpsPerSecond},
                         {"matmul_flops_per_second", std::move(matmul)},
                         {"default_trip_count", defaultTripCount},
                         {"links", std::move(linkArray)}};
  if (!comment.empty()) obj["comment"] = comment;
  if (!cpu.empty()) obj["cpu"] = cpu;
  if (!features.empty()) obj["features"] = features;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(obj));
  return text;
}

llvm::Expected<Link> parseLink(llvm::StringRef text) {
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "invalid link '" + text + "': " + message +
                                       ", expected e.g. latency=20us,bandwidth=25GB/s");
  };
  // "<number><unit>" as an integer multiple of the smallest unit.
  auto parseQuantity = [](llvm::StringRef value,
                          llvm::ArrayRef<std::pair<llvm::StringRef, double>> units,
                          int64_t &result) {
    size_t split = value.find_first_not_of("0123456789.");
    double number;
    if (split == llvm::StringRef::npos || value.take_front(split).getAsDouble(number)) return false;
    for (auto [unit, factor] : units)
      if (value.drop_front(split).trim() == unit) {
        double scaled = number * factor;
        if (!(scaled < 9e18)) return false;
        result = std::llround(scaled);
        return true;
      }
    return false;
  };

  Link link;
  link.name = "emulated";
  bool haveLatency = false, haveBandwidth = false;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [key, value] = part.split('=');
    key = key.trim();
    value = value.trim();
    if (key == "latency") {
      if (!parseQuantity(value, {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}},
                         link.latencyPicoseconds))
        return fail("'" + value + "' is not a time");
      haveLatency = true;
    } else if (key == "bandwidth") {
      if (!parseQuantity(
              value,
              {{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}},
              link.bytesPerSecond) ||
          link.bytesPerSecond < 1)
        return fail("'" + value + "' is not a bandwidth");
      haveBandwidth = true;
    } else {
      return fail("unknown key '" + key + "'");
    }
  }
  if (!haveLatency) return fail("no latency");
  if (!haveBandwidth) return fail("no bandwidth");
  return link;
}

}  // namespace tandem
