// One instruction, one op: opcodes and attributes. An opcode that is not listed here has the op of
// the same name, with the attributes that both spell alike.
#include "HloToStablehlo.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem::hloimport {
namespace {

using NamedAttrs = SmallVector<NamedAttribute>;

// `all-gather` is all_gather; these differ.
StringRef opNameOf(Opcode opcode) {
  switch (opcode) {
  case Opcode::Broadcast:
    return "stablehlo.broadcast_in_dim";
  case Opcode::Dot:
    return "stablehlo.dot_general";
  case Opcode::Acos:
    return "chlo.acos";
  case Opcode::Acosh:
    return "chlo.acosh";
  case Opcode::Asin:
    return "chlo.asin";
  case Opcode::Asinh:
    return "chlo.asinh";
  case Opcode::Atanh:
    return "chlo.atanh";
  case Opcode::Cosh:
    return "chlo.cosh";
  case Opcode::Sinh:
    return "chlo.sinh";
  case Opcode::Erf:
    return "chlo.erf";
  case Opcode::TopK:
    return "chlo.top_k";
  default:
    return "";
  }
}

class OpImporter {
public:
  OpImporter(Importer &importer, OpBuilder &b, const Instruction &i, ArrayRef<Leaves> operands)
      : importer(importer), b(b), i(i) {
    for (const Leaves &operand : operands)
      inputs.append(operand.begin(), operand.end());
  }

  llvm::Expected<Leaves> run();

private:
  llvm::Error error(const llvm::Twine &message) { return importer.error(i, message); }

  void add(StringRef name, Attribute value) { attributes.push_back(b.getNamedAttr(name, value)); }
  void addInts(StringRef name, ArrayRef<int64_t> values) {
    add(name, b.getDenseI64ArrayAttr(values));
  }
  void addInts(StringRef name, StringRef hloName) { addInts(name, i.ints(hloName)); }
  void addInt(StringRef name, int64_t value) { add(name, b.getI64IntegerAttr(value)); }
  // The only element of a list such as dimensions={1}.
  llvm::Error addOnly(StringRef name, StringRef hloName) {
    ArrayRef<int64_t> values = i.ints(hloName);
    if (values.size() != 1)
      return error(hloName + ": expected one dimension");
    addInt(name, values[0]);
    return llvm::Error::success();
  }
  void addBool(StringRef name, bool value) { add(name, b.getBoolAttr(value)); }
  // A word of HLO as the case of an enumeration that MLIR parses: LT, THREE_FRY.
  template <typename Attr, typename Enum>
  llvm::Error addCase(StringRef name, StringRef word, std::optional<Enum> value) {
    if (!value)
      return error("'" + word + "' is no " + name);
    add(name, Attr::get(b.getContext(), *value));
    return llvm::Error::success();
  }
  Attribute padding(ArrayRef<WindowDim> window) {
    SmallVector<int64_t> pairs;
    for (const WindowDim &dim : window)
      pairs.append({dim.padLow, dim.padHigh});
    return DenseIntElementsAttr::get(
        RankedTensorType::get({static_cast<int64_t>(window.size()), 2}, b.getI64Type()), pairs);
  }
  template <typename Field>
  SmallVector<int64_t> column(ArrayRef<WindowDim> window, Field WindowDim::*field) {
    return llvm::map_to_vector(window, [&](const WindowDim &dim) -> int64_t { return dim.*field; });
  }

  llvm::Error addPrecision();
  llvm::Error addDot();
  llvm::Error addConvolution();
  llvm::Error addWindow(bool dilations);
  llvm::Error addGroups(bool globalIds);
  llvm::Error addCustomCall();
  llvm::Error addAttributes();
  // Computations that become regions: attributes' names, by region.
  SmallVector<StringRef> regions() const;

  llvm::Expected<Leaves> importConstant();
  llvm::Expected<Leaves> importAllToAllOfMany();
  llvm::Expected<Leaves> create(StringRef name, ArrayRef<Value> values, ArrayRef<Type> types,
                                ArrayRef<StringRef> bodies);

