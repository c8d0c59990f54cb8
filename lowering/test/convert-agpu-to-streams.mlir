// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-streams=op-names=false | FileCheck %s

// The calls of seeds/2, pooled. LOWER-1: the event is recorded right after the operation. LOWER-2: the other stream waits
// just before the consumer, then the event goes back.

// CHECK-LABEL: func.func @fork
// CHECK-SAME: %[[D:[a-z0-9]+]]: memref<4xi32>, %[[V:[a-z0-9]+]]: i32
func.func @fork(%d: memref<4xi32>, %v: i32) {
  // CHECK: %[[S0:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK: %[[S1:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[V]], {{.*}}, %[[S0]])
  // CHECK-NEXT: %[[E:.*]] = llvm.call @mgpuEventPoolAcquire()
  // CHECK-NEXT: llvm.call @mgpuEventRecord(%[[E]], %[[S0]])
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[S0]])
  // CHECK-NOT: mgpuEvent
  %b = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuStreamWaitEvent(%[[S1]], %[[E]])
  // CHECK-NEXT: llvm.call @mgpuEventPoolRelease(%[[E]])
  // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[S1]])
  %c = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // Each stream once; the second wait finds everything complete.
  // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S1]])
  // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S0]])
  agpu.wait [%b, %c]
  // CHECK-NEXT: llvm.call @mgpuStreamPoolRelease(%[[S0]])
  // CHECK-NEXT: llvm.call @mgpuStreamPoolRelease(%[[S1]])
  // CHECK-NEXT: return
  agpu.wait [%a, %b]
  return
}

// -----

// One event for both consumers, and a join that is nothing but order.

// CHECK-LABEL: func.func @join
func.func @join(%d: memref<4xi32>, %v: i32) {
  // CHECK-COUNT-3: llvm.call @mgpuStreamPoolAcquire()
  // CHECK: %[[E:.*]] = llvm.call @mgpuEventPoolAcquire()
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %b = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuStreamWaitEvent(%{{.*}}, %[[E]])
  // CHECK-NOT: mgpuEventPoolRelease(%[[E]])
  // CHECK: %[[EC:.*]] = llvm.call @mgpuEventPoolAcquire()
  %c = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuStreamWaitEvent(%{{.*}}, %[[E]])
  // CHECK-NEXT: llvm.call @mgpuEventPoolRelease(%[[E]])
  // CHECK: %[[EE:.*]] = llvm.call @mgpuEventPoolAcquire()
  %e = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK-NOT: mgpuEventPoolAcquire
  // CHECK: llvm.call @mgpuStreamWaitEvent(%{{.*}}, %[[EE]])
  // CHECK: llvm.call @mgpuStreamWaitEvent(%{{.*}}, %[[EC]])
  %j = agpu.join [%b, %c]
  %f = agpu.memset [%j, %e] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuStreamSynchronize
  // CHECK-NOT: mgpuStreamSynchronize
  // CHECK: return
  agpu.wait [%f]
  return
}

// -----

// The option bounds the streams.

// CHECK-LABEL: func.func @many
func.func @many(%d: memref<4xi32>, %v: i32) {
  // CHECK-COUNT-8: llvm.call @mgpuStreamPoolAcquire()
  // CHECK-NOT: mgpuStreamPoolAcquire
  // CHECK: return
  %0 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %1 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %2 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %3 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %4 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %5 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %6 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %7 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %8 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %9 = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  return
}

// -----

// LOWER-6: issued on a path, then waited for.

