// A fill of each width, five elements each: 8, 16, 32 and 64 bits, integers and floats.

module attributes {gpu.container_module} {

  func.func @main() {
    %five = arith.constant 5 : index
    %v_i8 = arith.constant -7 : i8
    %h_i8 = memref.alloc() : memref<5xi8>
    %d_i8, %ready_i8 = agpu.alloc [] () : memref<5xi8, 1>
    %set_i8 = agpu.memset [%ready_i8] (%d_i8, %v_i8) : memref<5xi8, 1>, i8
    %back_i8 = agpu.memcpy [%set_i8] (%h_i8, %d_i8) : memref<5xi8>, memref<5xi8, 1>
    %freed_i8 = agpu.dealloc [%back_i8] %d_i8 : memref<5xi8, 1>
    %v_i16 = arith.constant -300 : i16
    %h_i16 = memref.alloc() : memref<5xi16>
    %d_i16, %ready_i16 = agpu.alloc [] () : memref<5xi16, 1>
    %set_i16 = agpu.memset [%ready_i16] (%d_i16, %v_i16) : memref<5xi16, 1>, i16
    %back_i16 = agpu.memcpy [%set_i16] (%h_i16, %d_i16) : memref<5xi16>, memref<5xi16, 1>
    %freed_i16 = agpu.dealloc [%back_i16] %d_i16 : memref<5xi16, 1>
    %v_i32 = arith.constant -70000 : i32
    %h_i32 = memref.alloc() : memref<5xi32>
    %d_i32, %ready_i32 = agpu.alloc [] () : memref<5xi32, 1>
    %set_i32 = agpu.memset [%ready_i32] (%d_i32, %v_i32) : memref<5xi32, 1>, i32
    %back_i32 = agpu.memcpy [%set_i32] (%h_i32, %d_i32) : memref<5xi32>, memref<5xi32, 1>
    %freed_i32 = agpu.dealloc [%back_i32] %d_i32 : memref<5xi32, 1>
    %v_i64 = arith.constant -5000000000 : i64
    %h_i64 = memref.alloc() : memref<5xi64>
    %d_i64, %ready_i64 = agpu.alloc [] () : memref<5xi64, 1>
    %set_i64 = agpu.memset [%ready_i64] (%d_i64, %v_i64) : memref<5xi64, 1>, i64
    %back_i64 = agpu.memcpy [%set_i64] (%h_i64, %d_i64) : memref<5xi64>, memref<5xi64, 1>
    %freed_i64 = agpu.dealloc [%back_i64] %d_i64 : memref<5xi64, 1>
    %v_f32 = arith.constant 1.5 : f32
    %h_f32 = memref.alloc() : memref<5xf32>
    %d_f32, %ready_f32 = agpu.alloc [] () : memref<5xf32, 1>
    %set_f32 = agpu.memset [%ready_f32] (%d_f32, %v_f32) : memref<5xf32, 1>, f32
    %back_f32 = agpu.memcpy [%set_f32] (%h_f32, %d_f32) : memref<5xf32>, memref<5xf32, 1>
    %freed_f32 = agpu.dealloc [%back_f32] %d_f32 : memref<5xf32, 1>
    %v_f64 = arith.constant -2.25 : f64
    %h_f64 = memref.alloc() : memref<5xf64>
    %d_f64, %ready_f64 = agpu.alloc [] () : memref<5xf64, 1>
    %set_f64 = agpu.memset [%ready_f64] (%d_f64, %v_f64) : memref<5xf64, 1>, f64
    %back_f64 = agpu.memcpy [%set_f64] (%h_f64, %d_f64) : memref<5xf64>, memref<5xf64, 1>
    %freed_f64 = agpu.dealloc [%back_f64] %d_f64 : memref<5xf64, 1>
    %v_f16 = arith.constant 0.5 : f16
    %h_f16 = memref.alloc() : memref<5xf16>
    %d_f16, %ready_f16 = agpu.alloc [] () : memref<5xf16, 1>
    %set_f16 = agpu.memset [%ready_f16] (%d_f16, %v_f16) : memref<5xf16, 1>, f16
    %back_f16 = agpu.memcpy [%set_f16] (%h_f16, %d_f16) : memref<5xf16>, memref<5xf16, 1>
    %freed_f16 = agpu.dealloc [%back_f16] %d_f16 : memref<5xf16, 1>
    %v_index = arith.constant 77 : index
    %h_index = memref.alloc() : memref<5xindex>
    %d_index, %ready_index = agpu.alloc [] () : memref<5xindex, 1>
    %set_index = agpu.memset [%ready_index] (%d_index, %v_index) : memref<5xindex, 1>, index
    %back_index = agpu.memcpy [%set_index] (%h_index, %d_index) : memref<5xindex>, memref<5xindex, 1>
    %freed_index = agpu.dealloc [%back_index] %d_index : memref<5xindex, 1>
    agpu.wait [%freed_i8, %freed_i16, %freed_i32, %freed_i64, %freed_f32, %freed_f64, %freed_f16, %freed_index]
    agpu.expect %h_i8, dense<-7> : tensor<5xi8> : memref<5xi8>
    memref.dealloc %h_i8 : memref<5xi8>
    agpu.expect %h_i16, dense<-300> : tensor<5xi16> : memref<5xi16>
    memref.dealloc %h_i16 : memref<5xi16>
    agpu.expect %h_i32, dense<-70000> : tensor<5xi32> : memref<5xi32>
    memref.dealloc %h_i32 : memref<5xi32>
    agpu.expect %h_i64, dense<-5000000000> : tensor<5xi64> : memref<5xi64>
    memref.dealloc %h_i64 : memref<5xi64>
    agpu.expect %h_f32, dense<1.5> : tensor<5xf32> : memref<5xf32>
    memref.dealloc %h_f32 : memref<5xf32>
    agpu.expect %h_f64, dense<-2.25> : tensor<5xf64> : memref<5xf64>
    memref.dealloc %h_f64 : memref<5xf64>
    agpu.expect %h_f16, dense<0.5> : tensor<5xf16> : memref<5xf16>
    memref.dealloc %h_f16 : memref<5xf16>
    agpu.expect %h_index, dense<77> : tensor<5xindex> : memref<5xindex>
    memref.dealloc %h_index : memref<5xindex>
    return
  }
}
