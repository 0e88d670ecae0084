// Modules and what holds instructions together: functions, regions, shardings, the program of one
// device.
#include "HloToStablehlo.h"

#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Import/HloImport.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem::hloimport {

llvm::Expected<RankedTensorType> tensorType(const hlo::Module &module, const Shape &shape,
                                            MLIRContext *context, const char *position) {
  Type element;
  switch (shape.dtype) {
  case DType::Pred:
    element = IntegerType::get(context, 1);
    break;
  case DType::C64:
    element = ComplexType::get(Float32Type::get(context));
    break;
  case DType::C128:
    element = ComplexType::get(Float64Type::get(context));
    break;
  default:
    if (hlo::isSigned(shape.dtype))
      element = IntegerType::get(context, bitsOf(shape.dtype));
    else if (hlo::isUnsigned(shape.dtype))
      element = IntegerType::get(context, bitsOf(shape.dtype), IntegerType::Unsigned);
    else if (shape.isArray()) {
      // f8e4m3fn is written f8E4M3FN.
      std::string name = hlo::nameOf(shape.dtype).str();
      if (StringRef(name).starts_with("f8") || StringRef(name).starts_with("f4"))
        name = name.substr(0, 2) + StringRef(name).drop_front(2).upper();
      element = parseType(name, context);
    }
  }
  if (!element || shape.isBuffer)
    return hlo::errorAt(module, position,
                        "values of the shape " + print(shape, false) +
                            " are not supported, expected an array");
  if (llvm::is_contained(shape.dynamic, true))
    return hlo::errorAt(module, position,
                        "the shape " + print(shape, false) +
                            " has a dynamic dimension, expected static ones; give the program "
                            "arguments of fixed shapes");
  return RankedTensorType::get(shape.dims, element);
}

std::string unescape(StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      ++i;
    plain += text[i];
  }
  return plain;
}

Importer::Importer(const hlo::Module &module, ModuleOp target)
    : module(module), target(target), context(target.getContext()) {}

llvm::Error Importer::error(const Instruction &instruction, const llvm::Twine &message) {
  return hlo::errorAt(module, instruction.position, message);
}

Location Importer::locationOf(const Instruction &instruction) {
  Location place = UnknownLoc::get(context);
  if (instruction.position) {
    auto [line, column] = module.lineAndColumn(instruction.position);
    place = FileLineColLoc::get(context, module.getSource(), line, column);
  }
  StringRef name = instruction.opName();
  return NameLoc::get(StringAttr::get(context, name.empty() ? instruction.name : name), place);
}

llvm::Expected<SmallVector<Type>> Importer::typesOf(const Shape &shape, const char *position) {
  SmallVector<const Shape *> leaves;
  std::vector<const Shape *> found;
  appendLeaves(shape, found);
  SmallVector<Type> types;
  for (const Shape *leaf : found) {
    if (leaf->dtype == DType::Token) {
      types.push_back(stablehlo::TokenType::get(context));
      continue;
    }
    llvm::Expected<RankedTensorType> type = tensorType(module, *leaf, context, position);
    if (!type)
      return type.takeError();
    types.push_back(*type);
  }
  return types;
}

llvm::Expected<func::FuncOp> Importer::functionOf(const Computation &computation) {
  if (func::FuncOp function = functions.lookup(&computation))
    return function;
  SmallVector<Type> inputs;
  SmallVector<unsigned> counts;
  for (const Instruction *parameter : computation.parameters) {
    llvm::Expected<SmallVector<Type>> types = typesOf(*parameter->shape, parameter->position);
    if (!types)
      return types.takeError();
    counts.push_back(types->size());
    inputs.append(types->begin(), types->end());
  }
  llvm::Expected<SmallVector<Type>> results =
      typesOf(*computation.root->shape, computation.root->position);
  if (!results)
    return results.takeError();
  const StringRef name = computation.isEntry ? StringRef("main") : computation.name;
  auto function = func::FuncOp::create(locationOf(*computation.root), name,
                                       FunctionType::get(context, inputs, *results));
  function.setVisibility(computation.isEntry ? SymbolTable::Visibility::Public
                                             : SymbolTable::Visibility::Private);
  target.push_back(function);
  functions[&computation] = function;

  Block *block = function.addEntryBlock();
  SmallVector<Leaves> arguments;
  unsigned next = 0;
  for (auto [parameter, count] : llvm::zip_equal(computation.parameters, counts)) {
    for (unsigned i = 0; i < count; ++i)
      block->getArgument(next + i).setLoc(locationOf(*parameter));
    auto values = block->getArguments().slice(next, count);
    arguments.emplace_back(values.begin(), values.end());
    next += count;
  }
  OpBuilder b = OpBuilder::atBlockEnd(block);
  llvm::Expected<Leaves> root = importBody(b, computation, arguments);
  if (!root)
    return root.takeError();
  func::ReturnOp::create(b, function.getLoc(), *root);
  return function;
}

