// Two independent copies in upstream's form: each begins with a stream of its own.
func.func @main(%d: memref<4xi32, 1>, %e: memref<4xi32, 1>, %h: memref<4xi32>) {
  %t0 = gpu.wait async
  %a = gpu.memcpy async [%t0] %d, %h : memref<4xi32, 1>, memref<4xi32>
  %t1 = gpu.wait async
  %b = gpu.memcpy async [%t1] %e, %h : memref<4xi32, 1>, memref<4xi32>
  gpu.wait [%a, %b]
  return
}
