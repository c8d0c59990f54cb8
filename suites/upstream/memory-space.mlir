// Device memory in memory space 1, as in the examples of the gpu dialect. Upstream gives the host pointers of two kinds
// that do not fit together.

module attributes {
  agpu.expect_findings = [
    {name = "memory space", lowering = "upstream", oracle = "errors", message = "*ype mismatch*!llvm.ptr*"}
  ]
} {
  func.func @main() {
    %one = arith.constant 1 : i32
    %h = memref.alloc() : memref<4xi32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<4xi32, 1>
    %t2 = gpu.memset async [%t1] %d, %one : memref<4xi32, 1>, i32
    %t3 = gpu.memcpy async [%t2] %h, %d : memref<4xi32>, memref<4xi32, 1>
    %t4 = gpu.dealloc async [%t3] %d : memref<4xi32, 1>
    gpu.wait [%t4]
    agpu.expect %h, dense<1> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }
}
