// RUN: lockstep-opt %s --split-input-file --convert-gpu-to-agpu | FileCheck %s
// RUN: lockstep-opt %s --split-input-file --convert-gpu-to-agpu --canonicalize --verify-roundtrip | FileCheck %s --check-prefix=ROUNDTRIP
// ROUNDTRIP-NOT: !gpu.async.token

// Each asynchronous operation.
// CHECK-LABEL: func.func @async_ops(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[N:%.*]]: index, [[V:%.*]]: i32)
func.func @async_ops(%h: memref<?xi32>, %n: index, %v: i32) {
  // CHECK-NEXT: [[C0:%.*]] = agpu.join []
  %t0 = gpu.wait async
  // CHECK-NEXT: [[D:%.*]], [[C1:%.*]] = agpu.alloc {{\[}}[[C0]]] ([[N]]) : memref<?xi32, 1>
  %d, %t1 = gpu.alloc async [%t0] (%n) : memref<?xi32, 1>
  // CHECK-NEXT: [[S:%.*]], [[C2:%.*]] = agpu.alloc {{\[}}[[C0]]] host_shared ([[N]]) : memref<?xi32, 1>
  %s, %t2 = gpu.alloc async [%t0] host_shared (%n) : memref<?xi32, 1>
  // CHECK-NEXT: [[C3:%.*]] = agpu.memcpy {{\[}}[[C1]]] ([[D]], [[H]]) {tag = 1 : i32} : memref<?xi32, 1>, memref<?xi32>
  %t3 = gpu.memcpy async [%t1] %d, %h : memref<?xi32, 1>, memref<?xi32> {tag = 1 : i32}
  // CHECK-NEXT: [[C4:%.*]] = agpu.memset {{\[}}[[C2]]] ([[S]], [[V]]) : memref<?xi32, 1>, i32
  %t4 = gpu.memset async [%t2] %s, %v : memref<?xi32, 1>, i32
  // CHECK-NEXT: [[C5:%.*]] = agpu.join {{\[}}[[C3]], [[C4]]]
  %t5 = gpu.wait async [%t3, %t4]
  // CHECK-NEXT: [[C6:%.*]] = agpu.dealloc {{\[}}[[C5]]] [[D]] : memref<?xi32, 1>
  %t6 = gpu.dealloc async [%t5] %d : memref<?xi32, 1>
  // CHECK-NEXT: agpu.wait {{\[}}[[C6]], [[C5]]]
  gpu.wait [%t6, %t5]
  // CHECK-NEXT: return
  return
}

// -----

// Synchronous operations with nothing pending stay synchronous; a wait for nothing goes (W15).
// CHECK-LABEL: func.func @sync_ops(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[N:%.*]]: index, [[V:%.*]]: i32)
func.func @sync_ops(%h: memref<?xi32>, %n: index, %v: i32) {
  // CHECK-NEXT: [[U:%.*]] = memref.cast [[H]]
  %u = memref.cast %h : memref<?xi32> to memref<*xi32>
  // CHECK-NEXT: agpu.host_register [[U]] : memref<*xi32>
  gpu.host_register %u : memref<*xi32>
  // CHECK-NEXT: [[D:%.*]] = agpu.alloc ([[N]]) : memref<?xi32, 1>
  %d = gpu.alloc (%n) : memref<?xi32, 1>
  // CHECK-NEXT: agpu.memcpy ([[D]], [[H]]) : memref<?xi32, 1>, memref<?xi32>
  gpu.memcpy %d, %h : memref<?xi32, 1>, memref<?xi32>
  // CHECK-NEXT: agpu.memset ([[D]], [[V]]) : memref<?xi32, 1>, i32
  gpu.memset %d, %v : memref<?xi32, 1>, i32
  // CHECK-NEXT: agpu.launch blocks([[BX:%[^ ,]+]], {{%[^ ,]+}}, {{%[^ ,]+}}) in ({{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]])
  // CHECK-SAME: threads({{[^()]*}}) in ({{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]]) dynamic_shared_memory_size [[V]] {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) dynamic_shared_memory_size %v {
    // CHECK-NEXT: memref.store [[V]], [[D]]{{\[}}[[BX]]]
    memref.store %v, %d[%bx] : memref<?xi32, 1>
    gpu.barrier
    // CHECK: agpu.terminator
    gpu.terminator
  }
  // CHECK: agpu.dealloc [[D]] : memref<?xi32, 1>
  gpu.dealloc %d : memref<?xi32, 1>
  // CHECK-NEXT: agpu.host_unregister [[U]] : memref<*xi32>
  gpu.wait
  gpu.host_unregister %u : memref<*xi32>
  // CHECK-NEXT: return
  return
}

