// Literals: numbers in text to bytes. Writing them is HloWriter.cpp's.
#include "HloReader.h"

#include "llvm/ADT/APFloat.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace tandem::hlo {
namespace {

const llvm::fltSemantics *semanticsOf(DType type) {
  using llvm::APFloat;
  switch (type) {
  case DType::F4E2M1FN:
    return &APFloat::Float4E2M1FN();
  case DType::F8E3M4:
    return &APFloat::Float8E3M4();
  case DType::F8E4M3:
    return &APFloat::Float8E4M3();
  case DType::F8E4M3FN:
    return &APFloat::Float8E4M3FN();
  case DType::F8E4M3FNUZ:
    return &APFloat::Float8E4M3FNUZ();
  case DType::F8E4M3B11FNUZ:
    return &APFloat::Float8E4M3B11FNUZ();
  case DType::F8E5M2:
    return &APFloat::Float8E5M2();
  case DType::F8E5M2FNUZ:
    return &APFloat::Float8E5M2FNUZ();
  case DType::F8E8M0FNU:
    return &APFloat::Float8E8M0FNU();
  case DType::F16:
    return &APFloat::IEEEhalf();
  case DType::BF16:
    return &APFloat::BFloat();
  case DType::F32:
    return &APFloat::IEEEsingle();
  case DType::F64:
    return &APFloat::IEEEdouble();
  default:
    return nullptr;
  }
}

template <typename T> void append(llvm::SmallVectorImpl<char> &bytes, T value) {
  const char *begin = reinterpret_cast<const char *>(&value);
  bytes.append(begin, begin + sizeof(T));
}

// Mantissa bits of the types whose NaNs are written with a payload, else 0.
unsigned mantissaBits(DType type) {
  switch (type) {
  case DType::F16:
    return 10;
  case DType::BF16:
    return 7;
  case DType::F32:
    return 23;
  case DType::F64:
    return 52;
  default:
    return 0;
  }
}

} // namespace

void encodeFloat(DType type, double value, char *bytes) {
  if (type == DType::F64) {
    std::memcpy(bytes, &value, sizeof value);
    return;
  }
  llvm::APFloat number(value);
  bool lost;
  number.convert(*semanticsOf(type), llvm::APFloat::rmNearestTiesToEven, &lost);
  const uint64_t bits = number.bitcastToAPInt().getZExtValue();
  std::memcpy(bytes, &bits, literalBytes(type));
}

double decodeFloat(DType type, const char *bytes) {
  if (type == DType::F64) {
    double value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, literalBytes(type));
  llvm::APFloat number(*semanticsOf(type), llvm::APInt(bitsOf(type), bits, false, true));
  return number.convertToDouble();
}

bool Reader::parseReal(double &value) {
  skipBlank();
  auto [stop, error] = std::from_chars(cursor, end, value);
  if (error == std::errc::invalid_argument)
    return failHere("a number");
  if (error == std::errc::result_out_of_range)
    return fail(cursor, "this number is out of range");
  cursor = stop;
  return false;
}

