// Each rule of the tandem ops' verifiers, by the labels of lib/IR/Tandem/TandemVerify.cpp.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

// F1: lost.
func.func @lost(%x: tensor<4xf32>) {
  // expected-error@+1 {{'tandem.start' op a future is lost: expected one use, a tandem.done, tandem.yield or loop init in its block, found none}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  return
}

// -----

// F1: doubled.
func.func @doubled(%x: tensor<4xf32>) {
  // expected-error@+1 {{a future has 2 uses: expected exactly one}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  // expected-note@+1 {{used here}}
  %0 = tandem.done %f : !tandem.future<tensor<4xf32>>
  // expected-note@+1 {{used here}}
  %1 = tandem.done %f : !tandem.future<tensor<4xf32>>
  return
}

// -----

// F1: lost at a loop's end.
func.func @lost_result(%x: tensor<4xf32>, %p: tensor<i1>) {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  // expected-error@+1 {{'tandem.loop' op a future is lost}}
  %r = tandem.loop %p (%l = %f : !tandem.future<tensor<4xf32>>) {
    tandem.yield %p, %l : tensor<i1>, !tandem.future<tensor<4xf32>>
  }
  return
}

// -----

// F1: lost in a loop's body.
func.func @lost_argument(%x: tensor<4xf32>, %p: tensor<i1>) {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  // expected-error@+1 {{'tandem.loop' op a future is lost}}
  %r = tandem.loop %p (%l = %f : !tandem.future<tensor<4xf32>>) {
    %n = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
      %0 = tandem.copy %a : tensor<4xf32>
      tandem.yield %0 : tensor<4xf32>
    }
    tandem.yield %p, %n : tensor<i1>, !tandem.future<tensor<4xf32>>
  }
  %d = tandem.done %r : !tandem.future<tensor<4xf32>>
  return
}

// -----

// F2: returned from a function.
func.func @returned(%x: tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
  // expected-error@+1 {{a future is used by 'func.return': expected a tandem.done, tandem.yield or loop init}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  return %f : !tandem.future<tensor<4xf32>>
}

// -----

// F3: captured by a loop: the body would await it once per iteration.
func.func @captured(%x: tensor<4xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{a future is captured by another region: pass it as a loop's init, or await it in the block that defines it}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  tandem.loop %p () {
    // expected-note@+1 {{used here}}
    %d = tandem.done %f : !tandem.future<tensor<4xf32>>
    tandem.yield %p : tensor<i1>
  }
  return
}

// -----

// F3: captured by a branch: the other branch would lose it.
func.func @captured_by_branch(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{a future is captured by another region}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.case %i -> tensor<4xf32> {
    // expected-note@+1 {{used here}}
    %d = tandem.done %f : !tandem.future<tensor<4xf32>>
    tandem.yield %d : tensor<4xf32>
  }, {
    tandem.yield %x : tensor<4xf32>
  }
  return
}

// -----

// F4: a function's argument.
func.func @argument(%f: !tandem.future<tensor<4xf32>>) {
  // expected-error@+1 {{a future is an argument of 'func.func': only the body of a tandem.loop takes futures}}
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  return
}

// -----

// T1: a token used in a nested block.
func.func @token_captured(%x: tensor<4xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'tandem.copy' op its token is used in another block by 'tandem.copy'}}
  %0, %t = tandem.copy %x : tensor<4xf32> -> !tandem.token
  tandem.loop %p () {
    %1 = tandem.copy %x after(%t) : tensor<4xf32>
    tandem.yield %p : tensor<i1>
  }
  return
}

// -----

// T1: a token from a function's argument.
func.func @token_argument(%x: tensor<4xf32>, %t: !tandem.token) {
  // expected-error@+1 {{a token is a block argument: expected the result of an op of the same block}}
  %0 = tandem.copy %x after(%t) : tensor<4xf32>
  return
}

// -----

// S1: something else in a start's region.
func.func @start_content(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected only collectives or a tandem.copy in its region, found 'stablehlo.negate'}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  return %d : tensor<4xf32>
}

