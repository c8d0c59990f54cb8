// A kernel divides by a number that is zero.

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
    %seven = arith.constant 7 : i32
    %divisor = memref.load %d[%c0] : memref<4xi32>
    %r = arith.divsi %seven, %divisor : i32
    memref.store %r, %d[%c0] : memref<4xi32>
    agpu.terminator
  }
  %freed = agpu.dealloc [%ran] %d : memref<4xi32>
  agpu.wait [%freed]
  return
}
