// Copies 8 numbers into a buffer of 4: the sizes are not known before the run.

func.func @main() {
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  %h = memref.alloc(%eight) : memref<?xi32>
  %d, %allocated = agpu.alloc [] (%four) : memref<?xi32>
  %longer = memref.reinterpret_cast %d to offset: [0], sizes: [%eight], strides: [1]
      : memref<?xi32> to memref<?xi32, strided<[1]>>
  %flat = memref.cast %longer : memref<?xi32, strided<[1]>> to memref<?xi32>
  %copied = agpu.memcpy [%allocated] (%h, %flat) : memref<?xi32>, memref<?xi32>
  agpu.wait [%copied]
  %freed = agpu.dealloc [%copied] %d : memref<?xi32>
  agpu.wait [%freed]
  memref.dealloc %h : memref<?xi32>
  return
}
