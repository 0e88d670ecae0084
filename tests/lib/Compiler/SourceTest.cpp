// Reading programs: the kind comes from the content, gzip is unpacked, damage is named.
#include "tandem/Compiler/Source.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <string>
#include <zlib.h>

namespace tandem {
namespace {

using testing::HasSubstr;

std::string packed(const std::string &text) {
  const std::string path = testing::TempDir() + "/packed.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string write(const std::string &bytes) {
  const std::string path = testing::TempDir() + "/program";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(Source, KindIsToldFromTheContent) {
  EXPECT_EQ(kindOf("module {}"), Source::Kind::Mlir);
  EXPECT_EQ(kindOf("\n  #loc = loc(\"a\")\nmodule {}"), Source::Kind::Mlir);
  EXPECT_EQ(kindOf("ML\xefR\x06"), Source::Kind::Mlir);
  EXPECT_EQ(kindOf(absl::string_view("\x10\0\0\0TNDM\0\0", 10)), Source::Kind::Program);
  EXPECT_EQ(kindOf("HloModule jit_f"), Source::Kind::HloText);
  EXPECT_EQ(kindOf(""), Source::Kind::Unknown);
  EXPECT_EQ(kindOf(" \n\t"), Source::Kind::Unknown);
  EXPECT_EQ(kindOf(absl::string_view("\x7f"
                                     "ELF\0\0",
                                     6)),
            Source::Kind::Unknown);
}

TEST(Source, GzipIsUnpackedWhateverTheName) {
  const std::string text(200000, ' ');
  absl::StatusOr<Source> source = readSource(write(packed(text + "module {}")));
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->bytes, text + "module {}");
  EXPECT_EQ(source->kind, Source::Kind::Mlir);
}

TEST(Source, SeveralGzipMembersAreOneText) {
  absl::StatusOr<Source> source = readSource(write(packed("module ") + packed("{}")));
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ(source->bytes, "module {}");
}

TEST(Source, DamagedGzipIsRefused) {
  const std::string whole = packed(std::string(1000, 'x') + "module {}");
  absl::StatusOr<Source> cut = readSource(write(whole.substr(0, whole.size() / 2)));
  EXPECT_EQ(cut.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(cut.status().message()), HasSubstr("truncated gzip data"));
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1; // the checksum
  EXPECT_FALSE(readSource(write(damaged)).ok());
}

TEST(Source, AbsentFileIsNamed) {
  absl::StatusOr<Source> source = readSource("/no/such/file.mlir");
  EXPECT_EQ(source.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(source.status().message()), HasSubstr("/no/such/file.mlir"));
}

} // namespace
} // namespace tandem
