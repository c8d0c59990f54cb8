// The host reads device memory.

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %h = memref.alloc() : memref<4xi32>
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4xi32>, i32
  agpu.wait [%cleared]
  %v = memref.load %d[%c0] : memref<4xi32>
  memref.store %v, %h[%c0] : memref<4xi32>
  %freed = agpu.dealloc [%cleared] %d : memref<4xi32>
  agpu.wait [%freed]
  memref.dealloc %h : memref<4xi32>
  return
}
