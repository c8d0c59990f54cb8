// async.execute on either branch of an scf.if, whose token follows from there.

module attributes {
  gpu.container_module,
  agpu.expect_findings = [
    {name = "async token through a branch", lowering = "upstream", oracle = "errors", message = "*failed to legalize operation 'cf.br'*"}
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
    %yes = arith.constant true
    %no = arith.constant false
    %then = call @truth(%yes) : (i1) -> i1
    %else = call @truth(%no) : (i1) -> i1
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d = gpu.alloc () : memref<4xi32>
    %start = async.execute {
      gpu.memset %d, %w1 : memref<4xi32>, i32
      async.yield
    }
    %a = scf.if %then -> (!async.token) {
      %x = async.execute [%start] {
        gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
            args(%d : memref<4xi32>, %w2 : i32)
        async.yield
      }
      scf.yield %x : !async.token
    } else {
      scf.yield %start : !async.token
    }
    %b = scf.if %else -> (!async.token) {
      scf.yield %a : !async.token
    } else {
      %x = async.execute [%a] {
        gpu.launch_func @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
            args(%d : memref<4xi32>, %w3 : i32)
        async.yield
      }
      scf.yield %x : !async.token
    }
    %back = async.execute [%b] {
      gpu.memcpy %h, %d : memref<4xi32>, memref<4xi32>
      gpu.dealloc %d : memref<4xi32>
      async.yield
    }
    async.await %back : !async.token
    agpu.expect %h, dense<18> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  func.func private @truth(%value: i1) -> i1 attributes {no_inline} {
    return %value : i1
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
