// Synchronous operations between asynchronous ones: each is complete when the host goes on, and waits for no chain by
// itself. The host orders them where they meet.

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
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    %x = agpu.launch_func [%start] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w2 : i32)
    %e = agpu.alloc () : memref<4xi32, 1>
    agpu.memset (%e, %w4) : memref<4xi32, 1>, i32
    agpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%e : memref<4xi32, 1>, %w1 : i32)
    %g = memref.alloc() : memref<4xi32>
    call @poison(%g) : (memref<4xi32>) -> ()
    agpu.memcpy (%g, %e) : memref<4xi32>, memref<4xi32, 1>
    agpu.expect %g, dense<13> : tensor<4xi32> : memref<4xi32>
    agpu.dealloc %e : memref<4xi32, 1>
    memref.dealloc %g : memref<4xi32>
    agpu.wait [%x]
    // The host knows that x is complete: a synchronous launch on the same buffer comes after it.
    agpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w3 : i32)
    %y = agpu.launch_func [] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w4 : i32)
    %back = agpu.memcpy [%y] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
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
