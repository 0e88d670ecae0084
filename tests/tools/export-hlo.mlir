// A scheduled program as HLO text: every kind of op, in order, read again by our reader.
// RUN: tandem convert %s -o %t.hlo.txt && FileCheck %s < %t.hlo.txt
// RUN: tandem convert %t.hlo.txt -o - --to hlo | diff %t.hlo.txt -

// RUN: tandem compile %S/Inputs/add.mlir -o %t.add.hlo.txt && FileCheck %s --check-prefix=ADD < %t.add.hlo.txt
// RUN: tandem compile %S/Inputs/add.mlir --emit hlo -o - | diff %t.add.hlo.txt -
// RUN: %expect-exit 2 tandem convert %S/Inputs/add.mlir -o %t.not.hlo.txt | FileCheck %s --check-prefix=UNSCHEDULED
// RUN: %expect-exit 2 tandem compile %S/Inputs/add.mlir --emit hlo --to fuse -o - | FileCheck %s --check-prefix=EARLY
// ADD: is_scheduled=true
// UNSCHEDULED: add.mlir:{{[0-9]+:[0-9]+}}: error: 'stablehlo.{{.*}}' is not an op of a scheduled program: 'tandem compile --to schedule' makes one
// EARLY: HLO text is written after phase schedule, found --to fuse

// CHECK: HloModule forms, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (3, {}) }, entry_computation_layout={(f32[4,8]{1,0}, f32[8,16]{1,0}, s32[], f32[4,8]{1,0})->(f32[4,8]{1,0}, f32[4,16]{1,0}, f32[4,8]{1,0})}, num_partitions=4

// A product among other ops is a fusion.
// CHECK: %fused_dot_general ({{.*}}) -> f32[4,16] {
// CHECK: dot(
// CHECK: ROOT {{.*}} maximum(
// A kernel is a fusion; what an update leaves is not copied where it is in place.
// CHECK: %fused_dynamic_update_slice ([[P0:[a-z0-9._]+]]: f32[4,8], [[P1:[a-z0-9._]+]]: s32[]) -> f32[4,8] {
// CHECK: ROOT {{.*}} = f32[4,8]{1,0} dynamic-update-slice(%[[P0]], %{{[^,]*}}, %[[P1]], %{{.*}})
// The second is not: it has a copy before it (below).
// CHECK: %fused_dynamic_update_slice.1
// A kernel that hands on what it is given copies it.
// CHECK: %fused_reduce ({{.*}}) -> (f32[4,8], f32[4]) {
// CHECK: reduce({{.*}}), dimensions={1}, to_apply=%region
// CHECK: copy(
// CHECK: ROOT %tuple{{[.0-9]*}} = (f32[4,8]{1,0}, f32[4]{0}) tuple(
// CHECK: %async_reduce-scatter ({{.*}}: f32[4,8]) -> f32[1,8] {
// CHECK: ROOT {{.*}} = f32[1,8]{1,0} reduce-scatter(%{{.*}}), channel_id={{[0-9]+}}, replica_groups={{[{][{]}}0,1,2,3}}, use_global_device_ids=true, dimensions={0}, to_apply=%region{{.*}}, frontend_attributes={tandem_rule="sum of partial results",tandem_for="params['w']"}
// CHECK: %async_all-to-all
// CHECK: all-to-all(%{{.*}}), channel_id={{[0-9]+}}, replica_groups={{.*}}, dimensions={0}, {{.*}}frontend_attributes={concat_dimension="1"}

