// RUN: lockstep-opt %s --verify-diagnostics --agpu-lower-expect

// expected-error @below {{'func.func' op has the name of the function that agpu.expect calls but is not its declaration: expected an external llvm.func of type '!llvm.func<void (i64, ptr, ptr,}}
func.func @lockstepExpect() {
  return
}

func.func @main(%h: memref<?xi32>) {
  agpu.expect %h, dense<7> : tensor<1xi32> : memref<?xi32>
  return
}
