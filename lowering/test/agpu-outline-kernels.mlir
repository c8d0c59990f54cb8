// RUN: lockstep-opt %s --agpu-outline-kernels | FileCheck %s
// RUN: lockstep-opt %s --agpu-outline-kernels --verify-roundtrip -o /dev/null


// CHECK: module attributes {gpu.container_module}
memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>

func.func private @twice(%v: i32) -> i32 {
  %r = func.call @once(%v) : (i32) -> i32
  return %r : i32
}
func.func private @once(%v: i32) -> i32 {
  return %v : i32
}

// Chains, memory space, dynamic shared memory and attributes stay; constants go along.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: [[M:%.*]]: memref<?xi32, 1>, [[N:%.*]]: index, [[S:%.*]]: i32, [[C:%.*]]: !agpu.chain)
func.func @main(%m: memref<?xi32, 1>, %n: index, %s: i32, %c0: !agpu.chain) {
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  // CHECK: [[C1:%.*]] = agpu.launch_func {{\[}}[[C]]] @main_kernel::@main_kernel
  // CHECK-SAME: threads in ([[N]],
  // CHECK-SAME: dynamic_shared_memory_size [[S]]
  // CHECK-SAME: args([[M]] : memref<?xi32, 1>) {note = "kept"}
  %c1 = agpu.launch [%c0] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %one, %sz = %one)
                          dynamic_shared_memory_size %s attributes {note = "kept"} {
    memref.store %seven, %m[%tx] : memref<?xi32, 1>
    agpu.terminator
  }
  // CHECK: agpu.launch_func @main_kernel_0::@main_kernel_0
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %one, %sz = %one) {
    %v = arith.addi %bx, %gx : index
    %w = arith.index_cast %v : index to i32
    memref.store %w, %m[%sx] : memref<?xi32, 1>
    agpu.terminator
  }
  agpu.wait [%c1]
  return
}
// CHECK: gpu.module @main_kernel {
// CHECK: gpu.func @main_kernel([[KM:%.*]]: memref<?xi32, 1>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>} {
// CHECK-DAG: [[T:%.*]] = gpu.thread_id x
// CHECK-DAG: [[V:%.*]] = arith.constant 7 : i32
// CHECK-NOT: gpu.block_id
// CHECK: memref.store [[V]], [[KM]]{{\[}}[[T]]]
// CHECK-NEXT: gpu.return
// CHECK: gpu.module @main_kernel_0 {
// CHECK: gpu.block_id x
// CHECK: gpu.grid_dim x
// CHECK: gpu.block_dim x

// Index computations move where only the kernel uses them; one that the host uses too becomes an argument.
// CHECK-LABEL: func.func @computations(
func.func @computations(%m: memref<?xindex>, %n: index) -> index {
  %one = arith.constant 1 : index
  // CHECK-NOT: arith.muli
  %inside = arith.muli %n, %n : index
  %more = arith.addi %inside, %one : index
  // CHECK: [[BOTH:%.*]] = arith.addi
  %both = arith.addi %n, %one : index
  // CHECK: agpu.launch_func {{.*}} args(%{{.*}} : index, %{{.*}} : memref<?xindex>, [[BOTH]] : index)
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %p = arith.addi %n, %more : index
    memref.store %p, %m[%both] : memref<?xindex>
    agpu.terminator
  }
  return %both : index
}
// CHECK: gpu.func @computations_kernel(
// CHECK-SAME: known_block_size = array<i32: 1, 1, 1>
// CHECK: arith.muli
// CHECK: arith.addi

// Symbols come along, with those that they use.
// CHECK-LABEL: func.func @symbols(
func.func @symbols(%m: memref<?xi32>) {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %t = memref.get_global @table : memref<4xi32>
    %v = memref.load %t[%tx] : memref<4xi32>
    %w = func.call @twice(%v) : (i32) -> i32
    memref.store %w, %m[%tx] : memref<?xi32>
    agpu.terminator
  }
  return
}
// CHECK: gpu.module @symbols_kernel {
// CHECK-DAG: memref.global "private" constant @table
// CHECK-DAG: func.func private @twice
// CHECK-DAG: func.func private @once
// CHECK: }

// What upstream's kernels do; control flow with several blocks; memory of the block and of the thread.
// CHECK-LABEL: func.func @body(
func.func @body(%m: memref<?xf32>, %p: i1) {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %shared = memref.alloca() : memref<32xf32, #gpu.address_space<workgroup>>
    %shared3 = memref.alloca() : memref<8xf32, 3>
    %private = memref.alloca() : memref<2xf32, #gpu.address_space<private>>
    %v = memref.load %m[%tx] : memref<?xf32>
    memref.store %v, %shared[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %shared3[%tx] : memref<8xf32, 3>
    memref.store %v, %private[%tx] : memref<2xf32, #gpu.address_space<private>>
    gpu.barrier
    %r = gpu.all_reduce add %v uniform {} : (f32) -> f32
    cf.cond_br %p, ^yes, ^no
  ^yes:
    gpu.printf "sum %f\0A", %r : f32
    agpu.terminator
  ^no:
    memref.store %r, %m[%tx] : memref<?xf32>
    agpu.terminator
  }
  return
}
// CHECK: gpu.func @body_kernel([[A:%.*]]: memref<?xf32>, [[P:%.*]]: i1)
// CHECK-SAME: workgroup([[W:%.*]] : memref<32xf32, #gpu.address_space<workgroup>>, [[W3:%.*]] : memref<8xf32, 3>)
// CHECK-SAME: private([[R:%.*]] : memref<2xf32, #gpu.address_space<private>>)
// CHECK-NOT: memref.alloca
// CHECK: memref.store {{.*}}, [[W]]
// CHECK: memref.store {{.*}}, [[W3]]
// CHECK: memref.store {{.*}}, [[R]]
// CHECK: gpu.barrier
// CHECK: gpu.all_reduce
// CHECK: cf.cond_br [[P]]
// CHECK: gpu.printf
// CHECK-NEXT: gpu.return
// CHECK: gpu.return

// A name that is taken is passed over.
// CHECK: func.func private @taken_kernel()
func.func private @taken_kernel()
// CHECK: agpu.launch_func @taken_kernel_0::@taken_kernel_0
func.func @taken() {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    agpu.terminator
  }
  return
}
