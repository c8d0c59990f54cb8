// Nothing wrong: it runs between programs that fail.

func.func @main() {
  %seven = arith.constant 7 : i32
  %h = memref.alloc() : memref<4xi32>
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %filled = agpu.memset [%allocated] (%d, %seven) : memref<4xi32>, i32
  %copied = agpu.memcpy [%filled] (%h, %d) : memref<4xi32>, memref<4xi32>
  %freed = agpu.dealloc [%copied] %d : memref<4xi32>
  agpu.wait [%freed]
  agpu.expect %h, dense<7> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h : memref<4xi32>
  return
}
