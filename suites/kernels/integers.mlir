// Arithmetic on 32-bit integers: signed and unsigned division, wrap-around, shifts, counts of bits. One row a thread,
// one column an operation.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %h0 = memref.alloc() : memref<4x20xi32>
  %h1 = memref.alloc() : memref<4xi32>
  %h2 = memref.alloc() : memref<4xi32>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %a0 = arith.constant 7 : i32
  memref.store %a0, %h1[%i0] : memref<4xi32>
  %b0 = arith.constant 3 : i32
  memref.store %b0, %h2[%i0] : memref<4xi32>
  %a1 = arith.constant -7 : i32
  memref.store %a1, %h1[%i1] : memref<4xi32>
  %b1 = arith.constant 2 : i32
  memref.store %b1, %h2[%i1] : memref<4xi32>
  %a2 = arith.constant 123456789 : i32
  memref.store %a2, %h1[%i2] : memref<4xi32>
  %b2 = arith.constant -1000 : i32
  memref.store %b2, %h2[%i2] : memref<4xi32>
  %a3 = arith.constant -2147483648 : i32
  memref.store %a3, %h1[%i3] : memref<4xi32>
  %b3 = arith.constant 5 : i32
  memref.store %b3, %h2[%i3] : memref<4xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<4x20xi32>
  %sent0 = agpu.memcpy [%allocated0] (%o0, %h0) : memref<4x20xi32>, memref<4x20xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<4xi32>
  %sent1 = agpu.memcpy [%allocated1] (%o1, %h1) : memref<4xi32>, memref<4xi32>
  %o2, %allocated2 = agpu.alloc [] () : memref<4xi32>
  %sent2 = agpu.memcpy [%allocated2] (%o2, %h2) : memref<4xi32>, memref<4xi32>
  %ran = agpu.launch [%sent0, %sent1, %sent2]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n4, %sy = %n1, %sz = %n1) {
    %three = arith.constant 3 : i32
    %a = memref.load %o1[%tx] : memref<4xi32>
    %b = memref.load %o2[%tx] : memref<4xi32>
    %c0 = arith.constant 0 : index
    %r0 = arith.addi %a, %b : i32
    memref.store %r0, %o0[%tx, %c0] : memref<4x20xi32>
    %c1 = arith.constant 1 : index
    %r1 = arith.subi %a, %b : i32
    memref.store %r1, %o0[%tx, %c1] : memref<4x20xi32>
    %c2 = arith.constant 2 : index
    %r2 = arith.muli %a, %b : i32
    memref.store %r2, %o0[%tx, %c2] : memref<4x20xi32>
    %c3 = arith.constant 3 : index
    %r3 = arith.divsi %a, %b : i32
    memref.store %r3, %o0[%tx, %c3] : memref<4x20xi32>
    %c4 = arith.constant 4 : index
    %r4 = arith.divui %a, %b : i32
    memref.store %r4, %o0[%tx, %c4] : memref<4x20xi32>
    %c5 = arith.constant 5 : index
    %r5 = arith.remsi %a, %b : i32
    memref.store %r5, %o0[%tx, %c5] : memref<4x20xi32>
    %c6 = arith.constant 6 : index
    %r6 = arith.remui %a, %b : i32
    memref.store %r6, %o0[%tx, %c6] : memref<4x20xi32>
    %c7 = arith.constant 7 : index
    %r7 = arith.andi %a, %b : i32
    memref.store %r7, %o0[%tx, %c7] : memref<4x20xi32>
    %c8 = arith.constant 8 : index
    %r8 = arith.ori %a, %b : i32
    memref.store %r8, %o0[%tx, %c8] : memref<4x20xi32>
    %c9 = arith.constant 9 : index
    %r9 = arith.xori %a, %b : i32
    memref.store %r9, %o0[%tx, %c9] : memref<4x20xi32>
    %c10 = arith.constant 10 : index
    %r10 = arith.maxsi %a, %b : i32
    memref.store %r10, %o0[%tx, %c10] : memref<4x20xi32>
    %c11 = arith.constant 11 : index
    %r11 = arith.minui %a, %b : i32
    memref.store %r11, %o0[%tx, %c11] : memref<4x20xi32>
    %c12 = arith.constant 12 : index
    %r12 = arith.floordivsi %a, %b : i32
    memref.store %r12, %o0[%tx, %c12] : memref<4x20xi32>
    %c13 = arith.constant 13 : index
    %r13 = arith.ceildivsi %a, %b : i32
    memref.store %r13, %o0[%tx, %c13] : memref<4x20xi32>
    %c14 = arith.constant 14 : index
    %r14 = arith.shli %a, %three : i32
    memref.store %r14, %o0[%tx, %c14] : memref<4x20xi32>
    %c15 = arith.constant 15 : index
    %r15 = arith.shrsi %a, %three : i32
    memref.store %r15, %o0[%tx, %c15] : memref<4x20xi32>
    %c16 = arith.constant 16 : index
    %r16 = arith.shrui %a, %three : i32
    memref.store %r16, %o0[%tx, %c16] : memref<4x20xi32>
    %c17 = arith.constant 17 : index
    %r17 = math.ctpop %a : i32
    memref.store %r17, %o0[%tx, %c17] : memref<4x20xi32>
    %c18 = arith.constant 18 : index
    %r18 = math.ctlz %a : i32
    memref.store %r18, %o0[%tx, %c18] : memref<4x20xi32>
    %c19 = arith.constant 19 : index
    %r19 = math.cttz %a : i32
    memref.store %r19, %o0[%tx, %c19] : memref<4x20xi32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4x20xi32>, memref<4x20xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4x20xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<4xi32>, memref<4xi32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<4xi32>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<4xi32>, memref<4xi32>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<4xi32>
  agpu.wait [%freed0, %freed1, %freed2]
  agpu.expect %h0, dense<[[10, 4, 21, 2, 2, 1, 1, 3, 7, 4, 7, 3, 2, 3, 56, 0, 0, 3, 29, 0], [-5, -9, -14, -3,
      2147483644, -1, 1, 0, -5, -5, 2, 2, -4, -3, -56, -1, 536870911, 30, 0, 0], [123455789, 123457789, 1097262584,
      -123456, 0, 789, 123456789, 123456528, -739, -123457267, 123456789, 123456789, -123457, -123456, 987654312,
      15432098, 15432098, 16, 5, 0], [-2147483643, 2147483643, -2147483648, -429496729, 429496729, -3, 3, 0,
      -2147483643, -2147483643, 5, 5, -429496730, -429496729, 0, -268435456, 268435456, 1, 0, 31]]
      > : tensor<4x20xi32> : memref<4x20xi32>
  agpu.expect %h1, dense<[7, -7, 123456789, -2147483648]> : tensor<4xi32> : memref<4xi32>
  agpu.expect %h2, dense<[3, 2, -1000, 5]> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h0 : memref<4x20xi32>
  memref.dealloc %h1 : memref<4xi32>
  memref.dealloc %h2 : memref<4xi32>
  return
}