llvm::Expected<Leaves> Importer::importBody(OpBuilder &b, const Computation &computation,
                                            ArrayRef<Leaves> arguments) {
  std::vector<Leaves> values(computation.instructions.size()); // by index
  SmallVector<Leaves> operands;
  for (const Instruction *i : computation.instructions) {
    operands.clear();
    for (const Instruction *operand : i->operands)
      operands.push_back(values[operand->index]);
    if (i->base == Opcode::Parameter) {
      values[i->index] = arguments[i->parameter];
      continue;
    }
    llvm::Expected<std::optional<Leaves>> control = importControl(b, *i, operands);
    if (!control)
      return control.takeError();
    if (*control) {
      values[i->index] = std::move(**control);
      continue;
    }
    llvm::Expected<Leaves> result = importOp(b, *i, operands);
    if (!result)
      return result.takeError();
    values[i->index] = std::move(*result);
  }
  return values[computation.root->index];
}

llvm::Error Importer::fillRegion(Region &region, const Computation &computation,
                                 ArrayRef<Type> types, ArrayRef<unsigned> leavesOfParameters) {
  OpBuilder b(context);
  Block *block = b.createBlock(&region);
  SmallVector<Leaves> arguments;
  unsigned next = 0;
  Location loc = locationOf(*computation.root);
  for (unsigned count : leavesOfParameters) {
    Leaves &leaves = arguments.emplace_back();
    for (unsigned i = 0; i < count; ++i)
      leaves.push_back(block->addArgument(types[next++], loc));
  }
  llvm::Expected<Leaves> root = importBody(b, computation, arguments);
  if (!root)
    return root.takeError();
  stablehlo::ReturnOp::create(b, loc, *root);
  return llvm::Error::success();
}

