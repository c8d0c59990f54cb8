// W9: an allocation after two tokens, whose own token then stands for both. Upstream leaves it in place and takes
// later tokens for events.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "W9", lowering = "upstream", oracle = "errors", message = "*Translation failed*unrealized_conversion_cast*"}
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

    // As mix, with another buffer's values added: shows whether that buffer was ready.
    gpu.func @mix_from(%d: memref<4xi32>, %s: memref<4xi32>, %w: i32) kernel {
      %i = gpu.thread_id x
      %three = arith.constant 3 : i32
      %old = memref.load %d[%i] : memref<4xi32>
      %read = memref.load %s[%i] : memref<4xi32>
      %scaled = arith.muli %old, %three : i32
      %both = arith.addi %scaled, %read : i32
      %new = arith.addi %both, %w : i32
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
    %h0 = memref.alloc() : memref<4xi32>
    call @poison(%h0) : (memref<4xi32>) -> ()
    %none1 = gpu.wait async
    %d0, %ready0 = gpu.alloc async [%none1] () : memref<4xi32>
    %start0 = gpu.memset async [%ready0] %d0, %w1 : memref<4xi32>, i32
    %h1 = memref.alloc() : memref<4xi32>
    call @poison(%h1) : (memref<4xi32>) -> ()
    %none2 = gpu.wait async
    %d1, %ready1 = gpu.alloc async [%none2] () : memref<4xi32>
    %start1 = gpu.memset async [%ready1] %d1, %w2 : memref<4xi32>, i32
    %x = gpu.launch_func async [%start0] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32>, %w3 : i32)
    %y = gpu.launch_func async [%start1] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32>, %w4 : i32)
    %e, %have = gpu.alloc async [%x, %y] () : memref<4xi32>
    %set = gpu.memset async [%have] %e, %w4 : memref<4xi32>, i32
    %z = gpu.launch_func async [%set] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32>, %d1 : memref<4xi32>, %w1 : i32)
    %u = gpu.launch_func async [%z] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32>, %e : memref<4xi32>, %w2 : i32)
    %gone = gpu.dealloc async [%u] %e : memref<4xi32>
    %back0 = gpu.memcpy async [%gone] %h0, %d0 : memref<4xi32>, memref<4xi32>
    %freed0 = gpu.dealloc async [%back0] %d0 : memref<4xi32>
    %back1 = gpu.memcpy async [%gone] %h1, %d1 : memref<4xi32>, memref<4xi32>
    %freed1 = gpu.dealloc async [%back1] %d1 : memref<4xi32>
    gpu.wait [%freed0, %freed1]
    agpu.expect %h0, dense<93> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h0 : memref<4xi32>
    agpu.expect %h1, dense<10> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h1 : memref<4xi32>
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
