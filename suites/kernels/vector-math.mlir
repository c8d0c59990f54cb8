// Functions of the math dialect on vectors and on f16, element by element.

func.func @main() {
  %one = arith.constant 1 : index
  %h = memref.alloc() : memref<4x4xf32>
  %k = memref.alloc() : memref<3xf16>
  %d, %allocated0 = agpu.alloc [] () : memref<4x4xf32>
  %e, %allocated1 = agpu.alloc [] () : memref<3xf16>
  %ran = agpu.launch [%allocated0, %allocated1] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                                threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %v = arith.constant dense<[0.0, 1.0, 4.0, 6.25]> : vector<4xf32>
    %roots = math.sqrt %v : vector<4xf32>
    vector.store %roots, %d[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
    %powers = math.exp %v : vector<4xf32>
    vector.store %powers, %d[%c1, %c0] : memref<4x4xf32>, vector<4xf32>
    %sines = math.sin %v : vector<4xf32>
    vector.store %sines, %d[%c2, %c0] : memref<4x4xf32>, vector<4xf32>
    %fused = math.fma %v, %v, %v : vector<4xf32>
    vector.store %fused, %d[%c3, %c0] : memref<4x4xf32>, vector<4xf32>

    %x = arith.constant 2.25 : f16
    %root = math.sqrt %x : f16
    %power = math.exp2 %x : f16
    %floor = math.floor %x : f16
    memref.store %root, %e[%c0] : memref<3xf16>
    memref.store %power, %e[%c1] : memref<3xf16>
    memref.store %floor, %e[%c2] : memref<3xf16>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h, %d) : memref<4x4xf32>, memref<4x4xf32>
  %copied1 = agpu.memcpy [%ran] (%k, %e) : memref<3xf16>, memref<3xf16>
  %freed0 = agpu.dealloc [%copied0] %d : memref<4x4xf32>
  %freed1 = agpu.dealloc [%copied1] %e : memref<3xf16>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h, dense<[[0.0, 1.0, 2.0, 2.5], [1.0, 2.7182818, 54.59815, 518.01282],
                         [0.0, 0.84147098, -0.75680250, -0.03317922], [0.0, 2.0, 20.0, 45.3125]]>
      : tensor<4x4xf32> tolerance 1.0e-4 : memref<4x4xf32>
  agpu.expect %k, dense<[1.5, 4.7578125, 2.0]> : tensor<3xf16> tolerance 4.0e-3 : memref<3xf16>
  memref.dealloc %h : memref<4x4xf32>
  memref.dealloc %k : memref<3xf16>
  return
}
