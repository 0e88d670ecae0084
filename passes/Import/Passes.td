// Phase 1: from what users wrote to one flat @main of known ops.
#ifndef TANDEM_PASSES_IMPORT
#define TANDEM_PASSES_IMPORT

include "mlir/Pass/PassBase.td"

def ImportGspmdPass : Pass<"tandem-import-gspmd", "mlir::ModuleOp"> {
  let summary = "turn shardings written as strings and custom calls into sdy";
  let description = [{
    Front ends without Shardy write `mhlo.sharding` strings on arguments and results, calls of
    `@Sharding` for constraints, and `@SPMDFullToShardShape`, a call of a private function and
    `@SPMDShardToFullShape` for code written per device.

    Requires: calls not yet inlined; shardings over an iota of all devices.
    Ensures: one `sdy.mesh` whose axes ("axis_0", ...) every string can be spelled with; no
      `mhlo.sharding` and none of the three custom calls. Does nothing in a module that has a
      mesh or fewer than two partitions.
    Does not: read strings on other ops (they are hints); accept device lists out of order.

    Example: before
      %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,4]<=[8]}"}
    after
      sdy.mesh @mesh = <["axis_0"=2, "axis_1"=4]>
      %0 = sdy.sharding_constraint %x <@mesh, [{"axis_0"}, {"axis_1"} ]>

    Cost: linear.
  }];
  let dependentDialects = ["mlir::sdy::SdyDialect", "mlir::func::FuncDialect"];
  let statistics = [
    Statistic<"numConstraints", "constraints", "@Sharding calls read">,
    Statistic<"numManual", "manual", "manual computations formed">
  ];
}

def ExpandParallelPass : Pass<"tandem-expand-parallel", "mlir::ModuleOp"> {
  let summary = "turn programs that run side by side into a manual computation";
  let description = [{
    StableHLO's own tests run a function on several processes with `interpreter.run_parallel`.
    That is a manual computation over a mesh of replicas and partitions, whose inputs are those
    of all processes, stacked. Collectives of the function name replicas or partitions; they
    are made to name devices, numbered replica by replica.

    Requires: all processes run one function, which nothing else calls.
    Ensures: no interpreter.run_parallel.
    Does not: run different functions side by side.

    Example: before
      %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]} : ...
    after
      %s = stablehlo.concatenate %a1, %b1, dim = 0
      %m = sdy.manual_computation(%s) ... manual_axes={"replica", "partition"} (%x) {
        %y = func.call @f(%x0)
        sdy.return %y1
      }
      %0#0 = the first slice of %m, %0#1 the second

    Cost: linear.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect", "mlir::sdy::SdyDialect"];
  let statistics = [Statistic<"numParallel", "parallel", "ops expanded">];
}

def InlineCallsPass : Pass<"tandem-inline-calls", "mlir::ModuleOp"> {
  let summary = "inline every call and composite into @main";
  let description = [{
    Front ends outline helpers into some thousand private functions. Sharding and
    scheduling want one body, so every `func.call` (also inside regions) and every
    `stablehlo.composite` is replaced by a clone of its callee or decomposition.

    A program of one function may give it another name.

    Requires: a function @main, or no other than one public function; callees with one block; no
      recursion.
    Ensures: no `func.call`, no `stablehlo.composite`; @main is the only function; cloned
      ops carry a call-site location where the source had locations.
    Does not: merge, fold or hoist anything; touch functions named by custom calls.

    Example: before
      %1 = call @relu(%0) : (tensor<4xf32>) -> tensor<4xf32>
    after
      %1 = stablehlo.maximum %0, %zero : tensor<4xf32>

    Cost: linear in the size of the inlined program.
  }];
  let statistics = [
    Statistic<"numCalls", "calls", "calls inlined">,
    Statistic<"numComposites", "composites", "composites replaced by their decomposition">,
    Statistic<"numFunctions", "functions", "functions erased">
  ];
}

