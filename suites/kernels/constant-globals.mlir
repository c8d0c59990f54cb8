// A kernel that reads constant globals: the outliner copies them into the kernel's module.

memref.global "private" constant @weights : memref<4xi32> = dense<[10, 20, 30, 40]>
memref.global "private" constant @matrix : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>

func.func @main() {
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %h = memref.alloc() : memref<4xi32>
  %k = memref.alloc() : memref<4xf32>
  %d, %allocated0 = agpu.alloc [] () : memref<4xi32>
  %e, %allocated1 = agpu.alloc [] () : memref<4xf32>
  %ran = agpu.launch [%allocated0, %allocated1] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                                threads(%tx, %ty, %tz) in (%sx = %four, %sy = %one, %sz = %one) {
    %weights = memref.get_global @weights : memref<4xi32>
    %matrix = memref.get_global @matrix : memref<2x2xf32>
    %two = arith.constant 2 : index
    %w = memref.load %weights[%tx] : memref<4xi32>
    %t = arith.index_cast %tx : index to i32
    %v = arith.addi %w, %t : i32
    memref.store %v, %d[%tx] : memref<4xi32>
    %row = arith.divui %tx, %two : index
    %column = arith.remui %tx, %two : index
    %m = memref.load %matrix[%column, %row] : memref<2x2xf32>
    memref.store %m, %e[%tx] : memref<4xf32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h, %d) : memref<4xi32>, memref<4xi32>
  %copied1 = agpu.memcpy [%ran] (%k, %e) : memref<4xf32>, memref<4xf32>
  %freed0 = agpu.dealloc [%copied0] %d : memref<4xi32>
  %freed1 = agpu.dealloc [%copied1] %e : memref<4xf32>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h, dense<[10, 21, 32, 43]> : tensor<4xi32> : memref<4xi32>
  agpu.expect %k, dense<[1.0, 3.0, 2.0, 4.0]> : tensor<4xf32> : memref<4xf32>
  memref.dealloc %h : memref<4xi32>
  memref.dealloc %k : memref<4xf32>
  return
}
