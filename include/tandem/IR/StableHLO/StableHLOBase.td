//===- StableHLOBase.td - dialect, type constraints, op base classes ------===//
//
// The stablehlo dialect in its public spelling: what a JAX program is written in. This
// file holds what every group of operations shares; it defines no operation.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_BASE
#define TANDEM_IR_STABLEHLO_BASE

include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tandem/IR/StableHLO/TypeInference.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mlir::stablehlo";
  let summary = "Tensor programs as ML frameworks emit them";
  let description = [{
    The StableHLO 1.x operation set with static shapes: elementwise arithmetic,
    contractions, data movement, reductions, structured control flow and the
    collectives, each in the textual form (pretty and generic) that JAX prints.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// One per group of operations; each lives beside its group's definitions so that a
    /// group compiles on its own.
    void registerElementwiseOps();
    void registerShapeOps();
    void registerIndexingOps();
    void registerReductionOps();
    void registerContractionOps();
    void registerCollectiveOps();
    void registerControlOps();
    void registerRandomOps();
    void registerAttributes();
    void registerTypes();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class StableHLO_Type<string name, string typeMnemonic>
    : TypeDef<Stablehlo_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def StableHLO_TokenType : StableHLO_Type<"Token", "token"> {
  let summary = "orders side effects among operations that do not share data";
}

// Element types.
def HLO_Pred : TypeAlias<I1, "boolean">;
def HLO_SInt : AnyTypeOf<[I<2>, I<4>, I8, I16, I32, I64], "2/4/8/16/32/64-bit signless integer">;
def HLO_UInt : AnyTypeOf<[UI<2>, UI<4>, UI8, UI16, UI32, UI64], "2/4/8/16/32/64-bit unsigned integer">;
def HLO_Int : AnyTypeOf<[HLO_SInt, HLO_UInt], "signless or unsigned integer">;
def HLO_Float : AnyTypeOf<[
  F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3FN, F8E4M3FNUZ, F8E4M3B11FNUZ,
  F8E5M2, F8E5M2FNUZ, F8E8M0FNU, BF16, F16, F32, F64], "floating point">;
def HLO_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex of f32 or f64">;

// Tensors, by element type.
class HLO_TensorOf<list<Type> elements> : RankedTensorOf<elements>;
def HLO_Tensor : HLO_TensorOf<[HLO_Pred, HLO_Int, HLO_Float, HLO_Complex, Index]>;
def HLO_PredTensor : HLO_TensorOf<[HLO_Pred]>;
def HLO_IntTensor : HLO_TensorOf<[HLO_Int]>;
def HLO_PredOrIntTensor : HLO_TensorOf<[HLO_Pred, HLO_Int]>;
def HLO_IntOrFloatTensor : HLO_TensorOf<[HLO_Int, HLO_Float]>;
def HLO_FpTensor : HLO_TensorOf<[HLO_Float]>;
def HLO_FpOrComplexTensor : HLO_TensorOf<[HLO_Float, HLO_Complex]>;
def HLO_SIntFpOrComplexTensor : HLO_TensorOf<[HLO_SInt, HLO_Float, HLO_Complex]>;
def HLO_IntFpOrComplexTensor : HLO_TensorOf<[HLO_Int, HLO_Float, HLO_Complex]>;
def HLO_ComplexTensor : HLO_TensorOf<[HLO_Complex]>;
def HLO_Fp32Or64Tensor : HLO_TensorOf<[F32, F64]>;
def HLO_IndexTensor : HLO_TensorOf<[HLO_Int, Index]>;
def HLO_DimensionTensor : 1DTensorOf<[HLO_Int, Index]>;
def HLO_ScalarIntTensor : 0DTensorOf<[HLO_Int]>;

def HLO_Tuple : NestedTupleOf<[AnyRankedTensor, StableHLO_TokenType]>;
def HLO_TensorOrToken : AnyTypeOf<[HLO_Tensor, StableHLO_TokenType]>;
def HLO_TensorTokenOrTuple : AnyTypeOf<[HLO_Tensor, StableHLO_TokenType, HLO_Tuple]>;
// What a custom call may take or return: memref lets it name a buffer as such.
def HLO_CustomCallValue : AnyTypeOf<[HLO_Tensor, StableHLO_TokenType, HLO_Tuple, AnyMemRef]>;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic, !listconcat([HLO_StaticShapes], traits)>;

// A computation given as a region that is pure if its body is.
defvar HLO_PureRegion = [RecursiveMemoryEffects, RecursivelySpeculatable];

#endif // TANDEM_IR_STABLEHLO_BASE
