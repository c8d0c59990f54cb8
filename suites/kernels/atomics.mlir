// memref.atomic_rmw of all threads of all blocks on the same elements: integers of 32 and 64 bits, f32 and f64, in
// global and in workgroup memory.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %n64 = arith.constant 64 : index
  %h0 = memref.alloc() : memref<6xi32>
  %h1 = memref.alloc() : memref<1xi64>
  %h2 = memref.alloc() : memref<1xf32>
  %h3 = memref.alloc() : memref<1xf64>
  %h4 = memref.alloc() : memref<4xi32>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i6 = arith.constant 6 : index
  %zero = arith.constant 0 : i32
  %ones = arith.constant -1 : i32
  %zero64 = arith.constant 0 : i64
  %zerof = arith.constant 0.0 : f32
  %zerod = arith.constant 0.0 : f64
  scf.for %i = %i0 to %i6 step %i1 {
    memref.store %zero, %h0[%i] : memref<6xi32>
  }
  memref.store %ones, %h0[%i2] : memref<6xi32>
  memref.store %zero64, %h1[%i0] : memref<1xi64>
  memref.store %zerof, %h2[%i0] : memref<1xf32>
  memref.store %zerod, %h3[%i0] : memref<1xf64>
  scf.for %i = %i0 to %n4 step %i1 {
    memref.store %zero, %h4[%i] : memref<4xi32>
  }
  %o0, %allocated0 = agpu.alloc [] () : memref<6xi32>
  %sent0 = agpu.memcpy [%allocated0] (%o0, %h0) : memref<6xi32>, memref<6xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<1xi64>
  %sent1 = agpu.memcpy [%allocated1] (%o1, %h1) : memref<1xi64>, memref<1xi64>
  %o2, %allocated2 = agpu.alloc [] () : memref<1xf32>
  %sent2 = agpu.memcpy [%allocated2] (%o2, %h2) : memref<1xf32>, memref<1xf32>
  %o3, %allocated3 = agpu.alloc [] () : memref<1xf64>
  %sent3 = agpu.memcpy [%allocated3] (%o3, %h3) : memref<1xf64>, memref<1xf64>
  %o4, %allocated4 = agpu.alloc [] () : memref<4xi32>
  %sent4 = agpu.memcpy [%allocated4] (%o4, %h4) : memref<4xi32>, memref<4xi32>
  %ran = agpu.launch [%sent0, %sent1, %sent2, %sent3, %sent4]
      blocks(%bx, %by, %bz) in (%gx = %n4, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n64, %sy = %n1, %sz = %n1) {
    %shared = memref.alloca() : memref<1xi32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %one = arith.constant 1 : i32
    %index = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%bx, %tx)
    %v = arith.index_cast %index : index to i32
    %r0 = memref.atomic_rmw addi %v, %o0[%c0] : (i32, memref<6xi32>) -> i32
    %r1 = memref.atomic_rmw maxs %v, %o0[%c1] : (i32, memref<6xi32>) -> i32
    %r2 = memref.atomic_rmw minu %v, %o0[%c2] : (i32, memref<6xi32>) -> i32
    %r3 = memref.atomic_rmw ori %v, %o0[%c3] : (i32, memref<6xi32>) -> i32
    %r4 = memref.atomic_rmw andi %v, %o0[%c4] : (i32, memref<6xi32>) -> i32
    %l = arith.extsi %v : i32 to i64
    %large = arith.constant 10000000000 : i64
    %lv = arith.muli %l, %large : i64
    %r6 = memref.atomic_rmw addi %lv, %o1[%c0] : (i64, memref<1xi64>) -> i64
    %f = arith.sitofp %v : i32 to f32
    %half = arith.constant 0.5 : f32
    %fv = arith.mulf %f, %half : f32
    %r7 = memref.atomic_rmw addf %fv, %o2[%c0] : (f32, memref<1xf32>) -> f32
    %d = arith.sitofp %v : i32 to f64
    %quarter = arith.constant 0.25 : f64
    %dv = arith.mulf %d, %quarter : f64
    %r8 = memref.atomic_rmw addf %dv, %o3[%c0] : (f64, memref<1xf64>) -> f64

    %r5 = memref.atomic_rmw addi %one, %o0[%c5] : (i32, memref<6xi32>) -> i32

    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %zero, %shared[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %r9 = memref.atomic_rmw addi %v, %shared[%c0] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
    gpu.barrier
    scf.if %first {
      %total = memref.load %shared[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      memref.store %total, %o4[%bx] : memref<4xi32>
    }
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<6xi32>, memref<6xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<6xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<1xi64>, memref<1xi64>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<1xi64>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<1xf32>, memref<1xf32>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<1xf32>
  %copied3 = agpu.memcpy [%ran] (%h3, %o3) : memref<1xf64>, memref<1xf64>
  %freed3 = agpu.dealloc [%copied3] %o3 : memref<1xf64>
  %copied4 = agpu.memcpy [%ran] (%h4, %o4) : memref<4xi32>, memref<4xi32>
  %freed4 = agpu.dealloc [%copied4] %o4 : memref<4xi32>
  agpu.wait [%freed0, %freed1, %freed2, %freed3, %freed4]
  agpu.expect %h0, dense<[32640, 255, 0, 255, 0, 256]> : tensor<6xi32> : memref<6xi32>
  agpu.expect %h1, dense<[326400000000000]> : tensor<1xi64> : memref<1xi64>
  agpu.expect %h2, dense<[16320.0]> : tensor<1xf32> : memref<1xf32>
  agpu.expect %h3, dense<[8160.0]> : tensor<1xf64> : memref<1xf64>
  agpu.expect %h4, dense<[2016, 6112, 10208, 14304]> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h0 : memref<6xi32>
  memref.dealloc %h1 : memref<1xi64>
  memref.dealloc %h2 : memref<1xf32>
  memref.dealloc %h3 : memref<1xf64>
  memref.dealloc %h4 : memref<4xi32>
  return
}
