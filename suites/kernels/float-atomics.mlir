// Atomic operations on floats beyond addition: maximum, minimum, exchange, product.

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %count = arith.constant 64 : index
  %unit = arith.constant 1.0 : f32
  %h = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %one {
    memref.store %unit, %h[%i] : memref<4xf32>
  }
  %d, %allocated = agpu.alloc [] () : memref<4xf32>
  %sent = agpu.memcpy [%allocated] (%d, %h) : memref<4xf32>, memref<4xf32>
  %ran = agpu.launch [%sent] blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %one, %gz = %one)
                             threads(%tx, %ty, %tz) in (%sx = %count, %sy = %one, %sz = %one) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %thirty = arith.constant 30 : i32
    %id = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%bx, %tx)
    %id32 = arith.index_cast %id : index to i32
    %less = arith.subi %id32, %thirty : i32
    %v = arith.sitofp %less : i32 to f32
    %seven = arith.constant 7.0 : f32
    %minus = arith.constant -1.0 : f32
    %r0 = memref.atomic_rmw maximumf %v, %d[%c0] : (f32, memref<4xf32>) -> f32
    %r1 = memref.atomic_rmw minimumf %v, %d[%c1] : (f32, memref<4xf32>) -> f32
    %r2 = memref.atomic_rmw mulf %minus, %d[%c2] : (f32, memref<4xf32>) -> f32
    %r3 = memref.atomic_rmw assign %seven, %d[%c3] : (f32, memref<4xf32>) -> f32
    agpu.terminator
  }
  %copied = agpu.memcpy [%ran] (%h, %d) : memref<4xf32>, memref<4xf32>
  %freed = agpu.dealloc [%copied] %d : memref<4xf32>
  agpu.wait [%freed]
  agpu.expect %h, dense<[225.0, -30.0, 1.0, 7.0]> : tensor<4xf32> : memref<4xf32>
  memref.dealloc %h : memref<4xf32>
  return
}
