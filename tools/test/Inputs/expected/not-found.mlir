// Records a fault that the lowering does not have.
module attributes {
  agpu.expect_findings = [{name = "F1", lowering = "streams", oracle = "values", message = "*"}]
} {
  func.func @main() {
    %zero = arith.constant 0 : index
    %seven = arith.constant 7 : i32
    %h = memref.alloc() : memref<1xi32>
    memref.store %seven, %h[%zero] : memref<1xi32>
    agpu.expect %h, dense<7> : tensor<1xi32> : memref<1xi32>
    memref.dealloc %h : memref<1xi32>
    return
  }
}
