// Values about devices and windows: replica groups, shardings, windows.
#include "HloReader.h"

namespace tandem::hlo {
namespace {

constexpr int64_t kMostDevices = int64_t{1} << 24;

} // namespace

// [2,4]T(1,0), with the permutation optional.
bool Reader::parseIota(IotaList &iota) {
  skipBlank();
  const char *start = cursor;
  if (parseInts(iota.reshape, '[', ']'))
    return true;
  int64_t count = 1;
  for (int64_t dim : iota.reshape)
    if (dim <= 0 || __builtin_mul_overflow(count, dim, &count) || count > kMostDevices)
      return fail(start,
                  "expected positive sizes whose product is at most " + llvm::Twine(kMostDevices));
  if (cursor >= end || *cursor != 'T')
    return false;
  ++cursor;
  if (parseInts(iota.permutation, '(', ')'))
    return true;
  llvm::SmallVector<bool> seen(iota.reshape.size(), false);
  bool valid = iota.permutation.size() == iota.reshape.size();
  for (int64_t axis : iota.permutation) {
    valid = valid && axis >= 0 && axis < static_cast<int64_t>(seen.size()) && !seen[axis];
    if (valid)
      seen[axis] = true;
  }
  return valid ? false : fail(start, "T(..) is no order of the sizes before it");
}

bool Reader::parseReplicaGroups(Value &value) {
  ReplicaGroups &groups = *module.make<ReplicaGroups>();
  value = static_cast<const ReplicaGroups *>(&groups);
  skipBlank();
  const char *start = cursor;
  if (peek() == '{') {
    llvm::SmallVector<ArrayRef<int64_t>> lists;
    consumeIf('{');
    if (!consumeIf('}')) {
      do {
        if (parseInts(lists.emplace_back(), '{', '}'))
          return true;
      } while (consumeIf(','));
      if (expect('}', "behind replica groups"))
        return true;
    }
    groups.groups = module.save<ArrayRef<int64_t>>(lists);
    return false;
  }
  if (peek() == '[') {
    groups.form = ReplicaGroups::Form::Iota;
    if (parseInts(groups.dims, '[', ']'))
      return true;
    if (!consumeIf('<') || !consumeIf('='))
      return failHere("'<=' behind the sizes of replica groups");
    if (parseIota(groups.iota))
      return true;
    int64_t wanted = 1, count = 1;
    for (int64_t dim : groups.iota.reshape)
      count *= dim;
    for (int64_t dim : groups.dims)
      if (dim <= 0 || __builtin_mul_overflow(wanted, dim, &wanted))
        return fail(start, "expected positive sizes of replica groups");
    if (wanted != count)
      return fail(start, "replica groups of " + llvm::Twine(wanted) + " devices from a list of " +
                             llvm::Twine(count));
    return false;
  }
  groups.form = ReplicaGroups::Form::Mesh;
  return parseMeshGroups(groups);
}

// mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b','a':(1)2}
bool Reader::parseMeshGroups(ReplicaGroups &groups) {
  const char *start = cursor;
  groups.meshPrefix = takeName();
  if (groups.meshPrefix.empty())
    return failHere("replica groups, as in {{0,1}}, [1,2]<=[2] or mesh['a'=2] {'a'}");
  auto quotedName = [&](StringRef &name) {
    if (expect('\'', "before an axis"))
      return true;
    const char *begin = cursor;
    while (cursor < end && *cursor != '\'' && *cursor != '\n')
      ++cursor;
    name = StringRef(begin, cursor - begin);
    return expect('\'', "behind an axis");
  };
  llvm::SmallVector<MeshAxis> mesh;
  int64_t count = 1;
  if (expect('[', "before the axes of a mesh"))
    return true;
  if (!consumeIf(']')) {
    do {
      MeshAxis &axis = mesh.emplace_back();
      if (quotedName(axis.name) || expect('=', "behind an axis") || parseInt(axis.size))
        return true;
      if (axis.size <= 0 || __builtin_mul_overflow(count, axis.size, &count) ||
          count > kMostDevices)
        return fail(start, "expected positive sizes of axes whose product is at most " +
                               llvm::Twine(kMostDevices));
    } while (consumeIf(','));
    if (expect(']', "behind the axes of a mesh"))
      return true;
  }
  groups.mesh = module.save<MeshAxis>(mesh);
  if (cursor < end && *cursor == ',') {
    const char *comma = cursor;
    ++cursor;
    if (consumeWord("device_ids")) {
      groups.hasDeviceIds = true;
      if (expect('=', "behind device_ids") || expect('(', "before device ids"))
        return true;
      if (peek() == '[') {
        if (parseIota(groups.iota))
          return true;
      } else if (peek() != ')') {
        llvm::SmallVector<int64_t> ids;
        do {
          if (parseInt(ids.emplace_back()))
            return true;
        } while (consumeIf(','));
        groups.deviceIds = module.save<int64_t>(ids);
      }
      if (expect(')', "behind device ids"))
        return true;
      int64_t listed = groups.deviceIds.size();
      if (!groups.iota.reshape.empty()) {
        listed = 1;
        for (int64_t dim : groups.iota.reshape)
          listed *= dim;
      }
      if (listed && listed != count)
        return fail(comma, "the mesh has " + llvm::Twine(count) + " devices, device_ids lists " +
                               llvm::Twine(listed));
    } else {
      cursor = comma;
    }
  }
  if (peek() != '{')
    return false;
  groups.hasAxes = true;
  consumeIf('{');
  llvm::SmallVector<AxisRef> axes;
  if (!consumeIf('}')) {
    do {
      AxisRef &axis = axes.emplace_back();
      skipBlank();
      const char *position = cursor;
      if (quotedName(axis.name))
        return true;
      if (consumeIf(':') &&
          (expect('(', "before the size left of a part of an axis") || parseInt(axis.preSize) ||
           expect(')', "in a part of an axis") || parseInt(axis.size)))
        return true;
      const MeshAxis *whole = llvm::find_if(
          groups.mesh, [&](const MeshAxis &other) { return other.name == axis.name; });
      if (whole == groups.mesh.end())
        return fail(position, "the mesh has no axis '" + axis.name + "'");
      int64_t part = 0;
      if (axis.size != 0 || axis.preSize != 0)
        if (axis.size <= 0 || axis.preSize <= 0 ||
            __builtin_mul_overflow(axis.size, axis.preSize, &part) || whole->size % part != 0)
          return fail(position, "(" + llvm::Twine(axis.preSize) + ")" + llvm::Twine(axis.size) +
                                    " is no part of axis '" + axis.name + "' of size " +
                                    llvm::Twine(whole->size));
    } while (consumeIf(','));
    if (expect('}', "behind axes"))
      return true;
  }
  groups.axes = module.save<AxisRef>(axes);
  return false;
}

bool Reader::parseSharding(Sharding &sharding) {
  if (enter() || expect('{', "before a sharding") || parseShardingBody(sharding) ||
      expect('}', "behind a sharding"))
    return true;
  leave();
  return false;
}

bool Reader::parseShardingBody(Sharding &sharding) {
  using Kind = Sharding::Kind;
  if (peek() == '{' || peek() == '}') {
    sharding.kind = Kind::Tuple;
    llvm::SmallVector<Sharding> elements;
    if (peek() == '{') {
      do {
        if (parseSharding(elements.emplace_back()))
          return true;
      } while (consumeIf(','));
    }
    sharding.elements = module.save<Sharding>(elements);
    return false;
  }
  const char *start = cursor;
  const StringRef word = takeName();
  if (word == "replicated") {
    sharding.kind = Kind::Replicated;
  } else if (word == "manual") {
    sharding.kind = Kind::Manual;
  } else if (word == "unknown") {
    sharding.kind = Kind::Unknown;
  } else if (word == "unreduced") {
    sharding.kind = Kind::Unreduced;
  } else if (word == "maximal") {
    sharding.kind = Kind::Maximal;
    if (!consumeWord("device") || expect('=', "behind 'device'") || parseInt(sharding.device))
      return errorPosition ? true : failHere("'device=' behind 'maximal'");
  } else if (word == "devices") {
    sharding.kind = Kind::Tiled;
    if (expect('=', "behind 'devices'"))
      return true;
    skipBlank();
    const char *list = cursor;
    if (parseInts(sharding.tile, '[', ']'))
      return true;
    int64_t tiles = 1, devices = 1;
    for (int64_t size : sharding.tile)
      if (size <= 0 || __builtin_mul_overflow(tiles, size, &tiles) || tiles > kMostDevices)
        return fail(list, "expected positive numbers of tiles whose product is at most " +
                              llvm::Twine(kMostDevices));
    if (consumeIf('<')) {
      sharding.isIota = true;
      if (expect('=', "behind '<' of a sharding") || parseIota(sharding.iota))
        return true;
      for (int64_t size : sharding.iota.reshape)
        devices *= size;
    } else {
      llvm::SmallVector<int64_t> ids;
      do {
        if (parseInt(ids.emplace_back()))
          return true;
      } while (consumeIf(','));
      sharding.devices = module.save<int64_t>(ids);
      devices = ids.size();
    }
    if (devices != tiles)
      return fail(list, "the sharding has " + llvm::Twine(tiles) + " tiles for " +
                            llvm::Twine(devices) + " devices");
  } else {
    // A named sharding, or a form to come: kept as it stands.
    cursor = start;
    sharding.kind = Kind::Named;
    int level = 0;
    while (cursor < end && !(*cursor == '}' && level == 0)) {
      level += *cursor == '{' ? 1 : *cursor == '}' ? -1 : 0;
      ++cursor;
    }
    sharding.text = StringRef(start, cursor - start).rtrim();
    return sharding.text.empty() ? failHere("a sharding") : false;
  }
  while (peek() != '}') {
    if (cursor >= end)
      return fail(start, "this sharding is not closed");
    const char *position = cursor;
    const StringRef next = takeName();
    if (next == "last_tile_dim_replicate") {
      sharding.lastTileDimReplicate = true;
    } else if (next == "last_tile_dims") {
      llvm::SmallVector<StringRef> kinds;
      if (expect('=', "behind last_tile_dims") || expect('{', "before kinds of dimensions"))
        return true;
      do {
        if (parseName(kinds.emplace_back(), "replicated, manual or unreduced"))
          return true;
      } while (consumeIf(','));
      if (expect('}', "behind kinds of dimensions"))
        return true;
      sharding.lastTileDims = module.save<StringRef>(kinds);
    } else if (next == "shard_as" || next == "shard_like") {
      int64_t group;
      if (parseInt(group))
        return true;
      sharding.shardGroup = StringRef(position, cursor - position);
    } else if (next == "metadata") {
      Value ignored;
      if (expect('=', "behind metadata") || parseBraced("", ignored))
        return true;
      sharding.text = StringRef(position, cursor - position);
    } else {
      return fail(position, "expected '}' or last_tile_dim_replicate, last_tile_dims, shard_as, "
                            "shard_like, metadata in a sharding");
    }
  }
  return false;
}

// {size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x2 rhs_dilate=1x2 rhs_reversal=1x0}
bool Reader::parseWindow(Value &value) {
  llvm::SmallVector<WindowDim> dims;
  skipBlank();
  const char *open = cursor;
  if (expect('{', "before a window"))
    return true;
  while (!consumeIf('}')) {
    if (cursor >= end)
      return fail(open, "this '{' is not closed");
    StringRef field;
    const char *position = cursor;
    if (parseName(field, "a property of a window") || expect('=', "behind its name"))
      return true;
    if (!llvm::is_contained({"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"},
                            field))
      return fail(position, "expected size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal, "
                            "found '" +
                                field + "'");
    if (parseWindowField(field, dims))
      return true;
  }
  value = module.save<WindowDim>(dims);
  return false;
}

bool Reader::parseWindowField(StringRef field, llvm::SmallVectorImpl<WindowDim> &dims) {
  skipBlank();
  const char *start = cursor;
  size_t number = 0;
  do {
    if (field == "size" && number == dims.size())
      dims.emplace_back();
    if (number >= dims.size())
      return fail(start, "the window has " + llvm::Twine(dims.size()) +
                             " dimensions (its size comes first), here are more");
    WindowDim &dim = dims[number++];
    int64_t reversed = 0;
    if (field == "pad") {
      if (parseInt(dim.padLow) || expect('_', "between amounts of padding") ||
          parseInt(dim.padHigh))
        return true;
    } else if (field == "rhs_reversal") {
      if (parseInt(reversed))
        return true;
      dim.reversed = reversed != 0;
    } else {
      int64_t &target = field == "size"         ? dim.size
                        : field == "stride"     ? dim.stride
                        : field == "lhs_dilate" ? dim.lhsDilation
                                                : dim.rhsDilation;
      if (parseInt(target))
        return true;
    }
  } while (cursor < end && *cursor == 'x' && ++cursor);
  if (number != dims.size())
    return fail(start, "the window has " + llvm::Twine(dims.size()) + " dimensions, here are " +
                           llvm::Twine(number));
  return false;
}

} // namespace tandem::hlo