bool Reader::parseElement(DType type, llvm::SmallVectorImpl<char> &bytes) {
  skipBlank();
  const char *start = cursor;
  if (type == DType::Pred) {
    const StringRef word = takeName();
    if (word == "true" || word == "1")
      bytes.push_back(1);
    else if (word == "false" || word == "0")
      bytes.push_back(0);
    else
      return fail(start, "expected true, false, 0 or 1, found '" + word + "'");
    return false;
  }
  if (isSigned(type) || isUnsigned(type)) {
    const unsigned bits = bitsOf(type);
    uint64_t raw = 0;
    bool fits = true;
    if (cursor < end && *cursor == '-') {
      int64_t value;
      if (parseInt(value))
        return true;
      fits = isSigned(type) && (bits == 64 || value >= -(int64_t{1} << (bits - 1)));
      raw = static_cast<uint64_t>(value);
    } else {
      auto [stop, error] = std::from_chars(cursor, end, raw);
      if (error == std::errc::invalid_argument)
        return failHere("an integer");
      fits = error == std::errc() && (isSigned(type) ? raw < (uint64_t{1} << (bits - 1))
                                                     : bits == 64 || raw < (uint64_t{1} << bits));
      cursor = stop;
    }
    if (!fits)
      return fail(start, "this number is out of the range of " + nameOf(type));
    const char *begin = reinterpret_cast<const char *>(&raw);
    bytes.append(begin, begin + literalBytes(type));
    return false;
  }
  if (isComplex(type)) {
    const DType part = type == DType::C64 ? DType::F32 : DType::F64;
    return expect('(', "before a complex number") || parseElement(part, bytes) ||
           expect(',', "in a complex number") || parseElement(part, bytes) ||
           expect(')', "behind a complex number");
  }
  if (!isFloat(type))
    return fail(start, "a constant of type " + nameOf(type) + " has no value");
  const bool negative = cursor < end && *cursor == '-';
  const size_t at = bytes.size();
  bytes.resize(at + literalBytes(type));
  if (type == DType::F32 && !(cursor + negative < end && cursor[negative] == 'n')) {
    // Rounded once, not by way of double.
    float value;
    auto [stop, error] = std::from_chars(cursor, end, value);
    if (error == std::errc()) {
      cursor = stop;
      std::memcpy(&bytes[at], &value, sizeof value);
      return false;
    }
  }
  double value;
  if (parseReal(value))
    return true;
  if (std::isnan(value) && negative)
    value = std::copysign(value, -1.0);
  encodeFloat(type, value, &bytes[at]);
  // nan(0x1234), where from_chars has not taken the brackets.
  const StringRef taken(start, cursor - start);
  StringRef payloadText = taken.split('(').second;
  if (std::isnan(value) && payloadText.empty() && cursor < end && *cursor == '(') {
    const char *open = cursor++;
    payloadText = takeName();
    if (expect(')', "behind the bits of a NaN"))
      return fail(open, "this '(' is not closed");
  }
  payloadText.consume_back(")");
  uint64_t payload = 0;
  if (const unsigned width = mantissaBits(type); width && !payloadText.empty()) {
    if (payloadText.getAsInteger(0, payload) || payload == 0 || payload >> width)
      return fail(start, "expected the " + llvm::Twine(width) + " bits of a NaN, found '" +
                             payloadText + "'");
    const unsigned bits = bitsOf(type);
    const uint64_t exponent = ((uint64_t{1} << (bits - 1 - width)) - 1) << width;
    const uint64_t raw = (uint64_t{negative} << (bits - 1)) | exponent | payload;
    std::memcpy(&bytes[at], &raw, literalBytes(type));
  }
  return false;
}

bool Reader::parseElements(const Shape &shape, size_t dim, llvm::SmallVectorImpl<char> &bytes) {
  if (dim == shape.dims.size())
    return parseElement(shape.dtype, bytes);
  if (expect('{', "before the elements of a literal"))
    return true;
  for (int64_t i = 0; i < shape.dims[dim]; ++i) {
    if (i > 0 && !consumeIf(','))
      return failHere("',' and the remaining " + llvm::Twine(shape.dims[dim] - i) + " of " +
                      llvm::Twine(shape.dims[dim]) + " elements of dimension " + llvm::Twine(dim));
    if (parseElements(shape, dim + 1, bytes))
      return true;
  }
  return expect('}', "behind the last element of a dimension");
}

bool Reader::parseLiteral(const Shape &shape, Literal &literal) {
  literal.shape = &shape;
  if (shape.isTuple()) {
    llvm::SmallVector<Literal> elements(shape.elements.size());
    if (enter() || expect('(', "before the elements of a tuple"))
      return true;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i > 0 && expect(',', "between the elements of a tuple"))
        return true;
      // A shape may stand before each element.
      const char *start = cursor;
      const StringRef word = takeName();
      const bool isShape = cursor < end && *cursor == '[' && dtypeFromName(word);
      cursor = start;
      const Shape *ignored;
      if ((isShape && parseShape(ignored)) || parseLiteral(*shape.elements[i], elements[i]))
        return true;
    }
    leave();
    literal.elements = module.save<Literal>(elements);
    return expect(')', "behind the elements of a tuple");
  }
  const char *start = cursor;
  if (!shape.dims.empty() && consumeIf('{')) {
    if (consumeIf('.')) {
      if (!consumeIf('.') || !consumeIf('.'))
        return failHere("'...'");
      literal.elided = true;
      return expect('}', "behind '...'");
    }
    cursor = start;
  }
  llvm::SmallVector<char, 64> bytes;
  if (parseElements(shape, 0, bytes))
    return true;
  literal.bytes = module.save<char>(bytes);
  return false;
}

} // namespace tandem::hlo
