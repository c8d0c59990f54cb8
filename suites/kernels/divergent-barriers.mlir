// Barriers with divergent control flow around them: threads run loops of different length between barriers, one block
// in two takes a branch that holds barriers, and a loop with barriers runs as often as the number of the block says.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %n32 = arith.constant 32 : index
  %h0 = memref.alloc() : memref<4x32xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<4x32xi32>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n4, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n32, %sy = %n1, %sz = %n1) {
    %shared = memref.alloca() : memref<32xi32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c31 = arith.constant 31 : index
    %zero = arith.constant 0 : i32
    %hundred = arith.constant 100 : i32
    %t32 = arith.index_cast %tx : index to i32
    %other = arith.subi %c31, %tx : index

    // A loop of t rounds, then all meet.
    %sum = scf.for %i = %c0 to %tx step %c1 iter_args(%so_far = %zero) -> (i32) {
      %i32 = arith.index_cast %i : index to i32
      %next = arith.addi %so_far, %i32 : i32
      scf.yield %next : i32
    }
    memref.store %sum, %shared[%tx] : memref<32xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %x = memref.load %shared[%other] : memref<32xi32, #gpu.address_space<workgroup>>
    gpu.barrier

    // Only odd blocks, all of their threads; one half of them has more to do before the barrier.
    %parity = arith.remui %bx, %c2 : index
    %odd = arith.cmpi eq, %parity, %c1 : index
    %y = scf.if %odd -> (i32) {
      %upper = arith.cmpi ugt, %tx, %other : index
      scf.if %upper {
        %v = arith.muli %t32, %hundred : i32
        memref.store %v, %shared[%tx] : memref<32xi32, #gpu.address_space<workgroup>>
      } else {
        %v = scf.for %i = %c0 to %tx step %c1 iter_args(%so_far = %zero) -> (i32) {
          %next = arith.addi %so_far, %hundred : i32
          scf.yield %next : i32
        }
        memref.store %v, %shared[%tx] : memref<32xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %r = memref.load %shared[%other] : memref<32xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.yield %r : i32
    } else {
      scf.yield %zero : i32
    }

    // As many rounds with two barriers each as the block's number.
    %z = scf.for %i = %c0 to %bx step %c1 iter_args(%so_far = %zero) -> (i32) {
      memref.store %t32, %shared[%tx] : memref<32xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %v = memref.load %shared[%other] : memref<32xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %next = arith.addi %so_far, %v : i32
      scf.yield %next : i32
    }
    %xy = arith.addi %x, %y : i32
    %xyz = arith.addi %xy, %z : i32
    memref.store %xyz, %o0[%bx, %tx] : memref<4x32xi32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4x32xi32>, memref<4x32xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4x32xi32>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[[465, 435, 406, 378, 351, 325, 300, 276, 253, 231, 210, 190, 171, 153, 136, 120, 105, 91,
      78, 66, 55, 45, 36, 28, 21, 15, 10, 6, 3, 1, 0, 0], [3596, 3465, 3335, 3206, 3078, 2951, 2825, 2700, 2576, 2453,
      2331, 2210, 2090, 1971, 1853, 1736, 1620, 1505, 1391, 1278, 1166, 1055, 945, 836, 728, 621, 515, 410, 306, 203,
      101, 0], [527, 495, 464, 434, 405, 377, 350, 324, 299, 275, 252, 230, 209, 189, 170, 152, 135, 119, 104, 90, 77,
      65, 54, 44, 35, 27, 20, 14, 9, 5, 2, 0], [3658, 3525, 3393, 3262, 3132, 3003, 2875, 2748, 2622, 2497, 2373,
      2250, 2128, 2007, 1887, 1768, 1650, 1533, 1417, 1302, 1188, 1075, 963, 852, 742, 633, 525, 418, 312, 207, 103,
      0]]> : tensor<4x32xi32> : memref<4x32xi32>
  memref.dealloc %h0 : memref<4x32xi32>
  return
}