namespace {

// What the text says of one argument or result of the program.
struct Signature {
  const Shape *shape = nullptr;
  const Sharding *sharding = nullptr; // null: the text does not say
};

SmallVector<Signature> signaturesOf(const Shape &shape, const Sharding *sharding) {
  SmallVector<Signature> signatures;
  std::vector<const Shape *> leaves;
  appendLeaves(shape, leaves);
  const bool tuple = sharding && sharding->kind == Sharding::Kind::Tuple;
  for (auto [index, leaf] : llvm::enumerate(leaves)) {
    const Sharding *own = sharding;
    if (tuple)
      own = index < sharding->elements.size() ? &sharding->elements[index] : nullptr;
    signatures.push_back({leaf, own});
  }
  return signatures;
}

SmallVector<Signature> argumentsOf(const hlo::Module &module) {
  SmallVector<Signature> signatures;
  for (const Instruction *parameter : module.entry->parameters)
    signatures.append(signaturesOf(*parameter->shape, parameter->sharding()));
  return signatures;
}

SmallVector<Signature> resultsOf(const hlo::Module &module) {
  return signaturesOf(*module.entry->root->shape, module.entry->root->sharding());
}

// The results of the entry, one by one, where they are arrays.
SmallVector<const Instruction *> resultInstructions(const hlo::Module &module) {
  const Instruction *root = module.entry->root;
  if (root->base == Opcode::Tuple)
    return SmallVector<const Instruction *>(root->operands.begin(), root->operands.end());
  return {root};
}

DictionaryAttr meshesOf(const hlo::Module &module, MLIRContext *context) {
  StringRef text = module.dictValue("frontend_attributes", "xla.sdy.meshes");
  if (text.empty())
    return {};
  return llvm::dyn_cast_or_null<DictionaryAttr>(parseAttribute(unescape(text), context));
}

// What Shardy's form says of a result: its last constraint, or where a manual computation ends.
// Null where it says nothing, or leaves a dimension to the compiler.
sdy::TensorShardingAttr sdyResultSharding(const Instruction &result, MLIRContext *context) {
  const Instruction *i = &result;
  int64_t element = 0;
  if (i->base == Opcode::GetTupleElement) {
    element = i->integer("index").value_or(0);
    i = i->operands[0];
  }
  StringRef target = i->word("custom_call_target");
  StringRef key = target == "xla.sdy.LocalToGlobalShape" ? "xla.sdy.out_shardings"
                  : target == "Sharding" || target == "xla.sdy.FuncResultSharding"
                      ? "xla.sdy.sharding"
                      : "";
  StringRef text = key.empty() ? StringRef() : i->dictValue("frontend_attributes", key);
  if (text.empty())
    return {};
  auto list = llvm::dyn_cast_or_null<sdy::TensorShardingPerValueAttr>(
      parseAttribute(unescape(text), context));
  if (!list || element >= static_cast<int64_t>(list.getShardings().size()))
    return {};
  sdy::TensorShardingAttr sharding = list.getShardings()[element];
  for (sdy::DimensionShardingAttr dim : sharding.getDimShardings())
    if (!dim.getIsClosed())
      return {};
  return sharding;
}

// The same as HLO writes it; null for parts of axes.
const Sharding *toHlo(sdy::TensorShardingAttr sharding, DictionaryAttr meshes,
                      llvm::BumpPtrAllocator &arena) {
  auto name = llvm::dyn_cast<FlatSymbolRefAttr>(sharding.getMeshOrRef());
  auto mesh = name && meshes ? llvm::dyn_cast_or_null<sdy::MeshAttr>(meshes.get(name.getAttr()))
                             : sdy::MeshAttr();
  if (!mesh || !mesh.getDeviceIds().empty())
    return nullptr;
  SmallVector<int64_t> sizes, order, tile;
  for (sdy::MeshAxisAttr axis : mesh.getAxes())
    sizes.push_back(axis.getSize());
  for (sdy::DimensionShardingAttr dim : sharding.getDimShardings()) {
    int64_t tiles = 1;
    for (sdy::AxisRefAttr ref : dim.getAxes()) {
      auto *axis = llvm::find_if(
          mesh.getAxes(), [&](sdy::MeshAxisAttr each) { return each.getName() == ref.getName(); });
      if (ref.getSubAxisInfo() || axis == mesh.getAxes().end())
        return nullptr;
      order.push_back(axis - mesh.getAxes().begin());
      tiles *= axis->getSize();
    }
    tile.push_back(tiles);
  }
  auto *made = new (arena.Allocate<Sharding>()) Sharding;
  if (order.empty())
    return made; // replicated
  int64_t rest = 1;
  for (int64_t axis = 0; axis < static_cast<int64_t>(sizes.size()); ++axis)
    if (!llvm::is_contained(order, axis)) {
      rest *= sizes[axis];
      order.push_back(axis);
    }
  made->kind = Sharding::Kind::Tiled;
  made->lastTileDimReplicate = rest > 1;
  if (rest > 1)
    tile.push_back(rest);
  made->tile = ArrayRef<int64_t>(tile).copy(arena);
  made->isIota = true;
  made->iota.reshape = ArrayRef<int64_t>(sizes).copy(arena);
  if (!llvm::is_sorted(order))
    made->iota.permutation = ArrayRef<int64_t>(order).copy(arena);
  return made;
}

// Number of the leaf of `shapes` that the path leads to.
std::optional<unsigned> leafOf(ArrayRef<const Shape *> shapes, int64_t number,
                               ArrayRef<int64_t> path) {
  unsigned leaf = 0;
  std::vector<const Shape *> leaves;
  auto skipTo = [&](ArrayRef<const Shape *> row, int64_t index) -> const Shape * {
    if (index < 0 || index >= static_cast<int64_t>(row.size()))
      return nullptr;
    for (const Shape *before : row.take_front(index)) {
      leaves.clear();
      appendLeaves(*before, leaves);
      leaf += leaves.size();
    }
    return row[index];
  };
  const Shape *shape = skipTo(shapes, number);
  for (int64_t index : path)
    shape = shape && shape->isTuple() ? skipTo(shape->elements, index) : nullptr;
  return shape && !shape->isTuple() ? std::optional(leaf) : std::nullopt;
}

class ModuleImporter {
public:
  ModuleImporter(const hlo::Module &module, MLIRContext *context, const hlo::Module *before)
      : module(module), before(before), b(context),
        target(ModuleOp::create(UnknownLoc::get(context))), importer(module, *target) {}

