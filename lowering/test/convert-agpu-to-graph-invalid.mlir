// RUN: not lockstep-opt %s --convert-agpu-to-graph=mode=fast 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not lockstep-opt %s --convert-agpu-to-graph=allocations=none 2>&1 | FileCheck %s --check-prefix=ALLOCATIONS
// RUN: not lockstep-opt %s --convert-agpu-to-graph="mode=capture allocations=nodes" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not lockstep-opt %s --convert-agpu-to-graph=max-streams=0 2>&1 | FileCheck %s --check-prefix=STREAMS
// RUN: not lockstep-opt %s --convert-agpu-to-graph 2>&1 | FileCheck %s
// RUN: not lockstep-opt %s --convert-agpu-to-graph=mode=capture 2>&1 | FileCheck %s

// MODE: option mode of convert-agpu-to-graph must be explicit or capture, not 'fast'
// ALLOCATIONS: option allocations of convert-agpu-to-graph must be hoisted or nodes, not 'none'
// BOTH: allocations=nodes of convert-agpu-to-graph goes with mode=explicit
// STREAMS: option max-streams must be at least 1

func.func @layout(%d: memref<4x4xi32, affine_map<(i, j) -> (i floordiv 2, j)>>, %v: i32) {
  // CHECK: convert-agpu-to-graph-invalid.mlir:[[#@LINE+1]]:{{.*}} error: 'agpu.memset' op has a memref whose layout is not strided
  %a = agpu.memset [] (%d, %v) : memref<4x4xi32, affine_map<(i, j) -> (i floordiv 2, j)>>, i32
  agpu.wait [%a]
  return
}
