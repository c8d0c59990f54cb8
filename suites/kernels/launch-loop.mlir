// Launches in a loop, each with the number of its round as argument and with the chain of the one before.

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %rounds = arith.constant 50 : index
  %zero = arith.constant 0 : i32
  %h = memref.alloc() : memref<4xi32>
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4xi32>, i32
  %ran = scf.for %i = %c0 to %rounds step %one iter_args(%before = %cleared) -> (!agpu.chain) {
    %round = arith.index_cast %i : index to i32
    %next = agpu.launch [%before] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                  threads(%tx, %ty, %tz) in (%sx = %four, %sy = %one, %sz = %one) {
      %three = arith.constant 3 : i32
      %t = arith.index_cast %tx : index to i32
      %old = memref.load %d[%tx] : memref<4xi32>
      %scaled = arith.muli %old, %three : i32
      %more = arith.addi %scaled, %round : i32
      %new = arith.xori %more, %t : i32
      memref.store %new, %d[%tx] : memref<4xi32>
      agpu.terminator
    }
    scf.yield %next : !agpu.chain
  }
  %copied = agpu.memcpy [%ran] (%h, %d) : memref<4xi32>, memref<4xi32>
  %freed = agpu.dealloc [%copied] %d : memref<4xi32>
  agpu.wait [%freed]
  agpu.expect %h, dense<[-198739751, -1375716771, 841271133, -335705887]> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h : memref<4xi32>
  return
}
