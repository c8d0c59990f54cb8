// W12: a strided source, fills of i8 and f64 and of a strided view, a synchronous copy and a synchronous allocation.
// Upstream leaves each of them unconverted.

module attributes {
  agpu.expect_findings = [
    {name = "W12", lowering = "upstream", oracle = "errors", message = "*Translation failed*unrealized_conversion_cast*"}
  ]
} {
  func.func @main() {
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %half = arith.constant 0.5 : f64
    %hb = memref.alloc() : memref<8xi8>
    %hc = memref.alloc() : memref<4xi8>
    %hf = memref.alloc() : memref<4xf64>
    %b = gpu.alloc () : memref<8xi8>
    %f = gpu.alloc () : memref<4xf64>
    %t = gpu.wait async
    %t0 = gpu.memset async [%t] %b, %one : memref<8xi8>, i8
    %even = memref.subview %b[0] [4] [2] : memref<8xi8> to memref<4xi8, strided<[2]>>
    %t1 = gpu.memset async [%t0] %even, %two : memref<4xi8, strided<[2]>>, i8
    %t2 = gpu.memcpy async [%t1] %hc, %even : memref<4xi8>, memref<4xi8, strided<[2]>>
    %t3 = gpu.memset async [%t] %f, %half : memref<4xf64>, f64
    gpu.wait [%t1, %t2, %t3]
    gpu.memcpy %hb, %b : memref<8xi8>, memref<8xi8>
    gpu.memcpy %hf, %f : memref<4xf64>, memref<4xf64>
    gpu.dealloc %b : memref<8xi8>
    gpu.dealloc %f : memref<4xf64>
    agpu.expect %hb, dense<[2, 1, 2, 1, 2, 1, 2, 1]> : tensor<8xi8> : memref<8xi8>
    agpu.expect %hc, dense<2> : tensor<4xi8> : memref<4xi8>
    agpu.expect %hf, dense<0.5> : tensor<4xf64> : memref<4xf64>
    memref.dealloc %hb : memref<8xi8>
    memref.dealloc %hc : memref<4xi8>
    memref.dealloc %hf : memref<4xf64>
    return
  }
}
