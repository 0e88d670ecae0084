// Reads and writes target descriptions, and the text form of one link.
#include "tandem/Cost/Target.h"

#include <cmath>
#include <map>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

namespace tandem {
namespace {

struct EmbeddedTarget {
  llvm::StringRef name;
  llvm::StringRef text;
};

// Generated from targets/*.json, sorted by name.
constexpr EmbeddedTarget kTargets[] = {
#include "tandem/Cost/Targets.inc"
};

llvm::Error invalid(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "invalid target: " + message);
}

// Reads obj[key] into `value`; it must be an integer of at least `least`.
llvm::Error readInteger(const llvm::json::Object &obj, llvm::StringRef key, int64_t least,
                        int64_t &value) {
  std::optional<int64_t> found = obj.getInteger(key);
  if (!found)
    return invalid("expected an integer '" + key + "'");
  if (*found < least)
    return invalid("'" + key + "' is " + llvm::Twine(*found) + ", expected at least " +
                   llvm::Twine(least));
  value = *found;
  return llvm::Error::success();
}

llvm::Error readStrings(const llvm::json::Object &obj, llvm::StringRef key,
                        std::vector<std::string> &strings) {
  const llvm::json::Value *value = obj.get(key);
  if (!value)
    return llvm::Error::success();
  if (!value->getAsArray())
    return invalid("expected an array of strings '" + key + "'");
  for (const llvm::json::Value &entry : *value->getAsArray()) {
    if (!entry.getAsString())
      return invalid("expected an array of strings '" + key + "'");
    strings.push_back(entry.getAsString()->str());
  }
  return llvm::Error::success();
}

// What a description may leave out; written only where it differs from the default.
struct OptionalInteger {
  const char *key;
  int64_t least, otherwise;
  int64_t *value;
};

std::vector<OptionalInteger> optionalIntegers(Target &target) {
  return {{"devices", 0, 0, &target.devices},
          {"memory_bytes", 0, 0, &target.memoryBytes},
          {"memory_efficiency_permille", 1, 1000, &target.memoryEfficiencyPermille},
          {"copy_bytes_per_second", 0, 0, &target.copyBytesPerSecond},
          {"host_bytes_per_second", 0, 0, &target.hostBytesPerSecond},
          {"host_efficiency_permille", 1, 1000, &target.hostEfficiencyPermille},
          {"scalar_ops_per_second", 0, 0, &target.scalarOpsPerSecond},
          {"matmul_efficiency_permille", 1, 1000, &target.matmulEfficiencyPermille},
          {"kernel_matmul_flops_per_second", 0, 0, &target.kernelMatmulFlopsPerSecond},
          {"compute_during_transfers_permille", 1, 1000, &target.computeDuringTransfersPermille}};
}

} // namespace

int64_t picosecondsFor(int64_t amount, int64_t perSecond) {
  __int128 ps = (static_cast<__int128>(amount) * 1'000'000'000'000 + perSecond - 1) / perSecond;
  return ps > INT64_MAX ? INT64_MAX : static_cast<int64_t>(ps);
}

int64_t scaled(int64_t amount, int64_t permille) {
  return static_cast<int64_t>(static_cast<__int128>(amount) * permille / 1000);
}

int64_t Target::matmulRate(llvm::StringRef elementType) const {
  llvm::StringRef key = llvm::StringSwitch<llvm::StringRef>(elementType)
                            .Cases({"complex<f32>", "c64"}, "f32")
                            .Cases({"complex<f64>", "c128"}, "f64")
                            .Cases({"i8", "ui8", "s8", "u8", "i4", "ui4", "s4", "u4"}, "i8")
                            .Default(elementType.starts_with("f8") ? "f8" : elementType);
  int64_t rate = 1;
  for (const auto &[type, peak] : matmulFlopsPerSecond) {
    if (type == "default")
      rate = peak;
    if (type == key) {
      rate = peak;
      break;
    }
  }
  return std::max<int64_t>(scaled(rate, matmulEfficiencyPermille), 1);
}

