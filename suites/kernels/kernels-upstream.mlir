// Kernels in upstream's form: gpu.launch and gpu.launch_func with tokens, workgroup memory as an attribution, dynamic
// shared memory.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%m: memref<?xi32>) workgroup(%w: memref<32xi32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %last = arith.constant 31 : index
      %other = arith.subi %last, %t : index
      %v = memref.load %m[%t] : memref<?xi32>
      memref.store %v, %w[%t] : memref<32xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = memref.load %w[%other] : memref<32xi32, #gpu.address_space<workgroup>>
      memref.store %r, %m[%t] : memref<?xi32>
      gpu.return
    }
    gpu.func @rotate(%m: memref<?xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %n = gpu.block_dim x
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %w = memref.view %bytes[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>>
          to memref<?xi32, #gpu.address_space<workgroup>>
      %v = memref.load %m[%t] : memref<?xi32>
      memref.store %v, %w[%t] : memref<?xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %next = arith.addi %t, %c1 : index
      %other = arith.remui %next, %n : index
      %r = memref.load %w[%other] : memref<?xi32, #gpu.address_space<workgroup>>
      memref.store %r, %m[%t] : memref<?xi32>
      gpu.return
    }
  }

  func.func @main() {
    %one = arith.constant 1 : index
    %count = arith.constant 32 : index
    %bytes = arith.constant 128 : i32
    %h = memref.alloc(%count) : memref<?xi32>
    %start = gpu.wait async
    %d, %allocated = gpu.alloc async [%start] (%count) : memref<?xi32>
    %filled = gpu.launch async [%allocated] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                            threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
      %v = arith.index_cast %tx : index to i32
      %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
      %x = arith.addi %sum, %v : i32
      memref.store %x, %d[%tx] : memref<?xi32>
      gpu.terminator
    }
    %reversed = gpu.launch_func async [%filled] @kernels::@reverse
        blocks in (%one, %one, %one) threads in (%count, %one, %one) args(%d : memref<?xi32>)
    %rotated = gpu.launch_func async [%reversed] @kernels::@rotate
        blocks in (%one, %one, %one) threads in (%count, %one, %one) dynamic_shared_memory_size %bytes
        args(%d : memref<?xi32>)
    %copied = gpu.memcpy async [%rotated] %h, %d : memref<?xi32>, memref<?xi32>
    %freed = gpu.dealloc async [%copied] %d : memref<?xi32>
    gpu.wait [%freed]
    agpu.expect %h, dense<[526, 525, 524, 523, 522, 521, 520, 519, 518, 517, 516, 515, 514, 513, 512, 511,
        510, 509, 508, 507, 506, 505, 504, 503, 502, 501, 500, 499, 498, 497, 496, 527]> : tensor<32xi32>
        : memref<?xi32>
    memref.dealloc %h : memref<?xi32>
    return
  }
}
