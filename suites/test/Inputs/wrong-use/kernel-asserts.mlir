// An assertion in a kernel does not hold.

func.func @main() {
  %one = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 1 : index
  %rows = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4xi32>, i32
  %ran = agpu.launch [%cleared] blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %rows, %sz = %one) {
    %c0 = arith.constant 0 : index
    %zero_again = arith.constant 0 : i32
    %v = memref.load %d[%c0] : memref<4xi32>
    %holds = arith.cmpi ne, %v, %zero_again : i32
    cf.assert %holds, "the buffer holds a number"
    memref.store %v, %d[%c0] : memref<4xi32>
    agpu.terminator
  }
  %freed = agpu.dealloc [%ran] %d : memref<4xi32>
  agpu.wait [%freed]
  return
}
