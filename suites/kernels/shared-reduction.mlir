// A sum over each block in workgroup memory: a tree of additions with a barrier after each level.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %n128 = arith.constant 128 : index
  %h0 = memref.alloc() : memref<4xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<4xi32>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n4, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n128, %sy = %n1, %sz = %n1) {
    %shared = memref.alloca() : memref<128xi32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %offset = arith.muli %bx, %sx : index
    %id = arith.addi %offset, %tx : index
    %value = arith.index_cast %id : index to i32
    memref.store %value, %shared[%tx] : memref<128xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    scf.while (%distance = %c64) : (index) -> index {
      %more = arith.cmpi ugt, %distance, %c0 : index
      scf.condition(%more) %distance : index
    } do {
    ^bb0(%distance: index):
      %active = arith.cmpi ult, %tx, %distance : index
      scf.if %active {
        %other = arith.addi %tx, %distance : index
        %x = memref.load %shared[%tx] : memref<128xi32, #gpu.address_space<workgroup>>
        %y = memref.load %shared[%other] : memref<128xi32, #gpu.address_space<workgroup>>
        %sum = arith.addi %x, %y : i32
        memref.store %sum, %shared[%tx] : memref<128xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %half = arith.divui %distance, %c2 : index
      scf.yield %half : index
    }
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %total = memref.load %shared[%c0] : memref<128xi32, #gpu.address_space<workgroup>>
      memref.store %total, %o0[%bx] : memref<4xi32>
    }
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4xi32>, memref<4xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4xi32>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[8128, 24512, 40896, 57280]> : tensor<4xi32> : memref<4xi32>
  memref.dealloc %h0 : memref<4xi32>
  return
}
