// A transposed view is copied element by element: the result is the transposed matrix, on the way to the device and on
// the way back.

module attributes {gpu.container_module} {

  func.func @main() {
    %in = memref.alloc() : memref<3x4xi32>
    %out = memref.alloc() : memref<4x3xi32>
    %again = memref.alloc() : memref<3x4xi32>
    call @iota(%in) : (memref<3x4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4x3xi32, 1>
    %turned = memref.transpose %in (i, j) -> (j, i) : memref<3x4xi32> to memref<4x3xi32, strided<[1, 4]>>
    %sent = agpu.memcpy [%ready] (%d, %turned) : memref<4x3xi32, 1>, memref<4x3xi32, strided<[1, 4]>>
    %back = agpu.memcpy [%sent] (%out, %d) : memref<4x3xi32>, memref<4x3xi32, 1>
    %view = memref.transpose %again (i, j) -> (j, i) : memref<3x4xi32> to memref<4x3xi32, strided<[1, 4]>>
    %twice = agpu.memcpy [%sent] (%view, %d) : memref<4x3xi32, strided<[1, 4]>>, memref<4x3xi32, 1>
    %freed = agpu.dealloc [%back, %twice] %d : memref<4x3xi32, 1>
    agpu.wait [%freed]
    agpu.expect %out, dense<[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]> : tensor<4x3xi32> : memref<4x3xi32>
    agpu.expect %again, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32> : memref<3x4xi32>
    memref.dealloc %in : memref<3x4xi32>
    memref.dealloc %out : memref<4x3xi32>
    memref.dealloc %again : memref<3x4xi32>
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
