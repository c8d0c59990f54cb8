// A 2 x 3 window in a 4 x 5 host array goes to dense device memory, from there into the same window of a filled device
// array, and that array back: only the window may change.

module attributes {gpu.container_module} {

  func.func @main() {
    %minus = arith.constant -1 : i32
    %in = memref.alloc() : memref<4x5xi32>
    %out = memref.alloc() : memref<4x5xi32>
    call @iota(%in) : (memref<4x5xi32>) -> ()
    call @iota(%out) : (memref<4x5xi32>) -> ()
    %window = memref.subview %in[1, 1] [2, 3] [1, 1] : memref<4x5xi32> to memref<2x3xi32, strided<[5, 1], offset: 6>>
    %dense, %ready0 = agpu.alloc [] () : memref<2x3xi32, 1>
    %array, %ready1 = agpu.alloc [] () : memref<4x5xi32, 1>
    %set = agpu.memset [%ready1] (%array, %minus) : memref<4x5xi32, 1>, i32
    %inside = memref.subview %array[1, 1] [2, 3] [1, 1]
        : memref<4x5xi32, 1> to memref<2x3xi32, strided<[5, 1], offset: 6>, 1>
    %sent = agpu.memcpy [%ready0] (%dense, %window) : memref<2x3xi32, 1>, memref<2x3xi32, strided<[5, 1], offset: 6>>
    %moved = agpu.memcpy [%sent, %set] (%inside, %dense)
        : memref<2x3xi32, strided<[5, 1], offset: 6>, 1>, memref<2x3xi32, 1>
    %back = agpu.memcpy [%moved] (%out, %array) : memref<4x5xi32>, memref<4x5xi32, 1>
    // From a window of the device to a window of the host.
    %home = memref.subview %in[1, 1] [2, 3] [1, 1] : memref<4x5xi32> to memref<2x3xi32, strided<[5, 1], offset: 6>>
    %shifted = memref.subview %array[0, 0] [2, 3] [1, 1] : memref<4x5xi32, 1> to memref<2x3xi32, strided<[5, 1]>, 1>
    %returned = agpu.memcpy [%moved] (%home, %shifted)
        : memref<2x3xi32, strided<[5, 1], offset: 6>>, memref<2x3xi32, strided<[5, 1]>, 1>
    %freed0 = agpu.dealloc [%moved] %dense : memref<2x3xi32, 1>
    %freed1 = agpu.dealloc [%back, %returned] %array : memref<4x5xi32, 1>
    agpu.wait [%freed0, %freed1]
    agpu.expect %out, dense<
        [[-1, -1, -1, -1, -1], [-1, 6, 7, 8, -1], [-1, 11, 12, 13, -1], [-1, -1, -1, -1, -1]]>
        : tensor<4x5xi32> : memref<4x5xi32>
    agpu.expect %in, dense<
        [[0, 1, 2, 3, 4], [5, -1, -1, -1, 9], [10, -1, 6, 7, 14], [15, 16, 17, 18, 19]]>
        : tensor<4x5xi32> : memref<4x5xi32>
    memref.dealloc %in : memref<4x5xi32>
    memref.dealloc %out : memref<4x5xi32>
    return
  }

  // The elements in order: 0, 1, 2, …
  func.func private @iota(%h: memref<4x5xi32>) attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %size0 = arith.constant 4 : index
    %size1 = arith.constant 5 : index
    scf.for %i0 = %c0 to %size0 step %one {
      scf.for %i1 = %c0 to %size1 step %one {
        %m1 = arith.muli %i0, %size1 : index
        %a1 = arith.addi %m1, %i1 : index
        %v = arith.index_cast %a1 : index to i32
        memref.store %v, %h[%i0, %i1] : memref<4x5xi32>
      }
    }
    return
  }
}