  Importer &importer;
  OpBuilder &b;
  const Instruction &i;
  SmallVector<Value> inputs;
  NamedAttrs attributes;
  int64_t groupSize = 0; // of the longest replica group, once these are added
};

llvm::Error OpImporter::addPrecision() {
  SmallVector<Attribute> precisions;
  for (StringRef word : i.get<Words>("operand_precision").words) {
    std::optional<stablehlo::Precision> precision = stablehlo::symbolizePrecision(word.upper());
    if (!precision)
      return error("'" + word + "' is no precision, expected default, high or highest");
    precisions.push_back(stablehlo::PrecisionAttr::get(b.getContext(), *precision));
  }
  if (!precisions.empty())
    add("precision_config", b.getArrayAttr(precisions));
  return llvm::Error::success();
}

llvm::Error OpImporter::addDot() {
  add("dot_dimension_numbers",
      stablehlo::DotDimensionNumbersAttr::get(
          b.getContext(), i.ints("lhs_batch_dims"), i.ints("rhs_batch_dims"),
          i.ints("lhs_contracting_dims"), i.ints("rhs_contracting_dims")));
  return addPrecision();
}

llvm::Error OpImporter::addConvolution() {
  const ConvDims *dims = i.get<const ConvDims *>("dim_labels");
  if (!dims)
    return error("the convolution has no dim_labels");
  auto places = [](StringRef text, SmallVector<int64_t> &spatial, char first, char second,
                   int64_t &firstPlace, int64_t &secondPlace) {
    spatial.assign(text.size() - 2, 0);
    for (auto [place, letter] : llvm::enumerate(text)) {
      if (letter == first)
        firstPlace = place;
      else if (letter == second)
        secondPlace = place;
      else if (unsigned(letter - '0') < spatial.size())
        spatial[letter - '0'] = place;
    }
  };
  SmallVector<int64_t> input, kernel, output;
  int64_t ib = 0, ifeature = 0, ki = 0, ko = 0, ob = 0, of = 0;
  if (dims->input.size() < 2 || dims->kernel.size() != dims->input.size() ||
      dims->output.size() != dims->input.size())
    return error("dim_labels: expected as many dimensions of input, kernel and output");
  places(dims->input, input, 'b', 'f', ib, ifeature);
  places(dims->kernel, kernel, 'i', 'o', ki, ko);
  places(dims->output, output, 'b', 'f', ob, of);
  add("dimension_numbers",
      stablehlo::ConvDimensionNumbersAttr::get(b.getContext(), ib, ifeature, input, ki, ko, kernel,
                                               ob, of, output));
  ArrayRef<WindowDim> window = i.get<ArrayRef<WindowDim>>("window");
  addInts("window_strides", column(window, &WindowDim::stride));
  add("padding", padding(window));
  addInts("lhs_dilation", column(window, &WindowDim::lhsDilation));
  addInts("rhs_dilation", column(window, &WindowDim::rhsDilation));
  SmallVector<bool> reversed =
      llvm::map_to_vector(window, [](const WindowDim &dim) { return dim.reversed; });
  add("window_reversal", b.getDenseBoolArrayAttr(reversed));
  addInt("feature_group_count", i.integer("feature_group_count").value_or(1));
  addInt("batch_group_count", i.integer("batch_group_count").value_or(1));
  return addPrecision();
}

llvm::Error OpImporter::addWindow(bool dilations) {
  ArrayRef<WindowDim> window = i.get<ArrayRef<WindowDim>>("window");
  addInts("window_dimensions", column(window, &WindowDim::size));
  addInts("window_strides", column(window, &WindowDim::stride));
  if (dilations) {
    addInts("base_dilations", column(window, &WindowDim::lhsDilation));
    addInts("window_dilations", column(window, &WindowDim::rhsDilation));
  }
  add("padding", padding(window));
  return llvm::Error::success();
}

// HLO pads shorter groups of a list with nothing, ours with -1.
llvm::Error OpImporter::addGroups(bool globalIds) {
  const int64_t devices = importer.getModule().partitions() * importer.getModule().replicas();
  std::vector<std::vector<int64_t>> groups;
  if (const ReplicaGroups *given = i.get<const ReplicaGroups *>("replica_groups"))
    groups = given->expand(devices);
  const bool ofPartitions = i.integer("channel_id").has_value();
  // Ids are those of partitions or of all devices, which are the same with one replica.
  if (importer.getModule().replicas() > 1 && importer.getModule().partitions() > 1)
    return error("modules with both replicas and partitions are not supported, found " +
                 llvm::Twine(importer.getModule().replicas()) + " and " +
                 llvm::Twine(importer.getModule().partitions()));
  const bool everyone =
      groups.empty() || (ofPartitions && !i.isTrue("use_global_device_ids") && globalIds &&
                         groups.size() == 1 && groups[0] == std::vector<int64_t>{0});
  if (everyone) {
    groups.assign(1, {});
    for (int64_t device = 0; device < devices; ++device)
      groups[0].push_back(device);
  }
  size_t longest = 0;
  for (const std::vector<int64_t> &group : groups)
    longest = std::max(longest, group.size());
  SmallVector<int64_t> ids;
  for (std::vector<int64_t> &group : groups) {
    group.resize(longest, -1);
    ids.append(group.begin(), group.end());
  }
  groupSize = static_cast<int64_t>(longest);
  add("replica_groups",
      DenseIntElementsAttr::get(
          RankedTensorType::get(
              {static_cast<int64_t>(groups.size()), static_cast<int64_t>(longest)}, b.getI64Type()),
          ids));
  if (std::optional<int64_t> channel = i.integer("channel_id")) {
    add("channel_handle", stablehlo::ChannelHandleAttr::get(b.getContext(), *channel, 1));
    if (globalIds)
      add("use_global_device_ids", b.getUnitAttr());
  }
  return llvm::Error::success();
}

llvm::Error OpImporter::addCustomCall() {
  add("call_target_name", b.getStringAttr(i.word("custom_call_target")));
  if (i.isTrue("custom_call_has_side_effect"))
    addBool("has_side_effect", true);
  if (StringRef word = i.word("api_version"); !word.empty()) {
    std::optional<stablehlo::CustomCallApiVersion> version =
        stablehlo::symbolizeCustomCallApiVersion(word);
    if (!version)
      return error("'" + word + "' is no api_version, expected e.g. API_VERSION_TYPED_FFI");
    add("api_version", stablehlo::CustomCallApiVersionAttr::get(b.getContext(), *version));
  }
  StringRef config = i.backendConfig();
  if (config.starts_with("{")) {
    // Typed foreign functions have theirs in MLIR's own syntax.
    if (Attribute parsed = parseAttribute(config, b.getContext()))
      add("mhlo.backend_config", parsed);
    else
      return error("backend_config: expected a dictionary, {name = value : type}");
  } else if (config.consume_front("\"") && config.consume_back("\"")) {
    add("backend_config", b.getStringAttr(unescape(config)));
  }
  SmallVector<NamedAttribute> entries;
  for (const DictEntry &entry : i.get<Dict>("frontend_attributes").entries)
    if (!entry.key.starts_with("xla.sdy."))
      entries.push_back(b.getNamedAttr(
          entry.key, b.getStringAttr(unescape(i.dictValue("frontend_attributes", entry.key)))));
  if (!entries.empty())
    add("mhlo.frontend_attributes", b.getDictionaryAttr(entries));
  llvm::Error failed = llvm::Error::success();
  if (Attribute rule = importer.sdyAttribute(i, "xla.sdy.sharding_rule", failed))
    add("sdy.sharding_rule", rule);
  if (failed)
    return failed;
  // Layouts are only told of calls that ask for them.
  ArrayRef<const Shape *> constraints = i.get<Shapes>("operand_layout_constraints").shapes;
  if (!constraints.empty()) {
    auto layoutsOf = [&](ArrayRef<const Shape *> shapes) {
      SmallVector<Attribute> layouts;
      for (const Shape *shape : shapes) {
        SmallVector<int64_t> order;
        if (shape->layout)
          order.assign(shape->layout->minorToMajor.begin(), shape->layout->minorToMajor.end());
        else
          order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape->rank())));
        auto type = RankedTensorType::get({static_cast<int64_t>(order.size())}, b.getIndexType());
        layouts.push_back(DenseIntElementsAttr::get(type, order));
      }
      return b.getArrayAttr(layouts);
    };
    std::vector<const Shape *> results;
    appendLeaves(*i.shape, results);
    add("operand_layouts", layoutsOf(constraints));
    add("result_layouts", layoutsOf(results));
  }
  SmallVector<Attribute> aliases;
  for (const Alias &alias : i.get<ArrayRef<Alias>>("output_to_operand_aliasing"))
    aliases.push_back(stablehlo::OutputOperandAliasAttr::get(
        b.getContext(), alias.outputIndex, alias.parameter, alias.parameterIndex));
  if (!aliases.empty())
    add("output_operand_aliases", b.getArrayAttr(aliases));
  return llvm::Error::success();
}