// -----

// IMPORT-1 (W13): a synchronous operation comes after all pending work, and after it nothing is pending.
// CHECK-LABEL: func.func @import_1(
// CHECK-SAME: [[D:%.*]]: memref<4xi32, 1>, [[E:%.*]]: memref<4xi32, 1>, [[H:%.*]]: memref<4xi32>, [[V:%.*]]: i32)
func.func @import_1(%d: memref<4xi32, 1>, %e: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
  // CHECK-NEXT: [[C0:%.*]] = agpu.memcpy [] ([[D]], [[H]])
  %t0 = gpu.memcpy async %d, %h : memref<4xi32, 1>, memref<4xi32>
  // CHECK-NEXT: [[C1:%.*]] = agpu.memcpy [] ([[E]], [[H]])
  %t1 = gpu.memcpy async %e, %h : memref<4xi32, 1>, memref<4xi32>
  // The chain of a later operation stands for those that it waits for.
  // CHECK-NEXT: [[C2:%.*]] = agpu.memset {{\[}}[[C1]]] ([[E]], [[V]])
  %t2 = gpu.memset async [%t1] %e, %v : memref<4xi32, 1>, i32
  // An allocation has nothing to wait for.
  // CHECK-NEXT: [[F:%.*]] = agpu.alloc () : memref<4xi32, 1>
  %f = gpu.alloc () : memref<4xi32, 1>
  // CHECK-NEXT: [[C3:%.*]] = agpu.memcpy {{\[}}[[C0]], [[C2]]] ([[E]], [[D]])
  // CHECK-NEXT: agpu.wait {{\[}}[[C3]]]
  gpu.memcpy %e, %d : memref<4xi32, 1>, memref<4xi32, 1>
  // CHECK-NEXT: agpu.memset ([[F]], [[V]])
  gpu.memset %f, %v : memref<4xi32, 1>, i32
  // What was waited for is not pending; dependencies of a synchronous operation are kept.
  // CHECK-NEXT: [[C4:%.*]] = agpu.memset [] ([[D]], [[V]])
  %t4 = gpu.memset async %d, %v : memref<4xi32, 1>, i32
  // CHECK-NEXT: agpu.wait {{\[}}[[C4]]]
  gpu.wait [%t4]
  // CHECK-NEXT: [[C5:%.*]] = agpu.memset {{\[}}[[C4]]] ([[E]], [[V]])
  // CHECK-NEXT: agpu.wait {{\[}}[[C5]]]
  gpu.memset [%t4] %e, %v : memref<4xi32, 1>, i32
  // CHECK-NEXT: [[C6:%.*]] = agpu.memset [] ([[F]], [[V]])
  %t6 = gpu.memset async %f, %v : memref<4xi32, 1>, i32
  // CHECK-NEXT: [[C7:%.*]] = agpu.dealloc {{\[}}[[C6]]] [[F]]
  // CHECK-NEXT: agpu.wait {{\[}}[[C7]]]
  gpu.dealloc %f : memref<4xi32, 1>
  // CHECK-NEXT: [[C8:%.*]] = agpu.memcpy [] ([[H]], [[D]])
  %t8 = gpu.memcpy async %h, %d : memref<4xi32>, memref<4xi32, 1>
  // CHECK-NEXT: [[U:%.*]] = memref.cast [[H]]
  %u = memref.cast %h : memref<4xi32> to memref<*xi32>
  // CHECK-NEXT: agpu.wait {{\[}}[[C8]]]
  // CHECK-NEXT: agpu.host_unregister [[U]]
  gpu.host_unregister %u : memref<*xi32>
  return
}

