// ROUNDS rounds of a fill that is empty every other time, so that its node is of another kind each time.

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant ROUNDS : index
  %v = arith.constant 7 : i32
  %d, %ready = agpu.alloc [] () : memref<1xi32, 1>
  agpu.wait [%ready]
  scf.for %i = %c0 to %rounds step %one {
    %size = arith.andi %i, %one : index
    %part = memref.subview %d[0] [%size] [1] : memref<1xi32, 1> to memref<?xi32, strided<[1]>, 1>
    agpu.memset (%part, %v) : memref<?xi32, strided<[1]>, 1>, i32
  }
  %h = memref.alloc() : memref<1xi32>
  agpu.memcpy (%h, %d) : memref<1xi32>, memref<1xi32, 1>
  agpu.expect %h, dense<7> : tensor<1xi32> : memref<1xi32>
  %freed = agpu.dealloc [] %d : memref<1xi32, 1>
  agpu.wait [%freed]
  memref.dealloc %h : memref<1xi32>
  return
}
