// gpu.all_reduce over blocks of three subgroups, by operation and by a region. The block has two dimensions.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n48 = arith.constant 48 : index
  %h0 = memref.alloc() : memref<2x5xi32>
  %h1 = memref.alloc() : memref<2xf32>
  %h2 = memref.alloc() : memref<2xi64>
  %o0, %allocated0 = agpu.alloc [] () : memref<2x5xi32>
  %o1, %allocated1 = agpu.alloc [] () : memref<2xf32>
  %o2, %allocated2 = agpu.alloc [] () : memref<2xi64>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2]
      blocks(%bx, %by, %bz) in (%gx = %n2, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n48, %sy = %n2, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %index = affine.apply affine_map<(x, y, b) -> (((x + y * 48) * 37 + b * 11) mod 101)>(%tx, %ty, %bx)
    %v = arith.index_cast %index : index to i32
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
    %max = gpu.all_reduce maxsi %v uniform {} : (i32) -> i32
    %min = gpu.all_reduce minui %v uniform {} : (i32) -> i32
    %xor = gpu.all_reduce xor %v uniform {} : (i32) -> i32
    %fifty = arith.constant 50 : i32
    %rest = arith.remui %v, %fifty : i32
    %region = gpu.all_reduce %rest uniform {
    ^bb0(%a: i32, %b: i32):
      %greater = arith.cmpi sgt, %a, %b : i32
      %r = arith.select %greater, %a, %b : i32
      gpu.yield %r : i32
    } : (i32) -> i32
    %f = arith.sitofp %v : i32 to f32
    %half = arith.constant 0.5 : f32
    %fv = arith.mulf %f, %half : f32
    %fsum = gpu.all_reduce add %fv uniform {} : (f32) -> f32
    %l = arith.extsi %v : i32 to i64
    %large = arith.constant 10000000000 : i64
    %lv = arith.muli %l, %large : i64
    %lsum = gpu.all_reduce add %lv uniform {} : (i64) -> i64
    %place = arith.addi %tx, %ty : index
    // Every thread has the result; the last one writes it.
    %last_place = arith.constant 48 : index
    %last = arith.cmpi eq, %place, %last_place : index
    scf.if %last {
      memref.store %sum, %o0[%bx, %c0] : memref<2x5xi32>
      memref.store %max, %o0[%bx, %c1] : memref<2x5xi32>
      memref.store %min, %o0[%bx, %c2] : memref<2x5xi32>
      memref.store %xor, %o0[%bx, %c3] : memref<2x5xi32>
      memref.store %region, %o0[%bx, %c4] : memref<2x5xi32>
      memref.store %fsum, %o1[%bx] : memref<2xf32>
      memref.store %lsum, %o2[%bx] : memref<2xi64>
    }
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<2x5xi32>, memref<2x5xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<2x5xi32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<2xf32>, memref<2xf32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<2xf32>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<2xi64>, memref<2xi64>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<2xi64>
  agpu.wait [%freed0, %freed1, %freed2]
  agpu.expect %h0, dense<[[4797, 100, 0, 67, 49], [4843, 100, 0, 85, 49]]> : tensor<2x5xi32> : memref<2x5xi32>
  agpu.expect %h1, dense<[2398.5, 2421.5]> : tensor<2xf32> : memref<2xf32>
  agpu.expect %h2, dense<[47970000000000, 48430000000000]> : tensor<2xi64> : memref<2xi64>
  memref.dealloc %h0 : memref<2x5xi32>
  memref.dealloc %h1 : memref<2xf32>
  memref.dealloc %h2 : memref<2xi64>
  return
}
