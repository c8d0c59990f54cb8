// Several kernels in one module, two of which call a function of that module; another calls itself.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @square(%x: i32) -> i32 {
      %r = arith.muli %x, %x : i32
      return %r : i32
    }
    func.func @factorial(%n: i32) -> i32 {
      %one = arith.constant 1 : i32
      %last = arith.cmpi sle, %n, %one : i32
      %r = scf.if %last -> (i32) {
        scf.yield %one : i32
      } else {
        %less = arith.subi %n, %one : i32
        %rest = func.call @factorial(%less) : (i32) -> i32
        %product = arith.muli %n, %rest : i32
        scf.yield %product : i32
      }
      return %r : i32
    }
    gpu.func @squares(%m: memref<8xi32>) kernel {
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      %r = func.call @square(%v) : (i32) -> i32
      memref.store %r, %m[%t] : memref<8xi32>
      gpu.return
    }
    gpu.func @square_again(%m: memref<8xi32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %m[%t] : memref<8xi32>
      %r = func.call @square(%v) : (i32) -> i32
      memref.store %r, %m[%t] : memref<8xi32>
      gpu.return
    }
    gpu.func @add_factorials(%m: memref<8xi32>) kernel {
      %t = gpu.thread_id x
      %v = arith.index_cast %t : index to i32
      %f = func.call @factorial(%v) : (i32) -> i32
      %old = memref.load %m[%t] : memref<8xi32>
      %r = arith.addi %old, %f : i32
      memref.store %r, %m[%t] : memref<8xi32>
      gpu.return
    }
  }

  func.func @main() {
    %one = arith.constant 1 : index
    %count = arith.constant 8 : index
    %h = memref.alloc() : memref<8xi32>
    %d, %allocated = agpu.alloc [] () : memref<8xi32>
    %c1 = agpu.launch_func [%allocated] @kernels::@squares blocks in (%one, %one, %one) threads in (%count, %one, %one)
        args(%d : memref<8xi32>)
    %c2 = agpu.launch_func [%c1] @kernels::@square_again blocks in (%one, %one, %one) threads in (%count, %one, %one)
        args(%d : memref<8xi32>)
    %c3 = agpu.launch_func [%c2] @kernels::@add_factorials blocks in (%one, %one, %one) threads in (%count, %one, %one)
        args(%d : memref<8xi32>)
    %copied = agpu.memcpy [%c3] (%h, %d) : memref<8xi32>, memref<8xi32>
    %freed = agpu.dealloc [%copied] %d : memref<8xi32>
    agpu.wait [%freed]
    agpu.expect %h, dense<[1, 2, 18, 87, 280, 745, 2016, 7441]> : tensor<8xi32> : memref<8xi32>
    memref.dealloc %h : memref<8xi32>
    return
  }
}
