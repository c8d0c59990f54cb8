// A kernel writes to a buffer after it was freed.

func.func @main() {
  %one = arith.constant 1 : index
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %freed = agpu.dealloc [%allocated] %d : memref<4xi32>
  %ran = agpu.launch [%freed] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %seven = arith.constant 7 : i32
    memref.store %seven, %d[%tx] : memref<4xi32>
    agpu.terminator
  }
  agpu.wait [%ran]
  return
}