llvm::Error OpImporter::addAttributes() {
  switch (i.base) {
  case Opcode::Broadcast:
    addInts("broadcast_dimensions", "dimensions");
    break;
  case Opcode::Iota:
    addInt("iota_dimension", i.integer("iota_dimension").value_or(0));
    break;
  case Opcode::Transpose:
    addInts("permutation", "dimensions");
    break;
  case Opcode::Reverse:
  case Opcode::Reduce:
  case Opcode::Map:
    addInts("dimensions", "dimensions");
    break;
  case Opcode::Concatenate:
    return addOnly("dimension", "dimensions");
  case Opcode::GetDimensionSize:
    return addOnly("dimension", "dimensions");
  case Opcode::Slice: {
    SmallVector<int64_t> starts, limits, strides;
    for (const SliceDim &dim : i.get<ArrayRef<SliceDim>>("slice")) {
      starts.push_back(dim.start);
      limits.push_back(dim.limit);
      strides.push_back(dim.stride);
    }
    addInts("start_indices", starts);
    addInts("limit_indices", limits);
    addInts("strides", strides);
    break;
  }
  case Opcode::Pad: {
    SmallVector<int64_t> low, high, interior;
    for (const PadDim &dim : i.get<ArrayRef<PadDim>>("padding")) {
      low.push_back(dim.low);
      high.push_back(dim.high);
      interior.push_back(dim.interior);
    }
    addInts("edge_padding_low", low);
    addInts("edge_padding_high", high);
    addInts("interior_padding", interior);
    break;
  }
  case Opcode::DynamicSlice:
    addInts("slice_sizes", "dynamic_slice_sizes");
    break;
  case Opcode::Compare: {
    StringRef direction = i.word("direction"), type = i.word("type");
    if (llvm::Error e = addCase<stablehlo::ComparisonDirectionAttr>(
            "comparison_direction", direction, stablehlo::symbolizeComparisonDirection(direction)))
      return e;
    if (!type.empty())
      return addCase<stablehlo::ComparisonTypeAttr>("compare_type", type,
                                                    stablehlo::symbolizeComparisonType(type));
    break;
  }
  case Opcode::Dot:
    return addDot();
  case Opcode::Convolution:
    return addConvolution();
  case Opcode::ReduceWindow:
    return addWindow(/*dilations=*/true);
  case Opcode::SelectAndScatter:
    return addWindow(/*dilations=*/false);
  case Opcode::Gather:
    add("dimension_numbers",
        stablehlo::GatherDimensionNumbersAttr::get(
            b.getContext(), i.ints("offset_dims"), i.ints("collapsed_slice_dims"),
            i.ints("operand_batching_dims"), i.ints("start_indices_batching_dims"),
            i.ints("start_index_map"), i.integer("index_vector_dim").value_or(0)));
    addInts("slice_sizes", "slice_sizes");
    addBool("indices_are_sorted", i.isTrue("indices_are_sorted"));
    break;
  case Opcode::Scatter:
    add("scatter_dimension_numbers",
        stablehlo::ScatterDimensionNumbersAttr::get(
            b.getContext(), i.ints("update_window_dims"), i.ints("inserted_window_dims"),
            i.ints("input_batching_dims"), i.ints("scatter_indices_batching_dims"),
            i.ints("scatter_dims_to_operand_dims"), i.integer("index_vector_dim").value_or(0)));
    addBool("indices_are_sorted", i.isTrue("indices_are_sorted"));
    addBool("unique_indices", i.isTrue("unique_indices"));
    break;
  case Opcode::Sort:
    addBool("is_stable", i.isTrue("is_stable"));
    return addOnly("dimension", "dimensions");
  case Opcode::Fft: {
    StringRef type = i.word("fft_type");
    addInts("fft_length", "fft_length");
    return addCase<stablehlo::FftTypeAttr>("fft_type", type, stablehlo::symbolizeFftType(type));
  }
  case Opcode::Cholesky:
    addBool("lower", i.isTrue("lower"));
    break;
  case Opcode::TriangularSolve: {
    addBool("left_side", i.isTrue("left_side"));
    addBool("lower", i.isTrue("lower"));
    addBool("unit_diagonal", i.isTrue("unit_diagonal"));
    StringRef transpose = i.word("transpose_a").empty() ? "NO_TRANSPOSE" : i.word("transpose_a");
    return addCase<stablehlo::TransposeAttr>("transpose_a", transpose,
                                             stablehlo::symbolizeTranspose(transpose));
  }
  case Opcode::ReducePrecision:
    add("exponent_bits", b.getI32IntegerAttr(i.integer("exponent_bits").value_or(0)));
    add("mantissa_bits", b.getI32IntegerAttr(i.integer("mantissa_bits").value_or(0)));
    break;
  case Opcode::BatchNormTraining:
  case Opcode::BatchNormInference:
  case Opcode::BatchNormGrad: {
    double epsilon = 0;
    if (std::optional<int64_t> whole = i.integer("epsilon"))
      epsilon = static_cast<double>(*whole);
    else if (i.word("epsilon").getAsDouble(epsilon))
      return error("epsilon: expected a number");
    add("epsilon", b.getF32FloatAttr(static_cast<float>(epsilon)));
    addInt("feature_index", i.integer("feature_index").value_or(0));
    break;
  }
  case Opcode::Rng: {
    StringRef kind = i.word("distribution");
    std::string name = StringRef(kind).upper(); // rng_uniform is UNIFORM
    StringRef rest = name;
    rest.consume_front("RNG_");
    return addCase<stablehlo::RngDistributionAttr>("rng_distribution", kind,
                                                   stablehlo::symbolizeRngDistribution(rest));
  }
  case Opcode::RngBitGenerator: {
    StringRef kind = i.word("algorithm");
    std::string name = StringRef(kind).upper(); // rng_three_fry is THREE_FRY
    StringRef rest = name;
    rest.consume_front("RNG_");
    return addCase<stablehlo::RngAlgorithmAttr>("rng_algorithm", kind,
                                                stablehlo::symbolizeRngAlgorithm(rest));
  }
  case Opcode::TopK:
    add("k", b.getI64IntegerAttr(i.integer("k").value_or(1)));
    if (i.word("largest") == "false")
      return error("topk of the smallest is not supported, expected largest=true");
    break;
  case Opcode::AllGather:
    if (llvm::Error e = addOnly("all_gather_dim", "dimensions"))
      return e;
    return addGroups(true);
  case Opcode::AllReduce:
    return addGroups(true);
  case Opcode::ReduceScatter:
    if (llvm::Error e = addOnly("scatter_dimension", "dimensions"))
      return e;
    return addGroups(true);
  case Opcode::AllToAll: {
    if (llvm::Error e = addOnly("split_dimension", "dimensions"))
      return e;
    addInt("concat_dimension", i.ints("dimensions")[0]);
    if (llvm::Error e = addGroups(false))
      return e;
    addInt("split_count", groupSize);
    break;
  }
  case Opcode::CollectiveBroadcast:
    return addGroups(false);
  case Opcode::CollectivePermute: {
    SmallVector<int64_t> pairs;
    for (auto [source, to] : i.get<Pairs>("source_target_pairs").pairs)
      pairs.append({source, to});
    add("source_target_pairs",
        DenseIntElementsAttr::get(
            RankedTensorType::get({static_cast<int64_t>(pairs.size()) / 2, 2}, b.getI64Type()),
            pairs));
    if (std::optional<int64_t> channel = i.integer("channel_id"))
      add("channel_handle", stablehlo::ChannelHandleAttr::get(b.getContext(), *channel, 1));
    break;
  }
  case Opcode::CustomCall:
    return addCustomCall();
  default:
    break;
  }
  return llvm::Error::success();
}