// -----

// IMPORT-1 sees what is pending around a region and in the blocks that dominate, and in what regions give.
// CHECK-LABEL: func.func @import_1_regions(
// CHECK-SAME: [[D:%.*]]: memref<4xi32, 1>, [[V:%.*]]: i32, [[COND:%.*]]: i1, [[T:%.*]]: !agpu.chain)
func.func @import_1_regions(%d: memref<4xi32, 1>, %v: i32, %cond: i1, %t: !gpu.async.token) {
  // CHECK: [[C0:%.*]] = agpu.memset [] ([[D]], [[V]])
  %t0 = gpu.memset async %d, %v : memref<4xi32, 1>, i32
  // CHECK: [[R:%.*]] = scf.if [[COND]] -> (!agpu.chain)
  %r = scf.if %cond -> !gpu.async.token {
    // CHECK-NEXT: [[C1:%.*]] = agpu.memset {{\[}}[[T]], [[C0]]]
    // CHECK-NEXT: agpu.wait {{\[}}[[C1]]]
    gpu.memset %d, %v : memref<4xi32, 1>, i32
    %t1 = gpu.memset async %d, %v : memref<4xi32, 1>, i32
    scf.yield %t1 : !gpu.async.token
  } else {
    scf.yield %t0 : !gpu.async.token
  }
  cf.cond_br %cond, ^then, ^end
^then:
  // CHECK: [[C2:%.*]] = agpu.memset {{\[}}[[T]], [[C0]], [[R]]]
  // CHECK-NEXT: agpu.wait {{\[}}[[C2]]]
  gpu.memset %d, %v : memref<4xi32, 1>, i32
  cf.br ^end
^end:
  // The other path did not wait.
  // CHECK: [[C3:%.*]] = agpu.memset {{\[}}[[T]], [[C0]], [[R]]]
  // CHECK-NEXT: agpu.wait {{\[}}[[C3]]]
  gpu.memset %d, %v : memref<4xi32, 1>, i32
  return
}

// -----

// Tokens become chains wherever values go.
// CHECK-LABEL: func.func private @external(!agpu.chain, i32) -> (i32, !agpu.chain)
func.func private @external(!gpu.async.token, i32) -> (i32, !gpu.async.token)
// CHECK-LABEL: func.func @everywhere(
// CHECK-SAME: [[D:%.*]]: memref<4xi32, 1>, [[V:%.*]]: i32, [[N:%.*]]: index, [[COND:%.*]]: i1, [[T:%.*]]: !agpu.chain) -> !agpu.chain
func.func @everywhere(%d: memref<4xi32, 1>, %v: i32, %n: index, %cond: i1, %t: !gpu.async.token) -> !gpu.async.token {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: [[FOR:%.*]] = scf.for {{.*}} iter_args([[I:%.*]] = [[T]]) -> (!agpu.chain)
  %for = scf.for %k = %c0 to %n step %c1 iter_args(%i = %t) -> !gpu.async.token {
    // CHECK: [[B:%.*]] = agpu.memset {{\[}}[[I]]]
    %b = gpu.memset async [%i] %d, %v : memref<4xi32, 1>, i32
    // CHECK: scf.yield [[B]] : !agpu.chain
    scf.yield %b : !gpu.async.token
  }
  // CHECK: [[WHILE:%.*]] = scf.while ({{%.*}} = [[FOR]]) : (!agpu.chain) -> !agpu.chain
  %while = scf.while (%w = %for) : (!gpu.async.token) -> !gpu.async.token {
    // CHECK: scf.condition([[COND]]) {{%.*}} : !agpu.chain
    scf.condition(%cond) %w : !gpu.async.token
  } do {
  ^bb0(%w: !gpu.async.token):
    %b = gpu.memset async [%w] %d, %v : memref<4xi32, 1>, i32
    scf.yield %b : !gpu.async.token
  }
  // CHECK: [[CALL:%.*]]:2 = call @external([[WHILE]], [[V]]) : (!agpu.chain, i32) -> (i32, !agpu.chain)
  %call:2 = call @external(%while, %v) : (!gpu.async.token, i32) -> (i32, !gpu.async.token)
  // CHECK: [[SEL:%.*]] = arith.select [[COND]], [[CALL]]#1, [[T]] : !agpu.chain
  %sel = arith.select %cond, %call#1, %t : !gpu.async.token
  // CHECK: cf.br ^[[BB:.*]]([[SEL]] : !agpu.chain)
  cf.br ^end(%sel : !gpu.async.token)
// CHECK: ^[[BB]]([[E:%.*]]: !agpu.chain):
^end(%e: !gpu.async.token):
  // CHECK: agpu.wait {{\[}}[[E]]]
  gpu.wait [%e]
  // CHECK: return [[E]] : !agpu.chain
  return %e : !gpu.async.token
}

