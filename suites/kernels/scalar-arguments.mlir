// Scalars of many types as kernel arguments, in an order that needs padding between them, and a vector.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%bit: i1, %d: f64, %byte: i8, %l: i64, %h: f16, %i: i32, %short: i16, %x: index, %f: f32,
                     %v: vector<4xf32>, %out: memref<10xf64>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %c9 = arith.constant 9 : index
      %bit_d = arith.uitofp %bit : i1 to f64
      %byte_d = arith.sitofp %byte : i8 to f64
      %l_d = arith.sitofp %l : i64 to f64
      %h_d = arith.extf %h : f16 to f64
      %i_d = arith.sitofp %i : i32 to f64
      %short_d = arith.sitofp %short : i16 to f64
      %x_l = arith.index_cast %x : index to i64
      %x_d = arith.sitofp %x_l : i64 to f64
      %f_d = arith.extf %f : f32 to f64
      %sum = vector.reduction <add>, %v : vector<4xf32> into f32
      %sum_d = arith.extf %sum : f32 to f64
      memref.store %bit_d, %out[%c0] : memref<10xf64>
      memref.store %d, %out[%c1] : memref<10xf64>
      memref.store %byte_d, %out[%c2] : memref<10xf64>
      memref.store %l_d, %out[%c3] : memref<10xf64>
      memref.store %h_d, %out[%c4] : memref<10xf64>
      memref.store %i_d, %out[%c5] : memref<10xf64>
      memref.store %short_d, %out[%c6] : memref<10xf64>
      memref.store %x_d, %out[%c7] : memref<10xf64>
      memref.store %f_d, %out[%c8] : memref<10xf64>
      memref.store %sum_d, %out[%c9] : memref<10xf64>
      gpu.return
    }
  }

  func.func @main() {
    %one = arith.constant 1 : index
    %bit = arith.constant true
    %d = arith.constant 2.5 : f64
    %byte = arith.constant -3 : i8
    %l = arith.constant 4000000000 : i64
    %f16 = arith.constant 5.5 : f16
    %i = arith.constant -6 : i32
    %short = arith.constant 7000 : i16
    %x = arith.constant 8 : index
    %f = arith.constant 9.25 : f32
    %v = arith.constant dense<[1.0, 2.0, 3.0, 4.5]> : vector<4xf32>
    %h = memref.alloc() : memref<10xf64>
    %out, %allocated = agpu.alloc [] () : memref<10xf64>
    %ran = agpu.launch_func [%allocated] @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%bit : i1, %d : f64, %byte : i8, %l : i64, %f16 : f16, %i : i32, %short : i16, %x : index, %f : f32,
             %v : vector<4xf32>, %out : memref<10xf64>)
    %copied = agpu.memcpy [%ran] (%h, %out) : memref<10xf64>, memref<10xf64>
    %freed = agpu.dealloc [%copied] %out : memref<10xf64>
    agpu.wait [%freed]
    agpu.expect %h, dense<[1.0, 2.5, -3.0, 4.0e9, 5.5, -6.0, 7000.0, 8.0, 9.25, 10.5]> : tensor<10xf64>
        : memref<10xf64>
    memref.dealloc %h : memref<10xf64>
    return
  }
}