int64_t Target::copyPicoseconds(int64_t bytes) const {
  return launchPicoseconds + (copyBytesPerSecond ? picosecondsFor(bytes, copyBytesPerSecond)
                                                 : picosecondsFor(2 * bytes, memoryRate()));
}

std::vector<std::string> Target::names() {
  std::vector<std::string> names;
  for (const EmbeddedTarget &target : kTargets)
    names.push_back(target.name.str());
  return names;
}

llvm::Expected<Target> Target::named(llvm::StringRef name) {
  if (name.ltrim().starts_with("{"))
    return fromJson(name);
  for (const EmbeddedTarget &embedded : kTargets) {
    if (embedded.name != name)
      continue;
    llvm::Expected<Target> target = fromJson(embedded.text);
    if (target && name == "host" && target->cpu.empty()) {
      target->cpu = llvm::sys::getHostCPUName().str();
      std::map<std::string, bool> features;
      for (const auto &feature : llvm::sys::getHostCPUFeatures())
        features[feature.getKey().str()] = feature.getValue();
      for (const auto &[feature, on] : features)
        target->features +=
            (target->features.empty() ? "" : ",") + std::string(on ? "+" : "-") + feature;
    }
    return target;
  }
  std::string known;
  for (const EmbeddedTarget &embedded : kTargets)
    known += (known.empty() ? "" : ", ") + embedded.name.str();
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "unknown target '" + name + "', expected one of: " + known);
}

llvm::Expected<Target> Target::load(llvm::StringRef nameOrPath) {
  if (!nameOrPath.ends_with(".json"))
    return named(nameOrPath);
  auto buffer = llvm::MemoryBuffer::getFile(nameOrPath, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read target '" + nameOrPath +
                                                          "': " + buffer.getError().message());
  llvm::Expected<Target> target = fromJson((*buffer)->getBuffer());
  if (!target)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   nameOrPath + ": " + llvm::toString(target.takeError()));
  return target;
}

llvm::Expected<Target> Target::fromJson(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *obj = value->getAsObject();
  if (!obj)
    return invalid("expected an object");
  Target target;
  auto name = obj->getString("name");
  if (!name)
    return invalid("expected a string 'name'");
  target.name = name->str();
  target.comment = obj->getString("comment").value_or("").str();
  target.cpu = obj->getString("cpu").value_or("").str();
  target.features = obj->getString("features").value_or("").str();
  target.device = obj->getString("device").value_or("cpu").str();
  if (target.device != "cpu" && target.device != "gpu")
    return invalid("'device' is '" + target.device + "', expected cpu or gpu");
  if (llvm::Error error = readStrings(*obj, "sources", target.sources))
    return error;
  if (obj->get("algorithms"))
    target.algorithms.clear();
  if (llvm::Error error = readStrings(*obj, "algorithms", target.algorithms))
    return error;
  for (const std::string &algorithm : target.algorithms)
    if (algorithm != "ring" && algorithm != "tree" && algorithm != "hierarchical")
      return invalid("algorithm '" + algorithm + "', expected ring, tree or hierarchical");
  if (target.algorithms.empty())
    return invalid("expected a non-empty array 'algorithms'");
  for (auto [key, least, field] :
       {std::tuple<const char *, int64_t, int64_t *>{"launch_ps", 0, &target.launchPicoseconds},
        {"memory_bytes_per_second", 1, &target.memoryBytesPerSecond},
        {"default_trip_count", 1, &target.defaultTripCount}})
    if (llvm::Error error = readInteger(*obj, key, least, *field))
      return error;
  for (const OptionalInteger &field : optionalIntegers(target))
    if (obj->get(field.key))
      if (llvm::Error error = readInteger(*obj, field.key, field.least, *field.value))
        return error;

  const llvm::json::Object *matmul = obj->getObject("matmul_flops_per_second");
  if (!matmul || !matmul->getInteger("default"))
    return invalid("expected an object 'matmul_flops_per_second' with a 'default'");
  std::map<std::string, int64_t> rates;
  for (const auto &entry : *matmul)
    if (llvm::Error error = readInteger(*matmul, entry.first, 1, rates[entry.first.str()]))
      return error;
  target.matmulFlopsPerSecond.assign(rates.begin(), rates.end());

  const llvm::json::Array *links = obj->getArray("links");
  if (!links || links->empty())
    return invalid("expected a non-empty array 'links'");
  for (const llvm::json::Value &entry : *links) {
    const llvm::json::Object *linkObj = entry.getAsObject();
    if (!linkObj)
      return invalid("expected an object for each link");
    Link link;
    link.name = linkObj->getString("name").value_or("link").str();
    if (llvm::Error error = readInteger(*linkObj, "devices", 0, link.devices))
      return error;
    if (llvm::Error error = readInteger(*linkObj, "latency_ps", 0, link.latencyPicoseconds))
      return error;
    if (llvm::Error error = readInteger(*linkObj, "bytes_per_second", 1, link.bytesPerSecond))
      return error;
    for (auto [key, least, field] :
         {std::tuple<const char *, int64_t, int64_t *>{"hop_ps", 0, &link.hopPicoseconds},
          {"efficiency_permille", 1, &link.efficiencyPermille}})
      if (linkObj->get(key))
        if (llvm::Error error = readInteger(*linkObj, key, least, *field))
          return error;
    target.links.push_back(std::move(link));
  }
  return target;
}

