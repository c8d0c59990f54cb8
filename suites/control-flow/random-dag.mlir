// 100 kernels on six buffers, drawn at random (seed 7). Each follows the writers of what it reads and the readers and
// the writer of what it overwrites, and nothing else.

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
    %w1 = arith.constant 1 : i32
    %w2 = arith.constant 2 : i32
    %w3 = arith.constant 3 : i32
    %w4 = arith.constant 4 : i32
    %w5 = arith.constant 5 : i32
    %w6 = arith.constant 6 : i32
    %h0 = memref.alloc() : memref<4xi32>
    call @poison(%h0) : (memref<4xi32>) -> ()
    %d0, %ready0 = agpu.alloc [] () : memref<4xi32, 1>
    %start0 = agpu.memset [%ready0] (%d0, %w1) : memref<4xi32, 1>, i32
    %h1 = memref.alloc() : memref<4xi32>
    call @poison(%h1) : (memref<4xi32>) -> ()
    %d1, %ready1 = agpu.alloc [] () : memref<4xi32, 1>
    %start1 = agpu.memset [%ready1] (%d1, %w2) : memref<4xi32, 1>, i32
    %h2 = memref.alloc() : memref<4xi32>
    call @poison(%h2) : (memref<4xi32>) -> ()
    %d2, %ready2 = agpu.alloc [] () : memref<4xi32, 1>
    %start2 = agpu.memset [%ready2] (%d2, %w3) : memref<4xi32, 1>, i32
    %h3 = memref.alloc() : memref<4xi32>
    call @poison(%h3) : (memref<4xi32>) -> ()
    %d3, %ready3 = agpu.alloc [] () : memref<4xi32, 1>
    %start3 = agpu.memset [%ready3] (%d3, %w4) : memref<4xi32, 1>, i32
    %h4 = memref.alloc() : memref<4xi32>
    call @poison(%h4) : (memref<4xi32>) -> ()
    %d4, %ready4 = agpu.alloc [] () : memref<4xi32, 1>
    %start4 = agpu.memset [%ready4] (%d4, %w5) : memref<4xi32, 1>, i32
    %h5 = memref.alloc() : memref<4xi32>
    call @poison(%h5) : (memref<4xi32>) -> ()
    %d5, %ready5 = agpu.alloc [] () : memref<4xi32, 1>
    %start5 = agpu.memset [%ready5] (%d5, %w6) : memref<4xi32, 1>, i32
    %op0 = agpu.launch_func [%start2, %start1] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d2 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %op1 = agpu.launch_func [%start5, %start0] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w1 : i32)
    %op2 = agpu.launch_func [%start4, %start0] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w3 : i32)
    %op3 = agpu.launch_func [%op2, %start0] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w5 : i32)
    %op4 = agpu.launch_func [%start1, %op0, %start0] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w1 : i32)
    %op5 = agpu.launch_func [%start3, %op3] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w1 : i32)
    %op6 = agpu.launch_func [%op4, %start0] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w5 : i32)
    %op7 = agpu.launch_func [%op5, %start0] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w5 : i32)
    %op8 = agpu.launch_func [%start0, %op1, %op2, %op3, %op4, %op6, %op7, %op0] @kernels::@mix_from blocks in (%one,
        %one, %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op9 = agpu.launch_func [%op1, %op3] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d5 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w1 : i32)
    %op10 = agpu.launch_func [%op3, %op5, %op9] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w4 : i32)
    %op11 = agpu.launch_func [%op8, %op0] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d0 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w1 : i32)
    %op12 = agpu.launch_func [%op10, %op6] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d4 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w3 : i32)
    %op13 = agpu.launch_func [%op7, %op6] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d3 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w5 : i32)
    %op14 = agpu.launch_func [%op11, %op9] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d0 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w3 : i32)
    %op15 = agpu.launch_func [%op12, %op6] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d4 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w1 : i32)
    %op16 = agpu.launch_func [%op15, %op9] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d4 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w6 : i32)
    %op17 = agpu.launch_func [%op6, %op12, %op13, %op15] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w1 : i32)
    %op18 = agpu.launch_func [%op16, %op14] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w5 : i32)
    %op19 = agpu.launch_func [%op14, %op18, %op9] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w2 : i32)
    %op20 = agpu.launch_func [%op13, %op17, %op9] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d3 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w4 : i32)
    %op21 = agpu.launch_func [%op0, %op8, %op11, %op18] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w5 : i32)
    %op22 = agpu.launch_func [%op20, %op21] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w3 : i32)
    %op23 = agpu.launch_func [%op17, %op21] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op24 = agpu.launch_func [%op23, %op19] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w5 : i32)
    %op25 = agpu.launch_func [%op21, %op22, %op23, %op9] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w4 : i32)
    %op26 = agpu.launch_func [%op25, %op18] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d2 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w3 : i32)
    %op27 = agpu.launch_func [%op18, %op21, %op26, %op19] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w1 : i32)
    %op28 = agpu.launch_func [%op27, %op22] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w2 : i32)
    %op29 = agpu.launch_func [%op26, %op24] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d2 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %op30 = agpu.launch_func [%op22, %op28, %op19] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d3 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w6 : i32)
    %op31 = agpu.launch_func [%op19, %op24, %op27, %op30, %op9] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w5 : i32)
    %op32 = agpu.launch_func [%op29, %op30] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d2 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w6 : i32)
    %op33 = agpu.launch_func [%op32, %op9] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one,
        %one)
        args(%d2 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w4 : i32)
    %op34 = agpu.launch_func [%op28, %op30] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w1 : i32)
    %op35 = agpu.launch_func [%op31, %op30] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d0 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w4 : i32)
    %op36 = agpu.launch_func [%op9, %op10, %op14, %op16, %op19, %op20, %op25, %op31, %op33,
        %op35] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d5 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w1 : i32)
    %op37 = agpu.launch_func [%op36, %op33] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op38 = agpu.launch_func [%op34, %op30] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w3 : i32)
    %op39 = agpu.launch_func [%op37, %op30] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w6 : i32)
    %op40 = agpu.launch_func [%op33, %op37, %op35] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w4 : i32)
    %op41 = agpu.launch_func [%op40, %op24] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d2 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w5 : i32)
    %op42 = agpu.launch_func [%op35, %op36, %op40, %op38] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w1 : i32)
    %op43 = agpu.launch_func [%op24, %op29, %op41, %op30] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w2 : i32)
    %op44 = agpu.launch_func [%op39, %op43] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %op45 = agpu.launch_func [%op30, %op32, %op34, %op35, %op38, %op39, %op43] @kernels::@mix_from blocks in (%one,
        %one, %one) threads in (%four, %one, %one)
        args(%d3 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w1 : i32)
    %op46 = agpu.launch_func [%op43, %op44, %op38] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w4 : i32)
    %op47 = agpu.launch_func [%op38, %op42, %op45, %op46, %op41] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d4 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w2 : i32)
    %op48 = agpu.launch_func [%op45, %op44] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w3 : i32)
    %op49 = agpu.launch_func [%op44, %op48] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w3 : i32)
    %op50 = agpu.launch_func [%op49, %op48] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w2 : i32)
    %op51 = agpu.launch_func [%op46, %op42] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w2 : i32)
    %op52 = agpu.launch_func [%op51, %op41] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op53 = agpu.launch_func [%op52, %op42] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w4 : i32)
    %op54 = agpu.launch_func [%op47, %op53] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w3 : i32)
    %op55 = agpu.launch_func [%op41, %op47, %op52, %op42] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w2 : i32)
    %op56 = agpu.launch_func [%op48, %op49, %op50] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d3 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w3 : i32)
    %op57 = agpu.launch_func [%op54, %op50] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w3 : i32)
    %op58 = agpu.launch_func [%op53, %op54, %op50] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w5 : i32)
    %op59 = agpu.launch_func [%op50, %op56, %op57, %op58, %op42] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d5 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w4 : i32)
    %op60 = agpu.launch_func [%op59, %op57] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d5 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w4 : i32)
    %op61 = agpu.launch_func [%op56, %op57] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w4 : i32)
    %op62 = agpu.launch_func [%op42, %op51, %op53, %op55, %op59, %op57] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w6 : i32)
    %op63 = agpu.launch_func [%op61, %op62] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w2 : i32)
    %op64 = agpu.launch_func [%op62, %op63, %op55] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w4 : i32)
    %op65 = agpu.launch_func [%op58, %op64] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w3 : i32)
    %op66 = agpu.launch_func [%op57, %op60, %op61, %op62, %op64] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w1 : i32)
    %op67 = agpu.launch_func [%op64, %op65, %op66, %op60] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w2 : i32)
    %op68 = agpu.launch_func [%op66, %op67] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w3 : i32)
    %op69 = agpu.launch_func [%op68, %op67] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w1 : i32)
    %op70 = agpu.launch_func [%op65, %op60] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w4 : i32)
    %op71 = agpu.launch_func [%op70, %op63] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w3 : i32)
    %op72 = agpu.launch_func [%op69, %op55] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w4 : i32)
    %op73 = agpu.launch_func [%op67, %op68, %op69, %op71] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %op74 = agpu.launch_func [%op63, %op71, %op72] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d3 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w4 : i32)
    %op75 = agpu.launch_func [%op55, %op64, %op72, %op73] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d0 : memref<4xi32, 1>, %w2 : i32)
    %op76 = agpu.launch_func [%op73, %op75, %op74] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d0 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w6 : i32)
    %op77 = agpu.launch_func [%op75, %op72] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d2 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w6 : i32)
    %op78 = agpu.launch_func [%op71, %op73, %op60] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w1 : i32)
    %op79 = agpu.launch_func [%op78, %op60] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w3 : i32)
    %op80 = agpu.launch_func [%op79, %op60] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w1 : i32)
    %op81 = agpu.launch_func [%op72, %op74, %op77] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d4 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op82 = agpu.launch_func [%op76, %op74] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d0 : memref<4xi32, 1>, %d3 : memref<4xi32, 1>, %w5 : i32)
    %op83 = agpu.launch_func [%op77, %op81, %op80] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w3 : i32)
    %op84 = agpu.launch_func [%op80, %op83, %op60] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w5 : i32)
    %op85 = agpu.launch_func [%op81, %op83] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d4 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op86 = agpu.launch_func [%op84, %op60] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w2 : i32)
    %op87 = agpu.launch_func [%op86, %op85] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w6 : i32)
    %op88 = agpu.launch_func [%op87, %op83] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d1 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w5 : i32)
    %op89 = agpu.launch_func [%op74, %op76, %op82, %op83] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d3 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op90 = agpu.launch_func [%op82, %op88] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d0 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w3 : i32)
    %op91 = agpu.launch_func [%op89, %op83] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w2 : i32)
    %op92 = agpu.launch_func [%op60, %op67, %op70, %op78, %op79, %op80, %op84, %op86,
        %op85] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d5 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w3 : i32)
    %op93 = agpu.launch_func [%op91, %op83] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w3 : i32)
    %op94 = agpu.launch_func [%op90, %op83] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d0 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w1 : i32)
    %op95 = agpu.launch_func [%op88, %op90, %op85] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d1 : memref<4xi32, 1>, %d4 : memref<4xi32, 1>, %w2 : i32)
    %op96 = agpu.launch_func [%op83, %op85, %op88, %op89, %op91, %op93, %op94,
        %op95] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%d2 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %op97 = agpu.launch_func [%op85, %op87, %op92, %op95] @kernels::@mix_from blocks in (%one, %one,
        %one) threads in (%four, %one, %one)
        args(%d4 : memref<4xi32, 1>, %d5 : memref<4xi32, 1>, %w1 : i32)
    %op98 = agpu.launch_func [%op93, %op96] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d3 : memref<4xi32, 1>, %d2 : memref<4xi32, 1>, %w6 : i32)
    %op99 = agpu.launch_func [%op94, %op95] @kernels::@mix_from blocks in (%one, %one, %one) threads in (%four,
        %one, %one)
        args(%d0 : memref<4xi32, 1>, %d1 : memref<4xi32, 1>, %w4 : i32)
    %back0 = agpu.memcpy [%op99] (%h0, %d0) : memref<4xi32>, memref<4xi32, 1>
    %freed0 = agpu.dealloc [%back0] %d0 : memref<4xi32, 1>
    %back1 = agpu.memcpy [%op95, %op96, %op99] (%h1, %d1) : memref<4xi32>, memref<4xi32, 1>
    %freed1 = agpu.dealloc [%back1] %d1 : memref<4xi32, 1>
    %back2 = agpu.memcpy [%op96, %op98] (%h2, %d2) : memref<4xi32>, memref<4xi32, 1>
    %freed2 = agpu.dealloc [%back2] %d2 : memref<4xi32, 1>
    %back3 = agpu.memcpy [%op98] (%h3, %d3) : memref<4xi32>, memref<4xi32, 1>
    %freed3 = agpu.dealloc [%back3] %d3 : memref<4xi32, 1>
    %back4 = agpu.memcpy [%op97] (%h4, %d4) : memref<4xi32>, memref<4xi32, 1>
    %freed4 = agpu.dealloc [%back4] %d4 : memref<4xi32, 1>
    %back5 = agpu.memcpy [%op92, %op97] (%h5, %d5) : memref<4xi32>, memref<4xi32, 1>
    %freed5 = agpu.dealloc [%back5] %d5 : memref<4xi32, 1>
    agpu.wait [%freed0, %freed1, %freed2, %freed3, %freed4, %freed5]
    agpu.expect %h0, dense<932747814> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h0 : memref<4xi32>
    agpu.expect %h1, dense<-1431199780> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h1 : memref<4xi32>
    agpu.expect %h2, dense<1442121115> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h2 : memref<4xi32>
    agpu.expect %h3, dense<-1951618690> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h3 : memref<4xi32>
    agpu.expect %h4, dense<995809628> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h4 : memref<4xi32>
    agpu.expect %h5, dense<349754047> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h5 : memref<4xi32>
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
