// RUN: lockstep-opt %s --agpu-annotate-accesses | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @scale(%in: memref<4xi32>, %n: i32, %out: memref<4xi32>, %unused: memref<4xi32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %in[%i] : memref<4xi32>
      memref.store %v, %out[%i] : memref<4xi32>
      gpu.return
    }
  }
  func.func private @elsewhere(memref<4xi32>)
  func.func @look(%m: memref<4xi32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %m[%c0] : memref<4xi32>
    return
  }

  // CHECK-LABEL: func.func @main
  func.func @main(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>, %n: i32) {
    %one = arith.constant 1 : index
    // CHECK: @k::@scale {{.*}}agpu.argument_accesses = array<i8: 1, 0, 2, 0>
    agpu.launch_func @k::@scale blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%a : memref<4xi32>, %n : i32, %b : memref<4xi32>, %c : memref<4xi32>)
    // The same memory by two arguments.
    // CHECK: @k::@scale {{.*}}agpu.argument_accesses = array<i8: 3, 0, 3, 0>
    agpu.launch_func @k::@scale blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%a : memref<4xi32>, %n : i32, %a : memref<4xi32>, %b : memref<4xi32>)
    // CHECK: @elsewhere{{.*}}agpu.argument_accesses = array<i8: 3>
    agpu.host_call @elsewhere(%a) : memref<4xi32>
    // CHECK: @look{{.*}}agpu.argument_accesses = array<i8: 1>
    agpu.host_call @look(%a) : memref<4xi32>
    return
  }
}
