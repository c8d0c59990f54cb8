// Vectors of two dimensions: transposition, contraction to a matrix product, reduction of one dimension.

func.func @main() {
  %n1 = arith.constant 1 : index
  %h0 = memref.alloc() : memref<2x2xf32>
  %h1 = memref.alloc() : memref<2x2xf32>
  %h2 = memref.alloc() : memref<2xf32>
  %o0, %allocated0 = agpu.alloc [] () : memref<2x2xf32>
  %o1, %allocated1 = agpu.alloc [] () : memref<2x2xf32>
  %o2, %allocated2 = agpu.alloc [] () : memref<2xf32>
  %ran = agpu.launch [%allocated0, %allocated1, %allocated2]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n1, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %m = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
    %transposed = vector.transpose %m, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
    vector.transfer_write %transposed, %o0[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %product = vector.contract {
        indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %m, %m, %zero : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
    vector.transfer_write %product, %o1[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
    %none = arith.constant dense<0.0> : vector<2xf32>
    %sums = vector.multi_reduction <add>, %m, %none [1] : vector<2x2xf32> to vector<2xf32>
    vector.transfer_write %sums, %o2[%c0] {in_bounds = [true]} : vector<2xf32>, memref<2xf32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<2x2xf32>, memref<2x2xf32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<2x2xf32>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<2x2xf32>, memref<2x2xf32>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<2x2xf32>
  %copied2 = agpu.memcpy [%ran] (%h2, %o2) : memref<2xf32>, memref<2xf32>
  %freed2 = agpu.dealloc [%copied2] %o2 : memref<2xf32>
  agpu.wait [%freed0, %freed1, %freed2]
  agpu.expect %h0, dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32> : memref<2x2xf32>
  agpu.expect %h1, dense<[[7.0, 10.0], [15.0, 22.0]]> : tensor<2x2xf32> : memref<2x2xf32>
  agpu.expect %h2, dense<[3.0, 7.0]> : tensor<2xf32> : memref<2xf32>
  memref.dealloc %h0 : memref<2x2xf32>
  memref.dealloc %h1 : memref<2x2xf32>
  memref.dealloc %h2 : memref<2xf32>
  return
}
