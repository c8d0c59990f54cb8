// The second program of the prototype (seeds/1): two kernels run side by side, a third adds what they wrote (join), and
// the sum is copied to the host twice (fork). 0, 2, 4, 6 is the right result; the listing of the seed prints another.

func.func @main() {
  %one = arith.constant 1 : index
  %count = arith.constant 4 : index
  %h0 = memref.alloc(%count) : memref<?xi32>
  %h1 = memref.alloc(%count) : memref<?xi32>

  // b0 = iota
  %b0, %allocated0 = agpu.alloc [] (%count) : memref<?xi32, 1>
  %filled0 = agpu.launch [%allocated0] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                       threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %value = arith.index_cast %tx : index to i32
    memref.store %value, %b0[%tx] : memref<?xi32, 1>
    agpu.terminator
  }
  // b1 = iota
  %b1, %allocated1 = agpu.alloc [] (%count) : memref<?xi32, 1>
  %filled1 = agpu.launch [%allocated1] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                       threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %value = arith.index_cast %tx : index to i32
    memref.store %value, %b1[%tx] : memref<?xi32, 1>
    agpu.terminator
  }
  // b2 = b0 + b1 (join)
  %b2, %allocated2 = agpu.alloc [] (%count) : memref<?xi32, 1>
  %added = agpu.launch [%filled0, %filled1, %allocated2]
      blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %v0 = memref.load %b0[%tx] : memref<?xi32, 1>
    %v1 = memref.load %b1[%tx] : memref<?xi32, 1>
    %sum = arith.addi %v0, %v1 : i32
    memref.store %sum, %b2[%tx] : memref<?xi32, 1>
    agpu.terminator
  }
  // h0 = b2, h1 = b2 (fork)
  %copied0 = agpu.memcpy [%added] (%h0, %b2) : memref<?xi32>, memref<?xi32, 1>
  %copied1 = agpu.memcpy [%added] (%h1, %b2) : memref<?xi32>, memref<?xi32, 1>
  %freed0 = agpu.dealloc [%added] %b0 : memref<?xi32, 1>
  %freed1 = agpu.dealloc [%added] %b1 : memref<?xi32, 1>
  %freed2 = agpu.dealloc [%copied0, %copied1] %b2 : memref<?xi32, 1>
  agpu.wait [%copied0, %copied1]

  agpu.expect %h0, dense<[0, 2, 4, 6]> : tensor<4xi32> : memref<?xi32>
  agpu.expect %h1, dense<[0, 2, 4, 6]> : tensor<4xi32> : memref<?xi32>
  %g0 = memref.cast %h0 : memref<?xi32> to memref<*xi32>
  %g1 = memref.cast %h1 : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%g0) : (memref<*xi32>) -> ()
  call @printMemrefI32(%g1) : (memref<*xi32>) -> ()

  agpu.wait [%freed0, %freed1, %freed2]
  memref.dealloc %h0 : memref<?xi32>
  memref.dealloc %h1 : memref<?xi32>
  return
}

func.func private @printMemrefI32(memref<*xi32>)
