// The constraints of collectives; each case is named after the specification's label.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

func.func @all_gather_c1(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects all_gather_dim from 0 to 1, found 2}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_gather_c2(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects unique ids in replica_groups, found 1 twice}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_gather_c3(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects replica_groups to hold each of 0 to 3, found 4}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_gather_c4(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects ids of at least 0 in replica_groups, found -1 in group 1}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_gather_c5(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects a channel_handle above 0 beside use_global_device_ids, found 0}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_gather_c5_missing(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects a channel_handle above 0 beside use_global_device_ids, found 0}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_gather_c6(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2x8xf32>', found 'tensor<4x4xf32>'}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_gather_groups_rank(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects replica_groups of rank 2, one row per group, found shape [4]}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[0, 1, 2, 3]> : tensor<4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

// Without groups all devices are one, and the result tells how many.
func.func @all_gather_all(%a: tensor<2x4xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x32xf32>
  return
}

// -----

func.func @all_gather_all_c6(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects results of shape [2, 4], found [2, 6]}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @all_reduce_c1(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects unique ids in replica_groups, found 0 twice}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_c2(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects replica_groups to hold each of 0 to 2, found 3}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [3, -1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_c3(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects ids of at least 0 in replica_groups, found -2 in group 0}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[-2, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_padding(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects -1 in replica_groups only after the ids of a group, found 2 after it in group 0}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, -1, 2], [1, 3, 4]]> : tensor<2x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// Groups may differ in size, the shorter ones padded with -1.
func.func @all_reduce_uneven(%a: tensor<2x4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_c4(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects a channel_handle above 0 beside use_global_device_ids, found 0}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_c5(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects computation to take 2 arguments, found 3}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %x2: tensor<f32>):
    stablehlo.return %x0 : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_c5_promotable(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects argument 0 of computation of an element type that can hold 'f32', found 'bf16'}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x0: tensor<bf16>, %x1: tensor<bf16>):
    stablehlo.return %x0 : tensor<bf16>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_reduce_c6(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2x4xf32>', found 'tensor<2x8xf32>'}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_reduce_c7(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2x4xf64>', found 'tensor<2x4xf32>'}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f64>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_to_all_c1(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects split_dimension from 0 to 1, found 2}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c2(%a: tensor<2x5xf32>) {
  // expected-error@+1 {{expects a size divisible by split_count 2 in dimension 1, found 5}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x5xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c3(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects concat_dimension from 0 to 1, found -1}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = -1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c4(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects split_count of at least 1, found 0}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c5(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects unique ids in replica_groups, found 1 twice}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c6(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects replica_groups to hold each of 0 to 3, found 7}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 7]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c7(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects ids of at least 0 in replica_groups, found -1 in group 0}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, -1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c8(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects groups of split_count 2 devices, found 4}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c9(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<4x2xf32>', found 'tensor<2x4xf32>'}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @collective_broadcast_c1(%a: tensor<4xf32>) {
  // expected-error@+1 {{expects unique ids in replica_groups, found 5 twice}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[5, 5]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_c2(%a: tensor<4xf32>) {
  // expected-error@+1 {{expects ids of at least 0 in replica_groups, found -1 in group 0}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Devices may be left out.
func.func @collective_broadcast_some(%a: tensor<4xf32>) {
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c1(%a: tensor<4xf32>) {
  // expected-error@+1 {{expects source_target_pairs of shape [N, 2], found [2, 3]}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<0> : tensor<2x3xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c2(%a: tensor<4xf32>) {
  // expected-error@+1 {{expects unique sources in source_target_pairs, found 0 twice}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c3(%a: tensor<4xf32>) {
  // expected-error@+1 {{expects unique targets in source_target_pairs, found 2 twice}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 2], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c4(%a: tensor<4xf32>) {
  // expected-error@+1 {{expects ids in source_target_pairs of at least 0, found -1}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c5(%a: tensor<4xf32>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reduce_scatter_c1(%a: tensor<2x5xf32>) {
  // expected-error@+1 {{expects a size divisible by the 2 devices of a group in dimension 1, found 5}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c2(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects scatter_dimension from 0 to 1, found 3}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 3 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c3(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects unique ids in replica_groups, found 3 twice}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 3], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c4(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects replica_groups to hold each of 0 to 1, found 2}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c5(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects ids of at least 0 in replica_groups, found -1 in group 0}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c6(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects a channel_handle above 0 beside use_global_device_ids, found 0}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c7(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects computation to return 1 values, found 2}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
    stablehlo.return %x0, %x1 : tensor<f32>, tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_c8(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2x2xf32>', found 'tensor<2x4xf32>'}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @reduce_scatter_c9(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2x2xf64>', found 'tensor<2x2xf32>'}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
    stablehlo.return %x0 : tensor<f64>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @reduce_scatter_all_c8(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result of shape [2, 4], found [2, 3]}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @send_c2(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{expects unique sources in source_target_pairs, found 0 twice}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c5(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{expects a channel of type 2 for a host transfer, found 1}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c5(%t: !stablehlo.token) {
  // expected-error@+1 {{expects a channel of type 1 between devices, found 3}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_c1(%t: !stablehlo.token) {
  // expected-error@+1 {{expects at least one result, a token, found none}}
  "stablehlo.infeed"(%t) : (!stablehlo.token) -> ()
  return
}

// -----

func.func @infeed_c2(%t: !stablehlo.token) {
  // expected-error@+1 {{expects tensors before the last result, found '!stablehlo.token' as result 0}}
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @infeed_c3(%t: !stablehlo.token) {
  // expected-error@+1 {{expects a token as the last result, found 'tensor<4xf32>'}}
  %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> tensor<4xf32>
  return
}
