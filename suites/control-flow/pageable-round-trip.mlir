// Words go to the host and back in device order, through pageable memory, with no wait of the host in between: the copy
// to the device may not read its source before the copy from the device, or the host function, has written it.

func.func private @increment(%m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %old = memref.load %m[%i] : memref<4xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %m[%i] : memref<4xi32>
  }
  return
}

// The memory is an argument: where it comes from is not known here.
func.func private @bounce(%d: memref<4xi32, 1>, %h: memref<4xi32>, %from: !agpu.chain) -> !agpu.chain {
  %down = agpu.memcpy [%from] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
  %called = agpu.host_call [%down] @increment(%h) : memref<4xi32>
  %up = agpu.memcpy [%called] (%d, %h) : memref<4xi32, 1>, memref<4xi32>
  return %up : !agpu.chain
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %five = arith.constant 5 : i32
  %h0 = memref.alloc() : memref<4xi32>
  %h1 = memref.alloc() : memref<4xi32>
  %d, %allocated = agpu.alloc [] () : memref<4xi32, 1>
  %filled = agpu.memset [%allocated] (%d, %five) : memref<4xi32, 1>, i32
  %down = agpu.memcpy [%filled] (%h0, %d) : memref<4xi32>, memref<4xi32, 1>
  %called = agpu.host_call [%down] @increment(%h0) : memref<4xi32>
  %up = agpu.memcpy [%called] (%d, %h0) : memref<4xi32, 1>, memref<4xi32>
  %bounced = scf.for %i = %c0 to %c3 step %c1 iter_args(%chain = %up) -> (!agpu.chain) {
    %next = func.call @bounce(%d, %h1, %chain) : (memref<4xi32, 1>, memref<4xi32>, !agpu.chain) -> !agpu.chain
    scf.yield %next : !agpu.chain
  }
  %last = agpu.memcpy [%bounced] (%h0, %d) : memref<4xi32>, memref<4xi32, 1>
  %freed = agpu.dealloc [%last] %d : memref<4xi32, 1>
  agpu.wait [%freed]
  agpu.expect %h0, dense<9> : tensor<4xi32> : memref<4xi32>
  agpu.expect %h1, dense<9> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h0 : memref<4xi32>
  memref.dealloc %h1 : memref<4xi32>
  return
}
