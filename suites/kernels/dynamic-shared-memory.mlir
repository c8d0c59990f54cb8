// Dynamic shared memory, cut into two arrays: a block reverses its numbers, as i32 and as f64.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n64 = arith.constant 64 : index
  %h0 = memref.alloc() : memref<64xi32>
  %h1 = memref.alloc() : memref<64xf64>
  %o0, %allocated0 = agpu.alloc [] () : memref<64xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<64xf64>
  %bytes = arith.constant 768 : i32
  %ran = agpu.launch [%allocated0, %allocated1]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n64, %sy = %n1, %sz = %n1) dynamic_shared_memory_size %bytes {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %offset = arith.constant 256 : index
    %count = arith.constant 64 : index
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %ints = memref.view %all[%c0][%count] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
    %doubles = memref.view %all[%offset][%count] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf64, #gpu.address_space<workgroup>>
    %v = arith.index_cast %tx : index to i32
    %whole = arith.sitofp %v : i32 to f64
    %half = arith.constant 0.5 : f64
    %w = arith.mulf %whole, %half : f64
    memref.store %v, %ints[%tx] : memref<?xi32, #gpu.address_space<workgroup>>
    memref.store %w, %doubles[%tx] : memref<?xf64, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = arith.subi %sx, %c1 : index
    %other = arith.subi %last, %tx : index
    %x = memref.load %ints[%other] : memref<?xi32, #gpu.address_space<workgroup>>
    %y = memref.load %doubles[%other] : memref<?xf64, #gpu.address_space<workgroup>>
    memref.store %x, %o0[%tx] : memref<64xi32>
    memref.store %y, %o1[%tx] : memref<64xf64>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<64xi32>, memref<64xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<64xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<64xf64>, memref<64xf64>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<64xf64>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h0, dense<[63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
      40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<64xi32> : memref<64xi32>
  agpu.expect %h1, dense<[31.5, 31.0, 30.5, 30.0, 29.5, 29.0, 28.5, 28.0, 27.5, 27.0, 26.5, 26.0, 25.5, 25.0, 24.5,
      24.0, 23.5, 23.0, 22.5, 22.0, 21.5, 21.0, 20.5, 20.0, 19.5, 19.0, 18.5, 18.0, 17.5, 17.0, 16.5, 16.0, 15.5,
      15.0, 14.5, 14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5,
      5.0, 4.5, 4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.0]> : tensor<64xf64> : memref<64xf64>
  memref.dealloc %h0 : memref<64xi32>
  memref.dealloc %h1 : memref<64xf64>
  return
}