SmallVector<StringRef> OpImporter::regions() const {
  switch (i.base) {
  case Opcode::Reduce:
  case Opcode::ReduceWindow:
  case Opcode::Scatter:
  case Opcode::Sort:
  case Opcode::Map:
  case Opcode::AllReduce:
  case Opcode::ReduceScatter:
    return {"to_apply"};
  case Opcode::SelectAndScatter:
    return {"select", "scatter"};
  default:
    return {};
  }
}

llvm::Expected<Leaves> OpImporter::importConstant() {
  const Literal &literal = *i.literal;
  if (literal.elided)
    return error("the value of the constant '" + i.name +
                 "' is left out of the text ({...}); dump with --xla_dump_large_constants");
  Leaves leaves;
  SmallVector<const Literal *> pending = {&literal};
  while (!pending.empty()) {
    const Literal *each = pending.pop_back_val();
    if (each->shape->isTuple()) {
      for (const Literal &element : llvm::reverse(each->elements))
        pending.push_back(&element);
      continue;
    }
    llvm::Expected<RankedTensorType> type =
        tensorType(importer.getModule(), *each->shape, b.getContext(), i.position);
    if (!type)
      return type.takeError();
    DenseElementsAttr value;
    const unsigned bits = bitsOf(each->shape->dtype);
    if (each->shape->dtype == DType::Pred) {
      SmallVector<bool> values(each->bytes.begin(), each->bytes.end());
      value = DenseElementsAttr::get(*type, ArrayRef<bool>(values));
    } else if (bits < 8 && !hlo::isFloat(each->shape->dtype)) {
      SmallVector<APInt> values;
      for (char byte : each->bytes)
        values.push_back(APInt(bits, static_cast<uint8_t>(byte) & ((1u << bits) - 1)));
      value = DenseElementsAttr::get(*type, values);
    } else {
      const size_t size = each->bytes.size() / std::max<int64_t>(each->shape->elementCount(), 1);
      ArrayRef<char> bytes = each->bytes;
      bool splat = size > 0 && bytes.size() > size;
      for (size_t at = size; splat && at < bytes.size(); at += size)
        splat = bytes.slice(at, size) == bytes.take_front(size);
      if (splat)
        bytes = bytes.take_front(size);
      bool isSplat = false;
      if (!DenseElementsAttr::isValidRawBuffer(*type, bytes, isSplat))
        return error("constants of the type " + print(*each->shape, false) + " are not supported");
      value = DenseElementsAttr::getFromRawBuffer(*type, bytes);
    }
    leaves.push_back(stablehlo::ConstantOp::create(b, importer.locationOf(i), value));
  }
  return leaves;
}

