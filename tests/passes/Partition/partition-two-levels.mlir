// Rule A9: collectives on two link levels, where the target makes steps cheaper than one.
// RUN: tandem-opt %s -split-input-file -tandem-propagate-shardings -tandem-partition -tandem-verify-partition -mlir-print-debuginfo | FileCheck %s

// A sum: a part on the fast level, summed on the slow one, gathered on the fast one.
// CHECK-LABEL: @main
// CHECK: %[[S:.*]] = "stablehlo.reduce_scatter"
// CHECK-SAME{LITERAL}: dense<[[0, 1], [2, 3]]>
// CHECK-SAME: scatter_dimension = 0
// CHECK: "all-reduce of partial results, in steps: reduce-scatter on the fast link level"
// CHECK: -> tensor<512x512xf32>
// CHECK: %[[R:.*]] = "stablehlo.all_reduce"(%[[S]])
// CHECK-SAME{LITERAL}: dense<[[0, 2], [1, 3]]>
// CHECK: (tensor<512x512xf32>) -> tensor<512x512xf32>
// CHECK: "stablehlo.all_gather"(%[[R]])
// CHECK-SAME: all_gather_dim = 0
// CHECK-SAME{LITERAL}: dense<[[0, 1], [2, 3]]>
module attributes {tandem.target = "{\"name\": \"t\", \"device\": \"cpu\", \"launch_ps\": 1000, \"default_trip_count\": 1, \"memory_bytes_per_second\": 12000000000, \"matmul_flops_per_second\": {\"default\": 20000000000}, \"links\": [{\"name\": \"node\", \"devices\": 2, \"latency_ps\": 1000, \"bytes_per_second\": 50000000000}, {\"name\": \"network\", \"devices\": 0, \"latency_ps\": 1000, \"bytes_per_second\": 1000000000}]}"} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}, %arg1: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> (tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<64x1024xf32>, tensor<64x512xf32>) -> tensor<1024x512xf32>
    return %0 : tensor<1024x512xf32>
  }
}

// -----

// A gather: the slow level first, while there is little; blocks come back into order.
// CHECK-LABEL: @main
// CHECK: %[[S:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK-SAME{LITERAL}: dense<[[0, 2], [1, 3]]>
// CHECK: %[[F:.*]] = "stablehlo.all_gather"(%[[S]])
// CHECK-SAME{LITERAL}: dense<[[0, 1], [2, 3]]>
// CHECK: %[[D:.*]] = stablehlo.reshape %[[F]] : (tensor<1024x512xf32>) -> tensor<2x2x256x512xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[D]], dims = [1, 0, 2, 3]
// CHECK: stablehlo.reshape %[[T]]
module attributes {tandem.target = "{\"name\": \"t\", \"device\": \"cpu\", \"launch_ps\": 1000, \"default_trip_count\": 1, \"memory_bytes_per_second\": 120000000000, \"matmul_flops_per_second\": {\"default\": 20000000000}, \"links\": [{\"name\": \"node\", \"devices\": 2, \"latency_ps\": 1000, \"bytes_per_second\": 50000000000}, {\"name\": \"network\", \"devices\": 0, \"latency_ps\": 1000, \"bytes_per_second\": 1000000000}]}"} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> (tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    return %arg0 : tensor<1024x512xf32>
  }
}

// -----

// A target whose own collectives are hierarchical: one.
// CHECK-LABEL: @main
// CHECK-NOT: reduce_scatter
// CHECK: all_reduce
// CHECK-NOT: all_gather
module attributes {tandem.target = "{\"name\": \"t\", \"device\": \"cpu\", \"launch_ps\": 1000, \"default_trip_count\": 1, \"memory_bytes_per_second\": 12000000000, \"matmul_flops_per_second\": {\"default\": 20000000000}, \"algorithms\": [\"ring\", \"hierarchical\"], \"links\": [{\"name\": \"node\", \"devices\": 2, \"latency_ps\": 1000, \"bytes_per_second\": 50000000000}, {\"name\": \"network\", \"devices\": 0, \"latency_ps\": 1000, \"bytes_per_second\": 1000000000}]}"} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}, %arg1: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> (tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<64x1024xf32>, tensor<64x512xf32>) -> tensor<1024x512xf32>
    return %0 : tensor<1024x512xf32>
  }
}

// -----

// Wide sums (tandem.reduction_dtype): parts are summed wide on both levels, and gathered narrow.
// CHECK-LABEL: @main
// CHECK: "stablehlo.reduce_scatter"
// CHECK: (tensor<1024x512xf32>) -> tensor<512x512xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<512x512xf32>) -> tensor<512x512xf32>
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<512x512xbf16>) -> tensor<1024x512xbf16>
module attributes {tandem.reduction_dtype = "f32", tandem.target = "{\"name\": \"t\", \"device\": \"cpu\", \"launch_ps\": 1000, \"default_trip_count\": 1, \"memory_bytes_per_second\": 12000000000, \"matmul_flops_per_second\": {\"default\": 20000000000}, \"links\": [{\"name\": \"node\", \"devices\": 2, \"latency_ps\": 1000, \"bytes_per_second\": 50000000000}, {\"name\": \"network\", \"devices\": 0, \"latency_ps\": 1000, \"bytes_per_second\": 1000000000}]}"} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<64x1024xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}, %arg1: tensor<64x512xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> (tensor<1024x512xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<64x1024xbf16>, tensor<64x512xbf16>) -> tensor<1024x512xbf16>
    return %0 : tensor<1024x512xbf16>
  }
}
