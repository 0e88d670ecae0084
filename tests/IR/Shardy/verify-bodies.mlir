// One case per rule of manual_computation and named_computation.
// RUN: tandem-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @operand_shardings(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.manual_computation' op expects 1 operand shardings, found 0}}
  sdy.manual_computation(%arg0) in_shardings=[] out_shardings=[] manual_axes={} (%arg1: tensor<8xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @result_shardings(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects 1 result shardings, found 2}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>, <@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @invalid_sharding(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{operand 0: axis "a" is used twice}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "a"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @block_argument_count(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects 1 block arguments, one per operand, found 2}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @returned_count(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects 1 returned values, one per result, found 0}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @manual_axes_first(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{operand 0: expects manual axes before free ones in dimension 0, found "a" after "b"}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b", "a"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @manual_axes_divide(%arg0: tensor<8x7xf32>) {
  // expected-error@+1 {{operand 0: expects the size 7 of dimension 1 to be divisible by the 2 parts along manual axes "b"; pad the array to a multiple of 2, or leave an axis out of the sharding}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[] manual_axes={"a", "b"} (%arg1: tensor<4x4xf32>) {
  } : (tensor<8x7xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @argument_type(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{operand 0: expects block argument of type 'tensor<4xf32>', the local type along manual axes, found 'tensor<8xf32>'; write the local type, or change the axes of the sharding}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "b"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<8xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @result_type(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{result 0: expects returned value of type 'tensor<8xf32>', the local type along manual axes, found 'tensor<4xf32>'}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @unknown_manual_axis(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{unknown manual axis "c" in mesh #sdy.mesh<["a"=2, "b"=2]>}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[] manual_axes={"c"} (%arg1: tensor<8xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @manual_axis_twice(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects unique manual axes, found "a" twice}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[] manual_axes={"a", "a"} (%arg1: tensor<8xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @no_mesh() {
  // expected-error@+1 {{has manual axes but no sharding that tells their mesh}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
    "test.op"() : () -> ()
  } : () -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
sdy.mesh @other = <["a"=4]>
func.func @two_meshes(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects all shardings on one mesh, found #sdy.mesh<["a"=2, "b"=2]> and #sdy.mesh<["a"=4]>}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@other, [{}]>] manual_axes={"a"} (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @nested_manual_axis(%arg0: tensor<8xf32>) {
  // expected-note@+1 {{made manual here}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    // expected-error@+1 {{is manual on axis "a", which is manual in an sdy.manual_computation around it}}
    sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[] manual_axes={"a"} (%arg2: tensor<2xf32>) {
    } : (tensor<4xf32>) -> ()
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @manual_axis_inside(%arg0: tensor<8xf32>) {
  // expected-note@+1 {{made manual here}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4xf32>) {
    // expected-error@+1 {{'test.op' op result 0: uses axis "a" in dimension 0, which is manual in an sdy.manual_computation around it; inside it only free axes can split a value, so leave it out}}
    %0 = "test.op"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : () -> tensor<4xf32>
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @named_argument_count(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.named_computation' op expects 1 block arguments, one per operand, found 0}}
  sdy.named_computation<"f">(%arg0) () {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @named_argument_type(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects block argument 0 of the operand's type 'tensor<8xf32>', found 'tensor<4xf32>'}}
  sdy.named_computation<"f">(%arg0) (%arg1: tensor<4xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @named_result_type(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects returned value 0 of the result's type 'tensor<4xf32>', found 'tensor<8xf32>'}}
  %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @named_in_sharding(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{operand 0: unknown axis "b"}}
  sdy.named_computation<"f">(%arg0) in_shardings=[<@mesh, [{"b"}]>] (%arg1: tensor<8xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @named_out_sharding(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects 0 result shardings, found 1}}
  sdy.named_computation<"f">(%arg0) out_shardings=[<@mesh, [{"a"}]>] (%arg1: tensor<8xf32>) {
  } : (tensor<8xf32>) -> ()
  return
}