// all-to-all of as many arrays as a group has members, one for each: as one array with a leading
// dimension of the members.
llvm::Expected<Leaves> OpImporter::importAllToAllOfMany() {
  Location loc = importer.locationOf(i);
  const int64_t count = inputs.size();
  auto part = llvm::cast<RankedTensorType>(inputs[0].getType());
  SmallVector<int64_t> dims(part.getShape());
  dims.insert(dims.begin(), 1);
  auto row = RankedTensorType::get(dims, part.getElementType());
  dims[0] = count;
  auto whole = RankedTensorType::get(dims, part.getElementType());
  SmallVector<Value> rows;
  for (Value input : inputs)
    rows.push_back(stablehlo::ReshapeOp::create(b, loc, row, input));
  attributes.clear();
  addInt("dimension", 0);
  llvm::Expected<Leaves> joined = create("stablehlo.concatenate", rows, {whole}, {});
  if (!joined)
    return joined.takeError();
  attributes.clear();
  addInt("split_dimension", 0);
  addInt("concat_dimension", 0);
  addInt("split_count", count);
  if (llvm::Error e = addGroups(false))
    return std::move(e);
  llvm::Expected<Leaves> moved = create("stablehlo.all_to_all", *joined, {whole}, {});
  if (!moved)
    return moved.takeError();
  Leaves parts;
  for (int64_t index = 0; index < count; ++index) {
    SmallVector<int64_t> starts(dims.size(), 0), limits(dims), strides(dims.size(), 1);
    starts[0] = index;
    limits[0] = index + 1;
    attributes.clear();
    addInts("start_indices", starts);
    addInts("limit_indices", limits);
    addInts("strides", strides);
    llvm::Expected<Leaves> slice = create("stablehlo.slice", *moved, {row}, {});
    if (!slice)
      return slice.takeError();
    parts.push_back(stablehlo::ReshapeOp::create(b, loc, part, (*slice)[0]));
  }
  return parts;
}