// The loop's state: the counter, the gather in flight, what the body uses from above, the next
// predicate.
// CHECK: %loop_body ([[STATE:[a-z0-9._]+]]: (s32[], (f32[4,8], f32[16,8]), f32[4,8], s32[], pred[])) -> (s32[], (f32[4,8], f32[16,8]), f32[4,8], s32[], pred[]) {
// CHECK: [[FLYING:%get-tuple-element[.0-9]*]] = (f32[4,8]{1,0}, f32[16,8]{1,0}) get-tuple-element(%[[STATE]]), index=1
// CHECK: = f32[16,8]{1,0} all-gather-done([[FLYING]])
// CHECK: [[NEXT:%all-gather-start[.0-9]*]] = (f32[4,8]{1,0}, f32[16,8]{1,0}) all-gather-start(%{{.*}}), channel_id={{[0-9]+}}, replica_groups={{[{][{]}}0,1,2,3}}, use_global_device_ids=true, dimensions={0}
// CHECK: ROOT %tuple{{.*}} tuple(%{{[^,]*}}, [[NEXT]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// CHECK: %loop_condition
// CHECK: ROOT {{.*}} = pred[] get-tuple-element({{.*}}), index=4
// CHECK: %branch ({{.*}}: (f32[4,8])) -> (f32[4,8]) {
// CHECK: negate_fusion
// CHECK: %branch.1 (

