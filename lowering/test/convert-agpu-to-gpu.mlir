// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-gpu | FileCheck %s
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-gpu --verify-roundtrip | FileCheck %s --check-prefix=LEFT
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-gpu=one-token | FileCheck %s --check-prefix=ONE
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-gpu --convert-gpu-to-agpu | FileCheck %s --check-prefix=BACK
// LEFT-NOT: agpu.{{[^e]}}
// LEFT-NOT: !agpu.chain

// Each asynchronous operation, with its dependencies as they are.
// CHECK-LABEL: func.func @async_ops(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[N:%.*]]: index, [[V:%.*]]: i32)
// ONE-LABEL: func.func @async_ops(
// BACK-LABEL: func.func @async_ops(
func.func @async_ops(%h: memref<?xi32>, %n: index, %v: i32) {
  // CHECK-NEXT: [[D:%.*]], [[T0:%.*]] = gpu.alloc async ([[N]]) : memref<?xi32, 1>
  // ONE: [[NONE:%.*]] = gpu.wait async{{$}}
  // ONE-NEXT: [[D:%.*]], [[T0:%.*]] = gpu.alloc async {{\[}}[[NONE]]] ({{%.*}}) : memref<?xi32, 1>
  // BACK-NEXT: [[D:%.*]], [[C0:%.*]] = agpu.alloc [] (
  %d, %c0 = agpu.alloc [] (%n) : memref<?xi32, 1>
  // CHECK-NEXT: [[S:%.*]], [[T1:%.*]] = gpu.alloc async {{\[}}[[T0]]] host_shared ([[N]]) : memref<?xi32>
  // ONE-NEXT: [[S:%.*]], [[T1:%.*]] = gpu.alloc async {{\[}}[[T0]]] host_shared
  // BACK-NEXT: [[S:%.*]], [[C1:%.*]] = agpu.alloc {{\[}}[[C0]]] host_shared (
  %s, %c1 = agpu.alloc [%c0] host_shared (%n) : memref<?xi32>
  // CHECK-NEXT: [[T2:%.*]] = gpu.memcpy async {{\[}}[[T0]]] [[D]], [[H]] : memref<?xi32, 1>, memref<?xi32> {tag = 1 : i32}
  // ONE-NEXT: [[T2:%.*]] = gpu.memcpy async {{\[}}[[T0]]] [[D]]
  // BACK-NEXT: [[C2:%.*]] = agpu.memcpy {{\[}}[[C0]]] ([[D]], {{%.*}}) {tag = 1 : i32}
  %c2 = agpu.memcpy [%c0] (%d, %h) {tag = 1 : i32} : memref<?xi32, 1>, memref<?xi32>
  // CHECK-NEXT: [[T3:%.*]] = gpu.memset async {{\[}}[[T1]], [[T2]]] [[S]], [[V]] : memref<?xi32>, i32
  // ONE-NEXT: [[BOTH:%.*]] = gpu.wait async {{\[}}[[T1]], [[T2]]]
  // ONE-NEXT: [[T3:%.*]] = gpu.memset async {{\[}}[[BOTH]]] [[S]]
  // BACK-NEXT: [[C3:%.*]] = agpu.memset {{\[}}[[C1]], [[C2]]] ([[S]],
  %c3 = agpu.memset [%c1, %c2] (%s, %v) : memref<?xi32>, i32
  // CHECK-NEXT: [[T4:%.*]] = gpu.wait async {{\[}}[[T2]], [[T3]]]
  // ONE-NEXT: [[T4:%.*]] = gpu.wait async {{\[}}[[T2]], [[T3]]]
  // BACK-NEXT: [[C4:%.*]] = agpu.join {{\[}}[[C2]], [[C3]]]
  %c4 = agpu.join [%c2, %c3]
  // CHECK-NEXT: [[T5:%.*]] = gpu.dealloc async {{\[}}[[T4]]] [[D]] : memref<?xi32, 1>
  // ONE-NEXT: gpu.dealloc async {{\[}}[[T4]]]
  // BACK-NEXT: [[C5:%.*]] = agpu.dealloc {{\[}}[[C4]]] [[D]]
  %c5 = agpu.dealloc [%c4] %d : memref<?xi32, 1>
  // CHECK-NEXT: gpu.wait {{\[}}[[T5]], [[T4]]]
  // BACK-NEXT: agpu.wait {{\[}}[[C5]], [[C4]]]
  agpu.wait [%c5, %c4]
  // A wait for nothing has no counterpart.
  agpu.wait []
  // CHECK-NEXT: return
  // BACK-NEXT: return
  return
}

