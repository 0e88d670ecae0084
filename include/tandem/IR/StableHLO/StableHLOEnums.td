//===- StableHLOEnums.td - enumerations of the stablehlo dialect ----------===//
//
// Each enumeration E gives mlir::stablehlo::E, stringifyE, symbolizeE and the attribute
// EAttr, spelled #stablehlo<mnemonic VALUE> (and VALUE alone in pretty forms).
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_ENUMS
#define TANDEM_IR_STABLEHLO_ENUMS

include "mlir/IR/EnumAttr.td"
include "tandem/IR/StableHLO/StableHLOBase.td"

class HLO_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::stablehlo";
  let genSpecializedAttr = 0;
}
class HLO_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Stablehlo_Dialect, info, mnemonic>;

def HLO_PrecisionEnum : HLO_Enum<"Precision", "how exactly a product is computed", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
  I32EnumAttrCase<"HIGHEST", 2>, I32EnumAttrCase<"PACKED_NIBBLE", 3>]>;
def HLO_PrecisionAttr : HLO_EnumAttr<HLO_PrecisionEnum, "precision">;
def HLO_PrecisionConfigAttr
    : TypedArrayAttrBase<HLO_PrecisionAttr, "one precision per operand">;

def HLO_ComparisonDirectionEnum : HLO_Enum<"ComparisonDirection", "which relation to test", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
  I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def HLO_ComparisonDirectionAttr
    : HLO_EnumAttr<HLO_ComparisonDirectionEnum, "comparison_direction">;

def HLO_ComparisonTypeEnum : HLO_Enum<"ComparisonType", "how elements are ordered", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
  I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
  I32EnumAttrCase<"UNSIGNED", 4>]>;
def HLO_ComparisonTypeAttr : HLO_EnumAttr<HLO_ComparisonTypeEnum, "comparison_type">;

def HLO_FftTypeEnum : HLO_Enum<"FftType", "kind of Fourier transform", [
  I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>,
  I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]>;
def HLO_FftTypeAttr : HLO_EnumAttr<HLO_FftTypeEnum, "fft_type">;

def HLO_TransposeEnum : HLO_Enum<"Transpose", "how a matrix operand is read", [
  I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
  I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]>;
def HLO_TransposeAttr : HLO_EnumAttr<HLO_TransposeEnum, "transpose">;

def HLO_RngDistributionEnum : HLO_Enum<"RngDistribution", "distribution drawn from", [
  I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def HLO_RngDistributionAttr : HLO_EnumAttr<HLO_RngDistributionEnum, "rng_distribution">;

def HLO_RngAlgorithmEnum : HLO_Enum<"RngAlgorithm", "bit generator", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>,
  I32EnumAttrCase<"PHILOX", 2>]>;
def HLO_RngAlgorithmAttr : HLO_EnumAttr<HLO_RngAlgorithmEnum, "rng_algorithm">;

def HLO_ResultAccuracyModeEnum : HLO_Enum<"ResultAccuracyMode", "how accuracy is asked for", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
  I32EnumAttrCase<"TOLERANCE", 2>]>;
def HLO_ResultAccuracyModeAttr
    : HLO_EnumAttr<HLO_ResultAccuracyModeEnum, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

// Spelled as the plain integer, `api_version = 4 : i32`.
def HLO_CustomCallApiVersionAttr
    : I32EnumAttr<"CustomCallApiVersion", "calling convention of a custom call", [
  I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>,
  I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
  I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>,
  I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
  I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::mlir::stablehlo";
}

#endif // TANDEM_IR_STABLEHLO_ENUMS
