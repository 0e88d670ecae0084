// Attributes of the `sdy` dialect: meshes, axis references, shardings and sharding rules.
// Names, parameters and textual forms follow the public Shardy documentation.

#ifndef TANDEM_IR_SHARDY_SHARDYATTRS_TD
#define TANDEM_IR_SHARDY_SHARDYATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::mlir::sdy";
  let summary = "Shardy: how tensors are split over a named mesh of devices";
  let description = [{
    The dialect holds meshes (`sdy.mesh`), shardings attached to values (`sdy.sharding` on function
    arguments and results, `sdy.sharding` with one entry per result on other ops), ops that fix or
    change a sharding, and rules that tell how an op can be split (`sdy.sharding_rule`).
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Sdy_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Sdy_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===-- Meshes and axes -------------------------------------------------------------------------===//

def Sdy_MeshAxis : Sdy_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "a named axis of a mesh and its size, `\"x\"=8`";
  let parameters = (ins StringRefParameter<"axis name">:$name, "int64_t":$size);
  let assemblyFormat = "`` $name `` `=` `` $size";
  let genVerifyDecl = 1;
}

def Sdy_Mesh : Sdy_Attr<"Mesh", "mesh"> {
  let summary = "a list of named axes, major to minor, and optionally the order of the devices";
  let description = [{
    The linear index of a device in the mesh is row major in the axes; `device_ids` maps it to the
    device's id, and is dropped when it is 0, 1, 2, ... A mesh without axes and with exactly one
    device id is *maximal*: it stands for that one device.

        <["data"=4, "model"=2]>    <["x"=2], device_ids=[1, 0]>    <[], device_ids=[3]>
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"MeshAxisAttr", "axes, major to minor">:$axes,
    OptionalArrayRefParameter<"int64_t", "device ids in mesh order">:$device_ids);
  let assemblyFormat = [{
    `<` `[` (`]`) : ($axes^ `]`)? (`,` `device_ids` `` `=` `` `[` $device_ids^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<MeshAxisAttr>":$axes,
                     CArg<"::llvm::ArrayRef<int64_t>", "{}">:$device_ids), [{
      if (!axes.empty() && isIota(device_ids))
        device_ids = {};
      return $_get($_ctxt, axes, device_ids);
    }]>,
  ];
  let extraClassDeclaration = [{
    /// Whether `ids` is 0, 1, 2, ...
    static bool isIota(::llvm::ArrayRef<int64_t> ids);
    /// Neither axes nor device ids: a placeholder.
    bool empty() const { return getAxes().empty() && getDeviceIds().empty(); }
    bool hasAxis(::llvm::StringRef axisName) const;
    /// Size of an axis that the mesh has (asserts).
    int64_t getAxisSize(::llvm::StringRef axisName) const;
    /// Position of an axis in the mesh, or -1.
    int64_t getAxisIndex(::llvm::StringRef axisName) const;
    /// Number of devices: the product of the axis sizes, at most the largest int64_t.
    int64_t getTotalSize() const;
    bool isMaximal() const { return getAxes().empty() && getDeviceIds().size() == 1; }
    bool isMaximal(int64_t deviceId) const { return isMaximal() && getDeviceIds()[0] == deviceId; }
    std::optional<int64_t> getMaximalDeviceId() const;
    /// The id of the device at `linearIndex` of the mesh.
    int64_t getDeviceId(int64_t linearIndex) const;
  }];
}

def Sdy_SubAxisInfo : Sdy_Attr<"SubAxisInfo", "sub_axis_info"> {
  let summary = "part of an axis: `(m)k`, k wide, with m the product of the parts major to it";
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `)` `` $size";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool operator<(const SubAxisInfoAttr &rhs) const;
    /// Pre-size of the part right after this one.
    int64_t getNextPreSize() const { return getPreSize() * getSize(); }
  }];
}

def Sdy_AxisRef : Sdy_Attr<"AxisRef", "axis_ref"> {
  let summary = "an axis of a mesh, `\"x\"`, or a part of one, `\"x\":(1)2`";
  let parameters = (ins
    StringRefParameter<"axis name">:$name,
    OptionalParameter<"SubAxisInfoAttr", "the part, when not the full axis">:$sub_axis_info);
  let assemblyFormat = "`` $name (`` `:` `` $sub_axis_info^)?";
  let builders = [
    AttrBuilder<(ins "::llvm::StringRef":$name),
      "return $_get($_ctxt, name, SubAxisInfoAttr());">,
    AttrBuilder<(ins "::llvm::StringRef":$name, "int64_t":$pre_size, "int64_t":$size),
      "return $_get($_ctxt, name, SubAxisInfoAttr::get($_ctxt, pre_size, size));">,
  ];
  let extraClassDeclaration = [{
    /// Order of the axes in the mesh, then by pre-size and size; a full axis comes after its parts.
    static std::function<bool(AxisRefAttr, AxisRefAttr)> getMeshComparator(MeshAttr mesh);
    /// Lexicographic order, independent of a mesh.
    bool operator<(const AxisRefAttr &rhs) const;
    /// The textual form, `"x":(1)2`.
    std::string toString() const;
    /// Number of devices along this axis or part of an axis.
    int64_t getSize(MeshAttr mesh) const;
    int64_t getSubAxisPreSize() const;
    /// Whether `other` is this axis or a part of it ("x" contains "x":(2)2).
    bool contains(AxisRefAttr other) const;
    bool strictlyContains(AxisRefAttr other) const { return *this != other && contains(other); }
    /// Whether this is `other` or its major part ("x":(1)2 is a prefix of "x").
    bool prefixOf(AxisRefAttr other) const;
    bool strictPrefixOf(AxisRefAttr other) const { return *this != other && prefixOf(other); }
    /// Whether this is `other` or its minor part ("x":(2)2 is a suffix of "x" when that has size 4).
    bool suffixOf(AxisRefAttr other, MeshAttr mesh) const;
    /// Whether some part of an axis is in both.
    bool overlaps(AxisRefAttr other) const;
    /// Longest prefix of this that does not overlap `other`, if any.
    std::optional<AxisRefAttr> getPrefixWithoutOverlap(AxisRefAttr other) const;
    std::optional<AxisRefAttr> getGreatestCommonPrefix(AxisRefAttr other) const;
    /// What is left of this once the strict prefix `prefix` is taken off its major side, if anything.
    std::optional<AxisRefAttr> getSuffixWithoutPrefix(AxisRefAttr prefix, MeshAttr mesh) const;
    /// Whether this and then `other` are neighbouring parts of one axis, major to minor.
    bool canMerge(AxisRefAttr other) const;
    /// The union of two parts that can be merged; the full axis when they cover it.
    AxisRefAttr merge(AxisRefAttr other, MeshAttr mesh) const;
  }];
}

def Sdy_AxisRefs : OptionalArrayRefParameter<"AxisRefAttr", "axes, major to minor">;

def Sdy_AxisRefList : Sdy_Attr<"AxisRefList", "axis_ref_list"> {
  let summary = "axes from major to minor, `{\"x\", \"y\":(1)2}`";
  let parameters = (ins Sdy_AxisRefs:$value);
  let assemblyFormat = "`{` (`}`) : ($value^ `}`)?";
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<AxisRefAttr>::iterator begin() const { return getValue().begin(); }
    ::llvm::ArrayRef<AxisRefAttr>::iterator end() const { return getValue().end(); }
    bool empty() const { return getValue().empty(); }
    size_t size() const { return getValue().size(); }
  }];
}

