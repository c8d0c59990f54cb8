// W12: a fill of f64. Upstream leaves it unconverted.

module attributes {
  agpu.expect_findings = [
    {name = "W12", lowering = "upstream", oracle = "errors", message = "*Translation failed*unrealized_conversion_cast*"}
  ]
} {
  func.func @main() {
    %value = arith.constant 0.5 : f64
    %h = memref.alloc() : memref<8xf64>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<8xf64>
    %t2 = gpu.memset async [%t1] %d, %value : memref<8xf64>, f64
    %t3 = gpu.memcpy async [%t2] %h, %d : memref<8xf64>, memref<8xf64>
    %t4 = gpu.dealloc async [%t3] %d : memref<8xf64>
    gpu.wait [%t4]
    agpu.expect %h, dense<0.5> : tensor<8xf64> : memref<8xf64>
    memref.dealloc %h : memref<8xf64>
    return
  }
}
