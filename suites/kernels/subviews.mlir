// Strided memrefs as kernel arguments: every second column of a matrix from row 1 on, and a transposed view of a tile.

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %h = memref.alloc() : memref<4x6xi32>
  %d, %allocated = agpu.alloc [] () : memref<4x6xi32>
  %zero = arith.constant 0 : i32
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4x6xi32>, i32
  %columns = memref.subview %d[1, 1] [3, 3] [1, 2] : memref<4x6xi32> to memref<3x3xi32, strided<[6, 2], offset: 7>>
  %numbered = agpu.launch [%cleared] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                     threads(%tx, %ty, %tz) in (%sx = %three, %sy = %three, %sz = %one) {
    %ten = arith.constant 10 : index
    %row = arith.muli %ty, %ten : index
    %place = arith.addi %row, %tx : index
    %next = arith.addi %place, %one : index
    %value = arith.index_cast %next : index to i32
    memref.store %value, %columns[%ty, %tx] : memref<3x3xi32, strided<[6, 2], offset: 7>>
    agpu.terminator
  }
  // The upper left 2 by 2 of that, transposed, with offset and strides that only the run knows.
  %tile = memref.subview %columns[%c0, %c0] [2, 2] [%one, %one]
      : memref<3x3xi32, strided<[6, 2], offset: 7>> to memref<2x2xi32, strided<[?, ?], offset: ?>>
  %turned = memref.transpose %tile (i, j) -> (j, i)
      : memref<2x2xi32, strided<[?, ?], offset: ?>> to memref<2x2xi32, strided<[?, ?], offset: ?>>
  %changed = agpu.launch [%numbered] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                     threads(%tx, %ty, %tz) in (%sx = %two, %sy = %two, %sz = %one) {
    %old = memref.load %turned[%ty, %tx] : memref<2x2xi32, strided<[?, ?], offset: ?>>
    %hundred = arith.constant 100 : i32
    %thousand = arith.constant 1000 : i32
    %y = arith.index_cast %ty : index to i32
    %mark = arith.muli %y, %thousand : i32
    %more = arith.addi %old, %hundred : i32
    %new = arith.addi %more, %mark : i32
    memref.store %new, %turned[%ty, %tx] : memref<2x2xi32, strided<[?, ?], offset: ?>>
    agpu.terminator
  }
  %copied = agpu.memcpy [%changed] (%h, %d) : memref<4x6xi32>, memref<4x6xi32>
  %freed = agpu.dealloc [%copied] %d : memref<4x6xi32>
  agpu.wait [%freed]
  agpu.expect %h, dense<[[0, 0, 0, 0, 0, 0], [0, 101, 0, 1102, 0, 3], [0, 111, 0, 1112, 0, 13], [0, 21, 0, 22, 0, 23]]>
      : tensor<4x6xi32> : memref<4x6xi32>
  memref.dealloc %h : memref<4x6xi32>
  return
}