def Sdy_ListOfAxisRefLists : ArrayOfAttr<Sdy_Dialect, "ListOfAxisRefLists",
                                         "list_of_axis_ref_lists", "AxisRefListAttr"> {
  let summary = "one list of axes per dimension, `[{\"x\"}, {}]`";
  let assemblyFormat = "`[` (`]`) : ($value^ `]`)?";
}

def Sdy_AllToAllParam : Sdy_Attr<"AllToAllParam", "all_to_all_param"> {
  let summary = "axes that move from one dimension to another, `{\"x\"}: 0->1`";
  let parameters = (ins Sdy_AxisRefs:$axes, "int64_t":$src_dim, "int64_t":$tgt_dim);
  let assemblyFormat = "`{` (`}`) : ($axes^ `}`)? `` `:` $src_dim `` `->` `` $tgt_dim";
}

def Sdy_AllToAllParamList : ArrayOfAttr<Sdy_Dialect, "AllToAllParamList",
                                        "all_to_all_param_list", "AllToAllParamAttr"> {
  let summary = "the moves of an all-to-all, `[{\"x\"}: 0->1, {\"y\"}: 2->3]`";
  let assemblyFormat = "`[` (`]`) : ($value^ `]`)?";
}

def Sdy_ManualAxes : ArrayOfAttr<Sdy_Dialect, "ManualAxes", "manual_axes", "StringAttr"> {
  let summary = "the axes, always whole, over which a manual computation is written per device";
  let assemblyFormat = "`{` (`}`) : ($value^ `}`)?";
  let extraClassDeclaration = [{
    auto begin() const { return getValue().begin(); }
    auto end() const { return getValue().end(); }
    bool empty() const { return getValue().empty(); }
    size_t size() const { return getValue().size(); }
    bool contains(::llvm::StringRef axisName) const {
      return ::llvm::any_of(getValue(), [&](StringAttr axis) { return axis.getValue() == axisName; });
    }
  }];
}

