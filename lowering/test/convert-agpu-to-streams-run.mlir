// The lowered program runs: on the runtime library over the simulated driver, under MLIR's own runner.
// RUN: lockstep-opt %s --expand-strided-metadata --lower-affine --convert-agpu-to-streams --agpu-to-llvm > %t.streams
// RUN: lockstep-opt %s --expand-strided-metadata --lower-affine --convert-agpu-to-serial --agpu-to-llvm > %t.serial
// DEFINE: %{schedule} =
// DEFINE: %{lowered} =
// DEFINE: %{run} = env LOCKSTEP_CUDA_DRIVER=%sim_cuda_driver LOCKSTEP_SIM_SCHEDULE=%{schedule} mlir-runner %{lowered} \
// DEFINE:   -e main --entry-point-result=void --shared-libs=%runtime_cuda,%mlir_lib/libmlir_runner_utils.so
// REDEFINE: %{lowered} = %t.streams
// REDEFINE: %{schedule} = eager
// RUN: %{run} | FileCheck %s
// REDEFINE: %{schedule} = lazy
// RUN: %{run} | FileCheck %s
// REDEFINE: %{schedule} = random:3
// RUN: %{run} | FileCheck %s
// REDEFINE: %{lowered} = %t.serial
// REDEFINE: %{schedule} = lazy
// RUN: %{run} | FileCheck %s

// CHECK: [45, {{ *}}42, {{ *}}3, {{ *}}42]

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

func.func @bump(%m: memref<?xi32>, %i: i32) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi32>
  %w = arith.addi %v, %i : i32
  memref.store %w, %m[%c0] : memref<?xi32>
  return
}

func.func @fill(%d: memref<?xi32, 1>, %v: i32, %a: !agpu.chain) -> !agpu.chain {
  %b = agpu.memset [%a] (%d, %v) : memref<?xi32, 1>, i32
  return %b : !agpu.chain
}

func.func @main() {
  %n = arith.constant 4 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = arith.constant 42 : i32
  %h = memref.alloc(%n) : memref<?xi32>
  agpu.host_register %h : memref<?xi32>
  %d, %a = agpu.alloc [] (%n) : memref<?xi32, 1>
  // The last of four fills is with 3.
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (!agpu.chain) {
    %vi = arith.index_cast %i : index to i32
    %s = func.call @fill(%d, %vi, %x) : (memref<?xi32, 1>, i32, !agpu.chain) -> !agpu.chain
    scf.yield %s : !agpu.chain
  }
  // Every second element becomes 42, and on the host the first one is raised by 42.
  %half = memref.subview %d[1] [2] [2] : memref<?xi32, 1> to memref<2xi32, strided<[2], offset: 1>, 1>
  %s = agpu.memset [%r] (%half, %v) : memref<2xi32, strided<[2], offset: 1>, 1>, i32
  %b = agpu.memcpy [%s] (%h, %d) : memref<?xi32>, memref<?xi32, 1>
  %c = agpu.host_call [%b] @bump(%h, %v) : memref<?xi32>, i32
  %e = agpu.dealloc [%b] %d : memref<?xi32, 1>
  agpu.wait [%c, %e]
  %u = memref.cast %h : memref<?xi32> to memref<*xi32>
  func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  agpu.host_unregister %h : memref<?xi32>
  memref.dealloc %h : memref<?xi32>
  return
}
