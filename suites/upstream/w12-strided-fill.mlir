// W12: a fill of every other element. Upstream leaves it unconverted.

module attributes {
  agpu.expect_findings = [
    {name = "W12", lowering = "upstream", oracle = "errors", message = "*Translation failed*unrealized_conversion_cast*"}
  ]
} {
  func.func @main() {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %h = memref.alloc() : memref<8xi32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<8xi32>
    %t2 = gpu.memset async [%t1] %d, %one : memref<8xi32>, i32
    %even = memref.subview %d[0] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2]>>
    %t3 = gpu.memset async [%t2] %even, %two : memref<4xi32, strided<[2]>>, i32
    %t4 = gpu.memcpy async [%t3] %h, %d : memref<8xi32>, memref<8xi32>
    %t5 = gpu.dealloc async [%t4] %d : memref<8xi32>
    gpu.wait [%t5]
    agpu.expect %h, dense<[2, 1, 2, 1, 2, 1, 2, 1]> : tensor<8xi32> : memref<8xi32>
    memref.dealloc %h : memref<8xi32>
    return
  }
}
