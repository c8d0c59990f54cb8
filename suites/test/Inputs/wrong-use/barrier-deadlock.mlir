// Half of the threads end while the others wait at a barrier... of which there is one more in their branch.

func.func @main() {
  %one = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %rows = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4xi32>, i32
  %ran = agpu.launch [%cleared] blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %rows, %sz = %one) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %upper = arith.cmpi uge, %tx, %c32 : index
    %seven = arith.constant 7 : i32
    scf.if %upper {
      scf.while : () -> () {
        %v = memref.atomic_rmw addi %zero, %d[%c0] : (i32, memref<4xi32>) -> i32
        %more = arith.cmpi eq, %v, %zero : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
    }
    gpu.barrier
    memref.store %seven, %d[%c0] : memref<4xi32>
    agpu.terminator
  }
  %freed = agpu.dealloc [%ran] %d : memref<4xi32>
  agpu.wait [%freed]
  return
}
