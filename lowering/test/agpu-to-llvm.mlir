// RUN: lockstep-opt %s --convert-agpu-to-streams --agpu-to-llvm | FileCheck %s
// RUN: lockstep-opt %s --convert-agpu-to-serial --agpu-to-llvm | FileCheck %s
// RUN: lockstep-opt %s --convert-agpu-to-streams --agpu-to-llvm | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// Memory spaces vanish, chains are pointers, casts resolve.

// CHECK-NOT: gpu.container_module
// CHECK-NOT: unrealized_conversion_cast
// CHECK-LABEL: llvm.func @step
// CHECK: llvm.call @mgpuMemset32(
// CHECK-LABEL: llvm.func @main
// CHECK: llvm.call @mgpuMemcpy(
// IR-LABEL: define {{.*}} @main
// IR: call void @mgpuMemcpy(
module attributes {gpu.container_module} {
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func private @consume(memref<?xi32>, i32)
  func.func @step(%d: memref<?xi32, 1>, %v: i32, %a: !agpu.chain) -> !agpu.chain {
    %b = agpu.memset [%a] (%d, %v) : memref<?xi32, 1>, i32
    return %b : !agpu.chain
  }
  func.func @main() {
    %n = arith.constant 4 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v = arith.constant 42 : i32
    %h = memref.alloc(%n) : memref<?xi32>
    %d, %a = agpu.alloc [] (%n) : memref<?xi32, #gpu.address_space<global>>
    %cast = memref.memory_space_cast %d : memref<?xi32, #gpu.address_space<global>> to memref<?xi32, 1>
    %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (!agpu.chain) {
      %s = func.call @step(%cast, %v, %x) : (memref<?xi32, 1>, i32, !agpu.chain) -> !agpu.chain
      scf.yield %s : !agpu.chain
    }
    %b = agpu.memcpy [%r] (%h, %d) : memref<?xi32>, memref<?xi32, #gpu.address_space<global>>
    %c = agpu.host_call [%b] @consume(%h, %v) : memref<?xi32>, i32
    %e = agpu.dealloc [%b] %d : memref<?xi32, #gpu.address_space<global>>
    agpu.wait [%c, %e]
    agpu.expect %h, dense<42> : tensor<4xi32> : memref<?xi32>
    %u = memref.cast %h : memref<?xi32> to memref<*xi32>
    func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    memref.dealloc %h : memref<?xi32>
    return
  }
}