// CHECK-LABEL: func.func @synchronous
func.func @synchronous(%d: memref<4xi32>, %v: i32) {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK-NOT: mgpuStreamPoolAcquire
  // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[S]])
  // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S]])
  agpu.memset (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuMemset32({{.*}}, %[[S]])
  // CHECK-NEXT: llvm.call @mgpuStreamSynchronize(%[[S]])
  agpu.memset (%d, %v) : memref<4xi32>, i32
  return
}

// -----

// LOWER-3, LOWER-4: a carried chain is an event in a block argument; the loop acquires no stream.

// CHECK-LABEL: func.func @loop
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
func.func @loop(%d: memref<4xi32>, %v: i32, %n: index) {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamPoolAcquire()
  // CHECK: %[[E:.*]] = llvm.call @mgpuEventPoolAcquire()
  // CHECK-NEXT: llvm.call @mgpuEventRecord(%[[E]], %[[S]])
  // CHECK: cf.br ^[[HEAD:.*]](%{{.*}}, %[[E]] : index, !llvm.ptr)
  // CHECK: ^[[HEAD]](%{{.*}}: index, %[[X:.*]]: !llvm.ptr):
  // CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[END:.*]]
  // CHECK: ^[[BODY]]:
  // CHECK: llvm.call @mgpuStreamWaitChain(%[[S]], %[[X]])
  // CHECK: %[[NEXT:.*]] = llvm.call @mgpuEventPoolAcquire()
  // CHECK-NEXT: llvm.call @mgpuEventRecord(%[[NEXT]], %[[S]])
  // CHECK: llvm.call @mgpuEventPoolRelease(%[[X]])
  // CHECK-NEXT: cf.br ^[[HEAD]](%{{.*}}, %[[NEXT]] : index, !llvm.ptr)
  // CHECK: ^[[END]]:
  // CHECK: llvm.call @mgpuChainSynchronize(%[[X]])
  // CHECK: llvm.call @mgpuEventPoolRelease(%[[X]])
  // CHECK: llvm.call @mgpuStreamPoolRelease(%[[S]])
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!agpu.chain) {
    %b = agpu.memset [%x] (%d, %v) : memref<4xi32>, i32
    scf.yield %b : !agpu.chain
  }
  agpu.wait [%r]
  return
}

// -----

// LOWER-4: functions own their arguments; callers own results.

// CHECK-LABEL: func.func @callee
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: !llvm.ptr) -> (!llvm.ptr, !llvm.ptr)
func.func @callee(%a: !agpu.chain, %b: !agpu.chain) -> (!agpu.chain, !agpu.chain) {
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK-DAG: llvm.call @mgpuEventPoolRetain(%[[A]], %[[ONE]])
  // CHECK-DAG: llvm.call @mgpuEventPoolRelease(%[[B]])
  // CHECK: return %[[A]], %[[A]]
  return %a, %a : !agpu.chain, !agpu.chain
}

// CHECK-LABEL: func.func @caller
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr)
func.func @caller(%a: !agpu.chain) {
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @mgpuEventPoolRetain(%[[A]], %[[TWO]])
  // CHECK-NEXT: %[[R:.*]]:2 = call @callee(%[[A]], %[[A]])
  %r:2 = func.call @callee(%a, %a) : (!agpu.chain, !agpu.chain) -> (!agpu.chain, !agpu.chain)
  // CHECK-NEXT: llvm.call @mgpuChainSynchronize(%[[R]]#0)
  agpu.wait [%r#0]
  // CHECK-DAG: llvm.call @mgpuEventPoolRelease(%[[A]])
  // CHECK-DAG: llvm.call @mgpuEventPoolRelease(%[[R]]#0)
  // CHECK-DAG: llvm.call @mgpuEventPoolRelease(%[[R]]#1)
  // CHECK: return
  return
}

// -----

// A critical edge where the two ways need different counts is split.

// CHECK-LABEL: func.func @edge
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[A:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: !llvm.ptr)
func.func @edge(%c: i1, %a: !agpu.chain, %b: !agpu.chain) {
  // CHECK: cf.cond_br %[[C]], ^[[LEFT:.*]], ^[[RIGHT:.*]]
  // CHECK: ^[[RIGHT]]:
  // CHECK-NEXT: llvm.call @mgpuEventPoolRelease(%[[A]])
  // CHECK-NEXT: cf.br ^[[NEXT:.*]](%[[B]] : !llvm.ptr)
  // CHECK: ^[[LEFT]]:
  // CHECK-NEXT: llvm.call @mgpuEventPoolRelease(%[[B]])
  // CHECK-NEXT: cf.br ^[[NEXT]](%[[A]] : !llvm.ptr)
  cf.cond_br %c, ^next(%a : !agpu.chain), ^next(%b : !agpu.chain)
^next(%x: !agpu.chain):
  agpu.wait [%x]
  return
}

// -----

// A host wait for work with other work behind it on the stream takes an event.

// CHECK-LABEL: func.func @early_wait
func.func @early_wait(%d: memref<4xi32>, %v: i32) {
  // CHECK: %[[E:.*]] = llvm.call @mgpuEventPoolAcquire()
  %a = agpu.memset [] (%d, %v) : memref<4xi32>, i32
  // CHECK-NOT: mgpuEventPoolAcquire
  %b = agpu.memset [%a] (%d, %v) : memref<4xi32>, i32
  // CHECK: llvm.call @mgpuEventSynchronize(%[[E]])
  // CHECK-NEXT: llvm.call @mgpuEventPoolRelease(%[[E]])
  agpu.wait [%a]
  return
}
