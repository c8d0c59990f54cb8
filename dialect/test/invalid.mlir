// One case for each diagnostic of the verifiers and parsers; the label of the rule is in the name of the function.
// diagnostics.test checks that none is missing.
// RUN: lockstep-opt %s --split-input-file --verify-diagnostics

func.func @chain_6(%m: memref<4xi32>, %n: memref<4xi32>, %c: !agpu.chain) {
  // expected-error @below {{has chains in, but gives no chain}}
  // expected-note @below {{expected: a chain result, or an agpu.wait on these chains before a synchronous operation}}
  // expected-note @below {{actual: 1 chain operands and no chain result}}
  "agpu.memcpy"(%c, %m, %n) : (!agpu.chain, memref<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// expected-note @below {{expected: in host code, outside of this gpu.module}}
gpu.module @chain_7 {
  gpu.func @kernel(%m: memref<4xi32>, %v: i32) kernel {
    // expected-error @below {{stands in a kernel module}}
    agpu.memset (%m, %v) : memref<4xi32>, i32
    gpu.return
  }
}

// -----

func.func @alloc_4(%n: index) {
  // expected-error @below {{has another number of sizes than its type has dynamic dimensions}}
  // expected-note @below {{expected: 2}}
  // expected-note @below {{actual: 1}}
  %m = agpu.alloc (%n) : memref<?x?xf32>
  return
}

// -----

func.func @alloc_5() {
  // expected-error @below {{allocates a memref whose layout is not the identity}}
  // expected-note @below {{expected: 'memref<4xf32, 1>'}}
  // expected-note @below {{actual: 'memref<4xf32, strided<[2]>, 1>'}}
  %m = agpu.alloc () : memref<4xf32, strided<[2]>, 1>
  return
}

// -----

func.func @memcpy_2_element_type(%d: memref<*xf32>, %s: memref<4xi32>) {
  // expected-error @below {{copies between different element types}}
  // expected-note @below {{expected: 'f32'}}
  // expected-note @below {{actual: 'i32'}}
  agpu.memcpy (%d, %s) : memref<*xf32>, memref<4xi32>
  return
}

// -----

func.func @memcpy_2_rank(%d: memref<4x1xi32>, %s: memref<4xi32>) {
  // expected-error @below {{copies between different ranks}}
  // expected-note @below {{expected: 2}}
  // expected-note @below {{actual: 1}}
  agpu.memcpy (%d, %s) : memref<4x1xi32>, memref<4xi32>
  return
}

// -----

func.func @memcpy_2_shape(%d: memref<?x4xi32>, %s: memref<2x5xi32>) {
  // expected-error @below {{copies between different shapes}}
  // expected-note @below {{expected: 'memref<?x4xi32>'}}
  // expected-note @below {{actual: 'memref<2x5xi32>'}}
  agpu.memcpy (%d, %s) : memref<?x4xi32>, memref<2x5xi32>
  return
}

// -----

func.func @memset_2_width(%d: memref<4xi1>, %v: i1) {
  // expected-error @below {{cannot fill memory of this element type}}
  // expected-note @below {{expected: an integer, index or float type of 8, 16, 32 or 64 bits}}
  // expected-note @below {{actual: 'i1'}}
  agpu.memset (%d, %v) : memref<4xi1>, i1
  return
}

// -----

func.func @memset_2_value(%d: memref<4xi32>, %v: f32) {
  // expected-error @below {{fills with a value of another type than the elements}}
  // expected-note @below {{expected: 'i32'}}
  // expected-note @below {{actual: 'f32'}}
  agpu.memset (%d, %v) : memref<4xi32>, f32
  return
}

// -----

func.func @launch_2_syntax(%n: index) {
  // expected-error @below {{'blocks' names three ids and three sizes, but found 2 ids and 3 sizes}}
  agpu.launch blocks(%bx, %by) in (%gx = %n, %gy = %n, %gz = %n)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    agpu.terminator
  }
  return
}

// -----

func.func @launch_2_empty(%n: index) {
  // expected-error @below {{has an empty region}}
  // expected-note @below {{expected: a kernel}}
  // expected-note @below {{actual: no block}}
  "agpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0>}> ({
  }) : (index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @launch_2(%n: index) {
  // expected-error @below {{has other region arguments than ids and sizes}}
  // expected-note @below {{expected: 12 arguments of type index}}
  // expected-note @below {{actual: 'index', 'i32'}}
  "agpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0>}> ({
  ^bb0(%a: index, %b: i32):
    "agpu.terminator"() : () -> ()
  }) : (index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @launch_3(%n: index, %c: !agpu.chain) {
  // expected-error @below {{uses a chain in its kernel}}
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-note @below {{actual: used by builtin.unrealized_conversion_cast}}
    %x = builtin.unrealized_conversion_cast %c : !agpu.chain to i32
    agpu.terminator
  }
  return
}