//===-- Shardings -------------------------------------------------------------------------------===//

def Sdy_DimensionSharding : Sdy_Attr<"DimensionSharding", "dimension_sharding"> {
  let summary = "axes that split one dimension, `{\"x\", ?}p1`";
  let description = [{
    `?` marks an open dimension, which propagation may split further; `pN` is the user's priority,
    0 first, which a dimension without one has too.
  }];
  let parameters = (ins
    Sdy_AxisRefs:$axes,
    "bool":$is_closed,
    OptionalParameter<"std::optional<int64_t>", "user priority">:$priority);
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<AxisRefAttr>":$axes, "bool":$is_closed),
      "return $_get($_ctxt, axes, is_closed, std::optional<int64_t>());">,
  ];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool emptyAxes() const { return getAxes().empty(); }
    ::llvm::ArrayRef<AxisRefAttr>::iterator axis_begin() const { return getAxes().begin(); }
    ::llvm::ArrayRef<AxisRefAttr>::iterator axis_end() const { return getAxes().end(); }
    /// Into how many parts the dimension is split.
    int64_t getShardedSize(MeshAttr mesh) const;
    /// The same with one more full axis on the minor side.
    DimensionShardingAttr getSharded(::llvm::StringRef axisName) const;
    DimensionShardingAttr sliceShardingAxes(size_t drop, size_t keep) const;
    DimensionShardingAttr dropFrontShardingAxes(size_t count) const;
    DimensionShardingAttr takeFrontShardingAxes(size_t count) const;
    DimensionShardingAttr dropPriority() const;
    int64_t getPriorityOrDefault() const { return getPriority().value_or(0); }
    static DimensionShardingAttr getClosedLike(DimensionShardingAttr sharding);
  }];
}

