// A buffer is cleared after it was freed.

func.func @main() {
  %zero = arith.constant 0 : i32
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %freed = agpu.dealloc [%allocated] %d : memref<4xi32>
  %cleared = agpu.memset [%freed] (%d, %zero) : memref<4xi32>, i32
  agpu.wait [%cleared]
  return
}