  llvm::Expected<OwningOpRef<ModuleOp>> run() {
    if (!module.entry)
      return hlo::errorAt(module, nullptr, "the module has no ENTRY computation");
    std::string name = module.name.str();
    target->setSymName(name);
    (*target)->setAttr("mhlo.num_partitions", b.getI32IntegerAttr(module.partitions()));
    (*target)->setAttr("mhlo.num_replicas", b.getI32IntegerAttr(module.replicas()));
    const bool perDevice = module.entry->name.ends_with("_spmd");
    if (!perDevice)
      if (llvm::Error error = readMeshes())
        return error;
    llvm::Expected<func::FuncOp> main = importer.functionOf(*module.entry);
    if (!main)
      return main.takeError();
    if (llvm::Error error = perDevice ? wrap(*main) : annotate(*main))
      return error;
    func::FuncOp entry = target->lookupSymbol<func::FuncOp>("main");
    if (llvm::Error error = addAliases(entry))
      return error;
    if (failed(verify(*target)))
      return hlo::errorAt(module, nullptr, "what became of the module does not verify");
    return std::move(target);
  }

private:
  llvm::Error readMeshes() {
    StringRef text = module.dictValue("frontend_attributes", "xla.sdy.meshes");
    if (text.empty())
      return llvm::Error::success();
    DictionaryAttr meshes = meshesOf(module, b.getContext());
    if (!meshes)
      return hlo::errorAt(module, nullptr,
                          "xla.sdy.meshes: found '" + text +
                              "', expected {name = #sdy.mesh<..>, ..}");
    b.setInsertionPointToStart(target->getBody());
    for (NamedAttribute entry : meshes) {
      auto mesh = llvm::dyn_cast<sdy::MeshAttr>(entry.getValue());
      if (!mesh)
        return hlo::errorAt(module, nullptr,
                            "xla.sdy.meshes: expected #sdy.mesh<..> for '" +
                                entry.getName().getValue() + "'");
      sdy::MeshOp::create(b, target->getLoc(), entry.getName(), mesh);
    }
    importer.hasMeshes = !meshes.empty();
    return llvm::Error::success();
  }

  StringAttr textOf(const Sharding &sharding) { return b.getStringAttr(print(sharding)); }

  // Shardings of a module before partitioning, on the arguments and results of @main.
  llvm::Error annotate(func::FuncOp main) {
    unsigned next = 0;
    for (const Instruction *parameter : module.entry->parameters) {
      SmallVector<Signature> leaves = signaturesOf(*parameter->shape, parameter->sharding());
      for (const Signature &leaf : leaves) {
        const unsigned index = next++;
        if (!importer.hasMeshes) {
          if (leaf.sharding)
            main.setArgAttr(index, "mhlo.sharding", textOf(*leaf.sharding));
          continue;
        }
        llvm::Error error = llvm::Error::success();
        Attribute attr = importer.sdyAttribute(*parameter, "xla.sdy.sharding", error);
        if (error)
          return error;
        if (attr && leaves.size() == 1)
          main.setArgAttr(index, sdy::kShardingAttr, attr);
      }
    }
    if (!importer.hasMeshes) {
      for (auto [index, leaf] : llvm::enumerate(resultsOf(module)))
        if (leaf.sharding)
          main.setResultAttr(index, "mhlo.sharding", textOf(*leaf.sharding));
      return llvm::Error::success();
    }
    // Shardy marks results with a call of @xla.sdy.FuncResultSharding.
    SmallVector<const Instruction *> results = resultInstructions(module);
    if (results.size() != main.getNumResults())
      return llvm::Error::success();
    for (auto [index, result] : llvm::enumerate(results))
      if (result->word("custom_call_target") == "xla.sdy.FuncResultSharding")
        if (sdy::TensorShardingAttr attr = sdyResultSharding(*result, b.getContext()))
          main.setResultAttr(index, sdy::kShardingAttr, attr);
    return llvm::Error::success();
  }

