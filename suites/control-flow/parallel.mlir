// The rounds of an scf.parallel write rows of their own and wait for them; the order of the rounds is nobody's
// concern.

module attributes {gpu.container_module} {

  func.func @main() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %w1 = arith.constant 1 : i32
    %w2 = arith.constant 2 : i32
    %h = memref.alloc() : memref<4xi32>
    call @poison(%h) : (memref<4xi32>) -> ()
    %d, %ready = agpu.alloc [] () : memref<4xi32, 1>
    %start = agpu.memset [%ready] (%d, %w1) : memref<4xi32, 1>, i32
    %rounds = call @opaque(%four) : (index) -> index
    scf.parallel (%i) = (%c0) to (%rounds) step (%one) {
      %part = memref.subview %d[%i] [1] [1] : memref<4xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
      %w = arith.index_cast %i : index to i32
      %set = agpu.memset [%start] (%part, %w) : memref<1xi32, strided<[1], offset: ?>, 1>, i32
      agpu.wait [%set]
      scf.reduce
    }
    %none = agpu.join []
    %back = agpu.memcpy [%none] (%h, %d) : memref<4xi32>, memref<4xi32, 1>
    %freed = agpu.dealloc [%back] %d : memref<4xi32, 1>
    agpu.wait [%freed]
    agpu.expect %h, dense<[0, 1, 2, 3]> : tensor<4xi32> : memref<4xi32>
    memref.dealloc %h : memref<4xi32>
    return
  }

  // Bounds and conditions that no pass folds.
  func.func private @opaque(%value: index) -> index attributes {no_inline} {
    return %value : index
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
