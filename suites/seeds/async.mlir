// The integration test of seeds/3: host memory is copied to the device, from there to two more buffers (fork), and a
// kernel adds the two into page-locked host memory (join).

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant 2 : index
  %value = arith.constant 42 : i32

  // h0 = 42, 42 on the host.
  %h0 = memref.alloc(%count) : memref<?xi32>
  %h0_unranked = memref.cast %h0 : memref<?xi32> to memref<*xi32>
  agpu.host_register %h0_unranked : memref<*xi32>
  memref.store %value, %h0[%c0] : memref<?xi32>
  memref.store %value, %h0[%c1] : memref<?xi32>

  // b0 = h0
  %b0, %allocated0 = agpu.alloc [] (%count) : memref<?xi32>
  %copied0 = agpu.memcpy [%allocated0] (%b0, %h0) : memref<?xi32>, memref<?xi32>
  // b1 = b0, b2 = b0 (fork)
  %b1, %allocated1 = agpu.alloc [] (%count) : memref<?xi32>
  %copied1 = agpu.memcpy [%copied0, %allocated1] (%b1, %b0) : memref<?xi32>, memref<?xi32>
  %b2, %allocated2 = agpu.alloc [] (%count) : memref<?xi32>
  %copied2 = agpu.memcpy [%copied0, %allocated2] (%b2, %b0) : memref<?xi32>, memref<?xi32>
  // h0 = b1 + b2 (join)
  %added = agpu.launch [%copied1, %copied2] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                                            threads(%tx, %ty, %tz) in (%sx = %count, %sy = %c1, %sz = %c1) {
    %v1 = memref.load %b1[%tx] : memref<?xi32>
    %v2 = memref.load %b2[%tx] : memref<?xi32>
    %sum = arith.addi %v1, %v2 : i32
    memref.store %sum, %h0[%tx] : memref<?xi32>
    agpu.terminator
  }
  %freed0 = agpu.dealloc [%copied1, %copied2] %b0 : memref<?xi32>
  %freed1 = agpu.dealloc [%added] %b1 : memref<?xi32>
  %freed2 = agpu.dealloc [%added] %b2 : memref<?xi32>
  agpu.wait [%added]

  agpu.expect %h0, dense<[84, 84]> : tensor<2xi32> : memref<?xi32>
  call @printMemrefI32(%h0_unranked) : (memref<*xi32>) -> ()

  agpu.wait [%freed0, %freed1, %freed2]
  agpu.host_unregister %h0_unranked : memref<*xi32>
  memref.dealloc %h0 : memref<?xi32>
  return
}

func.func private @printMemrefI32(memref<*xi32>)
