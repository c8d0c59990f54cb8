// W13: a synchronous launch while a fill and a kernel on the same buffer are pending. Upstream gives it a stream of
// its own, with no order to them.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "W13", lowering = "upstream", oracle = "values", message = "*", schedule = "lazy"},
    {name = "W13", lowering = "upstream", oracle = "order", message = "* must come after *, and nothing makes it*"},
    {name = "W13", lowering = "upstream", oracle = "hazard", message = "*, and nothing orders them*"},
    {name = "W13", lowering = "upstream", oracle = "order", message = "*runs before allocation*", schedule = "lazy"}
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
    %w4 = arith.constant 4 : i32
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %none1 = gpu.wait async
    %d, %ready = gpu.alloc async [%none1] () : memref<4xi32>
    %start = gpu.memset async [%ready] %d, %w1 : memref<4xi32>, i32
    %x = gpu.launch_func async [%start] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32>, %w2 : i32)
    gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32>, %w3 : i32)
    %y = gpu.launch_func async [%x] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32>, %w4 : i32)
    %back = gpu.memcpy async [%y] %h, %d : memref<4xi32>, memref<4xi32>
    %freed = gpu.dealloc async [%back] %d : memref<4xi32>
    gpu.wait [%freed]
    agpu.expect %h, dense<58> : tensor<4xi32> : memref<4xi32>
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