// -----

// S1: nothing in a start's region.
func.func @start_empty(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a collective or a tandem.copy in its region, found none}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    tandem.yield %a : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  return %d : tensor<4xf32>
}

// -----

// S1: two copies.
func.func @start_copies(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a tandem.copy to be alone in its region}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>, tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    %1 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  %d:2 = tandem.done %f : !tandem.future<tensor<4xf32>, tensor<4xf32>>
  return %d#0 : tensor<4xf32>
}

// -----

// S1: a collective on another one's result.
func.func @start_chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected its collectives to use its arguments only}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  return %d : tensor<4xf32>
}

// -----

// S2: collectives of two kinds.
func.func @start_kinds(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected collectives of one kind, found 'stablehlo.all_gather' and 'stablehlo.collective_permute'}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<8xf32>, tensor<4xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %0, %1 : tensor<8xf32>, tensor<4xf32>
  }
  %d:2 = tandem.done %f : !tandem.future<tensor<8xf32>, tensor<4xf32>>
  return %d#0 : tensor<8xf32>
}

// -----

// S3: collectives over different groups.
func.func @start_groups(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error-re@+1 {{expected collectives over the same groups, found dense<{{\[\[0, 1\], \[2, 3\]\]}}> : tensor<2x2xi64> and dense<{{\[\[0, 2\], \[1, 3\]\]}}> : tensor<2x2xi64>}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<8xf32>, tensor<8xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0, %1 : tensor<8xf32>, tensor<8xf32>
  }
  %d:2 = tandem.done %f : !tandem.future<tensor<8xf32>, tensor<8xf32>>
  return %d#0 : tensor<8xf32>
}

// -----

// S4: the future has another type than what is yielded.
func.func @start_types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected its region to yield ('tensor<4xf32>'), found ('tensor<8xf32>')}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0 : tensor<8xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  return %d : tensor<4xf32>
}

// -----

// S4: an argument is yielded.
func.func @start_yields_argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected the results of its collectives to be yielded, found an argument}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<8xf32>, tensor<4xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0, %a : tensor<8xf32>, tensor<4xf32>
  }
  %d:2 = tandem.done %f : !tandem.future<tensor<8xf32>, tensor<4xf32>>
  return %d#1 : tensor<4xf32>
}

// -----

// S4: done returns the future's types.
func.func @done_types(%x: tensor<4xf32>) -> tensor<8xf32> {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  // expected-error@+1 {{expected results ('tensor<4xf32>'), the types of its future, found ('tensor<8xf32>')}}
  %d = "tandem.done"(%f) <{resultSegmentSizes = array<i32: 1, 0>}> : (!tandem.future<tensor<4xf32>>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// -----

// R1: block arguments are not the inputs.
func.func @bindings(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected block arguments ('tensor<4xf32>'), the types of its inputs, found ('tensor<8xf32>')}}
  %0 = "tandem.kernel"(%x) <{operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: tensor<8xf32>):
    tandem.yield %a : tensor<8xf32>
  }) : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// R1: a kernel uses a value from above.
func.func @isolation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = "tandem.kernel"(%x) <{operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error@+1 {{'stablehlo.negate' op using value defined outside the region}}
    %1 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// R2: a kernel yields another type.
func.func @yield_types(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected its region to yield ('tensor<8xf32>'), found ('tensor<4xf32>')}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<8xf32> {
    tandem.yield %a : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// L1: results of other types than the inits.
func.func @loop_results(%x: tensor<4xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{expected results ('tensor<4xf32>'), the types of its inits, found ('tensor<8xf32>')}}
  %r = "tandem.loop"(%p, %x) <{operandSegmentSizes = array<i32: 1, 1, 0>, resultSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%c: tensor<4xf32>):
    tandem.yield %p, %c : tensor<i1>, tensor<4xf32>
  }) : (tensor<i1>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// L1: values swapped across the back edge.
func.func @loop_positions(%x: tensor<4xf32>, %y: tensor<8xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{expected its region to yield ('tensor<i1>', 'tensor<4xf32>', 'tensor<8xf32>'), found ('tensor<i1>', 'tensor<8xf32>', 'tensor<4xf32>')}}
  %r:2 = tandem.loop %p (%c = %x : tensor<4xf32>, %d = %y : tensor<8xf32>) {
    tandem.yield %p, %d, %c : tensor<i1>, tensor<8xf32>, tensor<4xf32>
  }
  return
}

