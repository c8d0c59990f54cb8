// Two device buffers take turns: the copy of the next part overlaps the kernel of the present one. A buffer is filled
// again only when the kernel that read it is done; the host fills page-locked memory before all.

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
    %w7 = arith.constant 7 : i32
    %w100 = arith.constant 100 : i32
    %six = arith.constant 6 : index
    %rounds = call @opaque(%six) : (index) -> index
    // Part i of the input holds 100 + i.
    %input = memref.alloc() : memref<6x4xi32>
    scf.for %i = %c0 to %six step %one {
      scf.for %j = %c0 to %four step %one {
        %n = arith.index_cast %i : index to i32
        %value = arith.addi %n, %w100 : i32
        memref.store %value, %input[%i, %j] : memref<6x4xi32>
      }
    }
    agpu.host_register %input : memref<6x4xi32>
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w7) : memref<4xi32, 1>, i32
    %a0, %free0 = agpu.alloc [] () : memref<4xi32, 1>
    %a1, %free1 = agpu.alloc [] () : memref<4xi32, 1>
    %r:5 = scf.for %i = %c0 to %rounds step %one
        iter_args(%sum = %start, %free = %free0, %other = %free1, %fill = %a0, %drain = %a1)
        -> (!agpu.chain, !agpu.chain, !agpu.chain, memref<4xi32, 1>, memref<4xi32, 1>) {
      %part = memref.subview %input[%i, 0] [1, 4] [1, 1] : memref<6x4xi32> to memref<4xi32, strided<[1], offset: ?>>
      %sent = agpu.memcpy [%free] (%fill, %part) : memref<4xi32, 1>, memref<4xi32, strided<[1], offset: ?>>
      %w = arith.index_cast %i : index to i32
      %x = agpu.launch_func [%sent, %sum] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
          %one)
          args(%d : memref<4xi32, 1>, %fill : memref<4xi32, 1>, %w : i32)
      scf.yield %x, %other, %x, %drain, %fill
          : !agpu.chain, !agpu.chain, !agpu.chain, memref<4xi32, 1>, memref<4xi32, 1>
    }
    %gone0 = agpu.dealloc [%r#0] %a0 : memref<4xi32, 1>
    %gone1 = agpu.dealloc [%r#0] %a1 : memref<4xi32, 1>
    %back = agpu.memcpy [%r#0] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed, %gone0, %gone1]
    agpu.host_unregister %input : memref<6x4xi32>
    memref.dealloc %input : memref<6x4xi32>
    agpu.expect %h, dense<41861> : tensor<4xi32> : memref<4xi32>
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
