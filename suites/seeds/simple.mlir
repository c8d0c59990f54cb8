// The first program of the prototype (seeds/1): a kernel writes its thread numbers, the host reads them.

func.func @main() {
  %one = arith.constant 1 : index
  %count = arith.constant 4 : index
  %h0 = memref.alloc(%count) : memref<?xi32>

  // b0 = iota
  %b0, %allocated = agpu.alloc [] (%count) : memref<?xi32, 1>
  %filled = agpu.launch [%allocated] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                     threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %value = arith.index_cast %tx : index to i32
    memref.store %value, %b0[%tx] : memref<?xi32, 1>
    agpu.terminator
  }
  // h0 = b0
  %copied = agpu.memcpy [%filled] (%h0, %b0) : memref<?xi32>, memref<?xi32, 1>
  %freed = agpu.dealloc [%copied] %b0 : memref<?xi32, 1>
  agpu.wait [%copied]

  agpu.expect %h0, dense<[0, 1, 2, 3]> : tensor<4xi32> : memref<?xi32>
  %g0 = memref.cast %h0 : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%g0) : (memref<*xi32>) -> ()

  agpu.wait [%freed]
  memref.dealloc %h0 : memref<?xi32>
  return
}

func.func private @printMemrefI32(memref<*xi32>)
