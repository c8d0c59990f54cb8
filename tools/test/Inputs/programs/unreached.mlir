// Has an expectation that is never reached.

func.func @main() {
  %false = arith.constant false
  %h = memref.alloc() : memref<1xi32>
  scf.if %false {
    agpu.expect %h, dense<7> : tensor<1xi32> : memref<1xi32>
  }
  memref.dealloc %h : memref<1xi32>
  return
}
