// Memrefs of rank 0 to 3 as kernel arguments, static and dynamic.

func.func @main() {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %h = memref.alloc() : memref<2x3x2xi32>
  %d0, %allocated0 = agpu.alloc [] () : memref<i32>
  %d1, %allocated1 = agpu.alloc [] (%two) : memref<?xi32>
  %d2, %allocated2 = agpu.alloc [] (%three) : memref<2x?xi32>
  %d3, %allocated3 = agpu.alloc [] () : memref<2x3x2xi32>
  %thousand = arith.constant 1000 : i32
  %hundred = arith.constant 100 : i32
  %ten = arith.constant 10 : i32
  %set0 = agpu.memset [%allocated0] (%d0, %thousand) : memref<i32>, i32
  %set1 = agpu.memset [%allocated1] (%d1, %hundred) : memref<?xi32>, i32
  %set2 = agpu.memset [%allocated2] (%d2, %ten) : memref<2x?xi32>, i32
  %ran = agpu.launch [%set0, %set1, %set2, %allocated3]
      blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %two, %sy = %three, %sz = %two) {
    %v0 = memref.load %d0[] : memref<i32>
    %v1 = memref.load %d1[%tz] : memref<?xi32>
    %v2 = memref.load %d2[%tz, %ty] : memref<2x?xi32>
    %size = memref.dim %d2, %one : memref<2x?xi32>
    %row = arith.muli %ty, %two : index
    %place = arith.addi %row, %tx : index
    %with_size = arith.addi %place, %size : index
    %v3 = arith.index_cast %with_size : index to i32
    %a = arith.addi %v0, %v1 : i32
    %b = arith.addi %a, %v2 : i32
    %c = arith.addi %b, %v3 : i32
    memref.store %c, %d3[%tz, %ty, %tx] : memref<2x3x2xi32>
    agpu.terminator
  }
  %copied = agpu.memcpy [%ran] (%h, %d3) : memref<2x3x2xi32>, memref<2x3x2xi32>
  %freed0 = agpu.dealloc [%ran] %d0 : memref<i32>
  %freed1 = agpu.dealloc [%ran] %d1 : memref<?xi32>
  %freed2 = agpu.dealloc [%ran] %d2 : memref<2x?xi32>
  %freed3 = agpu.dealloc [%copied] %d3 : memref<2x3x2xi32>
  agpu.wait [%freed0, %freed1, %freed2, %freed3]
  agpu.expect %h, dense<[[[1113, 1114], [1115, 1116], [1117, 1118]], [[1113, 1114], [1115, 1116], [1117, 1118]]]>
      : tensor<2x3x2xi32> : memref<2x3x2xi32>
  memref.dealloc %h : memref<2x3x2xi32>
  return
}
