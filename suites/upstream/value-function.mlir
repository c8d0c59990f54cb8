// A buffer goes through a function as an async.value, in and out.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "async value through a call", lowering = "upstream", oracle = "errors", message = "*operand #0 must be variadic of LLVM dialect-compatible type*"}
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
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %t, %start = async.execute -> !async.value<memref<4xi32>> {
      %d = gpu.alloc () : memref<4xi32>
      gpu.memset %d, %w1 : memref<4xi32>, i32
      async.yield %d : memref<4xi32>
    }
    %a = call @step(%start, %w2) : (!async.value<memref<4xi32>>, i32) -> !async.value<memref<4xi32>>
    %b = call @step(%a, %w1) : (!async.value<memref<4xi32>>, i32) -> !async.value<memref<4xi32>>
    %back = async.execute (%b as %d : !async.value<memref<4xi32>>) {
      gpu.memcpy %h, %d : memref<4xi32>, memref<4xi32>
      gpu.dealloc %d : memref<4xi32>
      async.yield
    }
    async.await %back : !async.token
    agpu.expect %h, dense<16> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @step(%v: !async.value<memref<4xi32>>, %w: i32)
      -> !async.value<memref<4xi32>> attributes {no_inline} {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %u, %next = async.execute (%v as %d : !async.value<memref<4xi32>>) -> !async.value<memref<4xi32>> {
      gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32>, %w : i32)
      async.yield %d : memref<4xi32>
    }
    return %next : !async.value<memref<4xi32>>
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
