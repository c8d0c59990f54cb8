// Programs without a hazard: nothing is reported, nothing is changed.
// RUN: lockstep-opt %s --agpu-check-hazards --verify-diagnostics | FileCheck %s


module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @scale(%dst: memref<4xi32, 1>, %src: memref<4xi32, 1>) kernel {
    %i = gpu.thread_id x
    %dyn = memref.cast %src : memref<4xi32, 1> to memref<?xi32, 1>
    %v = memref.load %dyn[%i] : memref<?xi32, 1>
    memref.store %v, %dst[%i] : memref<4xi32, 1>
    gpu.return
  }
}

func.func private @print(memref<*xi32>)

// The seed program: fork, join, copy back, wait, print.
// CHECK-LABEL: @fork_join
func.func @fork_join(%v: i32) {
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %h = memref.alloc() : memref<4xi32>
  %m0, %a0 = agpu.alloc [] () : memref<4xi32, 1>
  %m1, %a1 = agpu.alloc [] () : memref<4xi32, 1>
  %m2, %a2 = agpu.alloc [] () : memref<4xi32, 1>
  %s = agpu.memset [%a0] (%m0, %v) : memref<4xi32, 1>, i32
  // Both only read %m0.
  %k1 = agpu.launch_func [%s, %a1] @kernels::@scale blocks in (%one, %one, %one) threads in (%four, %one, %one)
      args(%m1 : memref<4xi32, 1>, %m0 : memref<4xi32, 1>)
  %k2 = agpu.launch_func [%s, %a2] @kernels::@scale blocks in (%one, %one, %one) threads in (%four, %one, %one)
      args(%m2 : memref<4xi32, 1>, %m0 : memref<4xi32, 1>)
  %j = agpu.join [%k1, %k2]
  %c = agpu.memcpy [%j] (%h, %m1) : memref<4xi32>, memref<4xi32, 1>
  agpu.wait [%c]
  %u = memref.cast %h : memref<4xi32> to memref<*xi32>
  func.call @print(%u) : (memref<*xi32>) -> ()
  %d0 = agpu.dealloc [%j] %m0 : memref<4xi32, 1>
  %d1 = agpu.dealloc [%c] %m1 : memref<4xi32, 1>
  agpu.dealloc %m2 : memref<4xi32, 1>
  memref.dealloc %h : memref<4xi32>
  agpu.wait [%d0, %d1]
  return
}

// Parts known to be apart; parts that may be apart.
// CHECK-LABEL: @slices
func.func @slices(%m: memref<8xi32, 1>, %d: memref<8x8xi32, 1>, %bytes: memref<64xi8, 1>, %v: i32, %o: index) {
  %lo = memref.subview %m[0] [4] [1] : memref<8xi32, 1> to memref<4xi32, strided<[1]>, 1>
  %hi = memref.subview %m[4] [4] [1] : memref<8xi32, 1> to memref<4xi32, strided<[1], offset: 4>, 1>
  %any = memref.subview %m[%o] [2] [1] : memref<8xi32, 1> to memref<2xi32, strided<[1], offset: ?>, 1>
  %a = agpu.memset [] (%lo, %v) : memref<4xi32, strided<[1]>, 1>, i32
  %b = agpu.memset [] (%hi, %v) : memref<4xi32, strided<[1], offset: 4>, 1>, i32
  %c = agpu.memset [] (%any, %v) : memref<2xi32, strided<[1], offset: ?>, 1>, i32
  %even = memref.subview %d[0, 0] [8, 4] [1, 2] : memref<8x8xi32, 1> to memref<8x4xi32, strided<[8, 2]>, 1>
  %odd = memref.subview %d[0, 1] [8, 4] [1, 2] : memref<8x8xi32, 1> to memref<8x4xi32, strided<[8, 2], offset: 1>, 1>
  %e = agpu.memset [] (%even, %v) : memref<8x4xi32, strided<[8, 2]>, 1>, i32
  %f = agpu.memset [] (%odd, %v) : memref<8x4xi32, strided<[8, 2], offset: 1>, 1>, i32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %v0 = memref.view %bytes[%c0][] : memref<64xi8, 1> to memref<8xi32, 1>
  %v1 = memref.view %bytes[%c32][] : memref<64xi8, 1> to memref<8xi32, 1>
  %g = agpu.memset [] (%v0, %v) : memref<8xi32, 1>, i32
  %h = agpu.memset [] (%v1, %v) : memref<8xi32, 1>, i32
  return
}