  // The shape that `local` is one device's part of.
  llvm::Expected<RankedTensorType> globalType(const Signature &local, const Sharding &sharding,
                                              const Shape *whole, const Twine &what) {
    llvm::Expected<RankedTensorType> type =
        tensorType(module, *local.shape, b.getContext(), module.entry->position);
    if (!type)
      return type.takeError();
    SmallVector<int64_t> dims(type->getShape());
    if (sharding.kind == Sharding::Kind::Tiled)
      for (auto [dim, tiles] : llvm::zip(dims, sharding.tile))
        dim *= tiles;
    if (whole && (whole->dtype != local.shape->dtype || whole->dims != ArrayRef<int64_t>(dims)))
      return hlo::errorAt(module, module.entry->position,
                          what + " is " + print(*local.shape, false) + " on each device, cut as " +
                              print(sharding) + "; it cannot be the whole of a " +
                              print(*whole, false) + ", as the module before partitioning has it");
    return RankedTensorType::get(dims, type->getElementType());
  }

  Value call(StringRef target, Value input, Type type, StringAttr sharding) {
    auto op = stablehlo::CustomCallOp::create(
        b, input.getLoc(), TypeRange{type}, ValueRange{input},
        {b.getNamedAttr("call_target_name", b.getStringAttr(target))});
    op->setAttr("mhlo.sharding", sharding);
    return op->getResult(0);
  }

  // @main over whole arrays around the program of one device, in the form of @SPMDFullToShardShape.
  llvm::Error wrap(func::FuncOp local) {
    SymbolTable(*target).rename(local, b.getStringAttr("per_device")).succeeded();
    local.setPrivate();
    SmallVector<Signature> arguments = argumentsOf(module), results = resultsOf(module);
    SmallVector<Signature> wholeArguments, wholeResults;
    if (before) {
      wholeArguments = argumentsOf(*before);
      wholeResults = resultsOf(*before);
      DictionaryAttr meshes = meshesOf(*before, b.getContext());
      SmallVector<const Instruction *> instructions = resultInstructions(*before);
      if (meshes && instructions.size() == wholeResults.size())
        for (auto [signature, instruction] : llvm::zip_equal(wholeResults, instructions)) {
          if (auto sharding = sdyResultSharding(*instruction, b.getContext()))
            signature.sharding = toHlo(sharding, meshes, arena);
          else if (!instruction->dictValue("frontend_attributes", "xla.sdy.sharding").empty())
            signature.sharding = nullptr; // partly left to the compiler
        }
      if (wholeArguments.size() != arguments.size() || wholeResults.size() != results.size())
        return hlo::errorAt(module, module.entry->position,
                            "the module has " + Twine(arguments.size()) + " arguments and " +
                                Twine(results.size()) + " results, " + before->getSource() +
                                " has " + Twine(wholeArguments.size()) + " and " +
                                Twine(wholeResults.size()));
    }
    static const Sharding replicated;
    auto shardingOf = [](const Signature &own, ArrayRef<Signature> whole, unsigned index) {
      const Sharding *known = own.sharding;
      if (!known && index < whole.size())
        known = whole[index].sharding;
      return known;
    };

    SmallVector<Type> types;
    SmallVector<const Sharding *> shardings;
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      const Sharding *sharding = shardingOf(argument, wholeArguments, index);
      shardings.push_back(sharding ? sharding : &replicated);
      llvm::Expected<RankedTensorType> type =
          globalType(argument, *shardings.back(), before ? wholeArguments[index].shape : nullptr,
                     "argument " + Twine(index));
      if (!type)
        return type.takeError();
      types.push_back(*type);
    }
    const StringAttr manual = b.getStringAttr("{manual}");
    auto main = func::FuncOp::create(local.getLoc(), "main", b.getFunctionType(types, {}));
    target->push_back(main);
    Block *block = main.addEntryBlock();
    b.setInsertionPointToStart(block);
    SmallVector<Value> values;
    for (auto [argument, localType, sharding] :
         llvm::zip_equal(block->getArguments(), local.getArgumentTypes(), shardings)) {
      argument.setLoc(local.getArgument(argument.getArgNumber()).getLoc());
      StringAttr text = textOf(*sharding);
      main.setArgAttr(argument.getArgNumber(), "mhlo.sharding", text);
      Value cut = call("Sharding", argument, argument.getType(), text);
      values.push_back(call("SPMDFullToShardShape", cut, localType, manual));
    }
    auto called = func::CallOp::create(b, local.getLoc(), local, values);

