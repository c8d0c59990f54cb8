// Floats of 16 bits, f16 and bf16: arithmetic, loads and stores, conversions.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n8 = arith.constant 8 : index
  %h0 = memref.alloc() : memref<8xf16>
  %h1 = memref.alloc() : memref<8xbf16>
  %h2 = memref.alloc() : memref<8xf32>
  %o0, %allocated0 = agpu.alloc [] () : memref<8xf16>
  %o1, %allocated1 = agpu.alloc [] () : memref<8xbf16>
  %o2, %allocated2 = agpu.alloc [] () : memref<8xf32>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n8, %sy = %n1, %sz = %n1) {
    %t32 = arith.index_cast %tx : index to i32
    %h = arith.sitofp %t32 : i32 to f16
    %b = arith.sitofp %t32 : i32 to bf16
    %half = arith.constant 0.5 : f16
    %square = arith.mulf %h, %h : f16
    %x = arith.mulf %square, %half : f16
    memref.store %x, %o0[%tx] : memref<8xf16>
    %two = arith.constant 2.0 : bf16
    %one = arith.constant 1.0 : bf16
    %double = arith.mulf %b, %two : bf16
    %y = arith.addf %double, %one : bf16
    memref.store %y, %o1[%tx] : memref<8xbf16>
    %x_again = memref.load %o0[%tx] : memref<8xf16>
    %y_again = memref.load %o1[%tx] : memref<8xbf16>
    %xf = arith.extf %x_again : f16 to f32
    %yf = arith.extf %y_again : bf16 to f32
    %sum = arith.addf %xf, %yf : f32
    memref.store %sum, %o2[%tx] : memref<8xf32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<8xf16>, memref<8xf16>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<8xf16>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<8xbf16>, memref<8xbf16>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<8xbf16>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<8xf32>, memref<8xf32>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<8xf32>
  agpu.wait [%freed0, %freed1, %freed2]
  agpu.expect %h0, dense<[0.0, 0.5, 2.0, 4.5, 8.0, 12.5, 18.0, 24.5]> : tensor<8xf16> : memref<8xf16>
  agpu.expect %h1, dense<[1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0]> : tensor<8xbf16> : memref<8xbf16>
  agpu.expect %h2, dense<[1.0, 3.5, 7.0, 11.5, 17.0, 23.5, 31.0, 39.5]> : tensor<8xf32> : memref<8xf32>
  memref.dealloc %h0 : memref<8xf16>
  memref.dealloc %h1 : memref<8xbf16>
  memref.dealloc %h2 : memref<8xf32>
  return
}
