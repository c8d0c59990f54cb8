// Integers of 1, 8, 16 and 64 bits: loads, stores, wrap-around, extension and truncation.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n8 = arith.constant 8 : index
  %h0 = memref.alloc() : memref<8xi1>
  %h1 = memref.alloc() : memref<8xi8>
  %h2 = memref.alloc() : memref<8xi16>
  %h3 = memref.alloc() : memref<8xi64>
  %h4 = memref.alloc() : memref<8xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<8xi1>
  %o1, %allocated1 = agpu.alloc [] () : memref<8xi8>
  %o2, %allocated2 = agpu.alloc [] () : memref<8xi16>
  %o3, %allocated3 = agpu.alloc [] () : memref<8xi64>
  %o4, %allocated4 = agpu.alloc [] () : memref<8xi32>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2, %allocated3, %allocated4]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n8, %sy = %n1, %sz = %n1) {
    %t8 = arith.index_cast %tx : index to i8
    %t16 = arith.index_cast %tx : index to i16
    %t64 = arith.index_cast %tx : index to i64
    %bit = arith.trunci %t8 : i8 to i1
    memref.store %bit, %o0[%tx] : memref<8xi1>
    %forty = arith.constant 40 : i8
    %byte = arith.muli %t8, %forty : i8
    memref.store %byte, %o1[%tx] : memref<8xi8>
    %large16 = arith.constant 9000 : i16
    %half = arith.muli %t16, %large16 : i16
    memref.store %half, %o2[%tx] : memref<8xi16>
    %large64 = arith.constant 5000000000 : i64
    %minus = arith.constant -1 : i64
    %scaled = arith.muli %t64, %large64 : i64
    %word = arith.addi %scaled, %minus : i64
    memref.store %word, %o3[%tx] : memref<8xi64>

    // Read back in other widths: the byte signed, the half unsigned, the bit as 0 or 1.
    %bit_again = memref.load %o0[%tx] : memref<8xi1>
    %byte_again = memref.load %o1[%tx] : memref<8xi8>
    %half_again = memref.load %o2[%tx] : memref<8xi16>
    %x = arith.extui %bit_again : i1 to i32
    %y = arith.extsi %byte_again : i8 to i32
    %z = arith.extui %half_again : i16 to i32
    %xy = arith.addi %x, %y : i32
    %xyz = arith.addi %xy, %z : i32
    memref.store %xyz, %o4[%tx] : memref<8xi32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<8xi1>, memref<8xi1>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<8xi1>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<8xi8>, memref<8xi8>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<8xi8>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<8xi16>, memref<8xi16>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<8xi16>
  %copied3 = agpu.memcpy [%ran] (%h3, %o3) : memref<8xi64>, memref<8xi64>
  %freed3 = agpu.dealloc [%copied3] %o3 : memref<8xi64>
  %copied4 = agpu.memcpy [%ran] (%h4, %o4) : memref<8xi32>, memref<8xi32>
  %freed4 = agpu.dealloc [%copied4] %o4 : memref<8xi32>
  agpu.wait [%freed0, %freed1, %freed2, %freed3, %freed4]
  agpu.expect %h0, dense<[false, true, false, true, false, true, false, true]> : tensor<8xi1> : memref<8xi1>
  agpu.expect %h1, dense<[0, 40, 80, 120, -96, -56, -16, 24]> : tensor<8xi8> : memref<8xi8>
  agpu.expect %h2, dense<[0, 9000, 18000, 27000, -29536, -20536, -11536, -2536]> : tensor<8xi16> : memref<8xi16>
  agpu.expect %h3, dense<[-1, 4999999999, 9999999999, 14999999999, 19999999999, 24999999999, 29999999999, 34999999999]
      > : tensor<8xi64> : memref<8xi64>
  agpu.expect %h4, dense<[0, 9041, 18080, 27121, 35904, 44945, 53984, 63025]> : tensor<8xi32> : memref<8xi32>
  memref.dealloc %h0 : memref<8xi1>
  memref.dealloc %h1 : memref<8xi8>
  memref.dealloc %h2 : memref<8xi16>
  memref.dealloc %h3 : memref<8xi64>
  memref.dealloc %h4 : memref<8xi32>
  return
}
