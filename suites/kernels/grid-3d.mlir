// A grid and blocks of three dimensions: each thread writes its six coordinates, at the place that its coordinates
// and the sizes give; the first thread writes the sizes.

func.func @main() {
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %n4 = arith.constant 4 : index
  %h0 = memref.alloc() : memref<12x16xi32>
  %h1 = memref.alloc() : memref<6xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<12x16xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<6xi32>
  %ran = agpu.launch [%allocated0, %allocated1]
      blocks(%bx, %by, %bz) in (%gx = %n2, %gy = %n3, %gz = %n2)
      threads(%tx, %ty, %tz) in (%sx = %n4, %sy = %n2, %sz = %n2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %b_yz = arith.muli %bz, %gy : index
    %b_y = arith.addi %b_yz, %by : index
    %b_xy = arith.muli %b_y, %gx : index
    %b = arith.addi %b_xy, %bx : index
    %t_yz = arith.muli %tz, %sy : index
    %t_y = arith.addi %t_yz, %ty : index
    %t_xy = arith.muli %t_y, %sx : index
    %t = arith.addi %t_xy, %tx : index
    %code = affine.apply affine_map<(a, b, c, d, e, f) -> (a + b * 10 + c * 100 + d * 1000 + e * 10000 + f * 100000)>
        (%bx, %by, %bz, %tx, %ty, %tz)
    %code32 = arith.index_cast %code : index to i32
    memref.store %code32, %o0[%b, %t] : memref<12x16xi32>
    %place = arith.addi %b, %t : index
    %first = arith.cmpi eq, %place, %c0 : index
    scf.if %first {
      %v0 = arith.index_cast %gx : index to i32
      %v1 = arith.index_cast %gy : index to i32
      %v2 = arith.index_cast %gz : index to i32
      %v3 = arith.index_cast %sx : index to i32
      %v4 = arith.index_cast %sy : index to i32
      %v5 = arith.index_cast %sz : index to i32
      memref.store %v0, %o1[%c0] : memref<6xi32>
      memref.store %v1, %o1[%c1] : memref<6xi32>
      memref.store %v2, %o1[%c2] : memref<6xi32>
      memref.store %v3, %o1[%c3] : memref<6xi32>
      memref.store %v4, %o1[%c4] : memref<6xi32>
      memref.store %v5, %o1[%c5] : memref<6xi32>
    }
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<12x16xi32>, memref<12x16xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<12x16xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<6xi32>, memref<6xi32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<6xi32>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h0, dense<[[0, 1000, 2000, 3000, 10000, 11000, 12000, 13000, 100000, 101000, 102000, 103000, 110000,
      111000, 112000, 113000], [1, 1001, 2001, 3001, 10001, 11001, 12001, 13001, 100001, 101001, 102001, 103001,
      110001, 111001, 112001, 113001], [10, 1010, 2010, 3010, 10010, 11010, 12010, 13010, 100010, 101010, 102010,
      103010, 110010, 111010, 112010, 113010], [11, 1011, 2011, 3011, 10011, 11011, 12011, 13011, 100011, 101011,
      102011, 103011, 110011, 111011, 112011, 113011], [20, 1020, 2020, 3020, 10020, 11020, 12020, 13020, 100020,
      101020, 102020, 103020, 110020, 111020, 112020, 113020], [21, 1021, 2021, 3021, 10021, 11021, 12021, 13021,
      100021, 101021, 102021, 103021, 110021, 111021, 112021, 113021], [100, 1100, 2100, 3100, 10100, 11100, 12100,
      13100, 100100, 101100, 102100, 103100, 110100, 111100, 112100, 113100], [101, 1101, 2101, 3101, 10101, 11101,
      12101, 13101, 100101, 101101, 102101, 103101, 110101, 111101, 112101, 113101], [110, 1110, 2110, 3110, 10110,
      11110, 12110, 13110, 100110, 101110, 102110, 103110, 110110, 111110, 112110, 113110], [111, 1111, 2111, 3111,
      10111, 11111, 12111, 13111, 100111, 101111, 102111, 103111, 110111, 111111, 112111, 113111], [120, 1120, 2120,
      3120, 10120, 11120, 12120, 13120, 100120, 101120, 102120, 103120, 110120, 111120, 112120, 113120], [121, 1121,
      2121, 3121, 10121, 11121, 12121, 13121, 100121, 101121, 102121, 103121, 110121, 111121, 112121, 113121]]
      > : tensor<12x16xi32> : memref<12x16xi32>
  agpu.expect %h1, dense<[2, 3, 2, 4, 2, 2]> : tensor<6xi32> : memref<6xi32>
  memref.dealloc %h0 : memref<12x16xi32>
  memref.dealloc %h1 : memref<6xi32>
  return
}
