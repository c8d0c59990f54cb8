// RUN: lockstep-opt %s --split-input-file --convert-async-to-agpu | FileCheck %s
// RUN: lockstep-opt %s --split-input-file --convert-async-to-agpu --canonicalize --verify-roundtrip | FileCheck %s --check-prefix=CLEAN
// RUN: lockstep-opt %s --split-input-file --convert-gpu-to-agpu --convert-async-to-agpu | FileCheck %s
// CLEAN-NOT: {{!async[.]|unrealized_conversion_cast}}

// The program of seeds/3: upstream's synchronous gpu operations in the bodies, values through async.value.
// CHECK-LABEL: func.func @seed(
func.func @seed() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 2 : index
  %v0 = arith.constant 42 : i32
  // CHECK: [[H0:%.*]] = memref.alloc
  %h0 = memref.alloc(%count) : memref<?xi32>
  %h0_unranked = memref.cast %h0 : memref<?xi32> to memref<*xi32>
  // CHECK: agpu.host_register
  agpu.host_register %h0_unranked : memref<*xi32>
  // CHECK: memref.store
  memref.store %v0, %h0[%c0] : memref<?xi32>
  // CHECK: memref.store
  memref.store %v0, %h0[%c1] : memref<?xi32>

  // CHECK-NEXT: [[B0:%.*]], [[A0:%.*]] = agpu.alloc [] ({{%.*}}) : memref<?xi32>
  // CHECK-NEXT: [[T0:%.*]] = agpu.memcpy {{\[}}[[A0]]] ([[B0]], [[H0]])
  %t0, %f0 = async.execute -> !async.value<memref<?xi32>> {
    %b0 = gpu.alloc (%count) : memref<?xi32>
    gpu.memcpy %b0, %h0 : memref<?xi32>, memref<?xi32>
    async.yield %b0 : memref<?xi32>
  }

  // CHECK-NEXT: [[B1:%.*]], [[A1:%.*]] = agpu.alloc {{\[}}[[T0]]]
  // CHECK-NEXT: [[T1:%.*]] = agpu.memcpy {{\[}}[[A1]]] ([[B1]], [[B0]])
  %t1, %f1 = async.execute [%t0] (%f0 as %b0 : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %b1 = gpu.alloc (%count) : memref<?xi32>
    gpu.memcpy %b1, %b0 : memref<?xi32>, memref<?xi32>
    async.yield %b1 : memref<?xi32>
  }
  // CHECK-NEXT: [[B2:%.*]], [[A2:%.*]] = agpu.alloc {{\[}}[[T0]]]
  // CHECK-NEXT: [[T2:%.*]] = agpu.memcpy {{\[}}[[A2]]] ([[B2]], [[B0]])
  %t2, %f2 = async.execute [%t0] (%f0 as %b0 : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %b2 = gpu.alloc (%count) : memref<?xi32>
    gpu.memcpy %b2, %b0 : memref<?xi32>, memref<?xi32>
    async.yield %b2 : memref<?xi32>
  }

  // CHECK-NEXT: [[T3:%.*]] = agpu.launch {{\[}}[[T1]], [[T2]]] blocks
  %t3 = async.execute [%t1, %t2] (%f1 as %b1 : !async.value<memref<?xi32>>, %f2 as %b2 : !async.value<memref<?xi32>>) {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %count, %sy = %c1, %sz = %c1) {
      // CHECK-NEXT: memref.load [[B1]]
      %v1 = memref.load %b1[%tx] : memref<?xi32>
      // CHECK-NEXT: memref.load [[B2]]
      %v2 = memref.load %b2[%tx] : memref<?xi32>
      %sum = arith.addi %v1, %v2 : i32
      memref.store %sum, %h0[%tx] : memref<?xi32>
      gpu.terminator
    }
    async.yield
  }
  // CHECK: agpu.wait {{\[}}[[T3]]]
  async.await %t3 : !async.token
  // CHECK-NEXT: agpu.expect
  agpu.expect %h0, dense<[84, 84]> : tensor<2xi32> : memref<?xi32>
  return
}

// -----

