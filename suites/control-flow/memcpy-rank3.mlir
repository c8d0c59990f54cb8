// A view of rank 3 with a step in the middle dimension, from host to device and back.

module attributes {gpu.container_module} {

  func.func @main() {
    %minus = arith.constant -1 : i32
    %in = memref.alloc() : memref<3x4x5xi32>
    %out = memref.alloc() : memref<3x4x5xi32>
    call @iota(%in) : (memref<3x4x5xi32>) -> ()
    call @iota(%out) : (memref<3x4x5xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<3x4x5xi32, 1>
    %set = agpu.memset [%ready] (%d, %minus) : memref<3x4x5xi32, 1>, i32
    %from = memref.subview %in[1, 0, 1] [2, 2, 3] [1, 2, 1]
        : memref<3x4x5xi32> to memref<2x2x3xi32, strided<[20, 10, 1], offset: 21>>
    %to = memref.subview %d[1, 0, 1] [2, 2, 3] [1, 2, 1]
        : memref<3x4x5xi32, 1> to memref<2x2x3xi32, strided<[20, 10, 1], offset: 21>, 1>
    %sent = agpu.memcpy [%set] (%to, %from)
        : memref<2x2x3xi32, strided<[20, 10, 1], offset: 21>, 1>, memref<2x2x3xi32, strided<[20, 10, 1], offset: 21>>
    %back = agpu.memcpy [%sent] (%out, %d) : memref<3x4x5xi32>, memref<3x4x5xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<3x4x5xi32, 1>
    agpu.wait [%freed]
    agpu.expect %out, dense<
        [[[-1, -1, -1, -1, -1], [-1, -1, -1, -1, -1], [-1, -1, -1, -1, -1], [-1, -1, -1, -1, -1]],
        [[-1, 21, 22, 23, -1], [-1, -1, -1, -1, -1], [-1, 31, 32, 33, -1], [-1, -1, -1, -1, -1]],
        [[-1, 41, 42, 43, -1], [-1, -1, -1, -1, -1], [-1, 51, 52, 53, -1], [-1, -1, -1, -1, -1]]]>
        : tensor<3x4x5xi32> : memref<3x4x5xi32>
    memref.dealloc %in : memref<3x4x5xi32>
    memref.dealloc %out : memref<3x4x5xi32>
    return
  }

  // The elements in order: 0, 1, 2, …
  func.func private @iota(%h: memref<3x4x5xi32>) attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %size0 = arith.constant 3 : index
    %size1 = arith.constant 4 : index
    %size2 = arith.constant 5 : index
    scf.for %i0 = %c0 to %size0 step %one {
      scf.for %i1 = %c0 to %size1 step %one {
        scf.for %i2 = %c0 to %size2 step %one {
          %m1 = arith.muli %i0, %size1 : index
          %a1 = arith.addi %m1, %i1 : index
          %m2 = arith.muli %a1, %size2 : index
          %a2 = arith.addi %m2, %i2 : index
          %v = arith.index_cast %a2 : index to i32
          memref.store %v, %h[%i0, %i1, %i2] : memref<3x4x5xi32>
        }
      }
    }
    return
  }
}
