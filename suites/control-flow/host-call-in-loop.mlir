// In each round a kernel changes the buffer, a copy brings it to page-locked memory, and a host function mixes what
// came into a log, in device order; the next copy may come only then.

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
    %w5 = arith.constant 5 : i32
    %rounds = call @opaque(%four) : (index) -> index
    %log = memref.alloc() : memref<1xi32>
    memref.store %w5, %log[%c0] : memref<1xi32>
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    agpu.host_register %h : memref<4xi32>
    %looped, %logged = scf.for %i = %c0 to %rounds step %one iter_args(%c = %start, %l = %start)
        -> (!agpu.chain, !agpu.chain) {
      %w = arith.index_cast %i : index to i32
      %x = agpu.launch_func [%c] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32, 1>, %w : i32)
      %seen = agpu.memcpy [%x, %l] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
      %called = agpu.host_call [%seen] @note(%log, %h) : memref<1xi32>, memref<4xi32>
      scf.yield %seen, %called : !agpu.chain, !agpu.chain
    }
    agpu.wait [%logged]
    agpu.expect %log, dense<771> : tensor<1xi32> : memref<1xi32>
    memref.dealloc %log : memref<1xi32>
    %back = agpu.memcpy [%looped] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<99> : tensor<4xi32> : memref<4xi32>
    agpu.host_unregister %h : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @note(%log: memref<1xi32>, %h: memref<4xi32>) {
    %c0 = arith.constant 0 : index
    %three = arith.constant 3 : i32
    %old = memref.load %log[%c0] : memref<1xi32>
    %came = memref.load %h[%c0] : memref<4xi32>
    %scaled = arith.muli %old, %three : i32
    %new = arith.addi %scaled, %came : i32
    memref.store %new, %log[%c0] : memref<1xi32>
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
