// Text that is no sharding, and what the reader is told.
// RUN: tandem-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// Nothing follows the '?' of an open dimension.
// expected-error@+1 {{'?' must be the last entry of a dimension sharding}}
"test.op"() {a = #sdy.sharding<@mesh, [{?, "a"}]>} : () -> ()

// -----

// A priority is 'p' and a number.
// expected-error@+1 {{expected a priority, 'p' and a number such as p1}}
"test.op"() {a = #sdy.sharding<@mesh, [{"a"}q1]>} : () -> ()

// -----

// A priority is not negative (and so cannot be written), nor set where it has no use.
// expected-error@+1 {{dimension 1: a closed dimension without axes has no use for a priority}}
"test.op"() {a = #sdy.sharding<@mesh, [{"a"}p0, {}p1]>} : () -> ()

// -----

// unreduced comes after replicated.
// expected-error@+1 {{expected replicated={...} and then unreduced={...}, each at most once}}
"test.op"() {a = #sdy.sharding<@mesh, [{}], unreduced={"a"}, replicated={"b"}>} : () -> ()

// -----

// expected-error@+1 {{expected replicated={...} and then unreduced={...}, each at most once}}
"test.op"() {a = #sdy.sharding<@mesh, [{}], replicated={"a"}, replicated={"b"}>} : () -> ()

// -----

// expected-error@+2 {{expects a sub-axis pre-size of at least 1, found 0}}
// expected-error@+1 {{failed to parse Sdy_AxisRef parameter}}
"test.op"() {a = #sdy.sharding<@mesh, [{"a":(0)2}]>} : () -> ()

// -----

// expected-error@+2 {{expects a sub-axis size of at least 2, found 1}}
// expected-error@+1 {{failed to parse Sdy_AxisRef parameter}}
"test.op"() {a = #sdy.sharding<@mesh, [{"a":(2)1}]>} : () -> ()

// -----

// Factors are the letters from i on.
// expected-error@+2 {{expected factors from i to z, then z_1, z_2, ..., found 'ai'}}
// expected-error@+1 {{failed to parse Sdy_TensorMapping parameter}}
"test.op"() {a = #sdy.op_sharding_rule<([ai])->([i]) {i=2}>} : () -> ()

// -----

// expected-error@+2 {{expected factors from i to z, then z_1, z_2, ..., found 'z_0'}}
// expected-error@+1 {{failed to parse Sdy_TensorMapping parameter}}
"test.op"() {a = #sdy.op_sharding_rule<([z_0])->([i]) {i=2}>} : () -> ()

// -----

// expected-error@+1 {{expected one factor from i to z, z_1, z_2, ..., found 'ij'}}
"test.op"() {a = #sdy.op_sharding_rule<([ij])->([ij]) {i=2, j=2} reduction={ij}>} : () -> ()

// -----

// Sizes are given in order.
// expected-error@+1 {{expected the size of factor i here, found that of j}}
"test.op"() {a = #sdy.op_sharding_rule<([ij])->([ij]) {j=2, i=2}>} : () -> ()
