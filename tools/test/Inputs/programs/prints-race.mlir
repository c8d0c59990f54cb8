// States nothing, and prints a number that the device may not have delivered yet: the second copy is not waited for.

func.func @main() {
  %zero = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %eight = arith.constant 8 : i32
  %h0 = memref.alloc() : memref<1xi32>
  %h1 = memref.alloc() : memref<1xi32>
  %unranked = memref.cast %h1 : memref<1xi32> to memref<*xi32>
  agpu.host_register %unranked : memref<*xi32>
  memref.store %seven, %h0[%zero] : memref<1xi32>
  memref.store %eight, %h1[%zero] : memref<1xi32>
  %d, %allocated = agpu.alloc [] () : memref<1xi32>
  %sent = agpu.memcpy [%allocated] (%d, %h0) : memref<1xi32>, memref<1xi32>
  %received = agpu.memcpy [%sent] (%h1, %d) : memref<1xi32>, memref<1xi32>
  call @printMemrefI32(%unranked) : (memref<*xi32>) -> ()
  %freed = agpu.dealloc [%received] %d : memref<1xi32>
  agpu.wait [%freed]
  agpu.host_unregister %unranked : memref<*xi32>
  memref.dealloc %h0 : memref<1xi32>
  memref.dealloc %h1 : memref<1xi32>
  return
}

func.func private @printMemrefI32(memref<*xi32>)
