// Reading, writing and the fingerprint of ops.
#include "tandem/Cost/Profile.h"

#include <set>

#include "mlir/IR/BuiltinAttributes.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace tandem {

using mlir::Operation;

llvm::Expected<Profile> Profile::parse(llvm::StringRef text, llvm::StringRef source) {
  auto invalid = [&](const llvm::Twine &message) {
    return llvm::createStringError("profile '" + source + "': " + message);
  };
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return invalid(llvm::toString(value.takeError()));
  const llvm::json::Object *root = value->getAsObject();
  if (!root || root->getInteger("tandem_profile") != 1)
    return invalid("expected an object with \"tandem_profile\": 1, as 'tandem run --profile-out' "
                   "writes it");
  const llvm::json::Object *ops = root->getObject("ops");
  if (!ops)
    return invalid("expected an object 'ops'");
  Profile profile;
  for (const auto &[key, entry] : *ops) {
    const llvm::json::Object *fields = entry.getAsObject();
    std::optional<int64_t> time = fields ? fields->getInteger("picoseconds") : std::nullopt;
    if (!time || *time < 0)
      return invalid("'" + llvm::StringRef(key) +
                     "': expected {\"picoseconds\": a number that is not negative, ...}");
    profile.add(key.str(), {*time, fields->getInteger("samples").value_or(0),
                            fields->getString("name").value_or("").str()});
  }
  return profile;
}

llvm::Expected<Profile> Profile::load(llvm::StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("profile '" + path +
                                   "': cannot be read: " + buffer.getError().message());
  return parse((*buffer)->getBuffer(), path);
}

std::string Profile::toJson() const {
  llvm::json::Object ops;
  for (const auto &[key, entry] : entries)
    ops[key] = llvm::json::Object{{"picoseconds", entry.picoseconds},
                                  {"samples", entry.samples},
                                  {"name", llvm::json::fixUTF8(entry.name)}};
  llvm::json::Object root{{"tandem_profile", 1}, {"ops", std::move(ops)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(root))).str();
}

std::optional<int64_t> Profile::find(llvm::StringRef key) const {
  auto found = entries.find(key);
  return found == entries.end() ? std::nullopt : std::optional(found->second.picoseconds);
}

namespace {

bool isProfiled(Operation *op) {
  return llvm::isa<KernelOp, GemmOp, ConvOp, CallOp, CopyOp, StartOp, RematOp>(op);
}

// Where the op stands and what later phases note on it says nothing of its time.
bool describesPlace(llvm::StringRef attribute) {
  return attribute == "symbol" || attribute == "in_place" || attribute == "channel_handle" ||
         attribute.starts_with("tandem.");
}

void describe(mlir::Attribute value, llvm::raw_ostream &out) {
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!dense || dense.isSplat()) {
    out << value;
    return;
  }
  llvm::ArrayRef<char> data = dense.getRawData(); // text of large constants would be larger yet
  out << dense.getType() << ':'
      << llvm::xxh3_64bits({reinterpret_cast<const uint8_t *>(data.data()), data.size()});
}

void describe(Operation *op, llvm::raw_ostream &out) {
  // Operands by where in the region they come from; those of the op itself by their type.
  out << op->getName() << '(';
  for (mlir::Value operand : op->getOperands())
    out << operand.getType() << ',';
  out << ")->";
  for (mlir::Type type : op->getResultTypes())
    out << type << ',';
  for (mlir::NamedAttribute attribute : op->getAttrDictionary())
    if (!describesPlace(attribute.getName().getValue())) {
      out << ' ' << attribute.getName().getValue() << '=';
      describe(attribute.getValue(), out);
    }
}

} // namespace

std::string profileKey(Operation *op) {
  if (!isProfiled(op))
    return "";
  std::string text;
  llvm::raw_string_ostream out(text);
  describe(op, out);
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  auto number = [&](mlir::Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  };
  for (mlir::Region &region : op->getRegions())
    region.walk<mlir::WalkOrder::PreOrder>([&](Operation *inner) {
      out << ';';
      describe(inner, out);
      for (mlir::Value operand : inner->getOperands())
        out << " %" << number(operand);
      for (mlir::Value result : inner->getResults())
        out << " =%" << number(result);
    });
  return (op->getName().getStringRef() + " " +
          llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16))
      .str();
}

ProfileUse useOf(const Profile &profile, Operation *root) {
  ProfileUse use;
  std::set<std::string> asked;
  root->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    std::string key = profileKey(op);
    if (key.empty())
      return mlir::WalkResult::advance();
    ++(profile.find(key) ? use.measured : use.predicted);
    asked.insert(std::move(key));
    return mlir::WalkResult::skip();
  });
  for (const auto &[key, entry] : profile.getEntries())
    use.unused += !asked.count(key);
  return use;
}

} // namespace tandem
