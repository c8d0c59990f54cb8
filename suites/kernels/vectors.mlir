// Vectors: as elements of a memref, by vector.transfer and vector.load, with reduction, insert, extract, shuffle and
// fused multiply-add.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %h0 = memref.alloc() : memref<4x4xf32>
  %h1 = memref.alloc() : memref<4xf32>
  %h2 = memref.alloc() : memref<4x4xi32>
  %h3 = memref.alloc() : memref<4xvector<2xi32>>
  %o0, %allocated0 = agpu.alloc [] () : memref<4x4xf32>
  %o1, %allocated1 = agpu.alloc [] () : memref<4xf32>
  %o2, %allocated2 = agpu.alloc [] () : memref<4x4xi32>
  %o3, %allocated3 = agpu.alloc [] () : memref<4xvector<2xi32>>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2, %allocated3]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n4, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %width = arith.constant 4 : index
    %base = arith.muli %tx, %width : index
    %base32 = arith.index_cast %base : index to i32
    %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
    %start = vector.broadcast %base32 : i32 to vector<4xi32>
    %numbers = arith.addi %start, %steps : vector<4xi32>
    %floats = arith.sitofp %numbers : vector<4xi32> to vector<4xf32>
    vector.transfer_write %floats, %o0[%tx, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32>

    %again = vector.transfer_read %o0[%tx, %c0], %pad {in_bounds = [true]} : memref<4x4xf32>, vector<4xf32>
    %two = arith.constant dense<2.0> : vector<4xf32>
    %one = arith.constant dense<1.0> : vector<4xf32>
    %changed = vector.fma %again, %two, %one : vector<4xf32>
    %sum = vector.reduction <add>, %changed : vector<4xf32> into f32
    memref.store %sum, %o1[%tx] : memref<4xf32>

    %t32 = arith.index_cast %tx : index to i32
    %hundred = arith.constant 100 : i32
    %mark = arith.addi %t32, %hundred : i32
    %t4 = vector.broadcast %t32 : i32 to vector<4xi32>
    %row = arith.addi %t4, %steps : vector<4xi32>
    %marked = vector.insert %mark, %row[1] : i32 into vector<4xi32>
    %reversed = vector.shuffle %marked, %marked [3, 2, 1, 0] : vector<4xi32>, vector<4xi32>
    vector.store %reversed, %o2[%tx, %c0] : memref<4x4xi32>, vector<4xi32>

    %x = vector.extract %reversed[0] : i32 from vector<4xi32>
    %pair = vector.broadcast %x : i32 to vector<2xi32>
    memref.store %pair, %o3[%tx] : memref<4xvector<2xi32>>
    %pair_again = memref.load %o3[%tx] : memref<4xvector<2xi32>>
    memref.store %pair_again, %o3[%tx] : memref<4xvector<2xi32>>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4x4xf32>, memref<4x4xf32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4x4xf32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<4xf32>, memref<4xf32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<4xf32>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<4x4xi32>, memref<4x4xi32>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<4x4xi32>
  %copied3 = agpu.memcpy [%ran] (%h3, %o3) : memref<4xvector<2xi32>>, memref<4xvector<2xi32>>
  %freed3 = agpu.dealloc [%copied3] %o3 : memref<4xvector<2xi32>>
  agpu.wait [%freed0, %freed1, %freed2, %freed3]
  agpu.expect %h0, dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0,
      15.0]]> : tensor<4x4xf32> : memref<4x4xf32>
  agpu.expect %h1, dense<[16.0, 48.0, 80.0, 112.0]> : tensor<4xf32> : memref<4xf32>
  agpu.expect %h2, dense<[[3, 2, 100, 0], [4, 3, 101, 1], [5, 4, 102, 2], [6, 5, 103, 3]]
      > : tensor<4x4xi32> : memref<4x4xi32>
  memref.dealloc %h0 : memref<4x4xf32>
  memref.dealloc %h1 : memref<4xf32>
  memref.dealloc %h2 : memref<4x4xi32>
  memref.dealloc %h3 : memref<4xvector<2xi32>>
  return
}
