// W12: a copy from every other element. Upstream leaves it unconverted.

module attributes {
  agpu.expect_findings = [
    {name = "W12", lowering = "upstream", oracle = "errors", message = "*Translation failed*unrealized_conversion_cast*"}
  ]
} {
  func.func @main() {
    %one = arith.constant 1 : i32
    %h = memref.alloc() : memref<4xi32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<8xi32>
    %t2 = gpu.memset async [%t1] %d, %one : memref<8xi32>, i32
    %even = memref.subview %d[0] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2]>>
    %t3 = gpu.memcpy async [%t2] %h, %even : memref<4xi32>, memref<4xi32, strided<[2]>>
    %t4 = gpu.dealloc async [%t3] %d : memref<8xi32>
    gpu.wait [%t4]
    agpu.expect %h, dense<1> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }
}
