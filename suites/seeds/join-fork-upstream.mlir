// join-fork.mlir in the form in which the prototype had it, with upstream's operations: tokens of the gpu dialect, and
// device memory as memref.alloc in memory space 1.

module attributes {gpu.container_module} {
  func.func @main() {
    %one = arith.constant 1 : index
    %count = arith.constant 4 : index
    %h0 = memref.alloc(%count) : memref<?xi32>
    %h1 = memref.alloc(%count) : memref<?xi32>

    // b0 = iota
    %b0 = memref.alloc(%count) : memref<?xi32, 1>
    %filled0 = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %value = arith.index_cast %tx : index to i32
      memref.store %value, %b0[%tx] : memref<?xi32, 1>
      gpu.terminator
    }
    // b1 = iota
    %b1 = memref.alloc(%count) : memref<?xi32, 1>
    %filled1 = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %value = arith.index_cast %tx : index to i32
      memref.store %value, %b1[%tx] : memref<?xi32, 1>
      gpu.terminator
    }
    // b2 = b0 + b1 (join)
    %b2 = memref.alloc(%count) : memref<?xi32, 1>
    %added = gpu.launch async [%filled0, %filled1]
        blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
        threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %v0 = memref.load %b0[%tx] : memref<?xi32, 1>
      %v1 = memref.load %b1[%tx] : memref<?xi32, 1>
      %sum = arith.addi %v0, %v1 : i32
      memref.store %sum, %b2[%tx] : memref<?xi32, 1>
      gpu.terminator
    }
    // h0 = b2, h1 = b2 (fork)
    %copied0 = gpu.memcpy async [%added] %h0, %b2 : memref<?xi32>, memref<?xi32, 1>
    %copied1 = gpu.memcpy async [%added] %h1, %b2 : memref<?xi32>, memref<?xi32, 1>
    gpu.wait [%copied0, %copied1]

    agpu.expect %h0, dense<[0, 2, 4, 6]> : tensor<4xi32> : memref<?xi32>
    agpu.expect %h1, dense<[0, 2, 4, 6]> : tensor<4xi32> : memref<?xi32>
    %g0 = memref.cast %h0 : memref<?xi32> to memref<*xi32>
    %g1 = memref.cast %h1 : memref<?xi32> to memref<*xi32>
    func.call @printMemrefI32(%g0) : (memref<*xi32>) -> ()
    func.call @printMemrefI32(%g1) : (memref<*xi32>) -> ()

    memref.dealloc %b0 : memref<?xi32, 1>
    memref.dealloc %b1 : memref<?xi32, 1>
    memref.dealloc %b2 : memref<?xi32, 1>
    memref.dealloc %h0 : memref<?xi32>
    memref.dealloc %h1 : memref<?xi32>
    return
  }

  func.func private @printMemrefI32(memref<*xi32>)
}
