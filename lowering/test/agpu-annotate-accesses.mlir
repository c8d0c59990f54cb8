// RUN: lockstep-opt %s --agpu-annotate-accesses | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @threads(%in: memref<4xi32>, %n: i32, %out: memref<?x4xi32>, %unused: memref<4xi32>) kernel {
      %c1 = arith.constant 1 : index
      %x = gpu.thread_id x
      %block = gpu.block_id x
      %dim = gpu.block_dim x
      %base = arith.muli %block, %dim : index
      %i = arith.addi %base, %x : index
      %next = arith.addi %i, %c1 : index
      %v = memref.load %in[%next] : memref<4xi32>
      %again = memref.load %in[%next] : memref<4xi32>
      memref.store %v, %out[%i, %c1] : memref<?x4xi32>
      gpu.return
    }
    gpu.func @loops(%m: memref<4xi32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0 : i32
      scf.for %i = %c2 to %c3 step %c1 {
        memref.store %zero, %m[%i] : memref<4xi32>
      }
      scf.for %i = %c0 to %n step %c1 {
        memref.store %zero, %m[%i] : memref<4xi32>
      }
      scf.for %i = %c3 to %c3 step %c1 {
        memref.store %zero, %m[%i] : memref<4xi32>
      }
      gpu.return
    }
    gpu.func @uncertain(%guarded: memref<4xi32>, %atomic: memref<4xi32>, %part: memref<4xi32>, %k: index, %b: i1)
        kernel {
      %x = gpu.thread_id x
      %one = arith.constant 1 : i32
      scf.if %b {
        memref.store %one, %guarded[%x] : memref<4xi32>
      }
      %old = memref.atomic_rmw addi %one, %atomic[%x] : (i32, memref<4xi32>) -> i32
      memref.store %one, %part[%k] : memref<4xi32>
      gpu.return
    }
    gpu.func @blocks(%m: memref<4xi32>, %b: i1) kernel {
      %x = gpu.thread_id x
      %one = arith.constant 1 : i32
      %v = memref.load %m[%x] : memref<4xi32>
      cf.cond_br %b, ^store, ^end
    ^store:
      memref.store %one, %m[%x] : memref<4xi32>
      cf.br ^end
    ^end:
      gpu.return
    }
  }
  func.func private @elsewhere(memref<4xi32>)
  func.func @look(%m: memref<4xi32>) {
    %c3 = arith.constant 3 : index
    %v = memref.load %m[%c3] : memref<4xi32>
    return
  }

  // CHECK-LABEL: func.func @main
  func.func @main(%a: memref<4xi32>, %b: memref<?x4xi32>, %n: i32, %k: index, %c: i1) {
    %one = arith.constant 1 : index
    // CHECK: @k::@threads {{.*}}agpu.certain_accesses = {{\[\[}}array<i64: 1, 1>], [], [array<i64: 2, 0, 1>], []]
    agpu.launch_func @k::@threads blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%a : memref<4xi32>, %n : i32, %b : memref<?x4xi32>, %a : memref<4xi32>)
    // CHECK: @k::@loops {{.*}}agpu.certain_accesses = {{\[\[}}array<i64: 2, 2>], []]
    agpu.launch_func @k::@loops blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%a : memref<4xi32>, %k : index)
    // CHECK: @k::@uncertain {{.*}}agpu.certain_accesses = {{\[\[}}], [], [], [], []]
    agpu.launch_func @k::@uncertain blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%a : memref<4xi32>, %a : memref<4xi32>, %a : memref<4xi32>, %k : index, %c : i1)
    // CHECK: @k::@blocks {{.*}}agpu.certain_accesses = {{\[\[}}array<i64: 1, 0>], []]
    agpu.launch_func @k::@blocks blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%a : memref<4xi32>, %c : i1)
    // CHECK: @elsewhere{{.*}}agpu.certain_accesses = {{\[\[}}]]
    agpu.host_call @elsewhere(%a) : memref<4xi32>
    // CHECK: @look{{.*}}agpu.certain_accesses = {{\[\[}}array<i64: 1, 3>]]
    agpu.host_call @look(%a) : memref<4xi32>
    return
  }
}
