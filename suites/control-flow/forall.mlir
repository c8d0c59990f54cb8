// Rounds of scf.forall, each on a row of its own. It gives no chains, so each round waits for its work.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Three times the old value, plus the writer's number: a writer lost, repeated or out of turn shows.
    gpu.func @mix(%d: memref<4x4xi32, 1>, %row: index, %w: i32) kernel {
      %i = gpu.thread_id x
      %three = arith.constant 3 : i32
      %old = memref.load %d[%row, %i] : memref<4x4xi32, 1>
      %scaled = arith.muli %old, %three : i32
      %new = arith.addi %scaled, %w : i32
      memref.store %new, %d[%row, %i] : memref<4x4xi32, 1>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %four = arith.constant 4 : index
    %w1 = arith.constant 1 : i32
    %rows = call @opaque(%four) : (index) -> index
    %h = memref.alloc() : memref<4x4xi32>
    call @poison(%h) : (memref<4x4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4x4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4x4xi32, 1>, i32
    scf.forall (%y, %x) = (0, 0) to (%two, %rows) step (1, 2) {
      %above = arith.muli %y, %two : index
      %half = arith.divui %x, %two : index
      %row = arith.addi %above, %half : index
      %w = arith.index_cast %row : index to i32
      %first = agpu.launch_func [%start] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4x4xi32, 1>, %row : index, %w : i32)
      %second = agpu.launch_func [%first] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4x4xi32, 1>, %row : index, %w1 : i32)
      agpu.wait [%second]
    }
    %done = agpu.join []
    %back = agpu.memcpy [%done] (%h, %d) : memref<4x4xi32>, memref<4x4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4x4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<[[10, 10, 10, 10], [13, 13, 13, 13], [16, 16, 16, 16], [19, 19, 19, 19]]> : tensor<4x4xi32> : memref<4x4xi32>
    memref.dealloc %h : memref<4x4xi32>
    return
  }

  // Bounds and conditions that no pass folds.
  func.func private @opaque(%value: index) -> index attributes {no_inline} {
    return %value : index
  }

  // So that a copy that did not happen shows.
  func.func private @poison(%h: memref<4x4xi32>) attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %poison = arith.constant -559038737 : i32
    scf.parallel (%y, %x) = (%c0, %c0) to (%four, %four) step (%one, %one) {
      memref.store %poison, %h[%y, %x] : memref<4x4xi32>
    }
    return
  }
}
