// Copies between unranked memrefs, there and back.

module attributes {gpu.container_module} {

  func.func @main() {
    %in = memref.alloc() : memref<3x4xi32>
    %out = memref.alloc() : memref<3x4xi32>
    call @iota(%in) : (memref<3x4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<3x4xi32, 1>
    %in_any = memref.cast %in : memref<3x4xi32> to memref<*xi32>
    %out_any = memref.cast %out : memref<3x4xi32> to memref<*xi32>
    %d_any = memref.cast %d : memref<3x4xi32, 1> to memref<*xi32, 1>
    %sent = agpu.memcpy [%ready] (%d_any, %in_any) : memref<*xi32, 1>, memref<*xi32>
    %back = agpu.memcpy [%sent] (%out_any, %d_any) : memref<*xi32>, memref<*xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<3x4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %out_any, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32> : memref<*xi32>
    memref.dealloc %in : memref<3x4xi32>
    memref.dealloc %out : memref<3x4xi32>
    return
  }

  // The elements in order: 0, 1, 2, …
  func.func private @iota(%h: memref<3x4xi32>) attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %size0 = arith.constant 3 : index
    %size1 = arith.constant 4 : index
    scf.for %i0 = %c0 to %size0 step %one {
      scf.for %i1 = %c0 to %size1 step %one {
        %m1 = arith.muli %i0, %size1 : index
        %a1 = arith.addi %m1, %i1 : index
        %v = arith.index_cast %a1 : index to i32
        memref.store %v, %h[%i0, %i1] : memref<3x4xi32>
      }
    }
    return
  }
}
