// Two kernel modules whose kernels have the same name, launched from two functions, one of them twice.

module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @kernel(%m: memref<?xi32>, %v: i32) kernel {
      %t = gpu.thread_id x
      %old = memref.load %m[%t] : memref<?xi32>
      %new = arith.addi %old, %v : i32
      memref.store %new, %m[%t] : memref<?xi32>
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @kernel(%m: memref<?xi32>, %v: i32) kernel {
      %t = gpu.thread_id x
      %old = memref.load %m[%t] : memref<?xi32>
      %new = arith.muli %old, %v : i32
      memref.store %new, %m[%t] : memref<?xi32>
      gpu.return
    }
  }

  // m = (m + v) * v
  func.func @change(%m: memref<?xi32>, %v: i32, %before: !agpu.chain) -> !agpu.chain {
    %one = arith.constant 1 : index
    %count = arith.constant 4 : index
    %added = agpu.launch_func [%before] @first::@kernel blocks in (%one, %one, %one) threads in (%count, %one, %one)
        args(%m : memref<?xi32>, %v : i32)
    %multiplied = agpu.launch_func [%added] @second::@kernel
        blocks in (%one, %one, %one) threads in (%count, %one, %one) args(%m : memref<?xi32>, %v : i32)
    return %multiplied : !agpu.chain
  }

  func.func @main() {
    %one = arith.constant 1 : index
    %count = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %h = memref.alloc(%count) : memref<?xi32>
    %d, %allocated = agpu.alloc [] (%count) : memref<?xi32>
    %cleared = agpu.memset [%allocated] (%d, %zero) : memref<?xi32>, i32
    %changed = call @change(%d, %two, %cleared) : (memref<?xi32>, i32, !agpu.chain) -> !agpu.chain
    %changed_again = call @change(%d, %three, %changed) : (memref<?xi32>, i32, !agpu.chain) -> !agpu.chain
    %added = agpu.launch_func [%changed_again] @first::@kernel
        blocks in (%one, %one, %one) threads in (%count, %one, %one) args(%d : memref<?xi32>, %two : i32)
    %copied = agpu.memcpy [%added] (%h, %d) : memref<?xi32>, memref<?xi32>
    %freed = agpu.dealloc [%copied] %d : memref<?xi32>
    agpu.wait [%freed]
    agpu.expect %h, dense<23> : tensor<4xi32> : memref<?xi32>
    memref.dealloc %h : memref<?xi32>
    return
  }
}