// -----

// Outlined kernels: the module stays, sizes become index.
// CHECK-LABEL: module attributes {gpu.container_module}
module attributes {gpu.container_module} {
  // CHECK: gpu.func @fill
  gpu.module @kernels {
    gpu.func @fill(%m: memref<?xi32, 1>, %v: i32) kernel {
      %i = gpu.thread_id x
      memref.store %v, %m[%i] : memref<?xi32, 1>
      gpu.return
    }
  }
  // CHECK: func.func @launch_func(
  // CHECK-SAME: [[M:%.*]]: memref<?xi32, 1>, [[V:%.*]]: i32, [[N:%.*]]: i64, [[S:%.*]]: i32, [[T:%.*]]: !agpu.chain)
  func.func @launch_func(%m: memref<?xi32, 1>, %v: i32, %n: i64, %s: i32, %t: !gpu.async.token) {
    %one = arith.constant 1 : index
    // CHECK: [[C0:%.*]] = agpu.launch_func {{\[}}[[T]]] @kernels::@fill blocks in
    // CHECK-SAME: dynamic_shared_memory_size [[S]] args([[M]] : memref<?xi32, 1>, [[V]] : i32)
    %t0 = gpu.launch_func async [%t] @kernels::@fill blocks in (%one, %one, %one) threads in (%one, %one, %one)
        dynamic_shared_memory_size %s args(%m : memref<?xi32, 1>, %v : i32)
    // CHECK: [[X:%.*]] = arith.index_cast [[N]] : i64 to index
    // CHECK: [[C1:%.*]] = agpu.launch_func {{\[}}[[C0]]] @kernels::@fill blocks in ([[X]], {{%.*}}) args(
    // CHECK-NEXT: agpu.wait {{\[}}[[C1]]]
    gpu.launch_func @kernels::@fill blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
        args(%m : memref<?xi32, 1>, %v : i32)
    return
  }
}

// -----

