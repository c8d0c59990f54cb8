// One chain is passed twice to a block and twice to a function.

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
    %w4 = arith.constant 4 : i32
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    %x = agpu.launch_func [%start] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w2 : i32)
    cf.br ^next(%x, %x : !agpu.chain, !agpu.chain)
  ^next(%a: !agpu.chain, %b: !agpu.chain):
    %c = call @step(%d, %a, %b) : (memref<4xi32, 1>, !agpu.chain, !agpu.chain) -> !agpu.chain
    %e = agpu.join [%c, %c]
    %back = agpu.memcpy [%e] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<19> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @step(%d: memref<4xi32, 1>, %a: !agpu.chain, %b: !agpu.chain)
      -> !agpu.chain attributes {no_inline} {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w4 = arith.constant 4 : i32
    %x = agpu.launch_func [%a, %b] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w4 : i32)
    return %x : !agpu.chain
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