// -----

func.func @launch_5(%n: index) {
  // expected-error @below {{has a block that does not end in agpu.terminator}}
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-note @below {{actual: llvm.unreachable}}
    llvm.unreachable
  }
  return
}

// -----

func.func @launch_5_outside() {
  // expected-error @below {{expects parent op 'agpu.launch'}}
  agpu.terminator
}

// -----

func.func @launch_6(%n: index, %m: memref<4xi32>) {
  // expected-error @below {{holds a device operation in its kernel}}
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-note @below {{actual: agpu.dealloc}}
    agpu.dealloc %m : memref<4xi32>
    agpu.terminator
  }
  return
}

// -----

func.func @launchfunc_1_form(%n: index) {
  // expected-error @below {{names its kernel in an unknown form}}
  // expected-note @below {{expected: @module::@kernel}}
  // expected-note @below {{actual: @launchfunc_1_form}}
  agpu.launch_func @launchfunc_1_form blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

func.func @launchfunc_1_no_module(%n: index) {
  // expected-error @below {{names a kernel module that does not exist}}
  // expected-note @below {{expected: a gpu.module or gpu.binary}}
  // expected-note @below {{actual: "nowhere"}}
  agpu.launch_func @nowhere::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

module @host {
}
func.func @launchfunc_1_other_module(%n: index) {
  // expected-error @below {{names a kernel module that is none}}
  // expected-note @below {{expected: a gpu.module or gpu.binary}}
  // expected-note @below {{actual: builtin.module}}
  agpu.launch_func @host::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @kernels {
}
func.func @launchfunc_1_no_kernel(%n: index) {
  // expected-error @below {{names a kernel that does not exist in its module}}
  // expected-note @below {{expected: a function with gpu.kernel}}
  // expected-note @below {{actual: @kernels::@missing}}
  agpu.launch_func @kernels::@missing blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @kernels {
  gpu.func @helper() {
    gpu.return
  }
}
func.func @launchfunc_1_no_kernel_function(%n: index) {
  // expected-error @below {{names a symbol that is no kernel}}
  // expected-note @below {{expected: a function with gpu.kernel}}
  // expected-note @below {{actual: gpu.func}}
  agpu.launch_func @kernels::@helper blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @kernels {
  gpu.func @kernel(%m: memref<?xf32>) kernel {
    gpu.return
  }
}
func.func @launchfunc_2_number(%n: index) {
  // expected-error @below {{has another number of arguments than its function}}
  // expected-note @below {{expected: 1}}
  // expected-note @below {{actual: 0}}
  agpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

gpu.module @kernels {
  gpu.func @kernel(%i: i32, %m: memref<?xf32>) kernel {
    gpu.return
  }
}
func.func @launchfunc_2_type(%n: index, %i: i32, %m: memref<4xf32>) {
  // expected-error @below {{argument 1 has another type than its function takes}}
  // expected-note @below {{expected: 'memref<?xf32>'}}
  // expected-note @below {{actual: 'memref<4xf32>'}}
  agpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%i : i32, %m : memref<4xf32>)
  return
}

// -----

func.func @launchfunc_3(%n: index, %c: !agpu.chain) {
  // expected-error @below {{passes a chain as an argument}}
  // expected-note @below {{expected: chains only between the brackets}}
  // expected-note @below {{actual: 0}}
  agpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%c : !agpu.chain)
  return
}

// -----

func.func @hostcall_missing() {
  // expected-error @below {{names a host function that does not exist}}
  // expected-note @below {{expected: a function}}
  // expected-note @below {{actual: @nowhere}}
  agpu.host_call @nowhere()
  return
}

// -----

module @inner {
}
func.func @hostcall_no_function() {
  // expected-error @below {{names a symbol that is no function}}
  // expected-note @below {{expected: a function}}
  // expected-note @below {{actual: builtin.module}}
  agpu.host_call @inner()
  return
}

// -----

func.func private @callee() -> i32
func.func @hostcall_2() {
  // expected-error @below {{calls a host function that has results}}
  // expected-note @below {{expected: 0}}
  // expected-note @below {{actual: 1}}
  agpu.host_call @callee()
  return
}

// -----

func.func @callee(%m: memref<4xi32>, %v: i32) {
  // expected-note @below {{actual: agpu.memset}}
  agpu.memset (%m, %v) : memref<4xi32>, i32
  return
}
func.func @hostcall_3(%m: memref<4xi32>, %v: i32) {
  // expected-error @below {{calls a host function that does a device operation}}
  agpu.host_call @callee(%m, %v) : memref<4xi32>, i32
  return
}

// -----

func.func private @callee(i32)
func.func @hostcall_5(%i: i64) {
  // expected-error @below {{argument 0 has another type than its function takes}}
  // expected-note @below {{expected: 'i32'}}
  // expected-note @below {{actual: 'i64'}}
  agpu.host_call @callee(%i) : i64
  return
}

// -----

func.func private @callee(!agpu.chain)
func.func @hostcall_6(%c: !agpu.chain) {
  // expected-error @below {{passes a chain as an argument}}
  // expected-note @below {{expected: chains only between the brackets}}
  // expected-note @below {{actual: 0}}
  agpu.host_call @callee(%c) : !agpu.chain
  return
}

// -----

func.func @expect_2_element_type(%m: memref<2xi64>) {
  // expected-error @below {{expects another element type than the memory has}}
  // expected-note @below {{expected: 'i64'}}
  // expected-note @below {{actual: 'i32'}}
  agpu.expect %m, dense<[1, 2]> : tensor<2xi32> : memref<2xi64>
  return
}

// -----

func.func @expect_2_rank(%m: memref<?x?xi32>) {
  // expected-error @below {{expects another rank than the memory has}}
  // expected-note @below {{expected: 2}}
  // expected-note @below {{actual: 1}}
  agpu.expect %m, dense<[1, 2]> : tensor<2xi32> : memref<?x?xi32>
  return
}

// -----

func.func @expect_2_shape(%m: memref<3xi32>) {
  // expected-error @below {{expects another shape than the memory has}}
  // expected-note @below {{expected: 'memref<3xi32>'}}
  // expected-note @below {{actual: 'tensor<2xi32>'}}
  agpu.expect %m, dense<[1, 2]> : tensor<2xi32> : memref<3xi32>
  return
}

// -----

func.func @expect_6_integers(%m: memref<2xi32>) {
  // expected-error @below {{has a tolerance on elements that are not floats}}
  // expected-note @below {{expected: a float type}}
  // expected-note @below {{actual: 'i32'}}
  agpu.expect %m, dense<[1, 2]> : tensor<2xi32> tolerance 1.0 : memref<2xi32>
  return
}

// -----

func.func @expect_6_negative(%m: memref<2xf32>) {
  // expected-error @below {{has a tolerance that is no distance}}
  // expected-note @below {{expected: a number, 0 or more}}
  // expected-note @below {{actual: -1.000000e+00 : f64}}
  agpu.expect %m, dense<1.0> : tensor<2xf32> tolerance -1.0 : memref<2xf32>
  return
}
