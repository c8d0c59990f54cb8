// Two chains are carried side by side, one a buffer; after the loop both meet.

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

    // As mix, with another buffer's values added: shows whether that buffer was ready.
    gpu.func @mix_from(%d: memref<4xi32, 1>, %s: memref<4xi32, 1>, %w: i32) kernel {
      %i = gpu.thread_id x
      %three = arith.constant 3 : i32
      %old = memref.load %d[%i] : memref<4xi32, 1>
      %read = memref.load %s[%i] : memref<4xi32, 1>
      %scaled = arith.muli %old, %three : i32
      %both = arith.addi %scaled, %read : i32
      %new = arith.addi %both, %w : i32
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
    %five = arith.constant 5 : index
    %rounds = call @opaque(%five) : (index) -> index
    %h0 = memref.alloc() : memref<4xi32>
    call @poison(%h0) : (memref<4xi32>) -> ()
    %d0, %ready0 = agpu.alloc [] () : memref<4xi32, 1>
    %start0 = agpu.memset [%ready0] (%d0, %w1) : memref<4xi32, 1>, i32
    %h1 = memref.alloc() : memref<4xi32>
    call @poison(%h1) : (memref<4xi32>) -> ()
    %d1, %ready1 = agpu.alloc [] () : memref<4xi32, 1>
    %start1 = agpu.memset [%ready1] (%d1, %w2) : memref<4xi32, 1>, i32
    %l0, %l1 = scf.for %i = %c0 to %rounds step %one iter_args(%a = %start0, %b = %start1)
        -> (!agpu.chain, !agpu.chain) {
      %x = agpu.launch_func [%a] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d0 : memref<4xi32, 1>, %w2 : i32)
      %y = agpu.launch_func [%b] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d1 : memref<4xi32, 1>, %w3 : i32)
      scf.yield %x, %y : !agpu.chain, !agpu.chain
    }
    %met = agpu.launch_func [%l0, %l1] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %back0 = agpu.memcpy [%met] (%h0, %d0) : memref<4xi32>, memref<4xi32, 1>
    %freed0 = agpu.dealloc [%back0] %d0 : memref<4xi32, 1>
    %back1 = agpu.memcpy [%met] (%h1, %d1) : memref<4xi32>, memref<4xi32, 1>
    %freed1 = agpu.dealloc [%back1] %d1 : memref<4xi32, 1>
    agpu.wait [%freed0, %freed1]
    agpu.expect %h0, dense<2308> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h0 : memref<4xi32>
    agpu.expect %h1, dense<849> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h1 : memref<4xi32>
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
