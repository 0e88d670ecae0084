// The .npy format: header parser and formatter, and bringing data into row-major host order.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "tandem/Runtime/Npz.h"

namespace tandem::runtime {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr absl::string_view kMagic("\x93NUMPY", 6);

struct Descr {
  char order; // '<', '>', '|' or '='
  DType dtype;
};

// numpy's kind and size letters; raw void types of one and two bytes are bits.
std::optional<Descr> parseDescr(absl::string_view text) {
  if (text.size() < 3)
    return std::nullopt;
  static constexpr struct {
    absl::string_view code;
    DType dtype;
  } kCodes[] = {
      {"b1", DType::I1},   {"i1", DType::I8},    {"i2", DType::I16},  {"i4", DType::I32},
      {"i8", DType::I64},  {"u1", DType::UI8},   {"u2", DType::UI16}, {"u4", DType::UI32},
      {"u8", DType::UI64}, {"f2", DType::F16},   {"f4", DType::F32},  {"f8", DType::F64},
      {"c8", DType::C64},  {"c16", DType::C128}, {"V1", DType::UI8},  {"V2", DType::UI16}};
  if (absl::string_view("<>|=").find(text[0]) == absl::string_view::npos)
    return std::nullopt;
  for (const auto &entry : kCodes)
    if (entry.code == text.substr(1))
      return Descr{text[0], entry.dtype};
  return std::nullopt;
}

absl::string_view descrOf(DType dtype) {
  switch (dtype) {
  case DType::I1:
    return "|b1";
  case DType::I2:
  case DType::I4:
  case DType::I8:
    return "|i1";
  case DType::I16:
    return "<i2";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  case DType::UI16:
  case DType::BF16:
    return "<u2";
  case DType::UI32:
    return "<u4";
  case DType::UI64:
    return "<u8";
  case DType::F16:
    return "<f2";
  case DType::F32:
    return "<f4";
  case DType::F64:
    return "<f8";
  case DType::C64:
    return "<c8";
  case DType::C128:
    return "<c16";
  default:
    return "|u1";
  }
}

// A cursor over the header's Python literal: {'descr': '<f4', 'fortran_order': False, ...}.
class HeaderParser {
public:
  explicit HeaderParser(absl::string_view text) : text(text) {}

  bool consume(absl::string_view token) {
    skipSpace();
    return absl::ConsumePrefix(&text, token);
  }

  std::optional<absl::string_view> string() {
    skipSpace();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return std::nullopt;
    size_t end = text.find(text[0], 1);
    if (end == absl::string_view::npos)
      return std::nullopt;
    absl::string_view result = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return result;
  }

  std::optional<std::vector<int64_t>> tuple() {
    std::vector<int64_t> result;
    if (!consume("("))
      return std::nullopt;
    while (!consume(")")) {
      skipSpace();
      size_t digits = 0;
      while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9')
        ++digits;
      int64_t value = 0;
      if (digits == 0 || !absl::SimpleAtoi(text.substr(0, digits), &value))
        return std::nullopt;
      text.remove_prefix(digits);
      absl::ConsumePrefix(&text, "L"); // Python 2
      result.push_back(value);
      if (!consume(",")) {
        if (!consume(")"))
          return std::nullopt;
        break;
      }
    }
    return result;
  }

private:
  void skipSpace() {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\n' || text[0] == '\t'))
      text.remove_prefix(1);
  }

  absl::string_view text;
};

struct Header {
  Descr descr;
  bool fortranOrder = false;
  std::vector<int64_t> dims;
};

absl::StatusOr<Header> parseHeader(absl::string_view text, absl::string_view where) {
  auto fail = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": ", what, " in the npy header ", text.substr(0, 200)));
  };
  HeaderParser parser(text);
  Header header;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  if (!parser.consume("{"))
    return fail("expected a dictionary");
  while (!parser.consume("}")) {
    std::optional<absl::string_view> key = parser.string();
    if (!key || !parser.consume(":"))
      return fail("expected a key");
    if (*key == "descr") {
      std::optional<absl::string_view> code = parser.string();
      if (!code)
        return fail("structured arrays are not supported, found one");
      std::optional<Descr> descr = parseDescr(*code);
      if (!descr)
        return fail(absl::StrCat("element type '", *code, "' is not supported, found"));
      header.descr = *descr;
      hasDescr = true;
    } else if (*key == "fortran_order") {
      header.fortranOrder = parser.consume("True");
      if (!header.fortranOrder && !parser.consume("False"))
        return fail("expected True or False");
      hasOrder = true;
    } else if (*key == "shape") {
      std::optional<std::vector<int64_t>> dims = parser.tuple();
      if (!dims)
        return fail("expected a tuple of sizes");
      header.dims = std::move(*dims);
      hasShape = true;
    } else {
      return fail(absl::StrCat("unknown key '", *key, "'"));
    }
    if (!parser.consume(",")) {
      if (!parser.consume("}"))
        return fail("expected ',' or '}'");
      break;
    }
  }
  if (!hasDescr || !hasOrder || !hasShape)
    return fail("expected descr, fortran_order and shape");
  return header;
}