std::string Target::toJson() const {
  llvm::json::Object matmul;
  for (const auto &[type, rate] : matmulFlopsPerSecond)
    matmul[type] = rate;
  llvm::json::Array linkArray;
  for (const Link &link : links) {
    llvm::json::Object entry{{"name", link.name},
                             {"devices", link.devices},
                             {"latency_ps", link.latencyPicoseconds},
                             {"bytes_per_second", link.bytesPerSecond}};
    if (link.hopPicoseconds)
      entry["hop_ps"] = link.hopPicoseconds;
    if (link.efficiencyPermille != 1000)
      entry["efficiency_permille"] = link.efficiencyPermille;
    linkArray.push_back(std::move(entry));
  }
  llvm::json::Object obj{{"name", name},
                         {"device", device},
                         {"launch_ps", launchPicoseconds},
                         {"memory_bytes_per_second", memoryBytesPerSecond},
                         {"matmul_flops_per_second", std::move(matmul)},
                         {"default_trip_count", defaultTripCount},
                         {"algorithms", llvm::json::Array(algorithms)},
                         {"links", std::move(linkArray)}};
  Target copy = *this;
  for (const OptionalInteger &field : optionalIntegers(copy))
    if (*field.value != field.otherwise)
      obj[field.key] = *field.value;
  if (!sources.empty())
    obj["sources"] = llvm::json::Array(sources);
  if (!comment.empty())
    obj["comment"] = comment;
  if (!cpu.empty())
    obj["cpu"] = cpu;
  if (!features.empty())
    obj["features"] = features;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(obj));
  return text;
}

std::string Target::toPrettyJson() const {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}\n",
                                                  llvm::cantFail(llvm::json::parse(toJson())));
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
    if (split == llvm::StringRef::npos || value.take_front(split).getAsDouble(number))
      return false;
    for (auto [unit, factor] : units)
      if (value.drop_front(split).trim() == unit) {
        double scaled = number * factor;
        if (!(scaled < 9e18))
          return false;
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
      if (!parseQuantity(value,
                         {{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}},
                         link.bytesPerSecond) ||
          link.bytesPerSecond < 1)
        return fail("'" + value + "' is not a bandwidth");
      haveBandwidth = true;
    } else {
      return fail("unknown key '" + key + "'");
    }
  }
  if (!haveLatency)
    return fail("no latency");
  if (!haveBandwidth)
    return fail("no bandwidth");
  return link;
}

} // namespace tandem
