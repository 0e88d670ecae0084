// Chrome traces: valid JSON, tracks, escaping, exact times.
#include "tandem/Runtime/Trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tandem::runtime {
namespace {

TEST(Trace, writesTracksAndEvents) {
  Trace trace;
  trace.setStreamName(0, "compute");
  TraceEvent event;
  event.name = trace.intern("a \"quoted\"\n\\name");
  event.category = "kernel";
  event.device = 3;
  event.stream = 0;
  event.beginNanoseconds = 1'234'567;
  event.endNanoseconds = 1'234'571;
  event.bytes = 64;
  trace.add(event);
  event.stream = 2;
  event.transferNanoseconds = 1'234'568;
  trace.add(event);
  nlohmann::json json = nlohmann::json::parse(trace.toJson());
  std::vector<nlohmann::json> spans;
  std::map<std::string, std::string> names;
  for (const auto &entry : json["traceEvents"]) {
    if (entry["ph"] == "X")
      spans.push_back(entry);
    else if (entry["args"].contains("name"))
      names[entry["name"].get<std::string>() + entry.value("tid", nlohmann::json("")).dump()] =
          entry["args"]["name"];
  }
  EXPECT_EQ(names["process_name\"\""], "device 3");
  EXPECT_EQ(names["thread_name0"], "compute");
  EXPECT_EQ(names["thread_name2"], "stream 2");
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0]["name"], "a \"quoted\"\n\\name");
  EXPECT_EQ(spans[0]["ts"], 1234.567);
  EXPECT_EQ(spans[0]["dur"], 0.004);
  EXPECT_EQ(spans[0]["args"]["bytes"], 64);
  EXPECT_FALSE(spans[0]["args"].contains("transfer_begin_us"));
  EXPECT_EQ(spans[1]["args"]["transfer_begin_us"], 1234.568);
}

TEST(Trace, orderOfAddingDoesNotMatter) {
  auto make = [](bool reverse) {
    Trace trace;
    TraceEvent first{.name = "first", .category = "x", .beginNanoseconds = 0, .endNanoseconds = 1};
    TraceEvent second{
        .name = "second", .category = "x", .beginNanoseconds = 2, .endNanoseconds = 3};
    trace.add(reverse ? second : first);
    trace.add(reverse ? first : second);
    return trace.toJson();
  };
  EXPECT_EQ(make(false), make(true));
  EXPECT_TRUE(nlohmann::json::parse(Trace().toJson())["traceEvents"].empty());
}

} // namespace
} // namespace tandem::runtime
