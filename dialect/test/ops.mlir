// Every operation, asynchronous and synchronous: printed, parsed again, and through the generic form and bytecode.
// RUN: lockstep-opt --split-input-file --verify-roundtrip %s | FileCheck %s
// RUN: lockstep-opt --split-input-file --mlir-print-op-generic %s | lockstep-opt --split-input-file | FileCheck %s
// RUN: lockstep-opt --split-input-file %s | lockstep-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @memory(
// CHECK-SAME: [[N:%.*]]: index, [[V:%.*]]: f32, [[H:%.*]]: memref<?x4xf32>, [[C:%.*]]: !agpu.chain)
func.func @memory(%n: index, %v: f32, %h: memref<?x4xf32>, %c: !agpu.chain) {
  // CHECK: [[A:%.*]], [[C0:%.*]] = agpu.alloc [] ([[N]]) : memref<?x4xf32, 1>
  %a, %c0 = agpu.alloc [] (%n) : memref<?x4xf32, 1>
  // CHECK: [[B:%.*]], [[C1:%.*]] = agpu.alloc {{\[}}[[C0]], [[C]]] host_shared () : memref<2x4xf32>
  %b, %c1 = agpu.alloc [%c0, %c] host_shared () : memref<2x4xf32>
  // CHECK: agpu.alloc () {tag = "x"} : memref<f32, #gpu.address_space<global>>
  %s = agpu.alloc () {tag = "x"} : memref<f32, #gpu.address_space<global>>
  // CHECK: [[C2:%.*]] = agpu.memcpy {{\[}}[[C1]]] ([[A]], [[H]]) : memref<?x4xf32, 1>, memref<?x4xf32>
  %c2 = agpu.memcpy [%c1] (%a, %h) : memref<?x4xf32, 1>, memref<?x4xf32>
  // CHECK: agpu.memcpy ([[H]], [[A]]) : memref<?x4xf32>, memref<?x4xf32, 1>
  agpu.memcpy (%h, %a) : memref<?x4xf32>, memref<?x4xf32, 1>
  // CHECK: [[C3:%.*]] = agpu.memset {{\[}}[[C2]]] ([[A]], [[V]]) : memref<?x4xf32, 1>, f32
  %c3 = agpu.memset [%c2] (%a, %v) : memref<?x4xf32, 1>, f32
  // CHECK: agpu.memset ([[B]], [[V]]) : memref<2x4xf32>, f32
  agpu.memset (%b, %v) : memref<2x4xf32>, f32
  // CHECK: {{%.*}} = agpu.dealloc {{\[}}[[C3]]] [[A]] : memref<?x4xf32, 1>
  %c4 = agpu.dealloc [%c3] %a : memref<?x4xf32, 1>
  // CHECK: agpu.dealloc [[B]] : memref<2x4xf32>
  agpu.dealloc %b : memref<2x4xf32>
  return
}

// -----

// Copies between unranked and between strided memrefs (MEMCPY-2, MEMCPY-3); fills of each width (MEMSET-2).
// CHECK-LABEL: func.func @views
func.func @views(%u: memref<*xi32>, %w: memref<*xi32, 1>, %r: memref<?xi32>, %x: memref<?xi32, strided<[2], offset: ?>>,
                 %m8: memref<4xi8>, %m16: memref<4xbf16>, %m64: memref<4xf64, strided<[3]>>, %mi: memref<4xindex>,
                 %v8: i8, %v16: bf16, %v64: f64, %vi: index) {
  // CHECK: agpu.memcpy ({{.*}}) : memref<*xi32>, memref<*xi32, 1>
  agpu.memcpy (%u, %w) : memref<*xi32>, memref<*xi32, 1>
  // CHECK: agpu.memcpy ({{.*}}) : memref<?xi32>, memref<*xi32, 1>
  agpu.memcpy (%r, %w) : memref<?xi32>, memref<*xi32, 1>
  // CHECK: agpu.memcpy ({{.*}}) : memref<?xi32, strided<[2], offset: ?>>, memref<?xi32>
  agpu.memcpy (%x, %r) : memref<?xi32, strided<[2], offset: ?>>, memref<?xi32>
  // CHECK: agpu.memset ({{.*}}) : memref<4xi8>, i8
  agpu.memset (%m8, %v8) : memref<4xi8>, i8
  // CHECK: agpu.memset ({{.*}}) : memref<4xbf16>, bf16
  agpu.memset (%m16, %v16) : memref<4xbf16>, bf16
  // CHECK: agpu.memset ({{.*}}) : memref<4xf64, strided<[3]>>, f64
  agpu.memset (%m64, %v64) : memref<4xf64, strided<[3]>>, f64
  // CHECK: agpu.memset ({{.*}}) : memref<4xindex>, index
  agpu.memset (%mi, %vi) : memref<4xindex>, index
  // CHECK: agpu.host_register {{.*}} : memref<*xi32>
  agpu.host_register %u : memref<*xi32>
  // CHECK: agpu.host_unregister {{.*}} : memref<?xi32>
  agpu.host_unregister %r : memref<?xi32>
  return
}

