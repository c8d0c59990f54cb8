// Half of a warp waits at a barrier, the other half for all lanes of the warp: none can go on.

func.func @main() {
  %one = arith.constant 1 : index
  %threads = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %d, %allocated = agpu.alloc [] () : memref<4xi32>
  %cleared = agpu.memset [%allocated] (%d, %zero) : memref<4xi32>, i32
  %ran = agpu.launch [%cleared] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %lane = arith.constant 3 : i32
    %width = arith.constant 32 : i32
    %upper = arith.cmpi uge, %tx, %c16 : index
    scf.if %upper {
      gpu.barrier
    } else {
      %r, %p = gpu.shuffle idx %zero, %lane, %width : i32
      memref.store %r, %d[%c0] : memref<4xi32>
    }
    agpu.terminator
  }
  %freed = agpu.dealloc [%ran] %d : memref<4xi32>
  agpu.wait [%freed]
  return
}
