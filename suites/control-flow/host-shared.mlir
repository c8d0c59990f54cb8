// Memory that host and device share: the host writes, a kernel changes, the host reads after the wait.

module attributes {gpu.container_module} {
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
    %w2 = arith.constant 2 : i32
    %s, %ready = agpu.alloc [] host_shared () : memref<4xi32>
    agpu.wait [%ready]
    scf.for %i = %c0 to %four step %one {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %s[%i] : memref<4xi32>
    }
    %x = agpu.launch_func [] @kernels::@mix blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%s : memref<4xi32>, %w2 : i32)
    agpu.wait [%x]
    agpu.expect %s, dense<[2, 5, 8, 11]> : tensor<4xi32> : memref<4xi32>
    %freed = agpu.dealloc [] %s : memref<4xi32>
    agpu.wait [%freed]
    return
  }
}
