// W11: a copy into every other element. Upstream copies in one piece to the wrong places.

module attributes {gpu.container_module} {

  func.func @main() {
    %minus = arith.constant -1 : i32
    %seven = arith.constant 7 : i32
    %h = memref.alloc() : memref<8xi32>
    %d = gpu.alloc () : memref<8xi32, 1>
    %s = gpu.alloc () : memref<4xi32, 1>
    %t = gpu.wait async
    %t0 = gpu.memset async [%t] %d, %minus : memref<8xi32, 1>, i32
    %t1 = gpu.memset async [%t] %s, %seven : memref<4xi32, 1>, i32
    %odd = memref.subview %d[1] [4] [2] : memref<8xi32, 1> to memref<4xi32, strided<[2], offset: 1>, 1>
    %t2 = gpu.memcpy async [%t0, %t1] %odd, %s : memref<4xi32, strided<[2], offset: 1>, 1>, memref<4xi32, 1>
    %t3 = gpu.memcpy async [%t2] %h, %d : memref<8xi32>, memref<8xi32, 1>
    gpu.wait [%t3]
    gpu.dealloc %s : memref<4xi32, 1>
    gpu.dealloc %d : memref<8xi32, 1>
    agpu.expect %h, dense<[-1, 7, -1, 7, -1, 7, -1, 7]> : tensor<8xi32> : memref<8xi32>
    memref.dealloc %h : memref<8xi32>
    return
  }
}
