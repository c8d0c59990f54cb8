// A launch whose region uses many values from above: 20 integers that only the run knows, and two buffers. The order of
// the kernel's arguments shows in the weights.

func.func @main() {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i4 = arith.constant 4 : index
  %i5 = arith.constant 5 : index
  %i6 = arith.constant 6 : index
  %i7 = arith.constant 7 : index
  %i8 = arith.constant 8 : index
  %i9 = arith.constant 9 : index
  %i10 = arith.constant 10 : index
  %i11 = arith.constant 11 : index
  %i12 = arith.constant 12 : index
  %i13 = arith.constant 13 : index
  %i14 = arith.constant 14 : index
  %i15 = arith.constant 15 : index
  %i16 = arith.constant 16 : index
  %i17 = arith.constant 17 : index
  %i18 = arith.constant 18 : index
  %i19 = arith.constant 19 : index
  %count = arith.constant 20 : index
  %numbers = memref.alloc() : memref<20xi32>
  scf.for %i = %i0 to %count step %one {
    %i32 = arith.index_cast %i : index to i32
    %square = arith.muli %i32, %i32 : i32
    memref.store %square, %numbers[%i] : memref<20xi32>
  }
  %v0 = memref.load %numbers[%i0] : memref<20xi32>
  %v1 = memref.load %numbers[%i1] : memref<20xi32>
  %v2 = memref.load %numbers[%i2] : memref<20xi32>
  %v3 = memref.load %numbers[%i3] : memref<20xi32>
  %v4 = memref.load %numbers[%i4] : memref<20xi32>
  %v5 = memref.load %numbers[%i5] : memref<20xi32>
  %v6 = memref.load %numbers[%i6] : memref<20xi32>
  %v7 = memref.load %numbers[%i7] : memref<20xi32>
  %v8 = memref.load %numbers[%i8] : memref<20xi32>
  %v9 = memref.load %numbers[%i9] : memref<20xi32>
  %v10 = memref.load %numbers[%i10] : memref<20xi32>
  %v11 = memref.load %numbers[%i11] : memref<20xi32>
  %v12 = memref.load %numbers[%i12] : memref<20xi32>
  %v13 = memref.load %numbers[%i13] : memref<20xi32>
  %v14 = memref.load %numbers[%i14] : memref<20xi32>
  %v15 = memref.load %numbers[%i15] : memref<20xi32>
  %v16 = memref.load %numbers[%i16] : memref<20xi32>
  %v17 = memref.load %numbers[%i17] : memref<20xi32>
  %v18 = memref.load %numbers[%i18] : memref<20xi32>
  %v19 = memref.load %numbers[%i19] : memref<20xi32>
  %h = memref.alloc() : memref<4xi32>
  %d, %allocated0 = agpu.alloc [] () : memref<4xi32>
  %e, %allocated1 = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated1] (%e, %v1) : memref<4xi32>, i32
  %ran = agpu.launch [%allocated0, %cleared] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                             threads(%tx, %ty, %tz) in (%sx = %i4, %sy = %one, %sz = %one) {
    %weight0 = arith.constant 1 : i32
    %weight1 = arith.constant 2 : i32
    %weight2 = arith.constant 3 : i32
    %weight3 = arith.constant 4 : i32
    %scaled0 = arith.muli %v0, %weight0 : i32
    %sum0 = arith.addi %zero, %scaled0 : i32
    %scaled1 = arith.muli %v1, %weight1 : i32
    %sum1 = arith.addi %sum0, %scaled1 : i32
    %scaled2 = arith.muli %v2, %weight2 : i32
    %sum2 = arith.addi %sum1, %scaled2 : i32
    %scaled3 = arith.muli %v3, %weight3 : i32
    %sum3 = arith.addi %sum2, %scaled3 : i32
    %scaled4 = arith.muli %v4, %weight0 : i32
    %sum4 = arith.addi %sum3, %scaled4 : i32
    %scaled5 = arith.muli %v5, %weight1 : i32
    %sum5 = arith.addi %sum4, %scaled5 : i32
    %scaled6 = arith.muli %v6, %weight2 : i32
    %sum6 = arith.addi %sum5, %scaled6 : i32
    %scaled7 = arith.muli %v7, %weight3 : i32
    %sum7 = arith.addi %sum6, %scaled7 : i32
    %scaled8 = arith.muli %v8, %weight0 : i32
    %sum8 = arith.addi %sum7, %scaled8 : i32
    %scaled9 = arith.muli %v9, %weight1 : i32
    %sum9 = arith.addi %sum8, %scaled9 : i32
    %scaled10 = arith.muli %v10, %weight2 : i32
    %sum10 = arith.addi %sum9, %scaled10 : i32
    %scaled11 = arith.muli %v11, %weight3 : i32
    %sum11 = arith.addi %sum10, %scaled11 : i32
    %scaled12 = arith.muli %v12, %weight0 : i32
    %sum12 = arith.addi %sum11, %scaled12 : i32
    %scaled13 = arith.muli %v13, %weight1 : i32
    %sum13 = arith.addi %sum12, %scaled13 : i32
    %scaled14 = arith.muli %v14, %weight2 : i32
    %sum14 = arith.addi %sum13, %scaled14 : i32
    %scaled15 = arith.muli %v15, %weight3 : i32
    %sum15 = arith.addi %sum14, %scaled15 : i32
    %scaled16 = arith.muli %v16, %weight0 : i32
    %sum16 = arith.addi %sum15, %scaled16 : i32
    %scaled17 = arith.muli %v17, %weight1 : i32
    %sum17 = arith.addi %sum16, %scaled17 : i32
    %scaled18 = arith.muli %v18, %weight2 : i32
    %sum18 = arith.addi %sum17, %scaled18 : i32
    %scaled19 = arith.muli %v19, %weight3 : i32
    %sum19 = arith.addi %sum18, %scaled19 : i32
    %t = arith.index_cast %tx : index to i32
    %other = memref.load %e[%tx] : memref<4xi32>
    %x = arith.addi %sum19, %t : i32
    %y = arith.addi %x, %other : i32
    memref.store %y, %d[%tx] : memref<4xi32>
    agpu.terminator
  }
  %copied = agpu.memcpy [%ran] (%h, %d) : memref<4xi32>, memref<4xi32>
  %freed0 = agpu.dealloc [%copied] %d : memref<4xi32>
  %freed1 = agpu.dealloc [%ran] %e : memref<4xi32>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h, dense<[6651, 6652, 6653, 6654]> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h : memref<4xi32>
  memref.dealloc %numbers : memref<20xi32>
  return
}
