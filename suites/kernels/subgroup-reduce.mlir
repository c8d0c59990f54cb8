// gpu.subgroup_reduce over whole subgroups and over clusters of 8 lanes, for several types. The blocks have 32 threads, so
// a subgroup that could have more lanes reduces those that exist.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n32 = arith.constant 32 : index
  %h0 = memref.alloc() : memref<64x3xi32>
  %h1 = memref.alloc() : memref<64xf32>
  %h2 = memref.alloc() : memref<64xf64>
  %h3 = memref.alloc() : memref<64xf16>
  %o0, %allocated0 = agpu.alloc [] () : memref<64x3xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<64xf32>
  %o2, %allocated2 = agpu.alloc [] () : memref<64xf64>
  %o3, %allocated3 = agpu.alloc [] () : memref<64xf16>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2, %allocated3]
      blocks(%bx, %by, %bz) in (%gx = %n2, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n32, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %sum = gpu.subgroup_reduce add %t uniform : (i32) -> i32
    %max = gpu.subgroup_reduce maxsi %t uniform : (i32) -> i32
    %cluster = gpu.subgroup_reduce add %t cluster(size = 8) : (i32) -> i32
    memref.store %sum, %o0[%id, %c0] : memref<64x3xi32>
    memref.store %max, %o0[%id, %c1] : memref<64x3xi32>
    memref.store %cluster, %o0[%id, %c2] : memref<64x3xi32>
    %f = arith.sitofp %t : i32 to f32
    %quarter = arith.constant 0.25 : f32
    %fv = arith.mulf %f, %quarter : f32
    %fsum = gpu.subgroup_reduce add %fv uniform : (f32) -> f32
    memref.store %fsum, %o1[%id] : memref<64xf32>
    %d = arith.sitofp %t : i32 to f64
    %half = arith.constant 0.5 : f64
    %dv = arith.mulf %d, %half : f64
    %dmin = gpu.subgroup_reduce minnumf %dv uniform : (f64) -> f64
    memref.store %dmin, %o2[%id] : memref<64xf64>
    %one = arith.constant 1.0 : f16
    %count = gpu.subgroup_reduce add %one uniform : (f16) -> f16
    memref.store %count, %o3[%id] : memref<64xf16>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<64x3xi32>, memref<64x3xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<64x3xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<64xf32>, memref<64xf32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<64xf32>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<64xf64>, memref<64xf64>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<64xf64>
  %copied3 = agpu.memcpy [%ran] (%h3, %o3) : memref<64xf16>, memref<64xf16>
  %freed3 = agpu.dealloc [%copied3] %o3 : memref<64xf16>
  agpu.wait [%freed0, %freed1, %freed2, %freed3]
  agpu.expect %h0, dense<[[496, 31, 28], [496, 31, 28], [496, 31, 28], [496, 31, 28], [496, 31, 28], [496, 31, 28],
      [496, 31, 28], [496, 31, 28], [496, 31, 92], [496, 31, 92], [496, 31, 92], [496, 31, 92], [496, 31, 92], [496,
      31, 92], [496, 31, 92], [496, 31, 92], [496, 31, 156], [496, 31, 156], [496, 31, 156], [496, 31, 156], [496, 31,
      156], [496, 31, 156], [496, 31, 156], [496, 31, 156], [496, 31, 220], [496, 31, 220], [496, 31, 220], [496, 31,
      220], [496, 31, 220], [496, 31, 220], [496, 31, 220], [496, 31, 220], [1520, 63, 284], [1520, 63, 284], [1520,
      63, 284], [1520, 63, 284], [1520, 63, 284], [1520, 63, 284], [1520, 63, 284], [1520, 63, 284], [1520, 63, 348],
      [1520, 63, 348], [1520, 63, 348], [1520, 63, 348], [1520, 63, 348], [1520, 63, 348], [1520, 63, 348], [1520, 63,
      348], [1520, 63, 412], [1520, 63, 412], [1520, 63, 412], [1520, 63, 412], [1520, 63, 412], [1520, 63, 412],
      [1520, 63, 412], [1520, 63, 412], [1520, 63, 476], [1520, 63, 476], [1520, 63, 476], [1520, 63, 476], [1520, 63,
      476], [1520, 63, 476], [1520, 63, 476], [1520, 63, 476]]> : tensor<64x3xi32> : memref<64x3xi32>
  agpu.expect %h1, dense<[124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0,
      124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0, 124.0,
      124.0, 124.0, 124.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0,
      380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0, 380.0,
      380.0, 380.0, 380.0]> : tensor<64xf32> : memref<64xf32>
  agpu.expect %h2, dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
      0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0,
      16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0,
      16.0, 16.0, 16.0, 16.0, 16.0, 16.0, 16.0]> : tensor<64xf64> : memref<64xf64>
  agpu.expect %h3, dense<[32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0,
      32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0,
      32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0,
      32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 32.0]> : tensor<64xf16> : memref<64xf16>
  memref.dealloc %h0 : memref<64x3xi32>
  memref.dealloc %h1 : memref<64xf32>
  memref.dealloc %h2 : memref<64xf64>
  memref.dealloc %h3 : memref<64xf16>
  return
}