// -----

// CHECK-LABEL: func.func @launch(
// CHECK-SAME: [[M:%.*]]: memref<?xi32>, [[N:%.*]]: index, [[S:%.*]]: i32, [[C:%.*]]: !agpu.chain)
func.func @launch(%m: memref<?xi32>, %n: index, %s: i32, %c: !agpu.chain) {
  // CHECK: {{%.*}} = agpu.launch {{\[}}[[C]]] blocks([[BX:%[^ ,]+]], {{%[^ ,]+}}, {{%[^ ,]+}}) in ({{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]])
  // CHECK-SAME: threads([[TX:%[^ ,]+]], {{%[^ ,]+}}, {{%[^ ,]+}}) in ({{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]], {{%[^ ,]+}} = [[N]])
  // CHECK-SAME: dynamic_shared_memory_size [[S]] attributes {tag = 1 : i32} {
  %c1 = agpu.launch [%c] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
                         threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n)
                         dynamic_shared_memory_size %s attributes {tag = 1 : i32} {
    // CHECK: arith.addi [[BX]], [[TX]]
    %i = arith.addi %bx, %tx : index
    %go = arith.cmpi ult, %i, %gx : index
    cf.cond_br %go, ^store, ^done
  ^store:
    memref.store %s, %m[%i] : memref<?xi32>
    cf.br ^done
  ^done:
    // CHECK: agpu.terminator
    agpu.terminator
  }
  // CHECK: {{%.*}} = agpu.launch [] blocks(
  %c2 = agpu.launch [] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
                       threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    agpu.terminator
  }
  // CHECK: {{^ *}}agpu.launch blocks(
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    agpu.terminator
  }
  return
}

// -----

// A kernel before, during and after its lowering (LAUNCHFUNC-1, LAUNCHFUNC-2).
// CHECK-LABEL: module attributes {gpu.container_module}
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @none() kernel {
      gpu.return
    }
    gpu.func @two(%m: memref<?xf32>, %v: f32) kernel {
      gpu.return
    }
    llvm.func @lowered(%p: !llvm.ptr) attributes {nvvm.kernel} {
      llvm.return
    }
  }
  gpu.binary @binary [#gpu.object<#nvvm.target, "">]
  // CHECK: func.func @launch_func(
  // CHECK-SAME: [[M:%.*]]: memref<?xf32>, [[V:%.*]]: f32, [[N:%.*]]: index, [[S:%.*]]: i32, [[C:%.*]]: !agpu.chain)
  func.func @launch_func(%m: memref<?xf32>, %v: f32, %n: index, %s: i32, %c: !agpu.chain) {
    // CHECK: {{%.*}} = agpu.launch_func {{\[}}[[C]]] @kernels::@two blocks in ([[N]], [[N]], [[N]]) threads in ([[N]], [[N]], [[N]])
    // CHECK-SAME: dynamic_shared_memory_size [[S]] args([[M]] : memref<?xf32>, [[V]] : f32) {tag = 1 : i32}
    %c1 = agpu.launch_func [%c] @kernels::@two blocks in (%n, %n, %n) threads in (%n, %n, %n)
        dynamic_shared_memory_size %s args(%m : memref<?xf32>, %v : f32) {tag = 1 : i32}
    // CHECK: {{^ *}}agpu.launch_func @kernels::@none blocks in ([[N]], [[N]], [[N]]) threads in ([[N]], [[N]], [[N]]){{$}}
    agpu.launch_func @kernels::@none blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: agpu.launch_func @kernels::@lowered {{.*}} args([[M]] : memref<?xf32>)
    agpu.launch_func @kernels::@lowered blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<?xf32>)
    // CHECK: agpu.launch_func @binary::@any {{.*}} args([[M]] : memref<?xf32>)
    agpu.launch_func @binary::@any blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<?xf32>)
    return
  }
}

