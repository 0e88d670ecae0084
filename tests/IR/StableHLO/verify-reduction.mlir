// The constraints of the ops whose computation is a region; each case is named after the
// specification's label.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

func.func @reduce_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects inputs of one shape, found [2, 3] and, at 1, [2, 4]}}
  %0:2 = "stablehlo.reduce"(%a, %b, %i, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<f32>, %x3: tensor<f32>):
    stablehlo.return %x0, %x1 : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @reduce_c2(%a: tensor<2x3xf32>, %i: tensor<f64>) {
  // expected-error@+1 {{expects init_values of element type 'f32', found 'f64'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_init_scalar(%a: tensor<2x3xf32>, %i: tensor<1xf32>) {
  // expected-error@+1 {{expects init_values of shape [], found [1]}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c3() {
  // expected-error@+1 {{expects as many init_values as inputs, at least one, found 0 and 0}}
  "stablehlo.reduce"() <{dimensions = array<i64: 0>}> ({
  ^bb0():
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @reduce_c4(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects dimensions from 0 to 1, found 2}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c5(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects unique dimensions, found 1 twice}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c6_arguments(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects body to take 2 arguments, found 3}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<f32>):
    stablehlo.return %x0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c6_scalar(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects argument 0 of body to be a scalar tensor, found 'tensor<1xf32>'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<1xf32>, %x1: tensor<f32>):
    stablehlo.return %x1 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c6_types(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects arguments 0 and 1 of body of one element type, found 'f32' and 'f64'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c6_promotable(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects argument 0 of body of an element type that can hold 'f32', found 'i32'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<i32>, %x1: tensor<i32>):
    stablehlo.return %x0 : tensor<i32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xi32>
  return
}

// -----

func.func @reduce_c6_returned(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects body to return 1 values, found 2}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
    stablehlo.return %x0, %x1 : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c6_returned_type(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects body to return tensor<'f32'> as value 0, found tensor<'i1'>}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_c7(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<3xf32>'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_c8(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf64>', found 'tensor<2xf32>'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f64>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_count(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 1 results, found 2}}
  %0:2 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @reduce_window_c1() {
  // expected-error@+1 {{expects as many init_values as inputs, at least one, found 0 and 0}}
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
  ^bb0():
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @reduce_window_c2(%a: tensor<4x6xf32>, %b: tensor<4x7xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects inputs of one shape, found [4, 6] and, at 1, [4, 7]}}
  %0:2 = "stablehlo.reduce_window"(%a, %b, %i, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<f32>, %x3: tensor<f32>):
    stablehlo.return %x0, %x1 : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x7xf32>, tensor<f32>, tensor<f32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @reduce_window_c3(%a: tensor<4x6xf32>, %i: tensor<f64>) {
  // expected-error@+1 {{expects init_values of element type 'f32', found 'f64'}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c4(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 2 window_dimensions, found 1}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c5(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects window_dimensions of at least 1, found 0}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 0>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c6(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 2 window_strides, found 3}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c7(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects window_strides of at least 1, found 0}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 0, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c8(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 2 base_dilations, found 1}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c9(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects base_dilations of at least 1, found -1}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, -1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c10(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 2 window_dilations, found 1}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c11(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects window_dilations of at least 1, found 0}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 0, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c12(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects padding of shape [2, 2], found [1, 2]}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c13(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects body to take 2 arguments, found 1}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x0: tensor<f32>):
    stablehlo.return %x0 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c15(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3x3xf32>', found 'tensor<2x2xf32>'}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 4>, base_dilations = array<i64: 2, 2>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_window_c16(%a: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2x2xf64>', found 'tensor<2x2xf32>'}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @select_and_scatter_c1(%a: tensor<4x6xf32>, %b: tensor<2x2xf64>, %i: tensor<f32>) {
  // expected-error@+1 {{expects source of element type 'f32', found 'f64'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf64>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c2(%a: tensor<4x6xf32>, %b: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects source of shape [2, 2], found [2, 3]}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c3(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f64>) {
  // expected-error@+1 {{expects init_value of element type 'f32', found 'f64'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c4(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 2 window_dimensions, found 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c5(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects window_dimensions of at least 1, found 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 0, 1>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c6(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects 2 window_strides, found 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c7(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects window_strides of at least 1, found 0}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 0>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c8(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects padding of shape [2, 2], found [2, 1]}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c9_type(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects argument 0 of select to be tensor<'f32'>, found 'tensor<f64>'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f64>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c9_result(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects select to return tensor<i1>, found tensor<'f32'>}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c10(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects scatter to take 2 arguments, found 1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x0: tensor<f32>):
    stablehlo.return %x0 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_c11(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<4x6xf32>', found 'tensor<4x7xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @select_and_scatter_c12(%a: tensor<4x6xf32>, %b: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<4x6xf64>', found 'tensor<4x6xf32>'}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @sort_c1() {
  // expected-error@+1 {{expects at least one input, found none}}
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
  ^bb0():
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @sort_c2(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error@+1 {{expects result 1 of type 'tensor<4xi32>', found 'tensor<4xi64>'}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @sort_c3(%a: tensor<4xf32>, %b: tensor<5xi32>) {
  // expected-error@+1 {{expects inputs of one shape, found [4] and, at 1, [5]}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4xf32>, tensor<5xi32>) -> (tensor<4xf32>, tensor<5xi32>)
  return
}

// -----

func.func @sort_c4(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error@+1 {{expects dimension from -1 to 0, found 1}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @sort_c5_arguments(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error@+1 {{expects comparator to take 4 arguments, found 2}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @sort_c5_types(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error@+1 {{expects argument 2 of comparator to be tensor<'i32'>, found 'tensor<f32>'}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @sort_c5_result(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error@+1 {{expects comparator to return tensor<i1>, found tensor<'f32'>}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @map_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error@+1 {{expects inputs of one shape, found [4] and, at 1, [5]}}
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c3(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{expects dimensions to be 0, 1, ... up to the rank 1 of the inputs, found [1]}}
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_arguments(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{expects computation to take 2 arguments, found 1}}
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x0: tensor<f32>):
    stablehlo.return %x0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_result(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<4xi1>', found 'tensor<4xf32>'}}
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
