// A function calls itself with the chain of its step, six deep; at the bottom it returns what it was given.

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
    %six = arith.constant 6 : index
    %depth = call @opaque(%six) : (index) -> index
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    %x = call @descend(%d, %depth, %start) : (memref<4xi32, 1>, index, !agpu.chain) -> !agpu.chain
    %back = agpu.memcpy [%x] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<2734> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @descend(%d: memref<4xi32, 1>, %depth: index, %c: !agpu.chain)
      -> !agpu.chain attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %bottom = arith.cmpi eq, %depth, %c0 : index
    %result = scf.if %bottom -> (!agpu.chain) {
      scf.yield %c : !agpu.chain
    } else {
      %w = arith.index_cast %depth : index to i32
      %x = agpu.launch_func [%c] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32, 1>, %w : i32)
      %less = arith.subi %depth, %one : index
      %deep = func.call @descend(%d, %less, %x) : (memref<4xi32, 1>, index, !agpu.chain) -> !agpu.chain
      scf.yield %deep : !agpu.chain
    }
    return %result : !agpu.chain
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