// -----

// L2: no predicate yielded.
func.func @loop_predicate(%x: tensor<4xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{expected its region to yield ('tensor<i1>', 'tensor<4xf32>'), found ('tensor<4xf32>')}}
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    tandem.yield %c : tensor<4xf32>
  }
  return
}

// -----

// L2: a predicate that is not a scalar i1.
func.func @loop_predicate_type(%p: tensor<2xi1>) {
  // expected-error@+1 {{'tandem.loop' op operand #0 must be tensor<i1>, but got 'tensor<2xi1>'}}
  "tandem.loop"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>, resultSegmentSizes = array<i32: 0, 0>}> ({
    tandem.yield %p : tensor<2xi1>
  }) : (tensor<2xi1>) -> ()
  return
}

// -----

// L3: a negative trip count.
func.func @trip_count(%p: tensor<i1>) {
  // expected-error@+1 {{expected a trip count of at least 0, found -1}}
  tandem.loop %p () trip_count -1 {
    tandem.yield %p : tensor<i1>
  }
  return
}

// -----

// C1: a case without branches.
func.func @no_branch(%i: tensor<i32>) {
  // expected-error@+1 {{expected at least one branch}}
  "tandem.case"(%i) <{resultSegmentSizes = array<i32: 0, 0>}> : (tensor<i32>) -> ()
  return
}

// -----

// C2: a branch with an argument.
func.func @branch_argument(%i: tensor<i32>) {
  // expected-error@+1 {{expected branches without arguments, found 1}}
  "tandem.case"(%i) <{resultSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%a: tensor<4xf32>):
    tandem.yield
  }) : (tensor<i32>) -> ()
  return
}

// -----

// C2: a branch that yields too little.
func.func @branch_arity(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expected its region to yield ('tensor<4xf32>'), found ()}}
  %0 = tandem.case %i -> tensor<4xf32> {
    tandem.yield %x : tensor<4xf32>
  }, {
    tandem.yield
  }
  return
}

// -----

