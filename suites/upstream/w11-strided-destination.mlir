// W11: a copy into every other element. Upstream copies in one piece to the wrong places.

module attributes {
  agpu.expect_findings = [
    {name = "W11", lowering = "upstream", oracle = "values", message = "*"}
  ]
} {
  func.func @main() {
    %minus = arith.constant -1 : i32
    %seven = arith.constant 7 : i32
    %h = memref.alloc() : memref<8xi32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<8xi32>
    %s, %t2 = gpu.alloc async [%t1] () : memref<4xi32>
    %t3 = gpu.memset async [%t2] %d, %minus : memref<8xi32>, i32
    %t4 = gpu.memset async [%t3] %s, %seven : memref<4xi32>, i32
    %odd = memref.subview %d[1] [4] [2] : memref<8xi32> to memref<4xi32, strided<[2], offset: 1>>
    %t5 = gpu.memcpy async [%t4] %odd, %s : memref<4xi32, strided<[2], offset: 1>>, memref<4xi32>
    %t6 = gpu.memcpy async [%t5] %h, %d : memref<8xi32>, memref<8xi32>
    %t7 = gpu.dealloc async [%t6] %s : memref<4xi32>
    %t8 = gpu.dealloc async [%t7] %d : memref<8xi32>
    gpu.wait [%t8]
    agpu.expect %h, dense<[-1, 7, -1, 7, -1, 7, -1, 7]> : tensor<8xi32> : memref<8xi32>
    memref.dealloc %h : memref<8xi32>
    return
  }
}
