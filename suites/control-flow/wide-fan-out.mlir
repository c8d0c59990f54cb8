// 24 kernels leave one fork side by side, more than a plan has streams, and meet in one that mixes all of their rows.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Row k: three times what is there, plus the source, plus k.
    gpu.func @part(%many: memref<24x4xi32, 1>, %s: memref<4xi32, 1>, %k: index) kernel {
      %i = gpu.thread_id x
      %three = arith.constant 3 : i32
      %w = arith.index_cast %k : index to i32
      %old = memref.load %many[%k, %i] : memref<24x4xi32, 1>
      %read = memref.load %s[%i] : memref<4xi32, 1>
      %scaled = arith.muli %old, %three : i32
      %both = arith.addi %scaled, %read : i32
      %new = arith.addi %both, %w : i32
      memref.store %new, %many[%k, %i] : memref<24x4xi32, 1>
      gpu.return
    }

    // Mixes all rows into the source.
    gpu.func @sum(%many: memref<24x4xi32, 1>, %s: memref<4xi32, 1>) kernel {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : index
      %rows = arith.constant 24 : index
      %three = arith.constant 3 : i32
      %first = memref.load %s[%i] : memref<4xi32, 1>
      %mixed = scf.for %k = %c0 to %rows step %one iter_args(%sum = %first) -> (i32) {
        %row = memref.load %many[%k, %i] : memref<24x4xi32, 1>
        %scaled = arith.muli %sum, %three : i32
        %next = arith.addi %scaled, %row : i32
        scf.yield %next : i32
      }
      memref.store %mixed, %s[%i] : memref<4xi32, 1>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w1 = arith.constant 1 : i32
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    %w100 = arith.constant 100 : i32
    %many, %room = agpu.alloc [] () : memref<24x4xi32, 1>
    %clear = agpu.memset [%room] (%many, %w100) : memref<24x4xi32, 1>, i32
    %k0 = arith.constant 0 : index
    %c_0 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k0 : index)
    %k1 = arith.constant 1 : index
    %c_1 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k1 : index)
    %k2 = arith.constant 2 : index
    %c_2 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k2 : index)
    %k3 = arith.constant 3 : index
    %c_3 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k3 : index)
    %k4 = arith.constant 4 : index
    %c_4 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k4 : index)
    %k5 = arith.constant 5 : index
    %c_5 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k5 : index)
    %k6 = arith.constant 6 : index
    %c_6 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k6 : index)
    %k7 = arith.constant 7 : index
    %c_7 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k7 : index)
    %k8 = arith.constant 8 : index
    %c_8 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k8 : index)
    %k9 = arith.constant 9 : index
    %c_9 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k9 : index)
    %k10 = arith.constant 10 : index
    %c_10 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k10 : index)
    %k11 = arith.constant 11 : index
    %c_11 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k11 : index)
    %k12 = arith.constant 12 : index
    %c_12 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k12 : index)
    %k13 = arith.constant 13 : index
    %c_13 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k13 : index)
    %k14 = arith.constant 14 : index
    %c_14 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k14 : index)
    %k15 = arith.constant 15 : index
    %c_15 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k15 : index)
    %k16 = arith.constant 16 : index
    %c_16 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k16 : index)
    %k17 = arith.constant 17 : index
    %c_17 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k17 : index)
    %k18 = arith.constant 18 : index
    %c_18 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k18 : index)
    %k19 = arith.constant 19 : index
    %c_19 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k19 : index)
    %k20 = arith.constant 20 : index
    %c_20 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k20 : index)
    %k21 = arith.constant 21 : index
    %c_21 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k21 : index)
    %k22 = arith.constant 22 : index
    %c_22 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k22 : index)
    %k23 = arith.constant 23 : index
    %c_23 = agpu.launch_func [%start, %clear] @kernels::@part blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>, %k23 : index)
    %all = agpu.join [%c_0, %c_1, %c_2, %c_3, %c_4, %c_5, %c_6, %c_7, %c_8, %c_9, %c_10, %c_11, %c_12, %c_13, %c_14,
        %c_15, %c_16, %c_17, %c_18, %c_19, %c_20, %c_21, %c_22, %c_23]
    %sum = agpu.launch_func [%all] @kernels::@sum blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%many : memref<24x4xi32, 1>, %d : memref<4xi32, 1>)
    %gone = agpu.dealloc [%sum] %many : memref<24x4xi32, 1>
    agpu.wait [%gone]
    %back = agpu.memcpy [%sum] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<-796485955> : tensor<4xi32> : memref<4xi32>
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
