// A function starts work on the device and returns its chain; upstream returns a stream there and takes it for an
// event (W5).

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Three times the old value, plus the writer's number: a writer lost, repeated or out of turn shows.
    gpu.func @mix(%d: memref<4xi32, 1>, %w: i32) kernel {
      %i = gpu.thread_id x
      %three = arith.constant 3 : i32
      %old = memref.load %d[%i] : memref<4xi32, 1>
      %scaled = arith.muli %old, %three : i32
      %new = arith.addi %scaled, %w : i32
      memref.store %new, %d[%i] : memref<4xi32, 1>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w1 = arith.constant 1 : i32
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %filled = call @begin() : () -> (memref<4xi32, 1>, !agpu.chain)
    %back = agpu.memcpy [%filled] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<6> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @begin() -> (memref<4xi32, 1>, !agpu.chain) attributes {no_inline} {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w1 = arith.constant 1 : i32
    %w3 = arith.constant 3 : i32
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    %x = agpu.launch_func [%start] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w3 : i32)
    return %d, %x : memref<4xi32, 1>, !agpu.chain
  }

  // So that a copy that did not happen shows.
  func.func private @poison(%h: memref<4xi32>) attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %poison = arith.constant -559038737 : i32
    scf.for %i = %c0 to %four step %one {
      memref.store %poison, %h[%i] : memref<4xi32>
    }
    return
  }
}
