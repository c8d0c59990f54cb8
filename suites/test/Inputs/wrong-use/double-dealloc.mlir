// A buffer is freed twice.

func.func @main() {
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %freed = agpu.dealloc [%allocated] %d : memref<4xi32>
  %again = agpu.dealloc [%freed] %d : memref<4xi32>
  agpu.wait [%again]
  return
}
