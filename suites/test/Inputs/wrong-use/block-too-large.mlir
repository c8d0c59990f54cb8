// A block of 2048 threads: a device takes 1024.

func.func @main() {
  %one = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 2048 : index
  %rows = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4xi32>, i32
  %ran = agpu.launch [%cleared] blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %rows, %sz = %one) {
    %c0 = arith.constant 0 : index
    %seven = arith.constant 7 : i32
    memref.store %seven, %d[%c0] : memref<4xi32>
    agpu.terminator
  }
  %freed = agpu.dealloc [%ran] %d : memref<4xi32>
  agpu.wait [%freed]
  return
}
