// Work on a buffer that does not wait for its allocation: under streams it may run before it. The chain of another
// allocation makes the two paths differ.

func.func @main() {
  %zero = arith.constant 0 : i32
  %h = memref.alloc() : memref<4xi32>
  %other, %allocated_other = agpu.alloc [] () : memref<4xi32>
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated_other] (%d, %zero) : memref<4xi32>, i32
  %copied = agpu.memcpy [%cleared] (%h, %d) : memref<4xi32>, memref<4xi32>
  agpu.wait [%copied, %allocated]
  agpu.expect %h, dense<0> : tensor<4xi32> : memref<4xi32>
  %freed = agpu.dealloc [%copied] %d : memref<4xi32>
  %freed_other = agpu.dealloc [%cleared] %other : memref<4xi32>
  agpu.wait [%freed, %freed_other]
  memref.dealloc %h : memref<4xi32>
  return
}
