// Index arithmetic: division by constants and by values, remainders, affine maps, casts that keep the sign.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n8 = arith.constant 8 : index
  %h0 = memref.alloc() : memref<8x6xi64>
  %o0, %allocated0 = agpu.alloc [] () : memref<8x6xi64>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n8, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %quotient = arith.divui %tx, %c3 : index
    %ceiling = arith.ceildivui %tx, %c3 : index
    %rest = affine.apply affine_map<(d0) -> (d0 mod 5)>(%tx)
    %mixed = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1) mod 4)>(%tx, %c3)
    %minus = arith.subi %c0, %tx : index
    %most = affine.max affine_map<(d0) -> (d0, 4)>(%tx)
    %v0 = arith.index_cast %quotient : index to i64
    %v1 = arith.index_cast %ceiling : index to i64
    %v2 = arith.index_cast %rest : index to i64
    %v3 = arith.index_cast %mixed : index to i64
    %v4 = arith.index_cast %minus : index to i64
    %v5 = arith.index_castui %most : index to i64
    memref.store %v0, %o0[%tx, %c0] : memref<8x6xi64>
    memref.store %v1, %o0[%tx, %c1] : memref<8x6xi64>
    memref.store %v2, %o0[%tx, %c2] : memref<8x6xi64>
    memref.store %v3, %o0[%tx, %c3] : memref<8x6xi64>
    memref.store %v4, %o0[%tx, %c4] : memref<8x6xi64>
    memref.store %v5, %o0[%tx, %c5] : memref<8x6xi64>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<8x6xi64>, memref<8x6xi64>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<8x6xi64>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[[0, 0, 0, 3, 0, 4], [0, 1, 1, 2, -1, 4], [0, 1, 2, 1, -2, 4], [1, 1, 3, 0, -3, 4], [1, 2, 4,
      3, -4, 4], [1, 2, 0, 2, -5, 5], [2, 2, 1, 1, -6, 6], [2, 3, 2, 0, -7, 7]]> : tensor<8x6xi64> : memref<8x6xi64>
  memref.dealloc %h0 : memref<8x6xi64>
  return
}