// K1: a tandem op in a kernel.
func.func @kernel_tandem(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expected stablehlo or chlo ops on local tensors, found 'tandem.copy'}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = tandem.copy %a : tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K1: a collective in a kernel.
func.func @kernel_collective(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expected stablehlo or chlo ops on local tensors, found 'stablehlo.collective_permute'}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K2: half a pair.
func.func @pair_half(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{in_place: expected (result, operand) pairs, found 1 numbers}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K2: a result out of range.
func.func @pair_result(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{in_place: expected a result below 1, found 1}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 1, 0>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K2: an operand out of range.
func.func @pair_operand(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{in_place: expected an operand below 2, found -1}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, -1>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K2: a result twice.
func.func @pair_result_twice(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{in_place: result 0 occurs twice}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0, 0, 1>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K2: an operand twice.
func.func @pair_operand_twice(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{in_place: operand 0 occurs twice}}
  %0:2 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {in_place = array<i64: 0, 0, 1, 0>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

// K3: types that differ.
func.func @pair_types(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{in_place: result 0 is a 'tensor<4xi32>' but operand 0 a 'tensor<4xf32>'}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<4xi32> attributes {in_place = array<i64: 0, 0>} {
    %1 = "stablehlo.convert"(%a) : (tensor<4xf32>) -> tensor<4xi32>
    tandem.yield %1 : tensor<4xi32>
  }
  return
}

// -----

// K4: the operand is read backwards.
func.func @reads_reversed(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 cannot be written over operand 0: 'stablehlo.reverse' reads it at another index than the one written}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0>} {
    %1 = "stablehlo.reverse"(%a) <{dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K4: a result of another shape, so written by loops of its own, reads the operand.
func.func @reads_elsewhere(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 cannot be written over operand 0: result 1 also reads it}}
  %0:2 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) attributes {in_place = array<i64: 0, 0>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.reshape"(%a) : (tensor<4xf32>) -> tensor<2x2xf32>
    tandem.yield %1, %2 : tensor<4xf32>, tensor<2x2xf32>
  }
  return
}

// -----

// K4: the operand itself is a result too.
func.func @yields_operand(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 cannot be written over operand 0: result 1 also reads it}}
  %0:2 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {in_place = array<i64: 0, 0>} {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1, %a : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

// K4: the result does not read the operand at all.
func.func @reads_nothing(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 cannot be written over operand 1: the result does not depend on it}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 1>} {
    %1 = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// K4: an update that reads another place of what it updates.
func.func @update_elsewhere(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 cannot be written over operand 0: 'stablehlo.dynamic_update_slice' reads it at another index than the one written}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>, %c = %i : tensor<i32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0>} {
    %1 = "stablehlo.dynamic_slice"(%a, %c) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %2 = "stablehlo.add"(%c, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%a, %1, %2) : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    tandem.yield %3 : tensor<4xf32>
  }
  return
}

// -----

// K4: the operand becomes part of something longer.
func.func @reads_longer(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result 0 cannot be written over operand 0: 'stablehlo.concatenate' reads it at another index than the one written}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0>} {
    %1 = "stablehlo.slice"(%b) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
    %2 = "stablehlo.concatenate"(%a, %1) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
    %3 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 4>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xf32>) -> tensor<4xf32>
    tandem.yield %3 : tensor<4xf32>
  }
  return
}

// -----

// K2: call aliases out of range.
func.func @call_alias(%x: tensor<4xf32>) {
  // expected-error@+1 {{operand_aliases: expected an operand below 1, found 3}}
  %0 = tandem.call "f"(%x) {operand_aliases = array<i64: 0, 3>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// K3: call aliases of different types.
func.func @call_alias_types(%x: tensor<4xf32>) {
  // expected-error@+1 {{operand_aliases: result 0 is a 'tensor<2xf32>' but operand 0 a 'tensor<4xf32>'}}
  %0 = tandem.call "f"(%x) {operand_aliases = array<i64: 0, 0>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// G1: a gemm without a dot.
func.func @gemm_content(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected one 'stablehlo.dot_general' and a yield in its region}}
  %0 = tandem.gemm(%a = %x : tensor<4x4xf32>, %b = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "stablehlo.add"(%a, %b) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    tandem.yield %1 : tensor<4x4xf32>
  }
  return
}

// -----

// G1: a gemm with its operands swapped.
func.func @gemm_operands(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected the operands of 'stablehlo.dot_general' to be its two arguments, in order}}
  %0 = tandem.gemm(%a = %x : tensor<4x4xf32>, %b = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "stablehlo.dot_general"(%b, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    tandem.yield %1 : tensor<4x4xf32>
  }
  return
}

// -----

// types: copy changes the type.
func.func @copy_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a result of type 'tensor<4xf32>', found 'tensor<8xf32>'}}
  %0 = "tandem.copy"(%x) : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// types: device_id is tensor<ui32>.
func.func @device_id() {
  // expected-error@+1 {{expected tensor<ui32>, found 'tensor<i32>'}}
  %0 = tandem.device_id : tensor<i32>
  return
}

// -----

// types: a future of something else than tensors.
// expected-error@+1 {{expected statically shaped tensors in a future, found 'i32'}}
func.func private @future_type(!tandem.future<i32>)

// -----

// K4: a scatter reads its updates while it writes.
func.func @in_place_of_updates(%x: tensor<4xf32>, %i: tensor<4x1xi32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{result 0 cannot be written over operand 2: 'stablehlo.scatter' reads it at another index than the one written}}
  %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %i : tensor<4x1xi32>, %c = %y : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 2>} {
    %1 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
