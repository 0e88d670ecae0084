//===- TypeInference.td - traits that check shapes and infer result types ------===//

#ifndef TANDEM_IR_STABLEHLO_TYPEINFERENCE
#define TANDEM_IR_STABLEHLO_TYPEINFERENCE

include "mlir/Interfaces/InferTypeOpInterface.td"

// Every tensor among operands and results has a static shape.
def HLO_StaticShapes : NativeOpTrait<"StaticShapes"> {
  let cppNamespace = "::mlir::stablehlo";
}

// Result types follow from operands and attributes by the op's
//   static LogicalResult inferTypes(const ErrorReporter &, Adaptor, SmallVectorImpl<Type> &)
// which checks the operands too. Builders need no result types then.
class HLO_InferTypesTrait<string traitName> : NativeOpTrait<traitName, [], [{
    static ::llvm::LogicalResult inferTypes(const ::mlir::stablehlo::ErrorReporter &error, Adaptor op,
                                            ::llvm::SmallVectorImpl<::mlir::Type> &types);
  }], [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      ::mlir::stablehlo::ErrorReporter error(context, location, getOperationName());
      if (failed(::mlir::stablehlo::verifyStaticShapes(error, operands.getTypes())))
        return ::mlir::failure();
      return inferTypes(error, Adaptor(operands, attributes, properties, regions), types);
    }
    // The trait, or the op's verifier, compares types and says what is wrong in one message.
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, ::mlir::ValueRange,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::mlir::success();
    }
  }]> {
  let cppNamespace = "::mlir::stablehlo";
}
class HLO_InferTypes<string traitName> : TraitList<[
  DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>,
  HLO_InferTypesTrait<traitName>
]>;

// The results have exactly the inferred types; the trait verifies it.
def HLO_TypesInferred : HLO_InferTypes<"TypesInferred">;
// The results may differ from the inferred types; the op's verifier says how.
def HLO_TypesInferable : HLO_InferTypes<"TypesInferable">;

#endif // TANDEM_IR_STABLEHLO_TYPEINFERENCE