void swapBytes(HostArray &array) {
  int64_t unit = dtypeBytes(array.dtype) / (isComplex(array.dtype) ? 2 : 1);
  for (size_t i = 0; i + unit <= array.bytes.size(); i += unit)
    std::reverse(array.bytes.begin() + i, array.bytes.begin() + i + unit);
}

// `source` is column-major: dimension 0 varies fastest.
void copyFortranToRowMajor(const char *source, HostArray &array) {
  size_t unit = static_cast<size_t>(dtypeBytes(array.dtype));
  size_t rank = array.dims.size();
  std::vector<int64_t> strides(rank), index(rank, 0);
  int64_t stride = 1;
  for (size_t d = 0; d < rank; ++d) {
    strides[d] = stride;
    stride *= array.dims[d];
  }
  int64_t count = array.size(), offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(array.bytes.data() + i * unit, source + offset * unit, unit);
    for (size_t d = rank; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < array.dims[d])
        break;
      offset -= strides[d] * array.dims[d];
      index[d] = 0;
    }
  }
}

} // namespace

absl::StatusOr<HostArray> parseNpy(absl::string_view bytes, absl::string_view where) {
  auto truncated = [&](size_t expected) {
    return absl::DataLossError(
        absl::StrCat(where, ": truncated: found ", bytes.size(), " bytes, expected ", expected));
  };
  if (bytes.size() < 10)
    return truncated(10);
  if (bytes.substr(0, 6) != kMagic)
    return absl::InvalidArgumentError(absl::StrCat(where, ": not a .npy array"));
  auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(bytes[i])); };
  size_t version = byte(6);
  if (version < 1 || version > 3)
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": npy version ", version, ", expected 1 to 3"));
  size_t begin = version == 1 ? 10 : 12;
  if (bytes.size() < begin)
    return truncated(begin);
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (bytes.size() - begin < length)
    return truncated(begin + length);
  absl::StatusOr<Header> header = parseHeader(bytes.substr(begin, length), where);
  if (!header.ok())
    return header.status();

  // Multiply with care: the sizes come from the file.
  int64_t size = dtypeBytes(header->descr.dtype);
  for (int64_t dim : header->dims)
    if (__builtin_mul_overflow(size, dim, &size))
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": impossible shape (", absl::StrJoin(header->dims, ", "), ")"));
  absl::string_view data = bytes.substr(begin + length);
  if (data.size() < static_cast<size_t>(size))
    return truncated(begin + length + static_cast<size_t>(size));
  if (data.size() > static_cast<size_t>(size))
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": ", data.size() - static_cast<size_t>(size), " bytes too many for ",
                     describeType(header->descr.dtype, header->dims)));

  HostArray array;
  array.dtype = header->descr.dtype;
  array.dims = std::move(header->dims);
  array.bytes.resize(static_cast<size_t>(size));
  if (header->fortranOrder && array.dims.size() > 1)
    copyFortranToRowMajor(data.data(), array);
  else if (size > 0)
    std::memcpy(array.bytes.data(), data.data(), static_cast<size_t>(size));
  if (header->descr.order == '>')
    swapBytes(array);
  return array;
}

// The header alone, padded so that the data begins at a multiple of 64.
std::string formatNpyHeader(const HostArray &array) {
  std::string text =
      absl::StrCat("{'descr': '", descrOf(array.dtype), "', 'fortran_order': False, 'shape': (",
                   absl::StrJoin(array.dims, ", "), array.dims.size() == 1 ? "," : "", "), }");
  size_t unpadded = 10 + text.size() + 1;
  text.append((64 - unpadded % 64) % 64, ' ');
  text.push_back('\n');
  std::string header(kMagic);
  header.push_back(1);
  header.push_back(0);
  header.push_back(static_cast<char>(text.size() & 0xFF));
  header.push_back(static_cast<char>(text.size() >> 8));
  return header + text;
}

std::string formatNpy(const HostArray &array) {
  std::string result = formatNpyHeader(array);
  result.append(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
  return result;
}

} // namespace tandem::runtime
