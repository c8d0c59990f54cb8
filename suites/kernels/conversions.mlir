// Conversions between integers and floats, and between floats of several widths.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %h0 = memref.alloc() : memref<4x3xi32>
  %h1 = memref.alloc() : memref<4x2xf64>
  %o0, %allocated0 = agpu.alloc [] () : memref<4x3xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<4x2xf64>
  %ran = agpu.launch [%allocated0, %allocated1]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n4, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t32 = arith.index_cast %tx : index to i32
    %factor = arith.constant 1.5 : f32
    %offset = arith.constant 2.0 : f32
    %zero = arith.constant 0.0 : f32
    %tf = arith.uitofp %t32 : i32 to f32
    %scaled = arith.mulf %tf, %factor : f32
    %v = arith.subf %scaled, %offset : f32
    %truncated = arith.fptosi %v : f32 to i32
    memref.store %truncated, %o0[%tx, %c0] : memref<4x3xi32>
    %bits = arith.bitcast %v : f32 to i32
    memref.store %bits, %o0[%tx, %c1] : memref<4x3xi32>
    %negative = arith.cmpf olt, %v, %zero : f32
    %flag = arith.extui %negative : i1 to i32
    memref.store %flag, %o0[%tx, %c2] : memref<4x3xi32>
    %wide = arith.extf %v : f32 to f64
    memref.store %wide, %o1[%tx, %c0] : memref<4x2xf64>
    %th = arith.truncf %tf : f32 to f16
    %back = arith.extf %th : f16 to f64
    memref.store %back, %o1[%tx, %c1] : memref<4x2xf64>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4x3xi32>, memref<4x3xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4x3xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<4x2xf64>, memref<4x2xf64>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<4x2xf64>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h0, dense<[[-2, -1073741824, 1], [0, -1090519040, 1], [1, 1065353216, 0], [2, 1075838976, 0]]
      > : tensor<4x3xi32> : memref<4x3xi32>
  agpu.expect %h1, dense<[[-2.0, 0.0], [-0.5, 1.0], [1.0, 2.0], [2.5, 3.0]]> : tensor<4x2xf64> : memref<4x2xf64>
  memref.dealloc %h0 : memref<4x3xi32>
  memref.dealloc %h1 : memref<4x2xf64>
  return
}
