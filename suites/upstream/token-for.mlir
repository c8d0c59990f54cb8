// Two gpu tokens go around a loop; after it gpu.wait async joins them.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "W5", lowering = "upstream", oracle = "errors", message = "*must be an event, but * is a stream*"},
    {name = "W5", lowering = "upstream", oracle = "values", message = "*"}
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
    %five = arith.constant 5 : index
    %rounds = call @opaque(%five) : (index) -> index
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
    %r:2 = scf.for %i = %c0 to %rounds step %one iter_args(%a = %start0, %b = %start1)
        -> (!gpu.async.token, !gpu.async.token) {
      %w = arith.index_cast %i : index to i32
      %x = gpu.launch_func async [%a] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d0 : memref<4xi32>, %w : i32)
      %y = gpu.launch_func async [%b] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d1 : memref<4xi32>, %w2 : i32)
      scf.yield %x, %y : !gpu.async.token, !gpu.async.token
    }
    %both = gpu.wait async [%r#0, %r#1]
    %z = gpu.launch_func async [%both] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32>, %d1 : memref<4xi32>, %w1 : i32)
    %back0 = gpu.memcpy async [%z] %h0, %d0 : memref<4xi32>, memref<4xi32>
    %freed0 = gpu.dealloc async [%back0] %d0 : memref<4xi32>
    %back1 = gpu.memcpy async [%z] %h1, %d1 : memref<4xi32>, memref<4xi32>
    %freed1 = gpu.dealloc async [%back1] %d1 : memref<4xi32>
    gpu.wait [%freed0, %freed1]
    agpu.expect %h0, dense<1632> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h0 : memref<4xi32>
    agpu.expect %h1, dense<728> : tensor<4xi32> : memref<4xi32>
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
