// Unstructured control flow in a kernel: threads leave early, the others run a loop of branches.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n8 = arith.constant 8 : index
  %h0 = memref.alloc() : memref<8xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<8xi32>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n8, %sy = %n1, %sz = %n1) {
    %five = arith.constant 5 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %t32 = arith.index_cast %tx : index to i32
    %minus = arith.constant -1 : i32
    memref.store %minus, %o0[%tx] : memref<8xi32>
    %out = arith.cmpi uge, %tx, %five : index
    cf.cond_br %out, ^leave, ^loop(%c0, %zero : index, i32)
    ^loop(%i: index, %sum: i32):
    %more = arith.cmpi ult, %i, %tx : index
    cf.cond_br %more, ^body, ^write
    ^body:
    %next_sum = arith.addi %sum, %t32 : i32
    %next = arith.addi %i, %c1 : index
    cf.br ^loop(%next, %next_sum : index, i32)
    ^write:
    memref.store %sum, %o0[%tx] : memref<8xi32>
    agpu.terminator
    ^leave:
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<8xi32>, memref<8xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<8xi32>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[0, 1, 4, 9, 16, -1, -1, -1]> : tensor<8xi32> : memref<8xi32>
  memref.dealloc %h0 : memref<8xi32>
  return
}
