// Expects what is not there.

func.func @main() {
  %zero = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %h = memref.alloc() : memref<2xi32>
  %one = arith.constant 1 : index
  memref.store %seven, %h[%zero] : memref<2xi32>
  memref.store %seven, %h[%one] : memref<2xi32>
  agpu.expect %h, dense<[7, 8]> : tensor<2xi32> : memref<2xi32>
  memref.dealloc %h : memref<2xi32>
  return
}