// -----

// A synchronous operation is not ordered after pending work, so it becomes an asynchronous one and a wait.
// CHECK-LABEL: func.func @sync_ops(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[U:%.*]]: memref<*xi32>, [[N:%.*]]: index, [[V:%.*]]: i32)
func.func @sync_ops(%h: memref<?xi32>, %u: memref<*xi32>, %n: index, %v: i32) {
  // CHECK-NEXT: [[CAST:%.*]] = memref.cast [[H]] : memref<?xi32> to memref<*xi32>
  // CHECK-NEXT: gpu.host_register [[CAST]] : memref<*xi32>
  agpu.host_register %h : memref<?xi32>
  // CHECK-NEXT: gpu.host_register [[U]] : memref<*xi32>
  agpu.host_register %u : memref<*xi32>
  // CHECK-NEXT: [[D:%.*]], [[T0:%.*]] = gpu.alloc async ([[N]]) : memref<?xi32>
  // CHECK-NEXT: gpu.wait {{\[}}[[T0]]]
  %d = agpu.alloc (%n) : memref<?xi32>
  // CHECK-NEXT: [[T1:%.*]] = gpu.memset async [[D]], [[V]] : memref<?xi32>, i32
  // CHECK-NEXT: gpu.wait {{\[}}[[T1]]]
  agpu.memset (%d, %v) : memref<?xi32>, i32
  // CHECK-NEXT: gpu.host_unregister [[U]] : memref<*xi32>
  agpu.host_unregister %u : memref<*xi32>
  // CHECK-NEXT: agpu.expect [[H]], dense<7> : tensor<1xi32> : memref<?xi32>
  agpu.expect %h, dense<7> : tensor<1xi32> : memref<?xi32>
  return
}

// -----

// Kernels in a region.
// CHECK-LABEL: func.func @launch(
// CHECK-SAME: [[D:%.*]]: memref<?xi32>, [[N:%.*]]: index, [[B:%.*]]: i32, [[T:%.*]]: !gpu.async.token)
// BACK-LABEL: func.func @launch(
func.func @launch(%d: memref<?xi32>, %n: index, %b: i32, %c: !agpu.chain) -> !agpu.chain {
  %one = arith.constant 1 : index
  // CHECK: [[DONE:%.*]] = gpu.launch async {{\[}}[[T]]] blocks([[BX:%[^ ,]+]], {{.*}} = [[N]],
  // CHECK-SAME: dynamic_shared_memory_size [[B]] {
  // CHECK-NEXT: memref.store [[B]], [[D]]{{\[}}[[BX]]]
  // CHECK-NEXT: gpu.terminator
  // BACK: [[DONE:%.*]] = agpu.launch [{{%.*}}] blocks(
  // BACK: agpu.terminator
  %done = agpu.launch [%c] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) dynamic_shared_memory_size %b {
    memref.store %b, %d[%bx] : memref<?xi32>
    agpu.terminator
  }
  // CHECK: return [[DONE]] : !gpu.async.token
  return %done : !agpu.chain
}

// -----

// Outlined kernels.
// CHECK-LABEL: gpu.module @kernels
// ONE-LABEL: gpu.module @kernels
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%m: memref<?xf32>, %v: f32) kernel {
      %i = gpu.thread_id x
      memref.store %v, %m[%i] : memref<?xf32>
      gpu.return
    }
  }
  // CHECK: func.func @launch_func([[M:%.*]]: memref<?xf32>, [[V:%.*]]: f32, [[N:%.*]]: index, [[B:%.*]]: i32, [[T:%.*]]: !gpu.async.token)
  func.func @launch_func(%m: memref<?xf32>, %v: f32, %n: index, %bytes: i32, %c: !agpu.chain) {
    %one = arith.constant 1 : index
    // CHECK: [[T1:%.*]] = gpu.launch_func async {{\[}}[[T]]] @kernels::@fill blocks in ([[N]], [[UNIT:%.*]], [[UNIT]]) threads in ([[UNIT]], [[UNIT]], [[N]]) dynamic_shared_memory_size [[B]] args([[M]] : memref<?xf32>, [[V]] : f32)
    %c1 = agpu.launch_func [%c] @kernels::@fill blocks in (%n, %one, %one) threads in (%one, %one, %n)
        dynamic_shared_memory_size %bytes args(%m : memref<?xf32>, %v : f32)
    // Nothing to wait for: as it is, or a token of its own.
    // CHECK-NEXT: [[T2:%.*]] = gpu.launch_func async @kernels::@fill
    // ONE: gpu.launch_func async [
    // ONE: [[NONE:%.*]] = gpu.wait async{{$}}
    // ONE: gpu.launch_func async {{\[}}[[NONE]]] @kernels::@fill
    %c2 = agpu.launch_func [] @kernels::@fill blocks in (%n, %one, %one) threads in (%n, %one, %one)
        args(%m : memref<?xf32>, %v : f32)
    // CHECK-NEXT: gpu.wait {{\[}}[[T1]], [[T2]]]
    agpu.wait [%c1, %c2]
    return
  }
}

