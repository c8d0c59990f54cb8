// ROUNDS rounds: work on two streams, joined; a carried chain; memory of its own; a call with chains; a host wait.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%d: memref<4xi32, 1>, %w: i32) kernel {
      %i = gpu.thread_id x
      %old = memref.load %d[%i] : memref<4xi32, 1>
      %new = arith.addi %old, %w : i32
      memref.store %new, %d[%i] : memref<4xi32, 1>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %w1 = arith.constant 1 : i32
    %rounds = arith.constant ROUNDS : index
    %h = memref.alloc() : memref<4xi32>
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %zero) : memref<4xi32, 1>, i32
    %done = scf.for %i = %c0 to %rounds step %one iter_args(%c = %start) -> (!agpu.chain) {
      %t, %there = agpu.alloc [] () : memref<4xi32, 1>
      %u, %here = agpu.alloc [] () : memref<4xi32, 1>
      %a = agpu.memset [%there] (%t, %w1) : memref<4xi32, 1>, i32
      %b = agpu.memset [%here] (%u, %w1) : memref<4xi32, 1>, i32
      %k = agpu.launch_func [%c] @kernels::@add blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32, 1>, %w1 : i32)
      %both = agpu.join [%a, %b]
      %e = func.call @step(%t, %w1, %both) : (memref<4xi32, 1>, i32, !agpu.chain) -> !agpu.chain
      agpu.wait [%e]
      %f = agpu.dealloc [%e] %t : memref<4xi32, 1>
      %g = agpu.dealloc [%e] %u : memref<4xi32, 1>
      %all = agpu.join [%k, %f, %g]
      scf.yield %all : !agpu.chain
    }
    %back = agpu.memcpy [%done] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<ROUNDS> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @step(%d: memref<4xi32, 1>, %w: i32, %c: !agpu.chain) -> !agpu.chain attributes {no_inline} {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %x = agpu.launch_func [%c] @kernels::@add blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d : memref<4xi32, 1>, %w : i32)
    return %x : !agpu.chain
  }
}
