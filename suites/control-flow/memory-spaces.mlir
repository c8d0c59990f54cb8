// A memref.alloc in memory space 1 or in the gpu dialect's global space becomes a device allocation, with what frees
// it; plain memrefs of an agpu.alloc are device memory too.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Each buffer gets the next one's values.
    gpu.func @rotate(%a: memref<4xi32, 1>, %b: memref<4xi32, #gpu.address_space<global>>, %c: memref<4xi32>) kernel {
      %i = gpu.thread_id x
      %va = memref.load %a[%i] : memref<4xi32, 1>
      %vb = memref.load %b[%i] : memref<4xi32, #gpu.address_space<global>>
      %vc = memref.load %c[%i] : memref<4xi32>
      memref.store %vb, %a[%i] : memref<4xi32, 1>
      memref.store %vc, %b[%i] : memref<4xi32, #gpu.address_space<global>>
      memref.store %va, %c[%i] : memref<4xi32>
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
    %h0 = memref.alloc() : memref<4xi32>
    %h1 = memref.alloc() : memref<4xi32>
    %h2 = memref.alloc() : memref<4xi32>
    call @poison(%h0) : (memref<4xi32>) -> ()
    call @poison(%h1) : (memref<4xi32>) -> ()
    call @poison(%h2) : (memref<4xi32>) -> ()
    %a = memref.alloc() : memref<4xi32, 1>
    %b = memref.alloc() : memref<4xi32, #gpu.address_space<global>>
    %c, %ready = agpu.alloc [] () : memref<4xi32>
    %s0 = agpu.memset [] (%a, %w1) : memref<4xi32, 1>, i32
    %s1 = agpu.memset [] (%b, %w2) : memref<4xi32, #gpu.address_space<global>>, i32
    %s2 = agpu.memset [%ready] (%c, %w3) : memref<4xi32>, i32
    %x = agpu.launch_func [%s0, %s1, %s2] @kernels::@rotate blocks in (%one, %one, %one) threads in (%four, %one, %one)
        args(%a : memref<4xi32, 1>, %b : memref<4xi32, #gpu.address_space<global>>, %c : memref<4xi32>)
    %t0 = agpu.memcpy [%x] (%h0, %a) : memref<4xi32>, memref<4xi32, 1>
    %t1 = agpu.memcpy [%x] (%h1, %b) : memref<4xi32>, memref<4xi32, #gpu.address_space<global>>
    %t2 = agpu.memcpy [%x] (%h2, %c) : memref<4xi32>, memref<4xi32>
    %freed = agpu.dealloc [%t2] %c : memref<4xi32>
    agpu.wait [%t0, %t1, %freed]
    memref.dealloc %a : memref<4xi32, 1>
    memref.dealloc %b : memref<4xi32, #gpu.address_space<global>>
    agpu.expect %h0, dense<2> : tensor<4xi32> : memref<4xi32>
    agpu.expect %h1, dense<3> : tensor<4xi32> : memref<4xi32>
    agpu.expect %h2, dense<1> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h0 : memref<4xi32>
    memref.dealloc %h1 : memref<4xi32>
    memref.dealloc %h2 : memref<4xi32>
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
