// A function takes two chains and returns them crossed, each after a step of its own.

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
    %w2 = arith.constant 2 : i32
    %w3 = arith.constant 3 : i32
    %w4 = arith.constant 4 : i32
    %h0 = memref.alloc() : memref<4xi32>
    call @poison(%h0) : (memref<4xi32>) -> ()
    %d0, %ready0 = agpu.alloc [] () : memref<4xi32, 1>
    %start0 = agpu.memset [%ready0] (%d0, %w1) : memref<4xi32, 1>, i32
    %h1 = memref.alloc() : memref<4xi32>
    call @poison(%h1) : (memref<4xi32>) -> ()
    %d1, %ready1 = agpu.alloc [] () : memref<4xi32, 1>
    %start1 = agpu.memset [%ready1] (%d1, %w2) : memref<4xi32, 1>, i32
    %x:2 = call @cross(%d0, %d1, %start0, %start1)
        : (memref<4xi32, 1>, memref<4xi32, 1>, !agpu.chain, !agpu.chain) -> (!agpu.chain, !agpu.chain)
    %back0 = agpu.memcpy [%x#1] (%h0, %d0) : memref<4xi32>, memref<4xi32, 1>
    %freed0 = agpu.dealloc [%back0] %d0 : memref<4xi32, 1>
    %back1 = agpu.memcpy [%x#0] (%h1, %d1) : memref<4xi32>, memref<4xi32, 1>
    %freed1 = agpu.dealloc [%back1] %d1 : memref<4xi32, 1>
    agpu.wait [%freed0, %freed1]
    agpu.expect %h0, dense<6> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h0 : memref<4xi32>
    agpu.expect %h1, dense<10> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h1 : memref<4xi32>
    return
  }

  func.func private @cross(%a: memref<4xi32, 1>, %b: memref<4xi32, 1>, %ca: !agpu.chain, %cb: !agpu.chain)
      -> (!agpu.chain, !agpu.chain) attributes {no_inline} {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w3 = arith.constant 3 : i32
    %w4 = arith.constant 4 : i32
    %x = agpu.launch_func [%ca] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%a : memref<4xi32, 1>, %w3 : i32)
    %y = agpu.launch_func [%cb] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%b : memref<4xi32, 1>, %w4 : i32)
    return %y, %x : !agpu.chain, !agpu.chain
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