// -----

func.func private @none()
func.func private @two(memref<?xi32>, i32)
// CHECK-LABEL: func.func @host_call(
// CHECK-SAME: [[H:%.*]]: memref<?xi32>, [[I:%.*]]: i32, [[C:%.*]]: !agpu.chain)
func.func @host_call(%h: memref<?xi32>, %i: i32, %c: !agpu.chain) {
  // CHECK: {{%.*}} = agpu.host_call {{\[}}[[C]]] @two([[H]], [[I]]) : memref<?xi32>, i32
  %c1 = agpu.host_call [%c] @two(%h, %i) : memref<?xi32>, i32
  // CHECK: {{^ *}}agpu.host_call @none(){{$}}
  agpu.host_call @none()
  return
}

// -----

// CHECK-LABEL: func.func @chains(
// CHECK-SAME: [[A:%.*]]: !agpu.chain, [[B:%.*]]: !agpu.chain) -> !agpu.chain
func.func @chains(%a: !agpu.chain, %b: !agpu.chain) -> !agpu.chain {
  // CHECK: [[J:%.*]] = agpu.join {{\[}}[[A]], [[B]]]
  %j = agpu.join [%a, %b]
  // CHECK: {{%.*}} = agpu.join []
  %e = agpu.join []
  // CHECK: agpu.wait {{\[}}[[J]], [[A]]]
  agpu.wait [%j, %a]
  // CHECK: agpu.wait []
  agpu.wait []
  // CHECK: return [[J]] : !agpu.chain
  return %j : !agpu.chain
}

// -----

// Chains fork, join and pass through region results, block arguments and calls (CHAIN-2, CHAIN-3, CHAIN-4).
// CHECK-LABEL: func.func @control_flow
func.func @control_flow(%m: memref<4xi32>, %v: i32, %cond: i1, %n: index, %c: !agpu.chain) -> !agpu.chain {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.if {{.*}} -> (!agpu.chain)
  %i = scf.if %cond -> !agpu.chain {
    %t = agpu.memset [%c] (%m, %v) : memref<4xi32>, i32
    scf.yield %t : !agpu.chain
  } else {
    scf.yield %c : !agpu.chain
  }
  // CHECK: scf.for {{.*}} iter_args({{.*}}) -> (!agpu.chain)
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%carried = %i) -> !agpu.chain {
    %t = agpu.memset [%carried] (%m, %v) : memref<4xi32>, i32
    scf.yield %t : !agpu.chain
  }
  // CHECK: call @control_flow
  %r = call @control_flow(%m, %v, %cond, %n, %l)
      : (memref<4xi32>, i32, i1, index, !agpu.chain) -> !agpu.chain
  // CHECK: cf.br ^{{.*}}(%{{.*}} : !agpu.chain)
  cf.br ^end(%r : !agpu.chain)
^end(%e: !agpu.chain):
  agpu.wait [%e, %l]
  agpu.wait [%l]
  return %e : !agpu.chain
}

// -----

// CHECK-LABEL: func.func @expect
func.func @expect(%h: memref<?xi32>, %f: memref<*xf32>, %s: memref<2x2xf64>, %i: memref<2xindex>) {
  // CHECK: agpu.expect {{%.*}}, dense<[84, 42]> : tensor<2xi32> : memref<?xi32>
  agpu.expect %h, dense<[84, 42]> : tensor<2xi32> : memref<?xi32>
  // CHECK: agpu.expect {{%.*}}, dense<1.500000e+00> : tensor<2x2xf32> tolerance 2.500000e-01 : memref<*xf32>
  agpu.expect %f, dense<1.5> : tensor<2x2xf32> tolerance 0.25 : memref<*xf32>
  // CHECK: agpu.expect {{%.*}}, dense<0.000000e+00> : tensor<2x2xf64> tolerance 0.000000e+00 {tag = "x"} : memref<2x2xf64>
  agpu.expect %s, dense<0.0> : tensor<2x2xf64> tolerance 0.0 {tag = "x"} : memref<2x2xf64>
  // CHECK: agpu.expect {{%.*}}, dense<[1, 2]> : tensor<2xindex> : memref<2xindex>
  agpu.expect %i, dense<[1, 2]> : tensor<2xindex> : memref<2xindex>
  return
}
