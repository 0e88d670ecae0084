// One case per rule of a mesh.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

// expected-error@+2 {{expects an axis size of at least 1, found 0 for axis "a"}}
// expected-error@+1 {{failed to parse Sdy_Mesh parameter}}
sdy.mesh @mesh = <["a"=0]>

// -----

// expected-error@+1 {{expects unique axis names, found "a" twice}}
sdy.mesh @mesh = <["a"=2, "b"=2, "a"=2]>

// -----

// expected-error@+1 {{expects device ids of at least 0, found -1}}
sdy.mesh @mesh = <["a"=2], device_ids=[-1, 0]>

// -----

// expected-error@+1 {{expects 4 device ids, the product of the axis sizes, found 2}}
sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[1, 0]>

// -----

// A maximal mesh is one device.
// expected-error@+1 {{expects 1 device ids, the product of the axis sizes, found 2}}
sdy.mesh @mesh = <[], device_ids=[1, 2]>

// -----

// expected-error@+1 {{expects device_ids to hold each of 0 to 3 once}}
sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0, 2, 2, 3]>

// -----

// expected-error@+1 {{expects device_ids to hold each of 0 to 1 once}}
sdy.mesh @mesh = <["a"=2], device_ids=[2, 1]>

// -----

func.func @in_a_function() {
  // expected-error@+1 {{'sdy.mesh' op expects parent op 'builtin.module'}}
  sdy.mesh @mesh = <["a"=2]>
  return
}
