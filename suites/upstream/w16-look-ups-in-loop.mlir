// W16: one kernel is launched in a loop. Upstream looks its function up again for each launch.

module attributes {
  gpu.container_module,
  agpu.expect_at_most = {functions_looked_up = 1 : i64},
  agpu.expect_findings = [
    {name = "W16", lowering = "upstream", oracle = "calls", message = "functions_looked_up*"}
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
    %h = memref.alloc() : memref<4xi32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<4xi32>
    %t2 = gpu.memset async [%t1] %d, %w1 : memref<4xi32>, i32
    gpu.wait [%t2]
    scf.for %i = %c0 to %four step %one {
      %w = arith.index_cast %i : index to i32
      %t = gpu.wait async
      %x = gpu.launch_func async [%t] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
          args(%d : memref<4xi32>, %w : i32)
      gpu.wait [%x]
    }
    %t3 = gpu.wait async
    %t4 = gpu.memcpy async [%t3] %h, %d : memref<4xi32>, memref<4xi32>
    %t5 = gpu.dealloc async [%t4] %d : memref<4xi32>
    gpu.wait [%t5]
    agpu.expect %h, dense<99> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }
}
