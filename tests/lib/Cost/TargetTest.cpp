// Targets: the embedded ones, JSON, the text form of links.
#include "tandem/Cost/Target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string messageOf(llvm::Error error) { return llvm::toString(std::move(error)); }

TEST(Picoseconds, RoundsUpAndDoesNotOverflow) {
  EXPECT_EQ(picosecondsFor(25, 25'000'000'000), 1'000);
  EXPECT_EQ(picosecondsFor(1, 3'000'000'000'000), 1);
  EXPECT_EQ(picosecondsFor(0, 5), 0);
  EXPECT_EQ(picosecondsFor(INT64_MAX, 1), INT64_MAX);
}

TEST(Target, EveryEmbeddedTargetReadsAndRoundTrips) {
  EXPECT_THAT(Target::names(), Contains("host"));
  for (const std::string &name : Target::names()) {
    llvm::Expected<Target> target = Target::named(name);
    ASSERT_TRUE(bool(target)) << name << ": " << messageOf(target.takeError());
    EXPECT_EQ(target->name, name);
    llvm::Expected<Target> again = Target::fromJson(target->toJson());
    ASSERT_TRUE(bool(again)) << messageOf(again.takeError());
    EXPECT_EQ(again->toJson(), target->toJson());
  }
}

TEST(Target, HostIsResolvedOthersAreNot) {
  EXPECT_FALSE(Target::named("host")->cpu.empty());
  EXPECT_TRUE(Target::named("cpu-emulated")->cpu.empty());
}

TEST(Target, UnknownNameListsTheKnownOnes) {
  llvm::Expected<Target> target = Target::named("abacus");
  ASSERT_FALSE(bool(target));
  EXPECT_THAT(messageOf(target.takeError()),
              testing::AllOf(HasSubstr("unknown target 'abacus'"), HasSubstr("host")));
}

TEST(Target, RatesAreThosePeaksAllow) {
  Target target = *Target::named("h100x8");
  // 0.7 of the data sheet's.
  EXPECT_EQ(target.matmulRate("bf16"), 692'300'000'000'000);
  EXPECT_EQ(target.matmulRate("f8E4M3FN"), 1'385'300'000'000'000);
  EXPECT_EQ(target.matmulRate("complex<f32>"), 346'500'000'000'000);
  EXPECT_EQ(target.matmulRate("ui8"), 1'385'300'000'000'000);
  EXPECT_EQ(target.matmulRate("i32"), 346'500'000'000'000);
  EXPECT_EQ(target.memoryRate(), 2'680'000'000'000);
  EXPECT_EQ(target.hostRate(), 51'200'000'000);
  // 268 bytes copied are 536 moved.
  EXPECT_EQ(target.copyPicoseconds(268), 2'000'000 + 200);
}

TEST(Target, AUsersDescriptionIsTakenLikeAName) {
  Target mine = *Target::named("h100x8");
  mine.name = "mine";
  EXPECT_EQ(Target::named(mine.toJson())->name, "mine");
  EXPECT_EQ(Target::fromJson(mine.toPrettyJson())->toJson(), mine.toJson());
  llvm::Expected<Target> missing = Target::load("no-such-file.json");
  ASSERT_FALSE(bool(missing));
  EXPECT_THAT(messageOf(missing.takeError()), HasSubstr("cannot read target 'no-such-file.json'"));
}

TEST(Target, MissingOrBadFieldsAreNamed) {
  std::string text = Target::named("cpu-emulated")->toJson();
  auto without = [&](llvm::StringRef from, llvm::StringRef to) {
    std::string changed = text;
    changed.replace(changed.find(from.str()), from.size(), to.str());
    llvm::Expected<Target> target = Target::fromJson(changed);
    return target ? std::string() : messageOf(target.takeError());
  };
  EXPECT_THAT(without("launch_ps", "lunch_ps"), HasSubstr("integer 'launch_ps'"));
  EXPECT_THAT(without("\"latency_ps\":20000000", "\"latency_ps\":-1"),
              HasSubstr("'latency_ps' is -1, expected at least 0"));
  EXPECT_THAT(without("\"default\"", "\"fault\""), HasSubstr("'default'"));
}

TEST(Link, TextForm) {
  llvm::Expected<Link> link = parseLink("latency=20us,bandwidth=25GB/s");
  ASSERT_TRUE(bool(link));
  EXPECT_EQ(link->latencyPicoseconds, 20'000'000);
  EXPECT_EQ(link->bytesPerSecond, 25'000'000'000);
  // 1 MB at 25 GB/s is 40 us.
  EXPECT_EQ(link->picoseconds(1'000'000), 60'000'000);
  EXPECT_EQ(parseLink("bandwidth=1.5MB/s, latency=2ns")->bytesPerSecond, 1'500'000);
}

TEST(Link, BadTextSaysWhat) {
  for (auto [text, message] : {std::pair("latency=20us", "no bandwidth"),
                               {"bandwidth=1GB/s", "no latency"},
                               {"latency=20,bandwidth=1GB/s", "'20' is not a time"},
                               {"latency=1us,bandwidth=0B/s", "not a bandwidth"},
                               {"latency=1us,width=1GB/s", "unknown key 'width'"}}) {
    llvm::Expected<Link> link = parseLink(text);
    ASSERT_FALSE(bool(link)) << text;
    EXPECT_THAT(messageOf(link.takeError()), HasSubstr(message));
  }
}

} // namespace
} // namespace tandem
