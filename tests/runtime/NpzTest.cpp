// Npz files: round trips of every type, other writers' forms, corrupt input,
// failing writes.
#include "tandem/Runtime/Npz.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/resource.h>
#include <zip.h>

#include "absl/strings/str_cat.h"
#include "tandem/Runtime/AtomicFile.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

class Npz : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "npzXXXXXX";
    folder = mkdtemp(name.data());
    path = folder + "/a.npz";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  // An archive with given entries, as another program might write it.
  void writeZip(const std::vector<std::pair<std::string, std::string>> &entries, bool deflate) {
    zip_t *archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto &[name, bytes] : entries) {
      zip_int64_t index = zip_file_add(
          archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                               deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    ASSERT_EQ(zip_close(archive), 0);
  }

  std::string folder, path;
};

// A .npy with a given header text and data.
std::string npy(const std::string &header, const std::string &data, char version = 1) {
  std::string text = header + "\n";
  std::string result("\x93NUMPY", 6);
  result += version;
  result += '\0';
  result += static_cast<char>(text.size() & 0xFF);
  result += static_cast<char>(text.size() >> 8);
  if (version > 1)
    result += std::string(2, '\0');
  return result + text + data;
}

template <typename T> std::string bytesOf(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char *>(values.begin()), values.size() * sizeof(T));
}

TEST_F(Npz, everyTypeRoundTrips) {
  std::vector<NamedArray> arrays;
  for (int i = 0; i < kNumDTypes; ++i) {
    HostArray array = HostArray::zeros(static_cast<DType>(i), {2, 3});
    for (size_t b = 0; b < array.bytes.size(); ++b)
      array.bytes[b] = static_cast<std::byte>(b + 1);
    arrays.push_back({absl::StrCat("arg", i), array});
  }
  arrays.push_back({"scalar", HostArray::zeros(DType::F32, {})});
  arrays.push_back({"empty", HostArray::zeros(DType::I64, {3, 0})});
  arrays.push_back({"vector", HostArray::zeros(DType::F64, {5})});
  ASSERT_OK(writeNpz(path, arrays));
  auto back = readNpz(path);
  ASSERT_OK(back);
  ASSERT_EQ(back->size(), arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    const HostArray &want = arrays[i].array, &got = (*back)[i].array;
    EXPECT_EQ((*back)[i].name, arrays[i].name);
    EXPECT_EQ(got.dims, want.dims) << arrays[i].name;
    EXPECT_EQ(got.bytes, want.bytes) << arrays[i].name;
    EXPECT_EQ(got.dtype, want.dtype) << dtypeName(want.dtype);
  }
}

TEST_F(Npz, bytesDependOnTheArraysAlone) {
  std::vector<NamedArray> arrays = {{"out0", HostArray::zeros(DType::F32, {4})}};
  ASSERT_OK(writeNpz(path, arrays));
  std::string first = *readFile(path);
  ASSERT_OK(writeNpz(path, arrays));
  EXPECT_EQ(*readFile(path), first);
  ASSERT_OK(writeNpz(path, {}));
  EXPECT_EQ(readNpz(path)->size(), 0u);
}

TEST_F(Npz, otherWritersForms) {
  for (bool deflate : {false, true}) {
    writeZip({{"arg000.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                                 bytesOf<float>({1, 4, 2, 5, 3, 6}))},
              {"arg001.npy", npy("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }",
                                 std::string("\0\0\0\1\0\0\1\0", 8))},
              {"arg2@bfloat16.npy", npy("{'descr': '|V2', 'fortran_order': False, 'shape': (), }",
                                        std::string("\x80\x3f", 2), 2)},
              {"arg03.npy", npy("{\"shape\": (1L,), \"fortran_order\": False, "
                                "\"descr\": \"|b1\"}",
                                "\1", 3)},
              {"other.npy", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }",
                                bytesOf<float>({1, 2}))}},
             deflate);
    auto arrays = readIndexedNpz(path, "arg");
    ASSERT_OK(arrays);
    ASSERT_EQ(arrays->size(), 4u);
    EXPECT_THAT((*arrays)[0].as<float>(), testing::ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT((*arrays)[1].as<int32_t>(), testing::ElementsAre(1, 256));
    EXPECT_EQ((*arrays)[2].dtype, DType::BF16);
    EXPECT_EQ((*arrays)[2].as<uint16_t>()[0], 0x3F80);
    EXPECT_EQ((*arrays)[3].dtype, DType::I1);
  }
}

TEST_F(Npz, perDeviceNames) {
  ASSERT_OK(writeNpz(path, {{"dev0_arg0", HostArray::zeros(DType::F32, {1})},
                            {"dev1_arg0", HostArray::zeros(DType::F32, {2})}}));
  EXPECT_EQ((*readIndexedNpz(path, "dev1_arg"))[0].dims[0], 2);
  EXPECT_EQ(readIndexedNpz(path, "arg")->size(), 0u);
}

TEST_F(Npz, numbersGivenTwice) {
  ASSERT_OK(writeNpz(path, {{"arg1", HostArray::zeros(DType::F32, {1})},
                            {"arg01", HostArray::zeros(DType::F32, {1})}}));
  expectError(readIndexedNpz(path, "arg"), absl::StatusCode::kInvalidArgument,
              {"a.npz: arg01: arg1 is given twice"});
}