llvm::Expected<Leaves> OpImporter::create(StringRef name, ArrayRef<Value> values,
                                          ArrayRef<Type> types, ArrayRef<StringRef> bodies) {
  OperationState state(importer.locationOf(i), name);
  if (!state.name.isRegistered())
    return error("the opcode '" + i.opcode + "' is not supported in programs to be compiled");
  state.addOperands(values);
  state.addTypes(types);
  state.addAttributes(attributes);
  for (size_t index = 0; index < bodies.size(); ++index)
    state.addRegion();
  Operation *op = b.create(state);
  for (auto [index, body] : llvm::enumerate(bodies)) {
    Computation *computation = i.callee(body);
    if (!computation)
      return error("'" + i.opcode + "' has no " + body);
    llvm::SmallVector<Type> arguments;
    for (const Instruction *parameter : computation->parameters) {
      llvm::Expected<RankedTensorType> type =
          tensorType(importer.getModule(), *parameter->shape, b.getContext(), parameter->position);
      if (!type)
        return type.takeError();
      arguments.push_back(*type);
    }
    SmallVector<unsigned> counts(arguments.size(), 1);
    if (llvm::Error e = importer.fillRegion(op->getRegion(index), *computation, arguments, counts))
      return std::move(e);
  }
  return Leaves(op->result_begin(), op->result_end());
}

