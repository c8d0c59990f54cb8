// W13 in a loop: in each round an asynchronous launch is pending when a synchronous one on the same buffer comes.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "W13", lowering = "upstream", oracle = "values", message = "*", schedule = "lazy"},
    {name = "W13", lowering = "upstream", oracle = "order", message = "* must come after *, and nothing makes it*"},
    {name = "W13", lowering = "upstream", oracle = "hazard", message = "*, and nothing orders them*"}
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
    %rounds = call @opaque(%four) : (index) -> index
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %none1 = gpu.wait async
    %d, %ready = gpu.alloc async [%none1] () : memref<4xi32>
    %start = gpu.memset async [%ready] %d, %w1 : memref<4xi32>, i32
    gpu.wait [%start]
    scf.for %i = %c0 to %rounds step %one {
      %w = arith.index_cast %i : index to i32
      %t = gpu.wait async
      %x = gpu.launch_func async [%t] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32>, %w : i32)
      gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32>, %w2 : i32)
      gpu.wait [%x]
    }
    %none2 = gpu.wait async
    %back = gpu.memcpy async [%none2] %h, %d : memref<4xi32>, memref<4xi32>
    %freed = gpu.dealloc async [%back] %d : memref<4xi32>
    gpu.wait [%freed]
    agpu.expect %h, dense<8507> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  // Bounds and conditions that no pass folds.
  func.func private @opaque(%value: index) -> index attributes {no_inline} {
    return %value : index
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
