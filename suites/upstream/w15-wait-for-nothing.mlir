// W15: a gpu.wait without tokens waits for nothing. Upstream erases it, which is what it means, so there is nothing to
// find: it is no "wait for everything", and the program waits for its work by the token.

func.func @main() {
  %w = arith.constant 7 : i32
  %h = memref.alloc() : memref<4xi32>
  %none = gpu.wait async
  %d, %ready = gpu.alloc async [%none] () : memref<4xi32>
  %set = gpu.memset async [%ready] %d, %w : memref<4xi32>, i32
  %back = gpu.memcpy async [%set] %h, %d : memref<4xi32>, memref<4xi32>
  gpu.wait
  %freed = gpu.dealloc async [%back] %d : memref<4xi32>
  gpu.wait [%freed]
  agpu.expect %h, dense<7> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h : memref<4xi32>
  return
}
