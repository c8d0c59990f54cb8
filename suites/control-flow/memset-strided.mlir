// A fill of a view with strides in both dimensions leaves the elements between as they were.

module attributes {gpu.container_module} {

  func.func @main() {
    %z_i8 = arith.constant 1 : i8
    %v_i8 = arith.constant 2 : i8
    %h_i8 = memref.alloc() : memref<2x6xi8>
    %d_i8, %ready_i8 = agpu.alloc [] () : memref<2x6xi8, 1>
    %all_i8 = agpu.memset [%ready_i8] (%d_i8, %z_i8) : memref<2x6xi8, 1>, i8
    %view_i8 = memref.subview %d_i8[0, 1] [2, 2] [1, 3]
        : memref<2x6xi8, 1> to memref<2x2xi8, strided<[6, 3], offset: 1>, 1>
    %set_i8 = agpu.memset [%all_i8] (%view_i8, %v_i8) : memref<2x2xi8, strided<[6, 3], offset: 1>, 1>, i8
    %back_i8 = agpu.memcpy [%set_i8] (%h_i8, %d_i8) : memref<2x6xi8>, memref<2x6xi8, 1>
    %freed_i8 = agpu.dealloc [%back_i8] %d_i8 : memref<2x6xi8, 1>
    %z_i16 = arith.constant 1 : i16
    %v_i16 = arith.constant 2 : i16
    %h_i16 = memref.alloc() : memref<2x6xi16>
    %d_i16, %ready_i16 = agpu.alloc [] () : memref<2x6xi16, 1>
    %all_i16 = agpu.memset [%ready_i16] (%d_i16, %z_i16) : memref<2x6xi16, 1>, i16
    %view_i16 = memref.subview %d_i16[0, 1] [2, 2] [1, 3]
        : memref<2x6xi16, 1> to memref<2x2xi16, strided<[6, 3], offset: 1>, 1>
    %set_i16 = agpu.memset [%all_i16] (%view_i16, %v_i16) : memref<2x2xi16, strided<[6, 3], offset: 1>, 1>, i16
    %back_i16 = agpu.memcpy [%set_i16] (%h_i16, %d_i16) : memref<2x6xi16>, memref<2x6xi16, 1>
    %freed_i16 = agpu.dealloc [%back_i16] %d_i16 : memref<2x6xi16, 1>
    %z_i32 = arith.constant 1 : i32
    %v_i32 = arith.constant 2 : i32
    %h_i32 = memref.alloc() : memref<2x6xi32>
    %d_i32, %ready_i32 = agpu.alloc [] () : memref<2x6xi32, 1>
    %all_i32 = agpu.memset [%ready_i32] (%d_i32, %z_i32) : memref<2x6xi32, 1>, i32
    %view_i32 = memref.subview %d_i32[0, 1] [2, 2] [1, 3]
        : memref<2x6xi32, 1> to memref<2x2xi32, strided<[6, 3], offset: 1>, 1>
    %set_i32 = agpu.memset [%all_i32] (%view_i32, %v_i32) : memref<2x2xi32, strided<[6, 3], offset: 1>, 1>, i32
    %back_i32 = agpu.memcpy [%set_i32] (%h_i32, %d_i32) : memref<2x6xi32>, memref<2x6xi32, 1>
    %freed_i32 = agpu.dealloc [%back_i32] %d_i32 : memref<2x6xi32, 1>
    %z_i64 = arith.constant 1 : i64
    %v_i64 = arith.constant 2 : i64
    %h_i64 = memref.alloc() : memref<2x6xi64>
    %d_i64, %ready_i64 = agpu.alloc [] () : memref<2x6xi64, 1>
    %all_i64 = agpu.memset [%ready_i64] (%d_i64, %z_i64) : memref<2x6xi64, 1>, i64
    %view_i64 = memref.subview %d_i64[0, 1] [2, 2] [1, 3]
        : memref<2x6xi64, 1> to memref<2x2xi64, strided<[6, 3], offset: 1>, 1>
    %set_i64 = agpu.memset [%all_i64] (%view_i64, %v_i64) : memref<2x2xi64, strided<[6, 3], offset: 1>, 1>, i64
    %back_i64 = agpu.memcpy [%set_i64] (%h_i64, %d_i64) : memref<2x6xi64>, memref<2x6xi64, 1>
    %freed_i64 = agpu.dealloc [%back_i64] %d_i64 : memref<2x6xi64, 1>
    %z_f64 = arith.constant 1.0 : f64
    %v_f64 = arith.constant 2.0 : f64
    %h_f64 = memref.alloc() : memref<2x6xf64>
    %d_f64, %ready_f64 = agpu.alloc [] () : memref<2x6xf64, 1>
    %all_f64 = agpu.memset [%ready_f64] (%d_f64, %z_f64) : memref<2x6xf64, 1>, f64
    %view_f64 = memref.subview %d_f64[0, 1] [2, 2] [1, 3]
        : memref<2x6xf64, 1> to memref<2x2xf64, strided<[6, 3], offset: 1>, 1>
    %set_f64 = agpu.memset [%all_f64] (%view_f64, %v_f64) : memref<2x2xf64, strided<[6, 3], offset: 1>, 1>, f64
    %back_f64 = agpu.memcpy [%set_f64] (%h_f64, %d_f64) : memref<2x6xf64>, memref<2x6xf64, 1>
    %freed_f64 = agpu.dealloc [%back_f64] %d_f64 : memref<2x6xf64, 1>
    agpu.wait [%freed_i8, %freed_i16, %freed_i32, %freed_i64, %freed_f64]
    agpu.expect %h_i8, dense<[[1, 2, 1, 1, 2, 1], [1, 2, 1, 1, 2, 1]]> : tensor<2x6xi8> : memref<2x6xi8>
    memref.dealloc %h_i8 : memref<2x6xi8>
    agpu.expect %h_i16, dense<[[1, 2, 1, 1, 2, 1], [1, 2, 1, 1, 2, 1]]> : tensor<2x6xi16> : memref<2x6xi16>
    memref.dealloc %h_i16 : memref<2x6xi16>
    agpu.expect %h_i32, dense<[[1, 2, 1, 1, 2, 1], [1, 2, 1, 1, 2, 1]]> : tensor<2x6xi32> : memref<2x6xi32>
    memref.dealloc %h_i32 : memref<2x6xi32>
    agpu.expect %h_i64, dense<[[1, 2, 1, 1, 2, 1], [1, 2, 1, 1, 2, 1]]> : tensor<2x6xi64> : memref<2x6xi64>
    memref.dealloc %h_i64 : memref<2x6xi64>
    agpu.expect %h_f64, dense<
        [[1.0, 2.0, 1.0, 1.0, 2.0, 1.0], [1.0, 2.0, 1.0, 1.0, 2.0, 1.0]]> : tensor<2x6xf64> : memref<2x6xf64>
    memref.dealloc %h_f64 : memref<2x6xf64>
    return
  }
}