// CHECK: ENTRY %main
// CHECK-NEXT: %[[A:parameter[.0-9]*]] = f32[4,8]{1,0} parameter(0), metadata={op_name="state['x']" source_file="step.py" source_line=7}
// CHECK: %constant{{.*}} = f32[2]{0} constant({1, 2})
// CHECK: %partition-id = u32[] partition-id()
// CHECK: %[[DOT:dot[.0-9]*]] = f32[4,16]{1,0} dot(%[[A]], %{{.*}}), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,highest}
// CHECK: fusion(%[[A]], %{{.*}}), kind=kCustom, calls=%fused_dot_general
// CHECK: %[[COPY:copy[.0-9]*]] = f32[4,8]{1,0} copy(%[[A]])
// CHECK: fusion(%[[COPY]], %{{.*}}), kind=kLoop, calls=%fused_dynamic_update_slice.1
// CHECK: custom-call({{.*}}), custom_call_target="in_place", output_to_operand_aliasing={{[{][{]}}}: (0, {})}, api_version=API_VERSION_TYPED_FFI, backend_config="{uplo = 76 : ui8}"
// Two sums of one type are one all-reduce, another type's is its own.
// CHECK: %[[SUMS:all-reduce-start[.0-9]*]] = (f32[4,8]{1,0}, f32[4,8]{1,0}) all-reduce-start(%{{.*}}, %{{.*}}), channel_id={{[0-9]+}}, replica_groups={{[{][{]}}0,1},{2,3}}, use_global_device_ids=true, to_apply=%region
// CHECK: %[[COUNTS:all-reduce-start[.0-9]*]] = s32[] all-reduce-start(
// CHECK: %[[PERMUTE:collective-permute-start[.0-9]*]] = (f32[4,8]{1,0}, f32[4,8]{1,0}) collective-permute-start(%{{.*}}), channel_id={{[0-9]+}}, source_target_pairs={{[{][{]}}0,1},{1,0}}
// CHECK: %[[SCATTER:reduce-scatter-start[.0-9]*]] = ((f32[4,8]{1,0}), f32[1,8]{1,0}) async-start(%{{.*}}), calls=%async_reduce-scatter
// CHECK: (f32[4,8]{1,0}, f32[4,8]{1,0}) all-reduce-done(%[[SUMS]])
// CHECK: s32[] all-reduce-done(%[[COUNTS]])
// CHECK: collective-permute-done(%[[PERMUTE]])
// CHECK: = f32[1,8]{1,0} async-done(%[[SCATTER]])
// CHECK: copy-start({{.*}}), {{.*}}control-predecessors={%all-to-all-done}
// CHECK: copy-done(
// CHECK: %[[LOOP:while[.0-9]*]] = {{.*}} while(%{{.*}}), condition=%loop_condition, body=%loop_body, backend_config={"known_trip_count":{"n":"3"}}
// CHECK: [[LAST:%get-tuple-element[.0-9]*]] = (f32[4,8]{1,0}, f32[16,8]{1,0}) get-tuple-element(%[[LOOP]]), index=1
// CHECK: all-gather-done([[LAST]])
// CHECK: conditional(%{{.*}}, %{{.*}}, %{{.*}}), branch_computations={%branch, %branch.1}
// CHECK: ROOT %tuple
module @forms attributes {tandem.num_devices = 4 : i64} {
  func.func @main(
      %x: tensor<4x8xf32> {tandem.buffer = #tandem.buffer<argument 0, 0, 128>, tf.aliasing_output = 0 : i32} loc("state['x']"("step.py":7:3)),
      %w: tensor<8x16xf32> {tandem.buffer = #tandem.buffer<argument 1, 0, 512>},
      %n: tensor<i32> {tandem.buffer = #tandem.buffer<argument 2, 0, 4>},
      %d: tensor<4x8xf32> {tandem.buffer = #tandem.buffer<argument 3, 0, 128>, jax.buffer_donor = true})
      -> (tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>) {
    %c = tandem.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %id = tandem.device_id : tensor<ui32>
    %dot = tandem.gemm(%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x16xf32>) -> tensor<4x16xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      tandem.yield %0 : tensor<4x16xf32>
    }
    %relu = tandem.kernel(%a = %x : tensor<4x8xf32>, %b = %w : tensor<8x16xf32>, %z = %dot : tensor<4x16xf32>) -> tensor<4x16xf32> attributes {tandem.buffers = [#tandem.buffer<result 1, 0, 256>]} {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      %1 = stablehlo.maximum %0, %z : tensor<4x16xf32>
      tandem.yield %1 : tensor<4x16xf32>
    }
    %inplace = tandem.kernel(%a = %d : tensor<4x8xf32>, %i = %n : tensor<i32>) -> tensor<4x8xf32> attributes {in_place = array<i64: 0, 0>, tandem.buffers = [#tandem.buffer<argument 3, 0, 128>]} {
      %0 = stablehlo.constant dense<1.0> : tensor<1x8xf32>
      %1 = stablehlo.dynamic_update_slice %a, %0, %i, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
      tandem.yield %1 : tensor<4x8xf32>
    }
    %elsewhere = tandem.kernel(%a = %x : tensor<4x8xf32>, %i = %n : tensor<i32>) -> tensor<4x8xf32> attributes {in_place = array<i64: 0, 0>, tandem.buffers = [#tandem.buffer<temp, 0, 128>]} {
      %0 = stablehlo.constant dense<1.0> : tensor<1x8xf32>
      %1 = stablehlo.dynamic_update_slice %a, %0, %i, %i : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
      tandem.yield %1 : tensor<4x8xf32>
    }
    %called = tandem.call "in_place"(%elsewhere) {config = {uplo = 76 : ui8}, operand_aliases = array<i64: 0, 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %same, %sum = tandem.kernel(%a = %called : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      tandem.yield %a, %1 : tensor<4x8xf32>, tensor<4xf32>
    }
    %f0 = tandem.start(%a = %same : tensor<4x8xf32>, %b = %inplace : tensor<4x8xf32>, %k = %n : tensor<i32>) -> !tandem.future<tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>> {
      %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %9 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %9 : tensor<f32>
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = "stablehlo.all_reduce"(%k) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %9 = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %9 : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %2 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %9 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %9 : tensor<f32>
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      tandem.yield %0, %1, %2 : tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>
    }
    %f1 = tandem.start(%a = %x : tensor<4x8xf32>) -> !tandem.future<tensor<4x8xf32>> {
      %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
      tandem.yield %0 : tensor<4x8xf32>
    }
    %f2 = tandem.start(%a = %x : tensor<4x8xf32>) -> !tandem.future<tensor<1x8xf32>> {
      %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %9 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %9 : tensor<f32>
      }) : (tensor<4x8xf32>) -> tensor<1x8xf32> loc(fused<#tandem.cause<rule "sum of partial results", for "params['w']", axes ["data"]>>["step.py":9:1])
      tandem.yield %0 : tensor<1x8xf32>
    }
    %f3 = tandem.start(%a = %x : tensor<4x8xf32>) -> !tandem.future<tensor<1x32xf32>> {
      %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x8xf32>) -> tensor<1x32xf32>
      tandem.yield %0 : tensor<1x32xf32>
    }
    %r0:3 = tandem.done %f0 : !tandem.future<tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>>
    %r1 = tandem.done %f1 : !tandem.future<tensor<4x8xf32>>
    %r2 = tandem.done %f2 : !tandem.future<tensor<1x8xf32>>
    %r3, %t = tandem.done %f3 : !tandem.future<tensor<1x32xf32>> -> !tandem.token
    %f4 = tandem.start(%a = %r1 : tensor<4x8xf32>) after(%t) -> !tandem.future<tensor<4x8xf32>> {
      %0 = tandem.copy %a : tensor<4x8xf32>
      tandem.yield %0 : tensor<4x8xf32>
    }
    %r4 = tandem.done %f4 : !tandem.future<tensor<4x8xf32>>
    %p = tandem.kernel(%a = %n : tensor<i32>) -> tensor<i1> {
      %0 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %a, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tandem.yield %1 : tensor<i1>
    }
    %g = tandem.start(%a = %r4 : tensor<4x8xf32>) -> !tandem.future<tensor<16x8xf32>> {
      %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
      tandem.yield %0 : tensor<16x8xf32>
    }
    %l:2 = tandem.loop %p (%i = %n : tensor<i32>, %h = %g : !tandem.future<tensor<16x8xf32>>) trip_count 3 {
      %whole = tandem.done %h : !tandem.future<tensor<16x8xf32>>
      %next = tandem.start(%a = %r4 : tensor<4x8xf32>) -> !tandem.future<tensor<16x8xf32>> {
        %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
        tandem.yield %0 : tensor<16x8xf32>
      }
      %j, %q = tandem.kernel(%a = %i : tensor<i32>, %b = %n : tensor<i32>) -> (tensor<i32>, tensor<i1>) {
        %0 = stablehlo.constant dense<1> : tensor<i32>
        %1 = stablehlo.add %a, %0 : tensor<i32>
        %2 = stablehlo.compare LT, %1, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        tandem.yield %1, %2 : tensor<i32>, tensor<i1>
      }
      tandem.yield %q, %j, %next : tensor<i1>, tensor<i32>, !tandem.future<tensor<16x8xf32>>
    }
    %last = tandem.done %l#1 : !tandem.future<tensor<16x8xf32>>
    %chosen = tandem.case %l#0 -> tensor<4x8xf32> {
      %0 = tandem.kernel(%a = %r4 : tensor<4x8xf32>) -> tensor<4x8xf32> {
        %1 = stablehlo.negate %a : tensor<4x8xf32>
        tandem.yield %1 : tensor<4x8xf32>
      }
      tandem.yield %0 : tensor<4x8xf32>
    }, {
      tandem.yield %r4 : tensor<4x8xf32>
    }
    %back = tandem.kernel(%a = %chosen : tensor<4x8xf32>, %b = %x : tensor<4x8xf32>) -> tensor<4x8xf32> attributes {in_place = array<i64: 0, 1>, tandem.buffers = [#tandem.buffer<argument 0, 0, 128>]} {
      %0 = stablehlo.add %a, %b : tensor<4x8xf32>
      tandem.yield %0 : tensor<4x8xf32>
    }
    %out = tandem.copy %chosen {tandem.buffers = [#tandem.buffer<result 2, 0, 128>]} : tensor<4x8xf32>
    return %back, %relu, %out : tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>
  }
}
