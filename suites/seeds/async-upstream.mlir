// async.mlir in upstream's form, as seeds/3 has it: device operations in regions of the async dialect, buffers carried as
// async values. The last region frees them.

module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %count = arith.constant 2 : index
    %value = arith.constant 42 : i32

    // h0 = 42, 42 on the host.
    %h0 = memref.alloc(%count) : memref<?xi32>
    %h0_unranked = memref.cast %h0 : memref<?xi32> to memref<*xi32>
    gpu.host_register %h0_unranked : memref<*xi32>
    memref.store %value, %h0[%c0] : memref<?xi32>
    memref.store %value, %h0[%c1] : memref<?xi32>

    // b0 = h0
    %t0, %f0 = async.execute -> !async.value<memref<?xi32>> {
      %b0 = gpu.alloc (%count) : memref<?xi32>
      gpu.memcpy %b0, %h0 : memref<?xi32>, memref<?xi32>
      async.yield %b0 : memref<?xi32>
    }
    // b1 = b0, b2 = b0 (fork)
    %t1, %f1 = async.execute [%t0] (%f0 as %b0 : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
      %b1 = gpu.alloc (%count) : memref<?xi32>
      gpu.memcpy %b1, %b0 : memref<?xi32>, memref<?xi32>
      async.yield %b1 : memref<?xi32>
    }
    %t2, %f2 = async.execute [%t0] (%f0 as %b0 : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
      %b2 = gpu.alloc (%count) : memref<?xi32>
      gpu.memcpy %b2, %b0 : memref<?xi32>, memref<?xi32>
      async.yield %b2 : memref<?xi32>
    }
    // h0 = b1 + b2 (join)
    %t3 = async.execute [%t1, %t2] (%f1 as %b1 : !async.value<memref<?xi32>>,
                                    %f2 as %b2 : !async.value<memref<?xi32>>) {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %count, %sy = %c1, %sz = %c1) {
        %v1 = memref.load %b1[%tx] : memref<?xi32>
        %v2 = memref.load %b2[%tx] : memref<?xi32>
        %sum = arith.addi %v1, %v2 : i32
        memref.store %sum, %h0[%tx] : memref<?xi32>
        gpu.terminator
      }
      async.yield
    }
    %t4 = async.execute [%t3] (%f0 as %b0 : !async.value<memref<?xi32>>, %f1 as %b1 : !async.value<memref<?xi32>>,
                               %f2 as %b2 : !async.value<memref<?xi32>>) {
      gpu.dealloc %b0 : memref<?xi32>
      gpu.dealloc %b1 : memref<?xi32>
      gpu.dealloc %b2 : memref<?xi32>
      async.yield
    }
    async.await %t3 : !async.token

    agpu.expect %h0, dense<[84, 84]> : tensor<2xi32> : memref<?xi32>
    func.call @printMemrefI32(%h0_unranked) : (memref<*xi32>) -> ()

    async.await %t4 : !async.token
    gpu.host_unregister %h0_unranked : memref<*xi32>
    memref.dealloc %h0 : memref<?xi32>
    return
  }

  func.func private @printMemrefI32(memref<*xi32>)
}
