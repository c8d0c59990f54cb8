// Workgroup memory of two dimensions: each block transposes its tile of 8 by 8. Private memory holds what a thread
// read.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n8 = arith.constant 8 : index
  %h0 = memref.alloc() : memref<16x16xf32>
  %o0, %allocated0 = agpu.alloc [] () : memref<16x16xf32>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n2, %gy = %n2, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n8, %sy = %n8, %sz = %n1) {
    %tile = memref.alloca() : memref<8x8xf32, #gpu.address_space<workgroup>>
    %private = memref.alloca() : memref<1xf32, #gpu.address_space<private>>
    %c0 = arith.constant 0 : index
    %row = affine.apply affine_map<(b, t) -> (b * 8 + t)>(%by, %ty)
    %column = affine.apply affine_map<(b, t) -> (b * 8 + t)>(%bx, %tx)
    %number = affine.apply affine_map<(r, c) -> (r * 16 + c)>(%row, %column)
    %number32 = arith.index_cast %number : index to i32
    %value = arith.sitofp %number32 : i32 to f32
    memref.store %value, %tile[%ty, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %moved = memref.load %tile[%tx, %ty] : memref<8x8xf32, #gpu.address_space<workgroup>>
    memref.store %moved, %private[%c0] : memref<1xf32, #gpu.address_space<private>>
    %again = memref.load %private[%c0] : memref<1xf32, #gpu.address_space<private>>
    %to_row = affine.apply affine_map<(b, t) -> (b * 8 + t)>(%bx, %ty)
    %to_column = affine.apply affine_map<(b, t) -> (b * 8 + t)>(%by, %tx)
    memref.store %again, %o0[%to_row, %to_column] : memref<16x16xf32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<16x16xf32>, memref<16x16xf32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<16x16xf32>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[[0.0, 16.0, 32.0, 48.0, 64.0, 80.0, 96.0, 112.0, 128.0, 144.0, 160.0, 176.0, 192.0, 208.0,
      224.0, 240.0], [1.0, 17.0, 33.0, 49.0, 65.0, 81.0, 97.0, 113.0, 129.0, 145.0, 161.0, 177.0, 193.0, 209.0, 225.0,
      241.0], [2.0, 18.0, 34.0, 50.0, 66.0, 82.0, 98.0, 114.0, 130.0, 146.0, 162.0, 178.0, 194.0, 210.0, 226.0,
      242.0], [3.0, 19.0, 35.0, 51.0, 67.0, 83.0, 99.0, 115.0, 131.0, 147.0, 163.0, 179.0, 195.0, 211.0, 227.0,
      243.0], [4.0, 20.0, 36.0, 52.0, 68.0, 84.0, 100.0, 116.0, 132.0, 148.0, 164.0, 180.0, 196.0, 212.0, 228.0,
      244.0], [5.0, 21.0, 37.0, 53.0, 69.0, 85.0, 101.0, 117.0, 133.0, 149.0, 165.0, 181.0, 197.0, 213.0, 229.0,
      245.0], [6.0, 22.0, 38.0, 54.0, 70.0, 86.0, 102.0, 118.0, 134.0, 150.0, 166.0, 182.0, 198.0, 214.0, 230.0,
      246.0], [7.0, 23.0, 39.0, 55.0, 71.0, 87.0, 103.0, 119.0, 135.0, 151.0, 167.0, 183.0, 199.0, 215.0, 231.0,
      247.0], [8.0, 24.0, 40.0, 56.0, 72.0, 88.0, 104.0, 120.0, 136.0, 152.0, 168.0, 184.0, 200.0, 216.0, 232.0,
      248.0], [9.0, 25.0, 41.0, 57.0, 73.0, 89.0, 105.0, 121.0, 137.0, 153.0, 169.0, 185.0, 201.0, 217.0, 233.0,
      249.0], [10.0, 26.0, 42.0, 58.0, 74.0, 90.0, 106.0, 122.0, 138.0, 154.0, 170.0, 186.0, 202.0, 218.0, 234.0,
      250.0], [11.0, 27.0, 43.0, 59.0, 75.0, 91.0, 107.0, 123.0, 139.0, 155.0, 171.0, 187.0, 203.0, 219.0, 235.0,
      251.0], [12.0, 28.0, 44.0, 60.0, 76.0, 92.0, 108.0, 124.0, 140.0, 156.0, 172.0, 188.0, 204.0, 220.0, 236.0,
      252.0], [13.0, 29.0, 45.0, 61.0, 77.0, 93.0, 109.0, 125.0, 141.0, 157.0, 173.0, 189.0, 205.0, 221.0, 237.0,
      253.0], [14.0, 30.0, 46.0, 62.0, 78.0, 94.0, 110.0, 126.0, 142.0, 158.0, 174.0, 190.0, 206.0, 222.0, 238.0,
      254.0], [15.0, 31.0, 47.0, 63.0, 79.0, 95.0, 111.0, 127.0, 143.0, 159.0, 175.0, 191.0, 207.0, 223.0, 239.0,
      255.0]]> : tensor<16x16xf32> : memref<16x16xf32>
  memref.dealloc %h0 : memref<16x16xf32>
  return
}