def Sdy_TensorSharding : Sdy_Attr<"TensorSharding", "sharding"> {
  let summary = "how a tensor is split over a mesh";
  let description = [{
        #sdy.sharding<@mesh, [{"data"}, {"model", ?} ], replicated={"x"}, unreduced={"y"}>

    One dimension sharding per dimension. `replicated` axes must not be used by propagation,
    `unreduced` ones hold partial sums. The mesh is a symbol or written in place,
    `mesh<["a"=2]>`. Dimensions that the number of parts does not divide are padded at the end.
  }];
  let parameters = (ins
    "::mlir::Attribute":$mesh_or_ref,
    OptionalArrayRefParameter<"DimensionShardingAttr", "one per dimension">:$dim_shardings,
    Sdy_AxisRefs:$replicated_axes,
    Sdy_AxisRefs:$unreduced_axes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::StringAttr":$mesh_name,
                     "::llvm::ArrayRef<DimensionShardingAttr>":$dim_shardings,
                     "::llvm::ArrayRef<AxisRefAttr>":$replicated_axes,
                     "::llvm::ArrayRef<AxisRefAttr>":$unreduced_axes), [{
      return $_get($_ctxt, FlatSymbolRefAttr::get(mesh_name), dim_shardings, replicated_axes,
                   unreduced_axes);
    }]>,
    AttrBuilder<(ins "::llvm::StringRef":$mesh_name,
                     "::llvm::ArrayRef<DimensionShardingAttr>":$dim_shardings,
                     "::llvm::ArrayRef<AxisRefAttr>":$replicated_axes,
                     "::llvm::ArrayRef<AxisRefAttr>":$unreduced_axes), [{
      return $_get($_ctxt, FlatSymbolRefAttr::get($_ctxt, mesh_name), dim_shardings,
                   replicated_axes, unreduced_axes);
    }]>,
  ];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getDimShardings().size(); }
    DimensionShardingAttr getDimSharding(int64_t dim) const { return getDimShardings()[dim]; }
    bool isClosed(int64_t dim) const { return getDimSharding(dim).getIsClosed(); }
    bool isFullyClosed() const;
    /// No dimension is split (and nothing is a partial sum).
    bool isFullyReplicated() const;
    /// The symbol of the mesh; asserts that the mesh is not written in place.
    FlatSymbolRefAttr getMeshSymName() const { return ::mlir::cast<FlatSymbolRefAttr>(getMeshOrRef()); }
    ::llvm::StringRef getMeshName() const { return getMeshSymName().getValue(); }
    /// The mesh written in place, or the one the symbol names; null when there is none.
    MeshAttr getMesh(const SymbolTable &symbolTable) const;
    MeshAttr getMesh(Operation *op) const;
    /// No axis occurs anywhere.
    bool emptyAxes() const;
    bool anyOfAxisRef(::llvm::function_ref<bool(AxisRefAttr)> predicate) const;
    void forEachAxisRef(::llvm::function_ref<void(AxisRefAttr)> callback) const;
    /// Whether the axis or a part of it occurs.
    bool isBound(::llvm::StringRef axisName) const;
    bool canShard(int64_t dim, ::llvm::StringRef axisName) const;
    bool canReplicate(::llvm::StringRef axisName) const;
    TensorShardingAttr closeShardingDims(::llvm::ArrayRef<int64_t> dims) const;
    TensorShardingAttr openShardingDims(::llvm::ArrayRef<int64_t> dims) const;
    TensorShardingAttr replaceDimSharding(int64_t dim, DimensionShardingAttr sharding) const;
    TensorShardingAttr replaceReplicatedAxes(::llvm::ArrayRef<AxisRefAttr> axes) const;
    TensorShardingAttr replaceUnreducedAxes(::llvm::ArrayRef<AxisRefAttr> axes) const;
    TensorShardingAttr getSharded(int64_t dim, ::llvm::StringRef axisName) const;
    TensorShardingAttr getReplicated(::llvm::StringRef axisName, MeshAttr mesh) const;
    static TensorShardingAttr getFullyClosed(MLIRContext *context, int64_t rank, Attribute meshOrRef);
    static TensorShardingAttr getFullyClosed(MLIRContext *context, int64_t rank,
                                             ::llvm::StringRef meshName);
    static TensorShardingAttr getFullyClosedLike(TensorShardingAttr sharding);
    static TensorShardingAttr getClosedLike(TensorShardingAttr sharding);
    static TensorShardingAttr getFullyOpen(MLIRContext *context, int64_t rank,
                                           ::llvm::StringRef meshName);
    static TensorShardingAttr getFullyOpenLike(TensorShardingAttr sharding);
    /// The type of one device's part of a tensor of the global type. A dimension that is not
    /// divided evenly is rounded up.
    RankedTensorType getLocalTensorType(RankedTensorType globalType, MeshAttr mesh) const;
    /// Inverse of getLocalTensorType, without padding.
    RankedTensorType getGlobalTensorType(RankedTensorType localType, MeshAttr mesh) const;
    /// Verifies this sharding for a value of the type on the mesh. With `checkDivisibility`,
    /// also that no dimension needs padding.
    LogicalResult verifyForType(Type type, MeshAttr mesh,
                                ::llvm::function_ref<InFlightDiagnostic()> emitError,
                                bool checkDivisibility = true) const;
  }];
}

def Sdy_TensorShardingPerValue : Sdy_Attr<"TensorShardingPerValue", "sharding_per_value"> {
  let summary = "one sharding per operand or result, `<[<@mesh, [{\"x\"}]>, <@mesh, [{}]>]>`";
  let parameters = (ins OptionalArrayRefParameter<"TensorShardingAttr", "one per value">:$shardings);
  let assemblyFormat = "`<` `[` (`]`) : ($shardings^ `]`)? `>`";
  let extraClassDeclaration = [{
    bool empty() const { return getShardings().empty(); }
    int64_t size() const { return getShardings().size(); }
    TensorShardingAttr getSharding(int64_t index) const { return getShardings()[index]; }
    TensorShardingPerValueAttr replaceValueSharding(int64_t index, TensorShardingAttr sharding) const;
    static TensorShardingPerValueAttr getFullyOpen(MLIRContext *context, TypeRange types,
                                                   ::llvm::StringRef meshName);
    static TensorShardingPerValueAttr getFullyClosed(MLIRContext *context, TypeRange types,
                                                     ::llvm::StringRef meshName);
  }];
}

