// What must be gone, and what must fit, after phase 3.
// RUN: tandem-opt %s -split-input-file -tandem-verify-partition -verify-diagnostics

module attributes {tandem.num_devices = 2 : i64} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%arg0: tensor<4xf32> {tandem.global_type = tensor<8xf32>, tandem.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    return
  }
}

// -----

// expected-error @+1 {{attribute tandem.num_devices is missing}}
module {
  func.func @main() {
    return
  }
}

// -----

module attributes {tandem.num_devices = 2 : i64} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error @+1 {{argument 0 has local type 'tensor<8xf32>'; expected 'tensor<4xf32>'}}
  func.func @main(%arg0: tensor<8xf32> {tandem.global_type = tensor<8xf32>, tandem.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    return
  }
}

// -----

module attributes {tandem.num_devices = 2 : i64} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error @+1 {{argument 0 has no tandem.global_type}}
  func.func @main(%arg0: tensor<8xf32>) {
    // expected-error @+1 {{sdy ops must be gone after phase partition}}
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
    return
  }
}

// -----

module attributes {tandem.num_devices = 2 : i64} {
  func.func @main(%arg0: tensor<8xf32> {tandem.global_type = tensor<8xf32>}) {
    // expected-error @+1 {{group names device 2; there are 2}}
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>
    return
  }
}

// -----

module attributes {tandem.num_devices = 2 : i64} {
  func.func @main(%arg0: tensor<8xf32> {tandem.global_type = tensor<8xf32>}) {
    // expected-error @+1 {{pair names device 2; there are 2}}
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    return
  }
}