// Bodies of agpu operations, synchronous and asynchronous.
// CHECK-LABEL: func.func @agpu_bodies(
// CHECK-SAME: [[D:%.*]]: memref<4xi32>, [[E:%.*]]: memref<4xi32>, [[V:%.*]]: i32)
func.func @agpu_bodies(%d: memref<4xi32>, %e: memref<4xi32>, %v: i32) {
  // CHECK-NEXT: [[C0:%.*]] = agpu.memset [] ([[D]], [[V]]) {tag = 1 : i32}
  %t0 = async.execute {
    agpu.memset (%d, %v) {tag = 1 : i32} : memref<4xi32>, i32
    async.yield
  }
  // Asynchronous work of the body waits for the body's dependencies, and the token covers it.
  // CHECK-NEXT: [[C1:%.*]] = agpu.memset {{\[}}[[C0]]] ([[D]], [[V]])
  // CHECK-NEXT: [[C2:%.*]] = agpu.memset {{\[}}[[C0]]] ([[E]], [[V]])
  // CHECK-NEXT: [[J:%.*]] = agpu.join {{\[}}[[C1]], [[C2]]]
  %t1 = async.execute [%t0] {
    %c1 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
    %c2 = agpu.memset [] (%e, %v) : memref<4xi32>, i32
    async.yield
  }
  // A wait in a body orders the rest of the body; the host does not block.
  // CHECK-NEXT: [[C3:%.*]] = agpu.memset {{\[}}[[J]]] ([[D]], [[V]])
  // CHECK-NEXT: [[C4:%.*]] = agpu.memcpy {{\[}}[[C3]]] ([[E]], [[D]])
  %t2 = async.execute [%t1] {
    %c3 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
    agpu.wait [%c3]
    agpu.memcpy (%e, %d) : memref<4xi32>, memref<4xi32>
    async.yield
  }
  // CHECK-NEXT: agpu.wait {{\[}}[[C4]]]
  async.await %t2 : !async.token
  // CHECK-NEXT: return
  return
}

// -----

// Asynchronous gpu operations in a body.
// CHECK-LABEL: func.func @gpu_tokens(
// CHECK-SAME: [[D:%.*]]: memref<4xi32, 1>, [[H:%.*]]: memref<4xi32>, [[V:%.*]]: i32)
func.func @gpu_tokens(%d: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32) {
  // CHECK: [[C0:%.*]] = agpu.memset [] ([[D]], [[V]])
  // CHECK-NEXT: [[C1:%.*]] = agpu.memcpy {{\[}}[[C0]]] ([[H]], [[D]])
  %t0 = async.execute {
    %g0 = gpu.memset async %d, %v : memref<4xi32, 1>, i32
    %g1 = gpu.memcpy async [%g0] %h, %d : memref<4xi32>, memref<4xi32, 1>
    gpu.wait [%g1]
    async.yield
  }
  // CHECK-NEXT: agpu.wait {{\[}}[[C1]]]
  async.await %t0 : !async.token
  return
}

// -----

