// The operations of seeds/2 with work to order: a chain of nothing, joins of one chain and of two, and a host wait for
// several chains at once, one of them waited for before. Two kernels change two copies of the host's numbers side by
// side; a third may only start when both are done.

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
  %nothing = agpu.join []
  %b0, %allocated0 = agpu.alloc [%nothing] (%count) : memref<?xi32>
  %b1, %allocated1 = agpu.alloc [%nothing] (%count) : memref<?xi32>
  %sent0 = agpu.memcpy [%allocated0] (%b0, %h0) : memref<?xi32>, memref<?xi32>
  %sent1 = agpu.memcpy [%allocated1] (%b1, %h0) : memref<?xi32>, memref<?xi32>

  // b0 = b0 + 10, after a join of one chain; b1 = b1 * 100.
  %start0 = agpu.join [%sent0]
  %changed0 = agpu.launch [%start0] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                    threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %old = memref.load %b0[%tx] : memref<?xi32>
    %new = arith.addi %old, %ten : i32
    memref.store %new, %b0[%tx] : memref<?xi32>
    agpu.terminator
  }
  %changed1 = agpu.launch [%sent1] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                   threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %old = memref.load %b1[%tx] : memref<?xi32>
    %new = arith.muli %old, %hundred : i32
    memref.store %new, %b1[%tx] : memref<?xi32>
    agpu.terminator
  }

  // b1 = b0 + b1, after a join of two chains.
  %both = agpu.join [%changed0, %changed1]
  %added = agpu.launch [%both] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                               threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %v0 = memref.load %b0[%tx] : memref<?xi32>
    %v1 = memref.load %b1[%tx] : memref<?xi32>
    %sum = arith.addi %v0, %v1 : i32
    memref.store %sum, %b1[%tx] : memref<?xi32>
    agpu.terminator
  }
  %received0 = agpu.memcpy [%changed0] (%h1, %b0) : memref<?xi32>, memref<?xi32>
  %received1 = agpu.memcpy [%added] (%h2, %b1) : memref<?xi32>, memref<?xi32>

  // The host waits for one chain, then for both.
  agpu.wait [%received0]
  agpu.expect %h1, dense<[11, 12, 13, 14]> : tensor<4xi32> : memref<?xi32>
  agpu.wait [%received0, %received1]
  agpu.expect %h2, dense<[111, 212, 313, 414]> : tensor<4xi32> : memref<?xi32>
  %g1 = memref.cast %h1 : memref<?xi32> to memref<*xi32>
  %g2 = memref.cast %h2 : memref<?xi32> to memref<*xi32>
  call @printMemrefI32(%g1) : (memref<*xi32>) -> ()
  call @printMemrefI32(%g2) : (memref<*xi32>) -> ()

  %freed0 = agpu.dealloc [%added, %received0] %b0 : memref<?xi32>
  %freed1 = agpu.dealloc [%received1] %b1 : memref<?xi32>
  agpu.wait [%freed0, %freed1]
  memref.dealloc %h0 : memref<?xi32>
  memref.dealloc %h1 : memref<?xi32>
  memref.dealloc %h2 : memref<?xi32>
  return
}

func.func private @printMemrefI32(memref<*xi32>)
