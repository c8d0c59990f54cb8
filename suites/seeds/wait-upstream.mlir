// wait.mlir in upstream's form, as seeds/2 has it: `gpu.wait async` gives a token that completes after others, `gpu.wait`
// blocks the host.

module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %count = arith.constant 4 : index
    %ten = arith.constant 10 : i32
    %hundred = arith.constant 100 : i32

    // h0 = 1, 2, 3, 4 on the host.
    %h0 = memref.alloc(%count) : memref<?xi32>
    %h1 = memref.alloc(%count) : memref<?xi32>
    %h2 = memref.alloc(%count) : memref<?xi32>
    scf.for %i = %c0 to %count step %one {
      %next = arith.addi %i, %one : index
      %number = arith.index_cast %next : index to i32
      memref.store %number, %h0[%i] : memref<?xi32>
    }

    // The chain of nothing is where the work starts.
    %nothing = gpu.wait async
    %b0, %allocated0 = gpu.alloc async [%nothing] (%count) : memref<?xi32>
    %b1, %allocated1 = gpu.alloc async [%nothing] (%count) : memref<?xi32>
    %sent0 = gpu.memcpy async [%allocated0] %b0, %h0 : memref<?xi32>, memref<?xi32>
    %sent1 = gpu.memcpy async [%allocated1] %b1, %h0 : memref<?xi32>, memref<?xi32>

    // b0 = b0 + 10, after a join of one chain; b1 = b1 * 100.
    %start0 = gpu.wait async [%sent0]
    %changed0 = gpu.launch async [%start0] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                      threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %old = memref.load %b0[%tx] : memref<?xi32>
      %new = arith.addi %old, %ten : i32
      memref.store %new, %b0[%tx] : memref<?xi32>
      gpu.terminator
    }
    %changed1 = gpu.launch async [%sent1] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                     threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %old = memref.load %b1[%tx] : memref<?xi32>
      %new = arith.muli %old, %hundred : i32
      memref.store %new, %b1[%tx] : memref<?xi32>
      gpu.terminator
    }

    // b1 = b0 + b1, after a join of two chains.
    %both = gpu.wait async [%changed0, %changed1]
    %added = gpu.launch async [%both] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                 threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %v0 = memref.load %b0[%tx] : memref<?xi32>
      %v1 = memref.load %b1[%tx] : memref<?xi32>
      %sum = arith.addi %v0, %v1 : i32
      memref.store %sum, %b1[%tx] : memref<?xi32>
      gpu.terminator
    }
    %received0 = gpu.memcpy async [%changed0] %h1, %b0 : memref<?xi32>, memref<?xi32>
    %received1 = gpu.memcpy async [%added] %h2, %b1 : memref<?xi32>, memref<?xi32>

    // The host waits for one chain, then for both.
    gpu.wait [%received0]
    agpu.expect %h1, dense<[11, 12, 13, 14]> : tensor<4xi32> : memref<?xi32>
    gpu.wait [%received0, %received1]
    agpu.expect %h2, dense<[111, 212, 313, 414]> : tensor<4xi32> : memref<?xi32>
    %g1 = memref.cast %h1 : memref<?xi32> to memref<*xi32>
    %g2 = memref.cast %h2 : memref<?xi32> to memref<*xi32>
    func.call @printMemrefI32(%g1) : (memref<*xi32>) -> ()
    func.call @printMemrefI32(%g2) : (memref<*xi32>) -> ()

    %freed0 = gpu.dealloc async [%added, %received0] %b0 : memref<?xi32>
    %freed1 = gpu.dealloc async [%received1] %b1 : memref<?xi32>
    gpu.wait [%freed0, %freed1]
    memref.dealloc %h0 : memref<?xi32>
    memref.dealloc %h1 : memref<?xi32>
    memref.dealloc %h2 : memref<?xi32>
    return
  }

  func.func private @printMemrefI32(memref<*xi32>)
}