// Host operations with effects wait for the device work in front of them; pure ones and allocations do not.
func.func private @use(memref<4xi32>)
// CHECK-LABEL: func.func @host_effects(
// CHECK-SAME: [[D:%.*]]: memref<4xi32, 1>, [[H:%.*]]: memref<4xi32>, [[N:%.*]]: index)
func.func @host_effects(%d: memref<4xi32, 1>, %h: memref<4xi32>, %n: index) -> i32 {
  // CHECK-NEXT: [[C0:%.*]] = agpu.memcpy [] ([[H]], [[D]])
  // CHECK-NEXT: [[M:%.*]] = arith.addi [[N]], [[N]]
  // CHECK-NEXT: [[A:%.*]] = memref.alloc()
  // CHECK-NEXT: agpu.wait {{\[}}[[C0]]]
  // CHECK-NEXT: [[X:%.*]] = memref.load [[H]]{{\[}}[[M]]]
  // CHECK-NEXT: call @use([[A]])
  // CHECK-NEXT: [[C1:%.*]] = agpu.memcpy [] ([[D]], [[A]])
  %t0, %x = async.execute -> !async.value<i32> {
    agpu.memcpy (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %m = arith.addi %n, %n : index
    %a = memref.alloc() : memref<4xi32>
    %loaded = memref.load %h[%m] : memref<4xi32>
    func.call @use(%a) : (memref<4xi32>) -> ()
    agpu.memcpy (%d, %a) : memref<4xi32, 1>, memref<4xi32>
    async.yield %loaded : i32
  }
  // CHECK-NEXT: agpu.wait {{\[}}[[C1]]]
  %y = async.await %x : !async.value<i32>
  // CHECK-NEXT: return [[X]] : i32
  return %y : i32
}

// -----

// A loop around device work is host work: it stays synchronous, after what comes before it.
// CHECK-LABEL: func.func @region_in_body(
// CHECK-SAME: [[D:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[N:%.*]]: index)
func.func @region_in_body(%d: memref<4xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: [[C0:%.*]] = agpu.memset [] ([[D]], [[V]])
  // CHECK-NEXT: agpu.wait {{\[}}[[C0]]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: agpu.memset ([[D]], [[V]])
  // CHECK: [[C1:%.*]] = agpu.memset [] ([[D]], [[V]])
  // CHECK-NEXT: agpu.wait {{\[}}[[C1]]]
  %t0 = async.execute {
    agpu.memset (%d, %v) : memref<4xi32>, i32
    scf.for %i = %c0 to %n step %c1 {
      agpu.memset (%d, %v) : memref<4xi32>, i32
    }
    agpu.memset (%d, %v) : memref<4xi32>, i32
    async.yield
  }
  async.await %t0 : !async.token
  return
}

// -----

// Nested bodies start after what the outer body has waited for; an await in a body does not block the host.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: [[D:%.*]]: memref<4xi32>, [[E:%.*]]: memref<4xi32>, [[V:%.*]]: i32)
func.func @nested(%d: memref<4xi32>, %e: memref<4xi32>, %v: i32) {
  // CHECK-NEXT: [[C0:%.*]] = agpu.memset [] ([[D]], [[V]])
  // CHECK-NEXT: [[C1:%.*]] = agpu.memset {{\[}}[[C0]]] ([[E]], [[V]])
  // CHECK-NEXT: [[C2:%.*]] = agpu.memcpy {{\[}}[[C1]]] ([[D]], [[E]])
  %t0 = async.execute {
    agpu.memset (%d, %v) : memref<4xi32>, i32
    %inner = async.execute {
      agpu.memset (%e, %v) : memref<4xi32>, i32
      async.yield
    }
    async.await %inner : !async.token
    agpu.memcpy (%d, %e) : memref<4xi32>, memref<4xi32>
    async.yield
  }
  // CHECK-NEXT: agpu.wait {{\[}}[[C2]]]
  async.await %t0 : !async.token
  // A body without work: its token is complete when its dependencies are.
  // CHECK-NEXT: [[J:%.*]] = agpu.join []
  %t1 = async.execute {
    async.yield
  }
  // CHECK-NEXT: [[K:%.*]] = agpu.join {{\[}}[[C2]], [[J]]]
  %t2 = async.execute [%t0, %t1] {
    async.yield
  }
  // CHECK-NEXT: agpu.wait {{\[}}[[K]]]
  async.await %t2 : !async.token
  return
}

// -----

// Bodies in regions in bodies, and bodies without work behind a chain that comes from outside.
// CHECK-LABEL: func.func @nested_regions(
// CHECK-SAME: [[D:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[N:%.*]]: index, [[COND:%.*]]: i1, [[C:%.*]]: !agpu.chain)
func.func @nested_regions(%d: memref<4xi32>, %v: i32, %n: index, %cond: i1, %t: !async.token) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: agpu.wait {{\[}}[[C]]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: [[A:%.*]] = agpu.memset [] ([[D]], [[V]])
  // CHECK-NEXT: [[R:%.*]] = scf.if [[COND]] -> (!agpu.chain)
  // CHECK-NEXT: [[B:%.*]] = agpu.memset {{\[}}[[A]]] ([[D]], [[V]])
  // CHECK-NEXT: scf.yield [[B]]
  // CHECK: scf.yield [[A]]
  // CHECK: agpu.wait {{\[}}[[R]]]
  %t0 = async.execute [%t] {
    scf.for %i = %c0 to %n step %c1 {
      %a = async.execute {
        agpu.memset (%d, %v) : memref<4xi32>, i32
        async.yield
      }
      %r = scf.if %cond -> !async.token {
        %b = async.execute [%a] {
          agpu.memset (%d, %v) : memref<4xi32>, i32
          async.yield
        }
        scf.yield %b : !async.token
      } else {
        scf.yield %a : !async.token
      }
      async.await %r : !async.token
    }
    async.yield
  }
  // CHECK: [[E:%.*]] = agpu.memset {{\[}}[[C]]] ([[D]], [[V]])
  // CHECK-NEXT: agpu.wait {{\[}}[[E]]]
  %t1 = async.execute [%t] {
    %empty = async.execute {
      async.yield
    }
    async.await %empty : !async.token
    agpu.memset (%d, %v) : memref<4xi32>, i32
    async.yield
  }
  async.await %t1 : !async.token
  return
}

// -----

// Tokens and values through signatures, calls, region results and block arguments: a value is a chain and the value.
// CHECK-LABEL: func.func private @external(!agpu.chain, !agpu.chain, memref<4xi32>) -> (!agpu.chain, memref<4xi32>)
func.func private @external(!async.token, !async.value<memref<4xi32>>) -> !async.value<memref<4xi32>>
// CHECK-LABEL: func.func @everywhere(
// CHECK-SAME: [[TC:%.*]]: !agpu.chain, [[XC:%[a-z0-9_]+]]: !agpu.chain, [[X:%.*]]: memref<4xi32>, [[V:%.*]]: i32, [[N:%.*]]: index, [[COND:%.*]]: i1) -> (!agpu.chain, memref<4xi32>)
func.func @everywhere(%t: !async.token, %x: !async.value<memref<4xi32>>, %v: i32, %n: index, %cond: i1)
    -> !async.value<memref<4xi32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: [[CALL:%.*]]:2 = call @external([[TC]], [[XC]], [[X]]) : (!agpu.chain, !agpu.chain, memref<4xi32>) -> (!agpu.chain, memref<4xi32>)
  %call = call @external(%t, %x) : (!async.token, !async.value<memref<4xi32>>) -> !async.value<memref<4xi32>>
  // CHECK: [[IF:%.*]]:2 = scf.if [[COND]] -> (!agpu.chain, memref<4xi32>)
  %if = scf.if %cond -> !async.value<memref<4xi32>> {
    // CHECK: scf.yield [[CALL]]#0, [[CALL]]#1
    scf.yield %call : !async.value<memref<4xi32>>
  } else {
    // CHECK: scf.yield [[XC]], [[X]]
    scf.yield %x : !async.value<memref<4xi32>>
  }
  // CHECK: [[FOR:%.*]]:2 = scf.for {{.*}} iter_args([[IC:%.*]] = [[IF]]#0, [[I:%.*]] = [[IF]]#1) -> (!agpu.chain, memref<4xi32>)
  %for = scf.for %k = %c0 to %n step %c1 iter_args(%i = %if) -> !async.value<memref<4xi32>> {
    // CHECK: [[C:%.*]] = agpu.memset {{\[}}[[IC]]] ([[I]], [[V]])
    %t1, %y = async.execute (%i as %m : !async.value<memref<4xi32>>) -> !async.value<memref<4xi32>> {
      agpu.memset (%m, %v) : memref<4xi32>, i32
      async.yield %m : memref<4xi32>
    }
    // CHECK: scf.yield [[C]], [[I]]
    scf.yield %y : !async.value<memref<4xi32>>
  }
  // CHECK: [[WHILE:%.*]]:2 = scf.while ({{%.*}} = [[FOR]]#0, {{%.*}} = [[FOR]]#1)
  %while = scf.while (%w = %for) : (!async.value<memref<4xi32>>) -> !async.value<memref<4xi32>> {
    scf.condition(%cond) %w : !async.value<memref<4xi32>>
  } do {
  ^bb0(%w: !async.value<memref<4xi32>>):
    scf.yield %w : !async.value<memref<4xi32>>
  }
  // CHECK: cf.br ^[[BB:.*]]([[WHILE]]#0, [[WHILE]]#1 : !agpu.chain, memref<4xi32>)
  cf.br ^end(%while : !async.value<memref<4xi32>>)
// CHECK: ^[[BB]]([[EC:%[a-z0-9_]+]]: !agpu.chain, [[E:%.*]]: memref<4xi32>):
^end(%e: !async.value<memref<4xi32>>):
  // CHECK-NEXT: agpu.wait {{\[}}[[EC]]]
  %m = async.await %e : !async.value<memref<4xi32>>
  // CHECK-NEXT: memref.store [[V]], [[E]]
  memref.store %v, %m[%c0] : memref<4xi32>
  // CHECK-NEXT: return [[EC]], [[E]] : !agpu.chain, memref<4xi32>
  return %e : !async.value<memref<4xi32>>
}
