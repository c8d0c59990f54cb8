// A gpu token goes through an scf.while.

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
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w1 = arith.constant 1 : i32
    %five = arith.constant 5 : index
    %rounds = call @opaque(%five) : (index) -> index
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %none1 = gpu.wait async
    %d, %ready = gpu.alloc async [%none1] () : memref<4xi32>
    %start = gpu.memset async [%ready] %d, %w1 : memref<4xi32>, i32
    %r:2 = scf.while (%i = %c0, %c = %start) : (index, !gpu.async.token) -> (index, !gpu.async.token) {
      %more = arith.cmpi slt, %i, %rounds : index
      scf.condition(%more) %i, %c : index, !gpu.async.token
    } do {
    ^body(%i: index, %c: !gpu.async.token):
      %w = arith.index_cast %i : index to i32
      %x = gpu.launch_func async [%c] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32>, %w : i32)
      %next = arith.addi %i, %one : index
      scf.yield %next, %x : index, !gpu.async.token
    }
    %back = gpu.memcpy async [%r#1] %h, %d : memref<4xi32>, memref<4xi32>
    %freed = gpu.dealloc async [%back] %d : memref<4xi32>
    gpu.wait [%freed]
    agpu.expect %h, dense<301> : tensor<4xi32> : memref<4xi32>
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