    SmallVector<Value> returned;
    SmallVector<StringAttr> texts;
    for (auto [index, result] : llvm::enumerate(results)) {
      const Sharding *sharding = shardingOf(result, wholeResults, index);
      if (std::optional<unsigned> shared = argumentOf(index); shared && !sharding)
        sharding = shardings[*shared];
      Value value = called.getResult(index);
      auto localType = llvm::cast<RankedTensorType>(value.getType());
      Type type;
      if (sharding) {
        llvm::Expected<RankedTensorType> whole =
            globalType(result, *sharding, before ? wholeResults[index].shape : nullptr,
                       "result " + Twine(index));
        if (!whole)
          return whole.takeError();
        type = *whole;
        texts.push_back(textOf(*sharding));
      } else {
        // One entry for each device, ahead of the dimensions that it has.
        SmallVector<int64_t> dims(localType.getShape());
        dims.insert(dims.begin(), 1);
        {
          OpBuilder inside(local.front().getTerminator());
          Operation *end = local.front().getTerminator();
          end->setOperand(index, stablehlo::ReshapeOp::create(
                                     inside, value.getLoc(),
                                     RankedTensorType::get(dims, localType.getElementType()),
                                     end->getOperand(index)));
        }
        value.setType(RankedTensorType::get(dims, localType.getElementType()));
        dims[0] = module.partitions();
        type = RankedTensorType::get(dims, localType.getElementType());
        std::string text = "{devices=[" + std::to_string(module.partitions());
        for (int64_t i = 0; i < localType.getRank(); ++i)
          text += ",1";
        text += "]<=[" + std::to_string(module.partitions()) + "]}";
        texts.push_back(b.getStringAttr(text));
      }
      Value marked = call("Sharding", value, value.getType(), manual);
      returned.push_back(call("SPMDShardToFullShape", marked, type, texts.back()));
    }
    local.setFunctionType(b.getFunctionType(local.getArgumentTypes(), called->getResultTypes()));
    func::ReturnOp::create(b, local.getLoc(), returned);
    main.setFunctionType(b.getFunctionType(types, TypeRange(ValueRange(returned))));
    for (auto [index, text] : llvm::enumerate(texts))
      main.setResultAttr(index, "mhlo.sharding", text);
    return llvm::Error::success();
  }

  // The argument that a result shares its bytes with.
  std::optional<unsigned> argumentOf(unsigned result) {
    for (const Alias &alias : module.aliases())
      if (std::optional<unsigned> output = resultLeaf(alias.outputIndex);
          output && *output == result)
        return argumentLeaf(alias.parameter, alias.parameterIndex);
    return std::nullopt;
  }
  std::optional<unsigned> resultLeaf(ArrayRef<int64_t> path) {
    return leafOf({module.entry->root->shape}, 0, path);
  }
  std::optional<unsigned> argumentLeaf(int64_t parameter, ArrayRef<int64_t> path) {
    SmallVector<const Shape *> shapes;
    for (const Instruction *each : module.entry->parameters)
      shapes.push_back(each->shape);
    return leafOf(shapes, parameter, path);
  }

  llvm::Error addAliases(func::FuncOp main) {
    for (const Alias &alias : module.aliases()) {
      std::optional<unsigned> result = resultLeaf(alias.outputIndex);
      std::optional<unsigned> argument = argumentLeaf(alias.parameter, alias.parameterIndex);
      if (!result || !argument || *result >= main.getNumResults())
        return hlo::errorAt(module, nullptr,
                            "input_output_alias names parameter " + Twine(alias.parameter) +
                                " or a result that the entry computation does not have");
      if (main.getArgumentTypes()[*argument] == main.getResultTypes()[*result])
        main.setArgAttr(*argument, "tf.aliasing_output", b.getI32IntegerAttr(*result));
    }
    for (const Donor &donor : module.donors())
      if (std::optional<unsigned> argument = argumentLeaf(donor.parameter, donor.parameterIndex))
        main.setArgAttr(*argument, "jax.buffer_donor", b.getBoolAttr(true));
    return llvm::Error::success();
  }

  const hlo::Module &module;
  const hlo::Module *before;
  OpBuilder b;
  OwningOpRef<ModuleOp> target;
  Importer importer;
  llvm::BumpPtrAllocator arena; // of shardings that are made here
};

} // namespace

} // namespace tandem::hloimport

namespace tandem::hlo {

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
toStablehlo(const Module &module, mlir::MLIRContext *context, const Module *before) {
  return hloimport::ModuleImporter(module, context, before).run();
}

} // namespace tandem::hlo