// Two buffers in turn, two chains carried.
// CHECK-LABEL: @double_buffered
func.func @double_buffered(%h: memref<4xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m0, %a0 = agpu.alloc [] () : memref<4xi32, 1>
  %m1, %a1 = agpu.alloc [] () : memref<4xi32, 1>
  %s0 = agpu.memcpy [%a0] (%m0, %h) : memref<4xi32, 1>, memref<4xi32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m0, %q = %m1, %x = %s0, %y = %a1)
      -> (memref<4xi32, 1>, memref<4xi32, 1>, !agpu.chain, !agpu.chain) {
    %next = agpu.memcpy [%y] (%q, %h) : memref<4xi32, 1>, memref<4xi32>
    %work = agpu.memset [%x] (%p, %v) : memref<4xi32, 1>, i32
    scf.yield %q, %p, %next, %work : memref<4xi32, 1>, memref<4xi32, 1>, !agpu.chain, !agpu.chain
  }
  %e0 = agpu.dealloc [%r#2, %r#3] %m0 : memref<4xi32, 1>
  %e1 = agpu.dealloc [%r#2, %r#3] %m1 : memref<4xi32, 1>
  agpu.wait [%e0, %e1]
  return
}

// One chain carried through loops in loops; memory of one iteration; a wait in the loop.
// CHECK-LABEL: @loops
func.func @loops(%m: memref<4xi32, 1>, %h: memref<4xi32>, %v: i32, %n: index, %start: !agpu.chain) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> !agpu.chain {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> !agpu.chain {
      %t = agpu.memset [%y] (%m, %v) : memref<4xi32, 1>, i32
      scf.yield %t : !agpu.chain
    }
    %own, %a = agpu.alloc [%s] () : memref<4xi32, 1>
    %b = agpu.memcpy [%a] (%own, %m) : memref<4xi32, 1>, memref<4xi32, 1>
    %c = agpu.memcpy [%b] (%h, %own) : memref<4xi32>, memref<4xi32, 1>
    %d = agpu.dealloc [%c] %own : memref<4xi32, 1>
    agpu.wait [%c]
    %l = memref.load %h[%c0] : memref<4xi32>
    scf.yield %d : !agpu.chain
  }
  %z = agpu.memset [%r] (%m, %v) : memref<4xi32, 1>, i32
  return
}

// CHECK-LABEL: @branches
func.func @branches(%m: memref<4xi32, 1>, %v: i32, %p: i1) {
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  %b = scf.if %p -> !agpu.chain {
    %t = agpu.memset [%a] (%m, %v) : memref<4xi32, 1>, i32
    scf.yield %t : !agpu.chain
  } else {
    %e = agpu.memset [%a] (%m, %v) : memref<4xi32, 1>, i32
    scf.yield %e : !agpu.chain
  }
  %c = agpu.memset [%b] (%m, %v) : memref<4xi32, 1>, i32
  cf.cond_br %p, ^yes, ^end(%c : !agpu.chain)
^yes:
  %d = agpu.memset [%c] (%m, %v) : memref<4xi32, 1>, i32
  cf.br ^end(%d : !agpu.chain)
^end(%e: !agpu.chain):
  %f = agpu.memset [%e] (%m, %v) : memref<4xi32, 1>, i32
  agpu.wait [%f]
  return
}

// CHECK-LABEL: @while_loop
func.func @while_loop(%m: memref<4xi32, 1>, %v: i32, %p: i1) {
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  %r = scf.while (%x = %a) : (!agpu.chain) -> !agpu.chain {
    %y = agpu.memset [%x] (%m, %v) : memref<4xi32, 1>, i32
    scf.condition(%p) %y : !agpu.chain
  } do {
  ^bb0(%z: !agpu.chain):
    %w = agpu.memset [%z] (%m, %v) : memref<4xi32, 1>, i32
    scf.yield %w : !agpu.chain
  }
  agpu.wait [%r]
  agpu.memset (%m, %v) : memref<4xi32, 1>, i32
  return
}

func.func private @enqueue(memref<4xi32, 1>, !agpu.chain) -> !agpu.chain

// CHECK-LABEL: @calls
func.func @calls(%m: memref<4xi32, 1>, %v: i32, %n: memref<4xi32, 1>) {
  %a = agpu.memset [] (%m, %v) : memref<4xi32, 1>, i32
  %b = func.call @enqueue(%m, %a) : (memref<4xi32, 1>, !agpu.chain) -> !agpu.chain
  %c = agpu.memset [%b] (%m, %v) : memref<4xi32, 1>, i32
  %other = agpu.memset [] (%n, %v) : memref<4xi32, 1>, i32
  return
}
}
