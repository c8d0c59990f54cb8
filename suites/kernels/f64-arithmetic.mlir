// Arithmetic of doubles whose results are exact, compared bit for bit. One row a thread, one column an operation.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %h0 = memref.alloc() : memref<4x17xf64>
  %o0, %allocated0 = agpu.alloc [] () : memref<4x17xf64>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n4, %sy = %n1, %sz = %n1) {
    %t32 = arith.index_cast %tx : index to i32
    %five = arith.constant 5 : i32
    %nine = arith.constant 9 : i32
    %three = arith.constant 3 : i32
    %scaled = arith.muli %t32, %five : i32
    %shifted = arith.subi %scaled, %nine : i32
    %whole = arith.sitofp %shifted : i32 to f64
    %quarter = arith.constant 0.25 : f64
    %four = arith.constant 4.0 : f64
    %a = arith.mulf %whole, %quarter : f64
    %exponent = arith.remui %t32, %three : i32
    %b = math.fpowi %four, %exponent : f64, i32
    %c0 = arith.constant 0 : index
    %r0 = arith.addf %a, %b : f64
    memref.store %r0, %o0[%tx, %c0] : memref<4x17xf64>
    %c1 = arith.constant 1 : index
    %r1 = arith.subf %a, %b : f64
    memref.store %r1, %o0[%tx, %c1] : memref<4x17xf64>
    %c2 = arith.constant 2 : index
    %r2 = arith.mulf %a, %b : f64
    memref.store %r2, %o0[%tx, %c2] : memref<4x17xf64>
    %c3 = arith.constant 3 : index
    %r3 = arith.divf %a, %b : f64
    memref.store %r3, %o0[%tx, %c3] : memref<4x17xf64>
    %c4 = arith.constant 4 : index
    %r4 = arith.negf %a : f64
    memref.store %r4, %o0[%tx, %c4] : memref<4x17xf64>
    %c5 = arith.constant 5 : index
    %r5 = arith.maximumf %a, %b : f64
    memref.store %r5, %o0[%tx, %c5] : memref<4x17xf64>
    %c6 = arith.constant 6 : index
    %r6 = arith.minnumf %a, %b : f64
    memref.store %r6, %o0[%tx, %c6] : memref<4x17xf64>
    %c7 = arith.constant 7 : index
    %r7 = arith.remf %a, %b : f64
    memref.store %r7, %o0[%tx, %c7] : memref<4x17xf64>
    %c8 = arith.constant 8 : index
    %r8 = math.fma %a, %b, %a : f64
    memref.store %r8, %o0[%tx, %c8] : memref<4x17xf64>
    %c9 = arith.constant 9 : index
    %r9 = math.sqrt %b : f64
    memref.store %r9, %o0[%tx, %c9] : memref<4x17xf64>
    %c10 = arith.constant 10 : index
    %r10 = math.floor %a : f64
    memref.store %r10, %o0[%tx, %c10] : memref<4x17xf64>
    %c11 = arith.constant 11 : index
    %r11 = math.ceil %a : f64
    memref.store %r11, %o0[%tx, %c11] : memref<4x17xf64>
    %c12 = arith.constant 12 : index
    %r12 = math.absf %a : f64
    memref.store %r12, %o0[%tx, %c12] : memref<4x17xf64>
    %c13 = arith.constant 13 : index
    %r13 = math.copysign %b, %a : f64
    memref.store %r13, %o0[%tx, %c13] : memref<4x17xf64>
    %c14 = arith.constant 14 : index
    %r14 = math.trunc %a : f64
    memref.store %r14, %o0[%tx, %c14] : memref<4x17xf64>
    %c15 = arith.constant 15 : index
    %r15 = math.round %a : f64
    memref.store %r15, %o0[%tx, %c15] : memref<4x17xf64>
    %c16 = arith.constant 16 : index
    %r16 = math.roundeven %a : f64
    memref.store %r16, %o0[%tx, %c16] : memref<4x17xf64>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4x17xf64>, memref<4x17xf64>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4x17xf64>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[[-1.25, -3.25, -2.25, -2.25, 2.25, 1.0, -2.25, -0.25, -4.5, 1.0, -3.0, -2.0, 2.25, -1.0,
      -2.0, -2.0, -2.0], [3.0, -5.0, -4.0, -0.25, 1.0, 4.0, -1.0, -1.0, -5.0, 2.0, -1.0, -1.0, 1.0, -4.0, -1.0, -1.0,
      -1.0], [16.25, -15.75, 4.0, 0.015625, -0.25, 16.0, 0.25, 0.25, 4.25, 4.0, 0.0, 1.0, 0.25, 16.0, 0.0, 0.0, 0.0],
      [2.5, 0.5, 1.5, 1.5, -1.5, 1.5, 1.0, 0.5, 3.0, 1.0, 1.0, 2.0, 1.5, 1.0, 1.0, 2.0, 2.0]]
      > : tensor<4x17xf64> : memref<4x17xf64>
  memref.dealloc %h0 : memref<4x17xf64>
  return
}
