// gpu.shuffle in all modes, over all 32 lanes and over the first 8, with the flag that says whether the other lane
// exists.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n32 = arith.constant 32 : index
  %h0 = memref.alloc() : memref<32x7xi32>
  %h1 = memref.alloc() : memref<32xf32>
  %h2 = memref.alloc() : memref<32xi64>
  %h3 = memref.alloc() : memref<32xf16>
  %h4 = memref.alloc() : memref<32xf64>
  %o0, %allocated0 = agpu.alloc [] () : memref<32x7xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<32xf32>
  %o2, %allocated2 = agpu.alloc [] () : memref<32xi64>
  %o3, %allocated3 = agpu.alloc [] () : memref<32xf16>
  %o4, %allocated4 = agpu.alloc [] () : memref<32xf64>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2, %allocated3, %allocated4]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n32, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %w32 = arith.constant 32 : i32
    %w8 = arith.constant 8 : i32
    %d1 = arith.constant 1 : i32
    %d2 = arith.constant 2 : i32
    %d3 = arith.constant 3 : i32
    %d4 = arith.constant 4 : i32
    %d5 = arith.constant 5 : i32
    %d7 = arith.constant 7 : i32
    %d16 = arith.constant 16 : i32
    %d31 = arith.constant 31 : i32
    %t = arith.index_cast %tx : index to i32
    %xor, %p0 = gpu.shuffle xor %t, %d5, %w32 : i32
    %up, %p1 = gpu.shuffle up %t, %d3, %w32 : i32
    %down, %p2 = gpu.shuffle down %t, %d4, %w32 : i32
    %idx, %p3 = gpu.shuffle idx %t, %d7, %w32 : i32
    // Only the first 8 lanes take part here.
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    %takes_part = arith.cmpi ult, %tx, %c8 : index
    %narrow = scf.if %takes_part -> (i32) {
      %r, %p4 = gpu.shuffle idx %t, %d2, %w8 : i32
      scf.yield %r : i32
    } else {
      scf.yield %zero : i32
    }
    // Without a lane to read from the result is the thread's own number.
    %up_known = arith.select %p1, %up, %t : i32
    %down_known = arith.select %p2, %down, %t : i32
    %f1 = arith.extui %p1 : i1 to i32
    %f2 = arith.extui %p2 : i1 to i32
    memref.store %xor, %o0[%tx, %c0] : memref<32x7xi32>
    memref.store %up_known, %o0[%tx, %c1] : memref<32x7xi32>
    memref.store %down_known, %o0[%tx, %c2] : memref<32x7xi32>
    memref.store %idx, %o0[%tx, %c3] : memref<32x7xi32>
    memref.store %narrow, %o0[%tx, %c4] : memref<32x7xi32>
    memref.store %f1, %o0[%tx, %c5] : memref<32x7xi32>
    memref.store %f2, %o0[%tx, %c6] : memref<32x7xi32>

    %float = arith.sitofp %t : i32 to f32
    %half = arith.constant 0.5 : f32
    %float_value = arith.mulf %float, %half : f32
    %float_other, %p5 = gpu.shuffle xor %float_value, %d1, %w32 : f32
    memref.store %float_other, %o1[%tx] : memref<32xf32>
    %t64 = arith.extsi %t : i32 to i64
    %large = arith.constant 5000000000 : i64
    %long = arith.muli %t64, %large : i64
    %long_other, %p6 = gpu.shuffle xor %long, %d16, %w32 : i64
    memref.store %long_other, %o2[%tx] : memref<32xi64>
    %short = arith.sitofp %t : i32 to f16
    %short_other, %p7 = gpu.shuffle xor %short, %d2, %w32 : f16
    memref.store %short_other, %o3[%tx] : memref<32xf16>
    %double = arith.sitofp %t : i32 to f64
    %quarter = arith.constant 0.25 : f64
    %double_value = arith.mulf %double, %quarter : f64
    %double_other, %p8 = gpu.shuffle xor %double_value, %d31, %w32 : f64
    memref.store %double_other, %o4[%tx] : memref<32xf64>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<32x7xi32>, memref<32x7xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<32x7xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<32xf32>, memref<32xf32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<32xf32>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<32xi64>, memref<32xi64>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<32xi64>
  %copied3 = agpu.memcpy [%ran] (%h3, %o3) : memref<32xf16>, memref<32xf16>
  %freed3 = agpu.dealloc [%copied3] %o3 : memref<32xf16>
  %copied4 = agpu.memcpy [%ran] (%h4, %o4) : memref<32xf64>, memref<32xf64>
  %freed4 = agpu.dealloc [%copied4] %o4 : memref<32xf64>
  agpu.wait [%freed0, %freed1, %freed2, %freed3, %freed4]
  agpu.expect %h0, dense<[[5, 0, 4, 7, 2, 0, 1], [4, 1, 5, 7, 2, 0, 1], [7, 2, 6, 7, 2, 0, 1], [6, 0, 7, 7, 2, 1, 1],
      [1, 1, 8, 7, 2, 1, 1], [0, 2, 9, 7, 2, 1, 1], [3, 3, 10, 7, 2, 1, 1], [2, 4, 11, 7, 2, 1, 1], [13, 5, 12, 7, 0,
      1, 1], [12, 6, 13, 7, 0, 1, 1], [15, 7, 14, 7, 0, 1, 1], [14, 8, 15, 7, 0, 1, 1], [9, 9, 16, 7, 0, 1, 1], [8,
      10, 17, 7, 0, 1, 1], [11, 11, 18, 7, 0, 1, 1], [10, 12, 19, 7, 0, 1, 1], [21, 13, 20, 7, 0, 1, 1], [20, 14, 21,
      7, 0, 1, 1], [23, 15, 22, 7, 0, 1, 1], [22, 16, 23, 7, 0, 1, 1], [17, 17, 24, 7, 0, 1, 1], [16, 18, 25, 7, 0, 1,
      1], [19, 19, 26, 7, 0, 1, 1], [18, 20, 27, 7, 0, 1, 1], [29, 21, 28, 7, 0, 1, 1], [28, 22, 29, 7, 0, 1, 1], [31,
      23, 30, 7, 0, 1, 1], [30, 24, 31, 7, 0, 1, 1], [25, 25, 28, 7, 0, 1, 0], [24, 26, 29, 7, 0, 1, 0], [27, 27, 30,
      7, 0, 1, 0], [26, 28, 31, 7, 0, 1, 0]]> : tensor<32x7xi32> : memref<32x7xi32>
  agpu.expect %h1, dense<[0.5, 0.0, 1.5, 1.0, 2.5, 2.0, 3.5, 3.0, 4.5, 4.0, 5.5, 5.0, 6.5, 6.0, 7.5, 7.0, 8.5, 8.0,
      9.5, 9.0, 10.5, 10.0, 11.5, 11.0, 12.5, 12.0, 13.5, 13.0, 14.5, 14.0, 15.5, 15.0]
      > : tensor<32xf32> : memref<32xf32>
  agpu.expect %h2, dense<[80000000000, 85000000000, 90000000000, 95000000000, 100000000000, 105000000000,
      110000000000, 115000000000, 120000000000, 125000000000, 130000000000, 135000000000, 140000000000, 145000000000,
      150000000000, 155000000000, 0, 5000000000, 10000000000, 15000000000, 20000000000, 25000000000, 30000000000,
      35000000000, 40000000000, 45000000000, 50000000000, 55000000000, 60000000000, 65000000000, 70000000000,
      75000000000]> : tensor<32xi64> : memref<32xi64>
  agpu.expect %h3, dense<[2.0, 3.0, 0.0, 1.0, 6.0, 7.0, 4.0, 5.0, 10.0, 11.0, 8.0, 9.0, 14.0, 15.0, 12.0, 13.0, 18.0,
      19.0, 16.0, 17.0, 22.0, 23.0, 20.0, 21.0, 26.0, 27.0, 24.0, 25.0, 30.0, 31.0, 28.0, 29.0]
      > : tensor<32xf16> : memref<32xf16>
  agpu.expect %h4, dense<[7.75, 7.5, 7.25, 7.0, 6.75, 6.5, 6.25, 6.0, 5.75, 5.5, 5.25, 5.0, 4.75, 4.5, 4.25, 4.0,
      3.75, 3.5, 3.25, 3.0, 2.75, 2.5, 2.25, 2.0, 1.75, 1.5, 1.25, 1.0, 0.75, 0.5, 0.25, 0.0]
      > : tensor<32xf64> : memref<32xf64>
  memref.dealloc %h0 : memref<32x7xi32>
  memref.dealloc %h1 : memref<32xf32>
  memref.dealloc %h2 : memref<32xi64>
  memref.dealloc %h3 : memref<32xf16>
  memref.dealloc %h4 : memref<32xf64>
  return
}
