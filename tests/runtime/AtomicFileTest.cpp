// Output files are whole or absent.
#include "tandem/Runtime/AtomicFile.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

class AtomicFile : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "atomicXXXXXX";
    folder = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  size_t numFiles() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                             std::filesystem::directory_iterator()));
  }
  std::string folder;
};

TEST_F(AtomicFile, writesPartsAndReplaces) {
  std::string path = folder + "/out";
  ASSERT_OK(writeFileAtomically(path, {"old"}));
  ASSERT_OK(writeFileAtomically(path, {"a", "", "bc"}));
  EXPECT_EQ(*readFile(path), "abc");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(AtomicFile, everyErrorOfTheSystemIsTheCallers) {
  for (int error : {ELOOP, EIO, EISDIR, ENAMETOOLONG, ETXTBSY, EDQUOT, ESTALE, EAGAIN})
    EXPECT_FALSE(absl::IsUnknown(fileError("f", "cannot open", error)) ||
                 absl::IsInternal(fileError("f", "cannot open", error)) ||
                 absl::IsAborted(fileError("f", "cannot open", error)) ||
                 absl::IsDeadlineExceeded(fileError("f", "cannot open", error)))
        << error;
  EXPECT_TRUE(absl::IsNotFound(fileError("f", "cannot open", ENOENT)));
}

TEST_F(AtomicFile, readsNoMoreThanAsked) {
  EXPECT_TRUE(absl::IsResourceExhausted(readFile("/dev/zero", 1 << 20).status()));
  ASSERT_OK(writeFileAtomically(folder + "/f", {"abc"}));
  EXPECT_EQ(*readFile(folder + "/f", 3), "abc");
  EXPECT_FALSE(readFile(folder + "/f", 2).ok());
}

TEST_F(AtomicFile, failureLeavesTheOldFileAndNothingElse) {
  std::string path = folder + "/out";
  ASSERT_OK(writeFileAtomically(path, {"old"}));
  // A limit on the size of files fails writes as a full disk does.
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = {4096, before.rlim_max};
  auto handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string big(100'000, 'x');
  absl::Status status = writeFileAtomically(path, {big});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), testing::StartsWith(path + ": cannot write"));
  EXPECT_EQ(*readFile(path), "old");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(AtomicFile, missingFolder) {
  expectError(writeFileAtomically(folder + "/none/out", {"x"}), absl::StatusCode::kNotFound,
              {"/none/out: cannot create", "No such file"});
  expectError(readFile(folder + "/none"), absl::StatusCode::kNotFound, {"cannot open"});
}

TEST_F(AtomicFile, devicesAreWrittenInPlace) {
  EXPECT_OK(writeFileAtomically("/dev/null", {"x"}));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

} // namespace
} // namespace tandem::runtime