llvm::Expected<Leaves> OpImporter::run() {
  if (i.base == Opcode::Constant)
    return importConstant();
  if (i.base == Opcode::AllToAll && i.ints("dimensions").empty() && !inputs.empty())
    return importAllToAllOfMany();
  if (llvm::Error e = addAttributes())
    return std::move(e);
  std::string name = opNameOf(i.base).str();
  if (name.empty()) {
    name = "stablehlo." + i.opcode.str();
    std::replace(name.begin(), name.end(), '-', '_');
  }
  llvm::Expected<SmallVector<Type>> types = importer.typesOf(*i.shape, i.position);
  if (!types)
    return types.takeError();
  // Reductions of several arrays of different types have one scalar computation for each type.
  if (i.base == Opcode::AllReduce && inputs.size() > 1) {
    Leaves results;
    for (auto [input, type] : llvm::zip_equal(inputs, *types)) {
      llvm::Expected<Leaves> one = create(name, {input}, {type}, regions());
      if (!one)
        return one.takeError();
      results.append(one->begin(), one->end());
    }
    return results;
  }
  return create(name, inputs, *types, regions());
}

} // namespace

llvm::Expected<Leaves> Importer::importOp(OpBuilder &b, const Instruction &i,
                                          ArrayRef<Leaves> operands) {
  return OpImporter(*this, b, i, operands).run();
}

} // namespace tandem::hloimport
