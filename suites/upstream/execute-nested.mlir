// An async.execute inside another; the outer awaits the inner before it goes on.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "W7", lowering = "upstream", oracle = "errors", message = "*must be an event, but * is a stream*"},
    {name = "W7", lowering = "upstream", oracle = "values", message = "*"},
    {name = "W7", lowering = "upstream", oracle = "errors", message = "SIG*"}
  ]
} {
  gpu.module @kernels {
    // Three times the old value, plus the writer's number: a writer lost, repeated or out of turn shows.
    gpu.func @mix(%d: memref<4xi32>, %w: i32) kernel {
      %i = gpu.thread_id x
      %three = arith.constant 3 : i32
      %old = memref.load %d[%i] : memref<4xi32>
      %scaled = arith.muli %old, %three : i32
      %new = arith.addi %scaled, %w : i32
      memref.store %new, %d[%i] : memref<4xi32>
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
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d = gpu.alloc () : memref<4xi32>
    %x = async.execute {
      gpu.memset %d, %w1 : memref<4xi32>, i32
      %inner = async.execute {
        gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
            args(%d : memref<4xi32>, %w2 : i32)
        async.yield
      }
      async.await %inner : !async.token
      gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32>, %w3 : i32)
      gpu.memcpy %h, %d : memref<4xi32>, memref<4xi32>
      async.yield
    }
    async.await %x : !async.token
    gpu.dealloc %d : memref<4xi32>
    agpu.expect %h, dense<18> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
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