// -----

// The host itself calls, when everything before is complete; what follows has a token.
// CHECK-LABEL: func.func @host_call(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[I:%.*]]: i32, [[T:%.*]]: !gpu.async.token)
func.func private @consume(memref<?xi32>, i32)
func.func @host_call(%h: memref<?xi32>, %i: i32, %c: !agpu.chain) -> !agpu.chain {
  // CHECK-NEXT: gpu.wait {{\[}}[[T]]]
  // CHECK-NEXT: call @consume([[H]], [[I]]) : (memref<?xi32>, i32) -> ()
  // CHECK-NEXT: [[NEXT:%.*]] = gpu.wait async{{$}}
  %c1 = agpu.host_call [%c] @consume(%h, %i) : memref<?xi32>, i32
  // CHECK-NEXT: call @consume
  agpu.host_call @consume(%h, %i) : memref<?xi32>, i32
  // CHECK-NEXT: return [[NEXT]] : !gpu.async.token
  return %c1 : !agpu.chain
}

// -----

// Chains that cross blocks, regions and calls.
// CHECK-LABEL: func.func @flow(
// CHECK-SAME: [[D:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[YES:%.*]]: i1, [[N:%.*]]: index)
// BACK-LABEL: func.func @flow(
func.func @flow(%d: memref<4xi32>, %v: i32, %yes: i1, %n: index) {
  // CHECK-NEXT: [[T0:%.*]] = gpu.wait async{{$}}
  %c0 = agpu.join []
  // CHECK-NEXT: [[T1:%.*]] = scf.if [[YES]] -> (!gpu.async.token) {
  // BACK: scf.if {{%.*}} -> (!agpu.chain)
  %c1 = scf.if %yes -> (!agpu.chain) {
    // CHECK-NEXT: [[X:%.*]] = gpu.memset async {{\[}}[[T0]]]
    %x = agpu.memset [%c0] (%d, %v) : memref<4xi32>, i32
    // CHECK-NEXT: scf.yield [[X]] : !gpu.async.token
    scf.yield %x : !agpu.chain
  } else {
    scf.yield %c0 : !agpu.chain
  }
  // CHECK: [[T2:%.*]] = scf.for {{.*}} iter_args([[C:%.*]] = [[T1]]) -> (!gpu.async.token) {
  %c2 = scf.for %i = %n to %n step %n iter_args(%c = %c1) -> (!agpu.chain) {
    // CHECK-NEXT: func.call @step([[D]], [[C]]) : (memref<4xi32>, !gpu.async.token) -> !gpu.async.token
    // BACK: func.call @step({{.*}}) : (memref<4xi32>, !agpu.chain) -> !agpu.chain
    %x = func.call @step(%d, %c) : (memref<4xi32>, !agpu.chain) -> !agpu.chain
    scf.yield %x : !agpu.chain
  }
  // CHECK: cf.cond_br [[YES]], ^[[END:.*]]([[T2]] : !gpu.async.token), ^[[END]]([[T1]] : !gpu.async.token)
  cf.cond_br %yes, ^end(%c2 : !agpu.chain), ^end(%c1 : !agpu.chain)
// CHECK-NEXT: ^[[END]]([[E:%.*]]: !gpu.async.token):
^end(%e: !agpu.chain):
  // CHECK-NEXT: gpu.wait {{\[}}[[E]]]
  agpu.wait [%e]
  return
}

// CHECK: func.func private @step(memref<4xi32>, !gpu.async.token) -> !gpu.async.token
// BACK: func.func private @step(memref<4xi32>, !agpu.chain) -> !agpu.chain
func.func private @step(memref<4xi32>, !agpu.chain) -> !agpu.chain
