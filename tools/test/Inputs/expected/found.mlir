// Records what is wrong with it for one lowering.
module attributes {
  agpu.expect_findings = [{name = "F2", lowering = "streams", oracle = "values", message = "*expected 8, found 7"}]
} {
  func.func @main() {
    %zero = arith.constant 0 : index
    %seven = arith.constant 7 : i32
    %h = memref.alloc() : memref<1xi32>
    memref.store %seven, %h[%zero] : memref<1xi32>
    agpu.expect %h, dense<8> : tensor<1xi32> : memref<1xi32>
    memref.dealloc %h : memref<1xi32>
    return
  }
}
