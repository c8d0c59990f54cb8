// W12: a synchronous allocation. Upstream leaves it unconverted.

module attributes {
  agpu.expect_findings = [
    {name = "W12", lowering = "upstream", oracle = "errors", message = "*unsupported GPU operation: gpu.alloc*"}
  ]
} {
  func.func @main() {
    %one = arith.constant 1 : i32
    %h = memref.alloc() : memref<8xi32>
    %d = gpu.alloc () : memref<8xi32>
    %t0 = gpu.wait async
    %t1 = gpu.memset async [%t0] %d, %one : memref<8xi32>, i32
    %t2 = gpu.memcpy async [%t1] %h, %d : memref<8xi32>, memref<8xi32>
    %t3 = gpu.dealloc async [%t2] %d : memref<8xi32>
    gpu.wait [%t3]
    agpu.expect %h, dense<1> : tensor<8xi32> : memref<8xi32>
    memref.dealloc %h : memref<8xi32>
    return
  }
}