//===-- Sharding rules --------------------------------------------------------------------------===//

def Sdy_DimMapping : Sdy_Attr<"DimMapping", "dim_mapping"> {
  let summary = "the factors of one dimension, major to minor: `ij`";
  let parameters = (ins OptionalArrayRefParameter<"int64_t", "factor indices">:$factor_indices);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isMinorMost(int64_t factorIndex) const {
      return !getFactorIndices().empty() && getFactorIndices().back() == factorIndex;
    }
  }];
}

def Sdy_TensorMapping : Sdy_Attr<"TensorMapping", "tensor_mapping"> {
  let summary = "the factors of each dimension of a tensor, `[i, jk]`";
  let parameters = (ins OptionalArrayRefParameter<"DimMappingAttr", "one per dimension">:$dim_mappings);
  let assemblyFormat = "`` `[` (`]`) : ($dim_mappings^ `]`)?";
  let extraClassDeclaration = [{
    int64_t getRank() const { return getDimMappings().size(); }
    bool containsFactor(int64_t factorIndex) const {
      return ::llvm::any_of(getDimMappings(), [&](DimMappingAttr mapping) {
        return ::llvm::is_contained(mapping.getFactorIndices(), factorIndex);
      });
    }
  }];
}

def Sdy_OpShardingRule : Sdy_Attr<"OpShardingRule", "op_sharding_rule"> {
  let summary = "how an op can be split, in factors";
  let description = [{
        #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k}>

    Dimensions that share a factor are split alike. `reduction` factors leave partial results,
    `need_replication` factors must not be split, `permutation` ones need a collective permute,
    `blocked_propagation` ones are not propagated along. `custom` marks a user's own rule, which
    only `stablehlo.custom_call` may have.
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t", "size of each factor">:$factor_sizes,
    OptionalArrayRefParameter<"TensorMappingAttr", "one per operand">:$operand_mappings,
    OptionalArrayRefParameter<"TensorMappingAttr", "one per result">:$result_mappings,
    OptionalArrayRefParameter<"int64_t", "factors that are reduced">:$reduction_factors,
    OptionalArrayRefParameter<"int64_t", "factors not to be split">:$need_replication_factors,
    OptionalArrayRefParameter<"int64_t", "factors that are permuted">:$permutation_factors,
    OptionalArrayRefParameter<"int64_t", "factors not propagated along">:$blocked_propagation_factors,
    DefaultValuedParameter<"bool", "false">:$is_custom_rule);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool isCustom() const { return getIsCustomRule(); }
    int64_t getNumFactors() const { return getFactorSizes().size(); }
    int64_t getNumOperands() const { return getOperandMappings().size(); }
    int64_t getNumResults() const { return getResultMappings().size(); }
    int64_t getFactorSize(int64_t factorIndex) const { return getFactorSizes()[factorIndex]; }
    TensorMappingAttr getOperandMapping(int64_t index) const { return getOperandMappings()[index]; }
    TensorMappingAttr getResultMapping(int64_t index) const { return getResultMappings()[index]; }
    bool isReductionFactor(int64_t factor) const;
    bool isNeedReplicationFactor(int64_t factor) const;
    bool isPermutationFactor(int64_t factor) const;
    bool isPassThroughFactor(int64_t factor) const;
    bool isBlockedPropagationFactor(int64_t factor) const;
    /// Sizes of a tensor that has the mapping: each dimension the product of its factors.
    ::llvm::SmallVector<int64_t> getTensorSizes(TensorMappingAttr mapping) const;
    /// The letter of a factor: i ... z, then z_1, z_2, ...
    static std::string getFactorSymbol(int64_t factorIndex);
  }];
}

//===-- Enums -----------------------------------------------------------------------------------===//

def Sdy_PropagationDirection : I32EnumAttr<"PropagationDirection",
    "directions in which a sharding may pass", [
      I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"FORWARD", 1>,
      I32EnumAttrCase<"BACKWARD", 2>, I32EnumAttrCase<"BOTH", 3>]> {
  let cppNamespace = "::mlir::sdy";
}

#endif // TANDEM_IR_SHARDY_SHARDYATTRS_TD
