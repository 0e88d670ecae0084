// The cache on disk: the same bytes from it, damage noticed, other content not mixed up.

#include "KernelRunner.h"

#include "lib/Codegen/KernelCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace mlir;

namespace tandem::test {
namespace {

constexpr const char *program = R"(
  func.func @negate(%x: tensor<5000xf32>) -> tensor<5000xf32> {
    %0 = stablehlo.negate %x : tensor<5000xf32>
    return %0 : tensor<5000xf32>
  }
  func.func @abs(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.abs %x : tensor<3xf32>
    return %0 : tensor<3xf32>
  })";

class KernelCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kernel-cache", folder));
    setenv("TANDEM_CACHE_DIR", folder.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TANDEM_CACHE_DIR");
    llvm::sys::fs::remove_directories(folder);
  }
  std::vector<std::string> entries() {
    std::vector<std::string> paths;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end && !error;
         at.increment(error))
      paths.push_back(at->path());
    llvm::sort(paths);
    return paths;
  }
  CompiledKernels compile(const ParsedKernels &parsed) {
    auto compiled = compileKernels(parsed.kernels, hostFeatures(), {.threads = 1});
    if (compiled)
      return std::move(*compiled);
    ADD_FAILURE() << llvm::toString(compiled.takeError());
    return {};
  }

  llvm::SmallString<128> folder;
};

void expectSame(const CompiledKernels &a, const CompiledKernels &b) {
  ASSERT_EQ(a.objects.size(), 1u);
  ASSERT_EQ(b.objects.size(), 1u);
  EXPECT_EQ(a.objects[0].bytes, b.objects[0].bytes);
  for (auto [x, y] : llvm::zip_equal(a.kernels, b.kernels)) {
    EXPECT_EQ(x.symbol, y.symbol);
    EXPECT_EQ(x.units, y.units);
  }
}

TEST_F(KernelCacheTest, warmAndColdGiveTheSame) {
  ParsedKernels parsed = parseKernels(program);
  CompiledKernels cold = compile(parsed);
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_GT(cold.kernels[0].units, 1);
  expectSame(cold, compile(parsed));
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(KernelCacheTest, damagedEntriesAreMadeAnew) {
  ParsedKernels parsed = parseKernels(program);
  CompiledKernels cold = compile(parsed);
  std::string path = entries().at(0);
  uint64_t size = 0;
  ASSERT_FALSE(llvm::sys::fs::file_size(path, size));
  for (uint64_t keep : {uint64_t{0}, uint64_t{9}, size / 2, size - 1}) {
    std::error_code error;
    auto whole = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(whole);
    std::string text = (*whole)->getBuffer().take_front(keep).str();
    {
      llvm::raw_fd_ostream out(path, error);
      out << text;
    }
    ASSERT_FALSE(error);
    expectSame(cold, compile(parsed));
    uint64_t mended = 0;
    ASSERT_FALSE(llvm::sys::fs::file_size(path, mended));
    EXPECT_EQ(mended, size);
  }
}

TEST_F(KernelCacheTest, contentSymbolsAndTargetMakeTheKey) {
  ParsedKernels parsed = parseKernels(program);
  TargetFeatures other = hostFeatures();
  other.features += ",-avx";
  std::string key = codegen::KernelCache::keyOf(parsed.kernels, {"a", "b"}, hostFeatures());
  EXPECT_EQ(key, codegen::KernelCache::keyOf(parsed.kernels, {"a", "b"}, hostFeatures()));
  EXPECT_NE(key, codegen::KernelCache::keyOf(parsed.kernels, {"a", "c"}, hostFeatures()));
  EXPECT_NE(key, codegen::KernelCache::keyOf(parsed.kernels, {"a", "b"}, other));
  std::vector<KernelOp> turned(parsed.kernels.rbegin(), parsed.kernels.rend());
  EXPECT_NE(key, codegen::KernelCache::keyOf(turned, {"a", "b"}, hostFeatures()));
}

TEST_F(KernelCacheTest, onlyItsOwnOldFilesAreRemoved) {
  compile(parseKernels(program));
  const std::string entry = entries().at(0);
  auto inFolder = [&](llvm::StringRef name) {
    llvm::SmallString<128> path = llvm::sys::path::parent_path(entry);
    llvm::sys::path::append(path, name);
    return std::string(path);
  };
  const std::string left = inFolder("new-0123456789ab"), foreign = inFolder("thesis.txt"),
                    old = inFolder(std::string(64, 'a')), young = inFolder(std::string(64, 'b'));
  for (const std::string &path : {left, foreign, old, young}) {
    std::ofstream(path) << path;
    if (path != young)
      std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                                 std::chrono::hours(24 * 60));
  }
  codegen::KernelCache().removeOld();
  EXPECT_TRUE(llvm::sys::fs::exists(entry));
  EXPECT_TRUE(llvm::sys::fs::exists(young));
  EXPECT_TRUE(llvm::sys::fs::exists(foreign));
  EXPECT_FALSE(llvm::sys::fs::exists(old));
  EXPECT_FALSE(llvm::sys::fs::exists(left));
}

TEST_F(KernelCacheTest, anEmptyNameTurnsItOff) {
  setenv("TANDEM_CACHE_DIR", "", 1);
  EXPECT_FALSE(codegen::KernelCache().isEnabled());
  compile(parseKernels(program));
  EXPECT_TRUE(entries().empty());
}

} // namespace
} // namespace tandem::test