TEST_F(Npz, badArraysNameFileAndArray) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  struct Case {
    std::string bytes;
    const char *message;
  };
  const Case cases[] = {
      {npy(good, "1234"), "truncated"},
      {npy(good, "123456789"), "1 bytes too many for f32[2]"},
      {"\x93NUMPY", "truncated"},
      {"hello world, no array", "not a .npy array"},
      {npy(good, "12345678", 9), "npy version 9"},
      {npy("{'descr': '<f4', 'fortran_order': False}", ""),
       "expected descr, fortran_order and shape"},
      {npy("{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }", ""),
       "element type '<U3' is not supported"},
      {npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", ""),
       "structured arrays"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", ""), "tuple of sizes"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
           "(4611686018427387904, 8), }",
           ""),
       "impossible shape"},
      {npy("no dictionary", ""), "expected a dictionary"},
      {npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }", ""), "True or False"},
  };
  for (const Case &bad : cases) {
    writeZip({{"arg0.npy", npy(good, "12345678")}, {"arg1.npy", bad.bytes}}, false);
    auto arrays = readNpz(path);
    ASSERT_FALSE(arrays.ok()) << bad.message;
    EXPECT_THAT(std::string(arrays.status().message()), testing::HasSubstr("a.npz: arg1: "));
    EXPECT_THAT(std::string(arrays.status().message()), testing::HasSubstr(bad.message));
  }
  writeZip({{"arg0@float9.npy", npy(good, "12345678")}}, false);
  expectError(readNpz(path), absl::StatusCode::kInvalidArgument, {"unknown type suffix '@float9'"});
  writeZip({{"arg0@bfloat16.npy", npy(good, "12345678")}}, false);
  expectError(readNpz(path), absl::StatusCode::kInvalidArgument,
              {"found f32[2], expected bf16[2]"});
}

TEST_F(Npz, everyTruncationIsAnErrorOrTheSameArrays) {
  HostArray array = HostArray::zeros(DType::F32, {100});
  ASSERT_OK(writeNpz(path, {{"arg0", array}, {"arg1", array}}));
  std::string whole = *readFile(path);
  for (size_t size = 0; size < whole.size(); size += 7) {
    ASSERT_OK(writeFileAtomically(path, {absl::string_view(whole).substr(0, size)}));
    auto arrays = readNpz(path);
    ASSERT_FALSE(arrays.ok()) << size;
    EXPECT_THAT(std::string(arrays.status().message()),
                testing::HasSubstr("a.npz: not a readable"));
  }
}

TEST_F(Npz, everyFlippedByteIsAnErrorOrHarmless) {
  HostArray array = HostArray::zeros(DType::F32, {40});
  ASSERT_OK(writeNpz(path, {{"arg0", array}}));
  std::string whole = *readFile(path);
  size_t errors = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string bad = whole;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    ASSERT_OK(writeFileAtomically(path, {bad}));
    auto arrays = readNpz(path);
    errors += !arrays.ok();
    for (size_t a = 0; arrays.ok() && a < arrays->size(); ++a)
      EXPECT_EQ((*arrays)[a].array.bytes.size(), 160u) << i;
  }
  EXPECT_GT(errors, whole.size() / 2); // the data is under a checksum
}

TEST_F(Npz, aLengthThatTheFileCannotHoldTakesNoMemory) {
  // 4 GB are claimed where 128 bytes are, in the entry's own header and in the directory.
  writeZip({{"arg0.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                             bytesOf<float>({1, 2}))}},
           /*deflate=*/true);
  std::string bad = *readFile(path);
  for (auto [signature, offset] : {std::pair("PK\3\4", 22), std::pair("PK\1\2", 24)})
    bad.replace(bad.find(signature) + offset, 4, "\xF0\xF0\xF0\xF0");
  ASSERT_OK(writeFileAtomically(path, {bad}));
  expectError(readNpz(path), absl::StatusCode::kDataLoss,
              {"arg0: corrupt: claims to hold 4042322160 bytes, more than the file can"});
}

TEST_F(Npz, missingFileAndFolder) {
  expectError(readNpz(folder + "/none.npz"), absl::StatusCode::kNotFound, {"none.npz"});
  EXPECT_FALSE(writeNpz(folder + "/none/a.npz", {{"x", HostArray::zeros(DType::F32, {1})}}).ok());
}

TEST_F(Npz, failingWriteLeavesTheOldFileAndNothingElse) {
  std::vector<NamedArray> old = {{"out0", HostArray::zeros(DType::F32, {4})}};
  ASSERT_OK(writeNpz(path, old));
  std::string before = *readFile(path);
  rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  rlimit small = {4096, limit.rlim_max};
  auto handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  absl::Status status = writeNpz(path, {{"out0", HostArray::zeros(DType::F32, {100'000})}});
  setrlimit(RLIMIT_FSIZE, &limit);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("a.npz: cannot write"));
  EXPECT_EQ(*readFile(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder),
                          std::filesystem::directory_iterator()),
            1);
}

} // namespace
} // namespace tandem::runtime
