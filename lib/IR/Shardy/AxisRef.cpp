// Meshes and the algebra of axis references: order, containment, overlap, prefix, merge.
//
// A reference covers the interval [pre-size, pre-size * size) of an axis in the sense of products;
// a full axis of unknown size counts as (1)infinity, which is right for every question that does
// not need the mesh, since two references to one axis always divide the same size.

#include "tandem/IR/Shardy/Shardy.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <tuple>

using namespace mlir;
using namespace mlir::sdy;

static constexpr int64_t kEndOfAxis = std::numeric_limits<int64_t>::max();

/// Product of the sizes up to and including the reference, or kEndOfAxis for a full axis.
static int64_t endOf(AxisRefAttr axis) {
  return axis.getSubAxisInfo() ? axis.getSubAxisInfo().getNextPreSize() : kEndOfAxis;
}

//===-- MeshAttr
//--------------------------------------------------------------------------------===//

bool MeshAttr::isIota(ArrayRef<int64_t> ids) {
  for (auto [index, id] : llvm::enumerate(ids))
    if (id != static_cast<int64_t>(index))
      return false;
  return true;
}

int64_t MeshAttr::getAxisIndex(StringRef axisName) const {
  for (auto [index, axis] : llvm::enumerate(getAxes()))
    if (axis.getName() == axisName)
      return index;
  return -1;
}

bool MeshAttr::hasAxis(StringRef axisName) const { return getAxisIndex(axisName) >= 0; }

int64_t MeshAttr::getAxisSize(StringRef axisName) const {
  int64_t index = getAxisIndex(axisName);
  assert(index >= 0 && "the mesh has no such axis");
  return getAxes()[index].getSize();
}

int64_t MeshAttr::getTotalSize() const {
  int64_t size = 1;
  for (MeshAxisAttr axis : getAxes())
    if (llvm::MulOverflow(size, axis.getSize(), size))
      return std::numeric_limits<int64_t>::max();
  return size;
}

std::optional<int64_t> MeshAttr::getMaximalDeviceId() const {
  return isMaximal() ? std::optional<int64_t>(getDeviceIds()[0]) : std::nullopt;
}

int64_t MeshAttr::getDeviceId(int64_t linearIndex) const {
  return getDeviceIds().empty() ? linearIndex : getDeviceIds()[linearIndex];
}

//===-- SubAxisInfoAttr and AxisRefAttr
//---------------------------------------------------------===//

bool SubAxisInfoAttr::operator<(const SubAxisInfoAttr &rhs) const {
  return std::make_tuple(getPreSize(), getSize()) <
         std::make_tuple(rhs.getPreSize(), rhs.getSize());
}

/// A full axis comes after every part of it.
static std::tuple<int64_t, int64_t> orderKey(AxisRefAttr axis) {
  if (SubAxisInfoAttr info = axis.getSubAxisInfo())
    return {info.getPreSize(), info.getSize()};
  return {kEndOfAxis, kEndOfAxis};
}

std::function<bool(AxisRefAttr, AxisRefAttr)> AxisRefAttr::getMeshComparator(MeshAttr mesh) {
  return [mesh](AxisRefAttr lhs, AxisRefAttr rhs) {
    if (lhs.getName() != rhs.getName())
      return mesh.getAxisIndex(lhs.getName()) < mesh.getAxisIndex(rhs.getName());
    return orderKey(lhs) < orderKey(rhs);
  };
}

bool AxisRefAttr::operator<(const AxisRefAttr &rhs) const {
  if (getName() != rhs.getName())
    return getName() < rhs.getName();
  return orderKey(*this) < orderKey(rhs);
}

std::string AxisRefAttr::toString() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"' << getName() << '"';
  if (SubAxisInfoAttr info = getSubAxisInfo())
    os << ":(" << info.getPreSize() << ')' << info.getSize();
  return text;
}

int64_t AxisRefAttr::getSize(MeshAttr mesh) const {
  return getSubAxisInfo() ? getSubAxisInfo().getSize() : mesh.getAxisSize(getName());
}

int64_t AxisRefAttr::getSubAxisPreSize() const {
  return getSubAxisInfo() ? getSubAxisInfo().getPreSize() : 1;
}

bool AxisRefAttr::contains(AxisRefAttr other) const {
  return getName() == other.getName() && getSubAxisPreSize() <= other.getSubAxisPreSize() &&
         endOf(*this) >= endOf(other);
}

bool AxisRefAttr::prefixOf(AxisRefAttr other) const {
  return other.contains(*this) && getSubAxisPreSize() == other.getSubAxisPreSize();
}

bool AxisRefAttr::suffixOf(AxisRefAttr other, MeshAttr mesh) const {
  auto sizedEnd = [&](AxisRefAttr axis) { return axis.getSubAxisPreSize() * axis.getSize(mesh); };
  return other.contains(*this) && sizedEnd(*this) == sizedEnd(other);
}

bool AxisRefAttr::overlaps(AxisRefAttr other) const {
  return getName() == other.getName() && getSubAxisPreSize() < endOf(other) &&
         other.getSubAxisPreSize() < endOf(*this);
}

/// The part of `axis` from `begin` to `end` in products, when it is not empty.
static std::optional<AxisRefAttr> slice(AxisRefAttr axis, int64_t begin, int64_t end) {
  if (begin >= end)
    return std::nullopt;
  if (begin == axis.getSubAxisPreSize() && end == endOf(axis))
    return axis;
  return AxisRefAttr::get(axis.getContext(), axis.getName(), begin, end / begin);
}

std::optional<AxisRefAttr> AxisRefAttr::getPrefixWithoutOverlap(AxisRefAttr other) const {
  if (!overlaps(other))
    return *this;
  return slice(*this, getSubAxisPreSize(), other.getSubAxisPreSize());
}

std::optional<AxisRefAttr> AxisRefAttr::getGreatestCommonPrefix(AxisRefAttr other) const {
  if (prefixOf(other))
    return *this;
  if (other.prefixOf(*this))
    return other;
  return std::nullopt;
}

std::optional<AxisRefAttr> AxisRefAttr::getSuffixWithoutPrefix(AxisRefAttr prefix,
                                                               MeshAttr mesh) const {
  assert(prefix.prefixOf(*this) && "not a prefix");
  int64_t end = getSubAxisPreSize() * getSize(mesh);
  int64_t begin = prefix.getSubAxisPreSize() * prefix.getSize(mesh);
  if (begin >= end)
    return std::nullopt;
  return AxisRefAttr::get(getContext(), getName(), begin, end / begin);
}

bool AxisRefAttr::canMerge(AxisRefAttr other) const {
  return getName() == other.getName() && getSubAxisInfo() && other.getSubAxisInfo() &&
         getSubAxisInfo().getNextPreSize() == other.getSubAxisPreSize();
}

AxisRefAttr AxisRefAttr::merge(AxisRefAttr other, MeshAttr mesh) const {
  assert(canMerge(other) && "parts that are not neighbours");
  int64_t size = getSubAxisInfo().getSize() * other.getSubAxisInfo().getSize();
  if (size == mesh.getAxisSize(getName()))
    return get(getContext(), getName());
  return get(getContext(), getName(), getSubAxisPreSize(), size);
}
