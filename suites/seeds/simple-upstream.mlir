// simple.mlir in the form in which the prototype had it, with upstream's operations: tokens of the gpu dialect, and
// device memory as memref.alloc in memory space 1.

module attributes {gpu.container_module} {
  func.func @main() {
    %one = arith.constant 1 : index
    %count = arith.constant 4 : index
    %h0 = memref.alloc(%count) : memref<?xi32>

    // b0 = iota
    %b0 = memref.alloc(%count) : memref<?xi32, 1>
    %filled = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                               threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %value = arith.index_cast %tx : index to i32
      memref.store %value, %b0[%tx] : memref<?xi32, 1>
      gpu.terminator
    }
    // h0 = b0
    %copied = gpu.memcpy async [%filled] %h0, %b0 : memref<?xi32>, memref<?xi32, 1>
    gpu.wait [%copied]

    agpu.expect %h0, dense<[0, 1, 2, 3]> : tensor<4xi32> : memref<?xi32>
    %g0 = memref.cast %h0 : memref<?xi32> to memref<*xi32>
    func.call @printMemrefI32(%g0) : (memref<*xi32>) -> ()

    memref.dealloc %b0 : memref<?xi32, 1>
    memref.dealloc %h0 : memref<?xi32>
    return
  }

  func.func private @printMemrefI32(memref<*xi32>)
}
