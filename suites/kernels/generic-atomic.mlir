// memref.generic_atomic_rmw: a saturating counter, and a product of floats.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n128 = arith.constant 128 : index
  %h0 = memref.alloc() : memref<1xi32>
  %h1 = memref.alloc() : memref<1xf32>
  %i0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %unit = arith.constant 0.0009765625 : f32
  memref.store %zero, %h0[%i0] : memref<1xi32>
  memref.store %unit, %h1[%i0] : memref<1xf32>
  %o0, %allocated0 = agpu.alloc [] () : memref<1xi32>
  %sent0 = agpu.memcpy [%allocated0] (%o0, %h0) : memref<1xi32>, memref<1xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<1xf32>
  %sent1 = agpu.memcpy [%allocated1] (%o1, %h1) : memref<1xf32>, memref<1xf32>
  %ran = agpu.launch [%sent0, %sent1]
      blocks(%bx, %by, %bz) in (%gx = %n2, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n128, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %limit = arith.constant 100 : i32
    %two = arith.constant 2.0 : f32
    %few = arith.constant 10 : index
    %r0 = memref.generic_atomic_rmw %o0[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %more = arith.addi %old, %one : i32
      %next = arith.minsi %more, %limit : i32
      memref.atomic_yield %next : i32
    }
    %multiply = arith.cmpi ult, %tx, %few : index
    scf.if %multiply {
      %r1 = memref.generic_atomic_rmw %o1[%c0] : memref<1xf32> {
      ^bb0(%old: f32):
        %next = arith.mulf %old, %two : f32
        memref.atomic_yield %next : f32
      }
    }
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<1xi32>, memref<1xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<1xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<1xf32>, memref<1xf32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<1xf32>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h0, dense<[100]> : tensor<1xi32> : memref<1xi32>
  agpu.expect %h1, dense<[1024.0]> : tensor<1xf32> : memref<1xf32>
  memref.dealloc %h0 : memref<1xi32>
  memref.dealloc %h1 : memref<1xf32>
  return
}
