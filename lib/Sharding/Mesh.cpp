// Mesh arithmetic over prime factors of axes.
#include "tandem/Sharding/Mesh.h"

#include <algorithm>
#include <limits>

namespace tandem {
using namespace mlir;

bool isPrefix(AtomsRef prefix, AtomsRef list) {
  return prefix.size() <= list.size() && list.take_front(prefix.size()) == prefix;
}

size_t commonPrefix(AtomsRef a, AtomsRef b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n])
    ++n;
  return n;
}

bool intersects(AtomsRef a, AtomsRef b) {
  return llvm::any_of(a, [&](uint16_t atom) { return llvm::is_contained(b, atom); });
}

DeviceMesh::DeviceMesh(sdy::MeshAttr mesh, StringAttr name) : mesh(mesh), name(name) {
  for (auto [index, axis] : llvm::enumerate(mesh.getAxes())) {
    firstAtom.push_back(sizes.size());
    int64_t rest = axis.getSize();
    for (int64_t prime = 2; rest > 1; ++prime)
      while (rest % prime == 0) {
        sizes.push_back(prime);
        axisOf.push_back(index);
        rest /= prime;
      }
    numDevices *= axis.getSize();
  }
  firstAtom.push_back(sizes.size());
  strides.resize(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
  if (!mesh.getAxes().empty())
    deviceIds.assign(mesh.getDeviceIds().begin(), mesh.getDeviceIds().end());
}

int64_t DeviceMesh::getSize(AtomsRef atoms) const {
  int64_t size = 1;
  for (uint16_t atom : atoms)
    size *= sizes[atom];
  return size;
}

std::optional<Atoms> DeviceMesh::getAtoms(sdy::AxisRefAttr axis) const {
  for (auto [index, meshAxis] : llvm::enumerate(mesh.getAxes())) {
    if (meshAxis.getName() != axis.getName())
      continue;
    int64_t before = 1, size = meshAxis.getSize();
    if (auto sub = axis.getSubAxisInfo()) {
      before = sub.getPreSize();
      size = sub.getSize();
    }
    Atoms result;
    unsigned atom = firstAtom[index], end = firstAtom[index + 1];
    int64_t skipped = 1, taken = 1;
    while (atom < end && skipped < before)
      skipped *= sizes[atom++];
    while (atom < end && taken < size) {
      taken *= sizes[atom];
      result.push_back(atom++);
    }
    if (skipped != before || taken != size)
      return std::nullopt;
    return result;
  }
  return std::nullopt;
}

std::optional<Atoms> DeviceMesh::getAtoms(ArrayRef<sdy::AxisRefAttr> axes) const {
  Atoms result;
  for (sdy::AxisRefAttr axis : axes) {
    std::optional<Atoms> atoms = getAtoms(axis);
    if (!atoms)
      return std::nullopt;
    result.append(*atoms);
  }
  return result;
}

SmallVector<sdy::AxisRefAttr> DeviceMesh::getAxes(AtomsRef atoms) const {
  SmallVector<sdy::AxisRefAttr> result;
  for (size_t i = 0; i < atoms.size();) {
    unsigned axis = axisOf[atoms[i]];
    size_t end = i + 1;
    while (end < atoms.size() && atoms[end] == atoms[end - 1] + 1 && axisOf[atoms[end]] == axis)
      ++end;
    int64_t before = 1, size = 1;
    for (unsigned atom = firstAtom[axis]; atom < atoms[i]; ++atom)
      before *= sizes[atom];
    for (size_t k = i; k < end; ++k)
      size *= sizes[atoms[k]];
    sdy::MeshAxisAttr meshAxis = mesh.getAxes()[axis];
    result.push_back(
        size == meshAxis.getSize()
            ? sdy::AxisRefAttr::get(mesh.getContext(), meshAxis.getName())
            : sdy::AxisRefAttr::get(mesh.getContext(), meshAxis.getName(), before, size));
    i = end;
  }
  return result;
}

SmallVector<StringRef> DeviceMesh::getAxisNames(AtomsRef atoms) const {
  SmallVector<StringRef> names;
  for (uint16_t atom : atoms) {
    StringRef axis = mesh.getAxes()[axisOf[atom]].getName();
    if (!llvm::is_contained(names, axis))
      names.push_back(axis);
  }
  return names;
}

int64_t DeviceMesh::getCoordinate(int64_t position, AtomsRef atoms) const {
  int64_t coordinate = 0;
  for (uint16_t atom : atoms)
    coordinate = coordinate * sizes[atom] + (position / strides[atom]) % sizes[atom];
  return coordinate;
}

Atoms DeviceMesh::getOthers(AtomsRef atoms) const {
  Atoms others;
  for (uint16_t atom = 0; atom < sizes.size(); ++atom)
    if (!llvm::is_contained(atoms, atom))
      others.push_back(atom);
  return others;
}

SmallVector<SmallVector<int64_t>> DeviceMesh::getGroups(AtomsRef atoms) const {
  Atoms others = getOthers(atoms);
  SmallVector<SmallVector<int64_t>> groups(getSize(others),
                                           SmallVector<int64_t>(getSize(atoms), 0));
  for (int64_t position = 0; position < numDevices; ++position)
    groups[getCoordinate(position, others)][getCoordinate(position, atoms)] = getDeviceId(position);
  return groups;
}

DenseIntElementsAttr DeviceMesh::getReplicaGroups(AtomsRef atoms) const {
  SmallVector<SmallVector<int64_t>> groups = getGroups(atoms);
  SmallVector<int64_t> flat;
  for (ArrayRef<int64_t> group : groups)
    flat.append(group.begin(), group.end());
  auto type = RankedTensorType::get({static_cast<int64_t>(groups.size()), getSize(atoms)},
                                    IntegerType::get(mesh.getContext(), 64));
  return DenseIntElementsAttr::get(type, flat);
}

Atoms DeviceMesh::getAtomsOfGroups(DenseIntElementsAttr groups) const {
  Atoms atoms;
  if (groups.empty())
    return getOthers({});
  SmallVector<int64_t> positionOf(numDevices, -1);
  for (int64_t position = 0; position < numDevices; ++position)
    if (int64_t id = getDeviceId(position); id >= 0 && id < numDevices)
      positionOf[id] = position;
  auto ids = llvm::to_vector(groups.getValues<int64_t>());
  int64_t width = groups.getType().getShape().back();
  auto isDevice = [&](int64_t id) { return id >= 0 && id < numDevices; };
  for (uint16_t atom = 0; atom < sizes.size(); ++atom)
    for (size_t i = 0; i < ids.size(); ++i) {
      int64_t first = ids[i / width * width];
      if (isDevice(first) && isDevice(ids[i]) &&
          getCoordinate(positionOf[first], {atom}) != getCoordinate(positionOf[ids[i]], {atom})) {
        atoms.push_back(atom);
        break;
      }
    }
  return atoms;
}

FailureOr<MeshSet> MeshSet::get(ModuleOp module) {
  MeshSet set;
  for (auto op : module.getOps<sdy::MeshOp>()) {
    if (int64_t devices = op.getMesh().getTotalSize(); devices > DeviceMesh::kMaxDevices)
      return op.emitError() << "mesh @" << op.getSymName() << " has "
                            << (devices == std::numeric_limits<int64_t>::max() ? "at least " : "")
                            << devices << " devices, expected at most " << DeviceMesh::kMaxDevices;
    DeviceMesh mesh(op.getMesh(), op.getSymNameAttr());
    if (mesh.getNumDevices() <= 1)
      continue;
    if (!set.meshes.empty()) {
      const DeviceMesh &main = set.getMain();
      bool alike = llvm::equal(main.getAtomSizes(), mesh.getAtomSizes());
      for (int64_t i = 0; alike && i < mesh.getNumDevices(); ++i)
        alike = mesh.getDeviceId(i) == main.getDeviceId(i);
      if (!alike)
        return op.emitError() << "mesh @" << mesh.getName().getValue()
                              << " does not arrange the devices like @" << main.getName().getValue()
                              << "; expected the same devices in the same order, with axis "
                                 "sizes that factor alike";
    }
    set.meshes.push_back(mesh);
  }
  return set;
}

const DeviceMesh *MeshSet::lookup(StringRef name) const {
  for (const DeviceMesh &mesh : meshes)
    if (mesh.getName().getValue() == name)
      return &mesh;
  return nullptr;
}

} // namespace tandem
