// Nothing makes the copy wait for the fill.

func.func @main() {
  %count = arith.constant 1 : index
  %value = arith.constant 7 : i32
  %host = memref.alloc(%count) : memref<?xi32>
  %device, %allocated = agpu.alloc [] (%count) : memref<?xi32>
  %filled = agpu.memset [%allocated] (%device, %value) : memref<?xi32>, i32
  %copied = agpu.memcpy [%allocated] (%host, %device) : memref<?xi32>, memref<?xi32>
  %freed = agpu.dealloc [%filled, %copied] %device : memref<?xi32>
  agpu.wait [%freed]
  agpu.expect %host, dense<7> : tensor<1xi32> : memref<?xi32>
  memref.dealloc %host : memref<?xi32>
  return
}
