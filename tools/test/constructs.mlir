// ==== no results
//   @f:
func.func @f(%x: tensor<4xf32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return
}

// ==== check dialect
//   @f: s64[2]
func.func @f() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %1 = stablehlo.add %0, %0 : tensor<2xi64>
  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi64>
  func.return
}

// ==== iree check and unfoldable constant
//   @f: f32[2]
func.func @f() {
  %0 = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  check.expect_almost_eq_const(%1, dense<[2.0, 4.0]> : tensor<2xf32>, 1.0e-4) : tensor<2xf32>
  return
}

// ==== probe
//   @f: s64[2]
func.func @f() -> tensor<2xi64> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %1 = interpreter.probe %0, probe_id = "p" : tensor<2xi64>
  return %1 : tensor<2xi64>
}

// ==== run_parallel
//   @g: s64[2]
//   @main: refused: p.mlir:7:12: interpreter.run_parallel: the case format has no such operation
module {
  func.func @g(%x: tensor<2xi64>) -> tensor<2xi64> {
    return %x : tensor<2xi64>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %r:2 = "interpreter.run_parallel"(%0, %0) {programs=[[@g], [@g]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi64>
    func.return
  }
}

// ==== collective_reduce
//   @f: s64[4] s64[4]
func.func @f(%x: tensor<4xi64>) -> tensor<4xi64> {
  %r = "stablehlo.collective_reduce"(%x) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %0 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %0 : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// ==== all_gather with a channel
//   @f: s64[2,8] s64[2,8] s64[2,8] s64[2,8]
func.func @f(%x: tensor<2x2xi64>) -> tensor<2x8xi64> {
  %r = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2x2xi64>) -> tensor<2x8xi64>
  return %r : tensor<2x8xi64>
}

// ==== all_gather variadic
//   @f: f32[4,4] f32[4,4] f32[4,4] f32[4,4]
func.func @f(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %r:2 = "stablehlo.all_gather"(%x, %y) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// ==== all_reduce variadic
//   @f: f32[4] f32[4] f32[4] f32[4]
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = "stablehlo.all_reduce"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// ==== bounded tuple
//   @f: f32[8]
func.func @f(%a: tuple<tensor<?xf32, #stablehlo.bounds<8>>>) -> tensor<?xf32, #stablehlo.bounds<8>> {
  %e = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tuple<tensor<?xf32, #stablehlo.bounds<8>>>) -> tensor<?xf32, #stablehlo.bounds<8>>
  return %e : tensor<?xf32, #stablehlo.bounds<8>>
}

// ==== token in the signature
//   @f: token[]
func.func @f(%t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.after_all"(%t) : (!stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// ==== unused token chain
//   @f: f32[4]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %j = "stablehlo.after_all"(%t) : (!stablehlo.token) -> !stablehlo.token
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ==== cond_br
//   @f: refused: p.mlir:1:1: func.func: more than one block
func.func @f(%p: i1, %x: tensor<f32>) -> tensor<f32> {
  cf.cond_br %p, ^bb1(%x : tensor<f32>), ^bb2
^bb1(%a: tensor<f32>):
  return %a : tensor<f32>
^bb2:
  %0 = stablehlo.negate %x : tensor<f32>
  cf.br ^bb1(%0 : tensor<f32>)
}

// ==== shape_assertion
//   @f: f32[4]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %p = stablehlo.compare EQ, %x, %x, NOTYPE : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  stablehlo.custom_call @shape_assertion(%p) {error_message = "no", has_side_effect = true} : (tensor<4xi1>) -> ()
  return %x : tensor<4xf32>
}

// ==== broadcast_select
//   @a: s32[2,8,8]
//   @b: s32[8,8,8]
//   @c: s32[2]
func.func @a(%p: tensor<i1>, %x: tensor<8x1xi32>, %y: tensor<2x8x8xi32>) -> tensor<2x8x8xi32> {
  %0 = "chlo.broadcast_select"(%p, %x, %y) : (tensor<i1>, tensor<8x1xi32>, tensor<2x8x8xi32>) -> tensor<2x8x8xi32>
  return %0 : tensor<2x8x8xi32>
}
func.func @b(%p: tensor<8x1x1xi1>, %x: tensor<1x8x1xi32>, %y: tensor<1x1x8xi32>) -> tensor<8x8x8xi32> {
  %0 = "chlo.broadcast_select"(%p, %x, %y) : (tensor<8x1x1xi1>, tensor<1x8x1xi32>, tensor<1x1x8xi32>) -> tensor<8x8x8xi32>
  return %0 : tensor<8x8x8xi32>
}
func.func @c(%p: tensor<i1>, %x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "chlo.broadcast_select"(%p, %x, %y) : (tensor<i1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// ==== dynamic without inputs
//   @a: f32[2,128]
//   @b: f32[2,2]
//   @c: refused: p.mlir:10:8: stablehlo.dynamic_reshape: its sizes are neither constant nor made of integers that --inputs gives
//   @d: f32[2,1] s32[2,1]
//   @e: f32[2,2]
func.func @a(%x: tensor<?x128xf32>, %y: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}
func.func @b(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @c(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @d(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = chlo.top_k(%x, k=1) : tensor<?x?xf32> -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}
func.func @e(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "chlo.constant_like"(%x) { value = 1.0 : f32 } : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// ==== sizes of sizes, each known when those before it are
//   @f: f32[4,4]
func.func @f(%x: tensor<4xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
  %3 = stablehlo.get_dimension_size %1, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %4 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %7 = stablehlo.constant dense<1> : tensor<1xi32>
  %8 = stablehlo.constant dense<2> : tensor<1xi32>
  %9 = stablehlo.real_dynamic_slice %6, %7, %8, %7 : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %10 = stablehlo.concatenate %9, %5, dim = 0 : (tensor<?xi32>, tensor<1xi32>) -> tensor<2xi32>
  %11 = stablehlo.dynamic_broadcast_in_dim %x, %10, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %11 : tensor<?x?xf32>
}

// ==== unranked
//   @f: refused: p.mlir:2:8: 'stablehlo.negate' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/3
func.func @f(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = stablehlo.negate %x : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// ==== dense arrays in the old form
//   @a: f32[3,2]
//   @b: f32[2,3]
//   @c: f32[]
//   @d: f32[1]
//   @e: f32[2]
func.func @a(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
func.func @b(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @c(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {dimensions = dense<[0]> : tensor<1xi64>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @d(%x: tensor<3xf32>, %i: tensor<i32>) -> tensor<1xf32> {
  %0 = "stablehlo.dynamic_slice"(%x, %i) {slice_sizes = dense<1> : tensor<1xi64>} : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @e(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.slice"(%x) {start_indices = dense<0> : tensor<1xi64>, limit_indices = dense<4> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ==== unknown dialect, unused
//   @f: refused: p.mlir:2:8: test.note: the case format has no such operation
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "test.note"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}

// ==== arith on tensors
//   @f: refused: p.mlir:3:8: arith.mulf: the attribute fastmath = #arith.fastmath<fast>
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %y : tensor<2xf32>
  %1 = arith.mulf %0, %y fastmath<fast> : tensor<2xf32>
  %2 = math.exp %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// ==== reducer of first argument
//   @f: f32[2]
func.func @f(%x: tensor<2xf32>, %i: tensor<2x1xui32>, %u: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<2x1xui32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ==== fusion of captures
//   @f: f32[4]
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.fusion"(%x, %y) ({
    %1 = mhlo.add %x, %y : tensor<4xf32>
    "mhlo.return"(%1) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ==== an operation that is started, and used when it is done
//   @f: f32[4]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %n = stablehlo.negate %x : tensor<4xf32>
  %d = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %0 = stablehlo.add %d, %n : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ==== mhlo convolution without spatial dimensions
//   @a: f32[6,5]
//   @b: f32[5,7]
func.func @a(%x: tensor<5x4xf32>, %y: tensor<2x6xf32>) -> tensor<6x5xf32> {
  %0 = mhlo.convolution(%x, %y) dim_numbers = [b, f]x[i, o]->[f, b], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<5x4xf32>, tensor<2x6xf32>) -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}
func.func @b(%x: tensor<5x6xf32>, %y: tensor<7x6xf32>) -> tensor<5x7xf32> {
  %0 = mhlo.convolution(%x, %y) dim_numbers = [b, f]x[o, i]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<5x6xf32>, tensor<7x6xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// ==== mhlo dynamic_gather of constant sizes
//   @f: f16[2,3,4]
func.func @f(%x: tensor<9x4xf16>, %i: tensor<2x3xi64>) -> tensor<2x3x4xf16> {
  %s = "arith.constant"() {value = dense<[1, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = "mhlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #mhlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false} : (tensor<9x4xf16>, tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x3x4xf16>
  return %0 : tensor<2x3x4xf16>
}

// ==== mhlo rng
//   @f: f32[2,3]
func.func @f() -> tensor<2x3xf32> {
  %a = mhlo.constant dense<1.0> : tensor<f32>
  %b = mhlo.constant dense<0.0> : tensor<f32>
  %s = mhlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = "mhlo.rng"(%b, %a, %s) {rng_distribution = #mhlo.rng_distribution<UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// ==== mhlo dynamic shapes
//   @a: f32[2,2]
func.func @a(%x: tensor<?x6xf32>, %y: tensor<6x?xf32>) -> tensor<?x?xf32> {
  %0 = "mhlo.dot_general"(%x, %y) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<?x6xf32>, tensor<6x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// ==== ragged_dot
//   @f: f32[2,11,7]
func.func @f(%l: tensor<2x11x5xf32>, %r: tensor<3x2x5x7xf32>, %g: tensor<3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}

// ==== composite without its decomposition's effect
//   @f: f32[4]
//   @a.impl: f32[4]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "a.b" %x {composite_attributes = {k = 1 : i64, flag, w = dense_resource<__elided__> : tensor<2xf32>}, decomposition = @a.impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @a.impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// ==== all_reduce of one, type 0 channel
//   @f: f32[]
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// ==== return with attributes
//   @f: f32[8]
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return {sdy.sharding = #sdy.sharding_per_value<[]>} %x : tensor<8xf32>
}

// ==== barrier of several, of none
//   @f: f32[8] s32[2]
func.func @f(%x: tensor<8xf32>, %y: tensor<2xi32>) -> (tensor<8xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<8xf32>, tensor<2xi32>
  stablehlo.optimization_barrier ()
  return %0#0, %0#1 : tensor<8xf32>, tensor<2xi32>
}

// ==== named computation
//   @f: s32[8,2] token[]
func.func @f(%x: tensor<8x2xi32>, %t: !stablehlo.token) -> (tensor<8x2xi32>, !stablehlo.token) {
  %0:2 = sdy.named_computation<"foo">(%x, %t) (%a: tensor<8x2xi32>, %b: !stablehlo.token) {
    sdy.return %a, %b : tensor<8x2xi32>, !stablehlo.token
  } : (tensor<8x2xi32>, !stablehlo.token) -> (tensor<8x2xi32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<8x2xi32>, !stablehlo.token
}

// ==== manual computation of one device
//   @a: f32[16,8]
//   @b:
sdy.mesh @m = <["x"=1]>
func.func @a(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{?}, {?}]>] out_shardings=[<@m, [{?}, {?}]>] manual_axes={} (%a: tensor<16x8xf32>) {
    %1 = stablehlo.add %a, %a : tensor<16x8xf32>
    sdy.return %1 : tensor<16x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
func.func @b() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  return
}

// ==== manual computation of several
//   @a: f32[4,8] f32[4,8] f32[4,8] f32[4,8]
sdy.mesh @m = <["a"=2, "b"=2]>
func.func @a(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"a", ?}, {?}]>] out_shardings=[<@m, [{"a", ?}, {?}]>] manual_axes={"a"} (%a: tensor<2x8xf32>) {
    %1 = stablehlo.add %a, %a : tensor<2x8xf32>
    sdy.return %1 : tensor<2x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// ==== shard and full shapes
//   @a: f32[4,8] f32[4,8]
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
func.func @a(%x: tensor<4x8xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
}

// ==== attributes of other dialects
//   @f: f32[8]
module @m attributes {ttcore.system_desc = #ttcore.system_desc<x>, tt.x} {
func.func @f(%x: tensor<8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"}) -> (tensor<8xf32> {jax.result_info = "r", ttcore.shard_status = #ttcore.shard_status<presharded>}) attributes {tt.function_type = "forward_device", byre.entry_point} {
  %0 = stablehlo.add %x, %x {reoutline.group = "g", tt.arg = #tt<x y>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
}

// ==== old func and string precision
//   @f: f32[2,2]
func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = "mhlo.dot_general"(%x, %y) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = ["DEFAULT", "DEFAULT"]} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ==== quantize
//   @f: f32[4]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:16>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<4x!quant.uniform<i8:f32, 0.5:16>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// ==== quantized arithmetic
//   @add: refused: p.mlir:2:8: stablehlo.add: quantized types are not supported here: !quant.uniform<i8:f32, 0.5:16>
//   @other: refused: p.mlir:6:8: stablehlo.reshape: quantized types are not supported here: !quant.uniform<i8:f32, 0.5:16>
func.func @add(%x: tensor<4x!quant.uniform<i8:f32, 0.5:16>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:16>> {
  %0 = stablehlo.add %x, %x : tensor<4x!quant.uniform<i8:f32, 0.5:16>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5:16>>
}
func.func @other(%x: tensor<4x!quant.uniform<i8:f32, 0.5:16>>) -> tensor<4x!quant.uniform<i8:f32, 0.25:16>> {
  %0 = stablehlo.reshape %x : (tensor<4x!quant.uniform<i8:f32, 0.5:16>>) -> tensor<4x!quant.uniform<i8:f32, 0.25:16>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.25:16>>
}

// ==== scalars and index
//   @f: refused: p.mlir:1:1: func.func: argument 0: found f32, expected a tensor of known rank
func.func @f(%x: f32, %i: index) -> f32 {
  return %x : f32
}

// ==== if without results
//   @f: f32[2]
func.func @f(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return %x : tensor<2xf32>
}

// ==== while of no state
//   @f: f32[2]
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  "stablehlo.while"() ({
    stablehlo.return %p : tensor<i1>
  }, {
    stablehlo.return
  }) : () -> ()
  return %x : tensor<2xf32>
}

// ==== send of several
//   @f: refused: p.mlir:2:8: stablehlo.send: found 2 arrays beside the token, expected 1
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%x, %y, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<2xf32>, tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// ==== async
//   @main: f32[10]
//   @g: f32[10]
func.func @main(%x: tensor<10xf32>) -> tensor<10xf32> {
  %0 = "mhlo.async_start"(%x) {called_computation = @g, execution_thread = "t"} : (tensor<10xf32>) -> !mhlo.async_bundle<tensor<10xf32>, tensor<10xf32>>
  %1 = "mhlo.async_done"(%0) : (!mhlo.async_bundle<tensor<10xf32>, tensor<10xf32>>) -> tensor<10xf32>
  return %1 : tensor<10xf32>
}
func.func @g(%x: tensor<10xf32>) -> tensor<10xf32> attributes {execution_thread = "t"} {
  return %x : tensor<10xf32>
}

// ==== mhlo of CHLO's
//   @f: f32[4] f32[4] f32[4] f32[4]
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = mhlo.erf %x : tensor<4xf32>
  %1 = mhlo.tan %x : tensor<4xf32>
  %2 = "mhlo.acos"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "mhlo.asinh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// ==== mhlo collectives
//   @f: f32[4] f32[4] f32[4] f32[4]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "mhlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = mhlo.maximum %a, %b : tensor<f32>
    mhlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #mhlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ==== reducer with region of tuple args
//   @f: f32[3] s32[3]
func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x4xi32>, %z: tensor<f32>, %n: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = stablehlo.reduce(%x init: %z), (%i init: %n) across dimensions = [1] : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %p = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// ==== nested module
//   @inner::f: f32[2]
module @outer {
  module @inner {
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    }
  }
}

// ==== elided constant
//   @f: refused: p.mlir:2:8: stablehlo.constant: dense_resource<__elided__>: no data in the module
func.func @f() -> tensor<4xf32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ==== constant of another type
//   @f: f32[2]
func.func @f() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = "stablehlo.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> {a = 1 : i32} : () -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// ==== sparse
//   @f: refused: p.mlir:2:1: func.func: argument 0: no element type or encoding of Assay: tensor<4xf32, #sparse_tensor.encoding
#S = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @f(%x: tensor<4xf32, #S>) -> tensor<4xf32, #S> {
  return %x : tensor<4xf32, #S>
}

// ==== dynamic of constants
//   @main: f32[2,3]
func.func @main() -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// ==== shape_of
//   @f: f32[2,3]
func.func @f(%x: tensor<?x3xf32>, %y: tensor<f32>) -> tensor<?x3xf32> {
  %s = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<?x3xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// ==== tensor.dim
//   @f: f32[2,3]
func.func @f(%x: tensor<?x3xf32>, %y: tensor<f32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x3xf32>
  %s = tensor.from_elements %d, %c3 : tensor<2xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// ==== get_dimension_size
//   @f: f32[6]
func.func @f(%x: tensor<?x3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.constant dense<3> : tensor<1xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<1xi32>
  %4 = stablehlo.dynamic_reshape %x, %3 : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// ==== dynamic_pad of constants
//   @f: f32[7]
func.func @f(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<7xf32> {
  %l = stablehlo.constant dense<1> : tensor<1xi32>
  %h = stablehlo.constant dense<2> : tensor<1xi32>
  %i = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %x, %z, %l, %h, %i : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// ==== real_dynamic_slice of arguments
//   @f: refused: p.mlir:2:8: stablehlo.real_dynamic_slice: its sizes are neither constant nor made of integers that --inputs gi
func.func @f(%x: tensor<4xf32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %l, %h, %s : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// ==== real_dynamic_slice of a known size
//   @f: refused: p.mlir:2:8: stablehlo.real_dynamic_slice: its strides are not constant 1
func.func @f(%x: tensor<4xf32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %s: tensor<1xi32>) -> tensor<2xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %l, %h, %s : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ==== dynamic_broadcast_in_dim to a known size
//   @f: f32[3,4]
func.func @f(%x: tensor<4xf32>, %s: tensor<2xi32>) -> tensor<3x4xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// ==== dynamic_iota to a known size
//   @f: f32[4]
func.func @f(%s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// ==== dynamic_pad to a known size
//   @f: refused: p.mlir:2:8: stablehlo.dynamic_pad: its sizes are neither constant nor made of integers that --inputs gives
func.func @f(%x: tensor<4xf32>, %z: tensor<f32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %i: tensor<1xi32>) -> tensor<7xf32> {
  %0 = stablehlo.dynamic_pad %x, %z, %l, %h, %i : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// ==== dynamic_reshape to a known size
//   @f: f32[2,2]
func.func @f(%x: tensor<4xf32>, %s: tensor<2xi32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ==== dynamic_gather of arguments
//   @f: s32[1,5,8]
func.func @f(%x: tensor<2x4x9xi32>, %i: tensor<1x5x2xi32>, %s: tensor<3xi32>) -> tensor<1x5x8xi32> {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], index_vector_dim = 2, offset_dims = [2], start_index_map = [0, 1]>, indices_are_sorted = true} : (tensor<2x4x9xi32>, tensor<1x5x2xi32>, tensor<3xi32>) -> tensor<1x5x8xi32>
  return %0 : tensor<1x5x8xi32>
}

// ==== arith with index
//   @f: f32[2]
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.index_cast %d : index to i32
  %s = tensor.from_elements %n : tensor<1xi32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// ==== num_elements
//   @f: f32[4]
func.func @f(%x: tensor<?x2xf32>) -> tensor<?xf32> {
  %s = shape.shape_of %x : tensor<?x2xf32> -> tensor<2xindex>
  %n = shape.num_elements %s : tensor<2xindex> -> index
  %t = tensor.from_elements %n : tensor<1xindex>
  %0 = stablehlo.dynamic_reshape %x, %t : (tensor<?x2xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// ==== compute_reshape_shape
//   @f: refused: p.mlir:2:8: stablehlo.dynamic_reshape: its sizes are neither constant nor made of integers that --inputs gives
func.func @f(%x: tensor<?x2xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = mhlo.dynamic_reshape %x, %s : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// ==== sizes of the type index
//   @a: s64[2]
//   @b: f32[]
//   @c: refused: p.mlir:9:8: stablehlo.dynamic_iota: its sizes are neither constant nor made of integers that --inputs gives
func.func @a(%x: tensor<2xindex>) -> tensor<2xindex> {
  return %x : tensor<2xindex>
}
func.func @b(%x: tensor<f32>, %y: tensor<f32>, %s: tensor<0xindex>) -> tensor<f32> {
  %0 = stablehlo.rng %x, %y, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xindex>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @c(%s: tensor<1xindex>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// ==== one dimension with a bound, one without
//   @f: f32[16,2]
func.func @f(%x: tensor<?x?xf32, #stablehlo.bounds<16, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<16, ?>> {
  %0 = stablehlo.abs %x : tensor<?x?xf32, #stablehlo.bounds<16, ?>>
  return %0 : tensor<?x?xf32, #stablehlo.bounds<16, ?>>
}

// ==== sizes that have to fit
//   @f: f32[3,3]
func.func @f(%x: tensor<?xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// ==== an unknown operation beside a dynamic one
//   @f: refused: p.mlir:3:8: test.shape: the case format has no such operation
func.func @f(%x: tensor<?xf32>) -> tensor<1xindex> {
  %0 = chlo.broadcast_add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = "test.shape"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %1 : tensor<1xindex>
}

// ==== conj and tan of real numbers
//   @f: f32[2] f32[2]
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "chlo.conj"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// ==== a constant that hides its sizes
//   @f: s32[2]
func.func @f() -> tensor<?xi32> {
  %0 = flow.tensor.dynamic_constant dense<[1,
    2]> : tensor<2xi32> -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// ==== a composite as a call
//   @main: f32[2] f32[1]
//   @none: refused: p.mlir:7:10: stablehlo.custom_call: called_computations is missing
//   @swap: f32[2] f32[1]
module {
  func.func @main(%x: tensor<1xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
    %0:2 = stablehlo.custom_call @stablehlo.composite(%x, %y) {called_computations = [@swap], composite.backend_config = {attributes = {n = 5 : i64}, name = "a.b"}} : (tensor<1xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<1xf32>
  }
  func.func @none(%x: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.custom_call @stablehlo.composite(%x) : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func private @swap(%x: tensor<1xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
    return %y, %x : tensor<2xf32>, tensor<1xf32>
  }
}

// ==== bounds as type extensions
//   @main: f32[8,4]
func.func @main(%x: tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>) -> tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>
  return %0 : tensor<?x4xf32, #stablehlo.type_extensions<bounds = [8, ?]>>
}

// ==== a size that is set and read
//   @main: s32[]
func.func @main(%x: tensor<8xf32>) -> tensor<i32> {
  %n = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<i32>
  return %1 : tensor<i32>
}

// ==== a token of a branch
//   @main: f32[2]
func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.after_all %t, %t : !stablehlo.token
    stablehlo.return %x, %1 : tensor<2xf32>, !stablehlo.token
  }, {
    stablehlo.return %x, %t : tensor<2xf32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<2xf32>, !stablehlo.token)
  return %0#0 : tensor<2xf32>
}

// ==== a sort whose ties numbers break
//   @main: f32[5] s32[5]
func.func @main(%k: tensor<5xf32>, %v: tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
}

// ==== accuracy of results
//   @main: f32[4]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%x) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.tanh"(%0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// ==== a case within a case
//   @main: f32[2]
func.func @main(%i: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = "stablehlo.case"(%i) ({
      stablehlo.return %x : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, {
    %2 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ==== an all_reduce that is started
//   @main: f32[4]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %2 = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %3 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// ==== constants of bytes and bits
//   @main: f32[2] f32[2] f32[] bf16[2] pred[3] c64[2]
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xbf16>, tensor<3xi1>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  %1 = stablehlo.constant dense<[0x7FC00001, 0xFF800000]> : tensor<2xf32>
  %2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %3 = stablehlo.constant dense<"0x803F00C0"> : tensor<2xbf16>
  %4 = stablehlo.constant dense<"0x05"> : tensor<3xi1>
  %5 = stablehlo.constant dense<[(1.0, 2.0), (0x7FC00000, -0.0)]> : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xbf16>, tensor<3xi1>, tensor<2xcomplex<f32>>
}

// ==== constants without elements, of few bits
//   @main: pred[9] f32[0,3] s4[2,0] u4[3] s4[3]
func.func @main() -> (tensor<9xi1>, tensor<0x3xf32>, tensor<2x0xi4>, tensor<3xui4>, tensor<3xi4>) {
  %0 = stablehlo.constant dense<"0xFF"> : tensor<9xi1>
  %1 = stablehlo.constant dense<> : tensor<0x3xf32>
  %2 = stablehlo.constant dense<> : tensor<2x0xi4>
  %3 = stablehlo.constant dense<[15, 0, 7]> : tensor<3xui4>
  %4 = stablehlo.constant dense<[-8, 0, 7]> : tensor<3xi4>
  return %0, %1, %2, %3, %4 : tensor<9xi1>, tensor<0x3xf32>, tensor<2x0xi4>, tensor<3xui4>, tensor<3xi4>
}

// ==== types of few bits
//   @main: f32[2]
func.func @main(%a: tensor<2xf8E4M3FN>, %b: tensor<2xf8E5M2FNUZ>, %c: tensor<2xf8E8M0FNU>, %d: tensor<2xf4E2M1FN>, %e: tensor<2xi2>, %f: tensor<2xf6E2M3FN>, %g: tensor<2xf8E3M4>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : (tensor<2xf8E4M3FN>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ==== an algorithm of three products
//   @main: f32[2,2]
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ==== aliases of types and attributes
//   @main: f32[2,2]
!t = tensor<2x3xf32>
#dims = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>
#prec = #stablehlo<precision HIGHEST>
func.func @main(%x: !t, %y: !t) -> tensor<2x2xf32> {
  %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #dims, precision_config = [#prec, #prec]}> : (!t, !t) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// ==== places of all forms
//   @main: f32[2]
#loc0 = loc("x"("model.py":3:7))
#loc1 = loc(callsite("f" at "g.py":1:1))
#loc2 = loc(fused<"pass">["a.py":1:2, "b.py":3:4 to 5:6])
module @jit_f {
  func.func public @main(%arg0: tensor<2xf32> loc("x"(#loc0))) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32> loc(#loc1)
    %1 = stablehlo.tan %0 : tensor<2xf32> loc(#loc2)
    return %1 : tensor<2xf32> loc(unknown)
  } loc(#loc0)
} loc(#loc0)

// ==== a portable artifact as text
//   @main: f32[2]
vhlo.func_v1 @main(%arg0: !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
  %0 = "vhlo.add_v1"(%arg0, %arg0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}

// ==== a shape that is asked for
//   @main: f32[2]
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%y, %s) <{broadcast_dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = stablehlo.add %x, %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// ==== a loop over what stands outside
//   @main: f32[4]
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c0, %a = %x) : tensor<i32>, tensor<4xf32> attributes {mhlo.frontend_attributes = {known_trip_count = "3"}}
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %c1 : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.multiply %w, %b : tensor<4xf32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// ==== Enzyme's own operation
//   @main: refused: p.mlir:2:8: enzymexla.rotate: the case format has no such operation
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "enzymexla.rotate"(%x) <{amount = 1 : si32, dimension = 0 : si32}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// ==== a buffer
//   @main: refused: p.mlir:1:1: func.func: argument 0: found memref<4xf32>, expected a tensor of known rank
func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// ==== a constant that is not dense
//   @main: refused: p.mlir:2:8: stablehlo.constant: a constant that is not dense
func.func @main() -> tensor<3x4xf32> {
  %0 = stablehlo.constant sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// ==== factors by reflectors
//   @q: f32[3,2]
//   @qr: c64[3,2] c64[2]
//   @half: refused: p.mlir:10:10: stablehlo.custom_call: of f16
func.func @q(%a: tensor<3x2xf32>, %t: tensor<2xf32>) -> tensor<3x2xf32> {
  %r = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a, %t) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
func.func @qr(%a: tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %r:2 = stablehlo.custom_call @Qr(%a) : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  return %r#0, %r#1 : tensor<3x2xcomplex<f32>>, tensor<2xcomplex<f32>>
}
func.func @half(%a: tensor<3x2xf16>) -> (tensor<3x2xf16>, tensor<2xf16>) {
  %r:2 = stablehlo.custom_call @Qr(%a) : (tensor<3x2xf16>) -> (tensor<3x2xf16>, tensor<2xf16>)
  return %r#0, %r#1 : tensor<3x2xf16>, tensor<2xf16>
}

// ==== dynamic_reshape to known sizes, of 64 bits
//   @f: f32[2,2]
func.func @f(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %s = stablehlo.constant dense<2> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