// Device memory by its memory space; host memory stays host memory.
// CHECK-LABEL: func.func @memory_space(
// CHECK-SAME: [[N:%.*]]: index, [[V:%.*]]: i32)
func.func @memory_space(%n: index, %v: i32) {
  // CHECK-NEXT: [[A:%.*]] = agpu.alloc ([[N]]) : memref<?xi32, 1>
  %a = memref.alloc(%n) : memref<?xi32, 1>
  // CHECK-NEXT: [[B:%.*]] = agpu.alloc () : memref<4xi32, #gpu.address_space<global>>
  %b = memref.alloc() : memref<4xi32, #gpu.address_space<global>>
  // CHECK-NEXT: [[H:%.*]] = memref.alloc([[N]]) : memref<?xi32>
  %h = memref.alloc(%n) : memref<?xi32>
  // CHECK-NEXT: [[W:%.*]] = memref.alloc() : memref<4xi32, #gpu.address_space<workgroup>>
  %w = memref.alloc() : memref<4xi32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: [[C:%.*]] = agpu.memset [] ([[A]], [[V]])
  %t = gpu.memset async %a, %v : memref<?xi32, 1>, i32
  // CHECK-NEXT: [[C1:%.*]] = agpu.dealloc {{\[}}[[C]]] [[A]]
  // CHECK-NEXT: agpu.wait {{\[}}[[C1]]]
  memref.dealloc %a : memref<?xi32, 1>
  // CHECK-NEXT: agpu.dealloc [[B]] : memref<4xi32, #gpu.address_space<global>>
  memref.dealloc %b : memref<4xi32, #gpu.address_space<global>>
  // CHECK-NEXT: memref.dealloc [[H]] : memref<?xi32>
  memref.dealloc %h : memref<?xi32>
  // CHECK-NEXT: memref.dealloc [[W]]
  memref.dealloc %w : memref<4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// The prototype's first program in upstream's tokens (seeds/1, simple.mlir).
// CHECK-LABEL: func.func @simple
func.func @simple() {
  %one = arith.constant 1 : index
  %count = arith.constant 4 : index
  // CHECK: [[B0:%.*]] = agpu.alloc ({{%.*}}) : memref<?xi32, 1>
  %b0 = memref.alloc(%count) : memref<?xi32, 1>
  // CHECK: [[C1:%.*]] = agpu.launch [] blocks(
  %t1 = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                   threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %val = arith.index_cast %tx : index to i32
    memref.store %val, %b0[%tx] : memref<?xi32, 1>
    gpu.terminator
  }
  // CHECK: [[H0:%.*]] = memref.alloc
  %h0 = memref.alloc(%count) : memref<?xi32>
  // CHECK: [[C2:%.*]] = agpu.memcpy {{\[}}[[C1]]] ([[H0]], [[B0]]) : memref<?xi32>, memref<?xi32, 1>
  %t2 = gpu.memcpy async [%t1] %h0, %b0 : memref<?xi32>, memref<?xi32, 1>
  // CHECK: agpu.wait {{\[}}[[C2]]]
  gpu.wait [%t2]
  // CHECK-NEXT: agpu.expect
  agpu.expect %h0, dense<[0, 1, 2, 3]> : tensor<4xi32> : memref<?xi32>
  return
}

// -----

// Fork and join (seeds/1, async.mlir) with the kernels outlined.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @iota(%m: memref<?xi32, 1>) kernel {
      gpu.return
    }
    gpu.func @add(%d: memref<?xi32, 1>, %a: memref<?xi32, 1>, %b: memref<?xi32, 1>) kernel {
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @join_fork
  func.func @join_fork(%b0: memref<?xi32, 1>, %b1: memref<?xi32, 1>, %b2: memref<?xi32, 1>, %h0: memref<?xi32>,
                       %h1: memref<?xi32>, %n: index) {
    // CHECK: [[C1:%.*]] = agpu.launch_func [] @kernels::@iota
    %t1 = gpu.launch_func async @kernels::@iota blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%b0 : memref<?xi32, 1>)
    // CHECK: [[C2:%.*]] = agpu.launch_func [] @kernels::@iota
    %t2 = gpu.launch_func async @kernels::@iota blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%b1 : memref<?xi32, 1>)
    // CHECK: [[C3:%.*]] = agpu.launch_func {{\[}}[[C1]], [[C2]]] @kernels::@add
    %t3 = gpu.launch_func async [%t1, %t2] @kernels::@add blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%b2 : memref<?xi32, 1>, %b0 : memref<?xi32, 1>, %b1 : memref<?xi32, 1>)
    // CHECK: [[C4:%.*]] = agpu.memcpy {{\[}}[[C3]]]
    %t4 = gpu.memcpy async [%t3] %h0, %b2 : memref<?xi32>, memref<?xi32, 1>
    // CHECK: [[C5:%.*]] = agpu.memcpy {{\[}}[[C3]]]
    %t5 = gpu.memcpy async [%t3] %h1, %b2 : memref<?xi32>, memref<?xi32, 1>
    // CHECK: agpu.wait {{\[}}[[C4]], [[C5]]]
    gpu.wait [%t4, %t5]
    return
  }
}
