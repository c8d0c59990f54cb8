// W12: a fill of i8. Upstream leaves it unconverted.

module attributes {
  agpu.expect_findings = [
    {name = "W12", lowering = "upstream", oracle = "errors", message = "*Translation failed*unrealized_conversion_cast*"}
  ]
} {
  func.func @main() {
    %value = arith.constant 3 : i8
    %h = memref.alloc() : memref<8xi8>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<8xi8>
    %t2 = gpu.memset async [%t1] %d, %value : memref<8xi8>, i8
    %t3 = gpu.memcpy async [%t2] %h, %d : memref<8xi8>, memref<8xi8>
    %t4 = gpu.dealloc async [%t3] %d : memref<8xi8>
    gpu.wait [%t4]
    agpu.expect %h, dense<3> : tensor<8xi8> : memref<8xi8>
    memref.dealloc %h : memref<8xi8>
    return
  }
}
