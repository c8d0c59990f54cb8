// Upstream passes that move, merge or remove operations must respect the order that chains and waits give.
// RUN: lockstep-opt %s --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: lockstep-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: lockstep-opt %s --remove-dead-values --split-input-file | FileCheck %s

// Two equal operations are two pieces of work, and a load after a wait may read what the device wrote.
// CHECK-LABEL: func.func @no_merge
func.func @no_merge(%h: memref<4xi32>, %d: memref<4xi32, 1>, %n: index) -> (i32, i32) {
  // CHECK: memref.load
  %before = memref.load %h[%n] : memref<4xi32>
  // CHECK: agpu.memcpy [] (
  %c0 = agpu.memcpy [] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
  // CHECK: agpu.memcpy [] (
  %c1 = agpu.memcpy [] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
  // CHECK: agpu.wait
  agpu.wait [%c0, %c1]
  // CHECK: agpu.wait
  agpu.wait [%c0, %c1]
  // CHECK: memref.load
  %after = memref.load %h[%n] : memref<4xi32>
  return %before, %after : i32, i32
}

// -----

// Two allocations are two pieces of memory.
// CHECK-LABEL: func.func @two_allocations
func.func @two_allocations() -> (memref<4xi32>, memref<4xi32>) {
  // CHECK: [[A:%.*]] = agpu.alloc
  %a = agpu.alloc () : memref<4xi32>
  // CHECK: [[B:%.*]] = agpu.alloc
  %b = agpu.alloc () : memref<4xi32>
  // CHECK: return [[A]], [[B]]
  return %a, %b : memref<4xi32>, memref<4xi32>
}

// -----

// A wait alone is a barrier for host loads: the work behind its chain is not in sight (WAIT-1).
// CHECK-LABEL: func.func @wait_is_a_barrier
func.func @wait_is_a_barrier(%h: memref<4xi32>, %n: index, %c: !agpu.chain) -> (i32, i32) {
  // CHECK: memref.load
  %before = memref.load %h[%n] : memref<4xi32>
  // CHECK-NEXT: agpu.wait
  agpu.wait [%c]
  // CHECK-NEXT: memref.load
  %after = memref.load %h[%n] : memref<4xi32>
  return %before, %after : i32, i32
}

// -----

// Joins do no work: equal ones may become one, and one may leave a loop.
// CHECK-LABEL: func.func @joins
func.func @joins(%a: !agpu.chain, %b: !agpu.chain, %n: index) -> (!agpu.chain, !agpu.chain) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CSE: [[J:%.*]] = agpu.join
  // CSE-NOT: agpu.join
  // LICM: agpu.join
  // LICM: agpu.join
  // LICM: agpu.join
  // LICM-NEXT: scf.for
  %j0 = agpu.join [%a, %b]
  %j1 = agpu.join [%a, %b]
  scf.for %i = %c0 to %n step %c1 {
    %j2 = agpu.join [%a, %b]
    agpu.wait [%j2]
  }
  // CSE: return [[J]], [[J]]
  return %j0, %j1 : !agpu.chain, !agpu.chain
}

// -----

// Device work with operands that the loop does not change stays in the loop, wait included.
// CHECK-LABEL: func.func @no_hoist
func.func @no_hoist(%m: memref<4xi32>, %v: i32, %n: index, %c: !agpu.chain) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: agpu.alloc
    %a, %c2 = agpu.alloc [%c] () : memref<4xi32>
    // CHECK-NEXT: agpu.memset
    agpu.memset (%m, %v) : memref<4xi32>, i32
    // CHECK-NEXT: agpu.wait
    agpu.wait [%c]
    // CHECK-NEXT: agpu.dealloc
    %c3 = agpu.dealloc [%c2] %a : memref<4xi32>
  }
  return
}

// -----

// Work whose chain nobody uses is not dead; an allocation that nobody uses is.
// CHECK-LABEL: func.func @no_dead_work
func.func @no_dead_work(%m: memref<4xi32>, %v: i32, %n: index) {
  // CSE-NOT: agpu.alloc
  %a, %c0 = agpu.alloc [] () : memref<4xi32>
  // CHECK: agpu.memset []
  %c1 = agpu.memset [] (%m, %v) : memref<4xi32>, i32
  // CHECK: agpu.launch []
  %c2 = agpu.launch [] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
                       threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    agpu.terminator
  }
  // CHECK: agpu.expect
  agpu.expect %m, dense<1> : tensor<4xi32> : memref<4xi32>
  return
}
