// Collectives under predicates: equal over the group, different for sure, or nobody knows.
// RUN: tandem-opt %s -split-input-file -tandem-check-uniformity -verify-diagnostics

// A counter is the same everywhere.
module attributes {tandem.num_devices = 2 : i64} {
func.func @counted(%x: tensor<f32>) -> tensor<f32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c5 = stablehlo.constant dense<5> : tensor<i32>
  %p0 = stablehlo.compare LT, %c0, %c5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r:2 = tandem.loop %p0 (%i = %c0 : tensor<i32>, %y = %x : tensor<f32>) trip_count 5 {
    %f_z = tandem.start(%a = %y : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %c1 : tensor<i32>
    %p = stablehlo.compare LT, %n, %c5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tandem.yield %p, %n, %z : tensor<i1>, tensor<i32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
}

// -----

// Only device 0 takes the branch.
module attributes {tandem.num_devices = 2 : i64} {
func.func @by_device(%x: tensor<f32>) -> tensor<f32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %p = stablehlo.compare EQ, %id, %c0, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %i = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
  // expected-note@+1 {{the predicate is that of this op}}
  %r = tandem.case %i -> tensor<f32> {
    tandem.yield %x : tensor<f32>
  }, {
    // expected-error@+1 {{'stablehlo.collective_permute' runs under a predicate that differs within its group: 1 on device 0, 0 on device 1; move the collective out, or make the predicate the same}}
    %f_z = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    tandem.yield %z : tensor<f32>
  }
  return %r : tensor<f32>
}
}

// -----

// Rows of four devices: equal within {0, 1}, different within {0, 2}.
module attributes {tandem.num_devices = 4 : i64} {
func.func @rows(%x: tensor<f32>) -> tensor<f32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %row = stablehlo.divide %id, %c2 : tensor<ui32>
  %i = stablehlo.convert %row : (tensor<ui32>) -> tensor<i32>
  %r = tandem.case %i -> tensor<f32> {
    tandem.yield %x : tensor<f32>
  }, {
    %f_z = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    tandem.yield %z : tensor<f32>
  }
  // expected-note@+1 {{the predicate is that of this op}}
  %s = tandem.case %i -> tensor<f32> {
    tandem.yield %x : tensor<f32>
  }, {
    // expected-error@+1 {{differs within its group: 0 on device 0, 1 on device 2}}
    %f_z = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    tandem.yield %z : tensor<f32>
  }
  return %r : tensor<f32>
}
}

// -----

// A loop that device 1 leaves one iteration later.
module attributes {tandem.num_devices = 2 : i64} {
func.func @later(%x: tensor<f32>) -> tensor<f32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %c3 = stablehlo.constant dense<3> : tensor<ui32>
  %bound = stablehlo.add %id, %c3 : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %p0 = stablehlo.compare LT, %c0, %bound, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  // expected-note@+1 {{the predicate is that of this op}}
  %r:2 = tandem.loop %p0 (%i = %c0 : tensor<ui32>, %y = %x : tensor<f32>) {
    // expected-error@+1 {{differs within its group: false on device 0, true on device 1}}
    %f_z = tandem.start(%a = %y : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    %c1 = stablehlo.constant dense<1> : tensor<ui32>
    %n = stablehlo.add %i, %c1 : tensor<ui32>
    %p = stablehlo.compare LT, %n, %bound, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    tandem.yield %p, %n, %z : tensor<i1>, tensor<ui32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}
}

// -----

// The index comes from a table.
module attributes {tandem.num_devices = 4 : i64} {
func.func @table(%x: tensor<f32>) -> tensor<f32> {
  %t = stablehlo.constant dense<[1, 1, 0, 1]> : tensor<4xi32>
  %id = stablehlo.partition_id : tensor<ui32>
  %e = stablehlo.dynamic_slice %t, %id, sizes = [1] : (tensor<4xi32>, tensor<ui32>) -> tensor<1xi32>
  %i = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
  // expected-note@+1 {{the predicate is that of this op}}
  %r = tandem.case %i -> tensor<f32> {
    tandem.yield %x : tensor<f32>
  }, {
    // expected-error@+1 {{differs within its group: 0 on device 2, 1 on device 3}}
    %f_z = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    tandem.yield %z : tensor<f32>
  }
  return %r : tensor<f32>
}
}

// -----

// An argument split over "a" is equal along "b" (devices 0 and 1), not along "a".
module attributes {tandem.num_devices = 4 : i64} {
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @sharded(%x: tensor<f32> {tandem.sharding = #sdy.sharding<@mesh, []>}, %tab: tensor<2xi32> {tandem.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<f32> {
  %e = stablehlo.slice %tab [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %i = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
  %r = tandem.case %i -> tensor<f32> {
    tandem.yield %x : tensor<f32>
  }, {
    %f_z = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    tandem.yield %z : tensor<f32>
  }
  // expected-note@+1 {{the predicate is that of this op}}
  %s = tandem.case %i -> tensor<f32> {
    tandem.yield %x : tensor<f32>
  }, {
    // expected-remark@+1 {{'stablehlo.all_reduce' runs under a predicate that is not proved equal on all devices of its group; the order is checked at run time}}
    %f_z = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %z = tandem.done %f_z : !tandem.future<tensor<f32>>
    tandem.yield %z : tensor<f32>
  }
  return %r : tensor<f32>
}
}

// -----

// The predicate is a collective's result, so equal within its group.
module attributes {tandem.num_devices = 2 : i64} {
func.func @reduced(%x: tensor<f32>) -> tensor<f32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %f_m = tandem.start(%a = %x : tensor<f32>) -> !tandem.future<tensor<f32>> {
    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %w = stablehlo.add %u, %v : tensor<f32>
      stablehlo.return %w : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    tandem.yield %0 : tensor<f32>
  }
  %m = tandem.done %f_m : !tandem.future<tensor<f32>>
  %p0 = stablehlo.compare GT, %m, %half, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r = tandem.loop %p0 (%y = %x : tensor<f32>) {
    %h = stablehlo.multiply %y, %half : tensor<f32>
    %f_n = tandem.start(%a = %h : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %n = tandem.done %f_n : !tandem.future<tensor<f32>>
    %p = stablehlo.compare GT, %n, %half, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tandem.yield %p, %h : tensor<i1>, tensor<f32>
  }
  return %r : tensor<f32>
}
}

// -----

// The first predicate is each device's own.
module attributes {tandem.num_devices = 2 : i64} {
func.func @unknown(%x: tensor<f32>) -> tensor<f32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %p0 = stablehlo.compare GT, %x, %half, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-note@+1 {{the predicate is that of this op}}
  %r = tandem.loop %p0 (%y = %x : tensor<f32>) {
    %h = stablehlo.multiply %y, %half : tensor<f32>
    // expected-remark@+1 {{is not proved equal on all devices of its group}}
    %f_n = tandem.start(%a = %h : tensor<f32>) -> !tandem.future<tensor<f32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      tandem.yield %0 : tensor<f32>
    }
    %n = tandem.done %f_n : !tandem.future<tensor<f32>>
    %p = stablehlo.compare GT, %n, %half, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    tandem.yield %p, %h : tensor<i1>, tensor<f32>
  }
  return %r : tensor<f32>
}
}