def DecomposeChloPass : Pass<"tandem-decompose-chlo", "mlir::ModuleOp"> {
  let summary = "rewrite chlo ops that are not elementwise into stablehlo";
  let description = [{
    Elementwise chlo ops stay until code generation, which knows better polynomials than
    a decomposition does. `chlo.top_k` becomes a stable sort of (value, iota) and two
    slices; so does a custom call of `@ApproxTopK`, by its own comparator, whose exact
    answer is one of those allowed.

    Requires: static shapes.
    Ensures: the only chlo ops left are elementwise.
    Does not: change values: equal elements keep the order of their indices.

    Example: before
      %v, %i = chlo.top_k(%x, k = 2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
    after
      %s:2 = "stablehlo.sort"(%x, %iota) ({ greater than, floats by total order })
      %v = stablehlo.slice %s#0 [0:2]
      %i = stablehlo.slice %s#1 [0:2]

    Cost: linear.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect"];
  let statistics = [Statistic<"numTopK", "top-k", "top_k ops decomposed">];
}

def FormChecksPass : Pass<"tandem-form-checks", "mlir::ModuleOp"> {
  let summary = "turn the check dialect's ops into custom calls";
  let description = [{
    A program may say what it expects of its values (`check.expect_eq` and its like). The
    runtime evaluates that as it does custom calls: `@check.expect_eq`, `@check.expect_close`,
    `@check.expect_almost_eq` of the value found and the one wanted, with the tolerance in
    `mhlo.backend_config`. A constant to compare with becomes an operand.

    Requires: nothing.
    Ensures: no op of the check dialect.
    Does not: evaluate a check.

    Example: before
      check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
    after
      %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true}
        : (tensor<2xi32>, tensor<2xi32>) -> ()

    Cost: linear.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect"];
  let statistics = [Statistic<"numChecks", "checks", "checks that became custom calls">];
}

def NormalizeOpsPass : Pass<"tandem-normalize-ops", "mlir::ModuleOp"> {
  let summary = "rewrite ops that are another spelling of simpler ones";
  let description = [{
    `stablehlo.map` becomes its computation's ops on whole arrays. Dynamic ops whose types are
    static become their static counterparts: `dynamic_reshape`, `dynamic_broadcast_in_dim` and
    `dynamic_iota` have their shape in the type; `dynamic_pad`, `dynamic_gather`, `dynamic_conv`
    and `real_dynamic_slice` need constants for operands. `get_dimension_size` is a constant.
    Elements of a tuple that the program makes are the values it was made of.

    Requires: nothing.
    Ensures: none of these ops on static types is left; no tuple that is only taken apart.
    Does not: touch ops with dynamic types, which tandem-verify-import refuses.

    Example: before
      %s = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
      %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<3x4xi64>
    after
      %0 = stablehlo.iota dim = 0 : tensor<3x4xi64>

    Cost: linear.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect"];
  let statistics = [Statistic<"numOps", "ops", "ops rewritten">];
}

def DropTokensPass : Pass<"tandem-drop-tokens", "mlir::ModuleOp"> {
  let summary = "take tokens out of the program, whose order stays";
  let description = [{
    A token carries no bytes: it says that one op with an effect comes after another. Later phases
    keep all ops with effects in the program's order, so arguments, results, loop state,
    barriers and custom calls lose their tokens. Arguments and results are numbered without
    them from here on: `arg0` is the first tensor.

    Requires: calls inlined, no tuples; tokens on control flow, barriers, custom calls, after_all
      and create_token only: a send, recv, infeed or outfeed is an error.
    Ensures: no value is a token; a custom call that had one has a side effect;
      tf.aliasing_output, layouts and aliases of custom calls count what is left.
    Does not: reorder anything.

    Example: before
      func.func @main(%t: !stablehlo.token, %x: tensor<4xf32>) -> !stablehlo.token {
        %0 = stablehlo.custom_call @log(%t, %x) : (...) -> !stablehlo.token
        return %0
    after
      func.func @main(%x: tensor<4xf32>) {
        stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
        return

    Cost: linear.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect"];
  let statistics = [Statistic<"numTokens", "tokens", "ops and arguments that lost tokens">];
}

def VerifyImportPass : Pass<"tandem-verify-import", "mlir::ModuleOp"> {
  let summary = "check what phase 1 promises";
  let description = [{
    Requires: nothing.
    Ensures: exactly one function, @main, with one block; no calls or composites; static
      shapes; no quantised or tuple types; only ops of the dialects later phases know;
      dynamic-shape ops are named in the error; each tf.aliasing_output is the number of a
      result of as many bytes that no other argument names; without a mesh no groups beyond device 0; loops
      at most 16 deep, since what plays a program over plays each of them twice.
    Does not: change the module.
    Example: `tensor<?x4xf32>` gives "dynamic shapes are not supported: ...".
    Cost: linear.
  }];
}

#endif  // TANDEM_PASSES_IMPORT
