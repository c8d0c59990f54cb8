// What the export refuses: upstream's operations on memory take ranked memrefs only.
// RUN: lockstep-opt %s --split-input-file --convert-agpu-to-gpu --verify-diagnostics

func.func @memcpy(%d: memref<*xi32>, %s: memref<*xi32>) {
  // expected-error @below {{has an unranked memref, which no upstream operation takes: 'memref<*xi32>'}}
  %c = agpu.memcpy [] (%d, %s) : memref<*xi32>, memref<*xi32>
  // Each is named, not the first alone.
  // expected-error @below {{'agpu.memcpy' op has an unranked memref}}
  agpu.memcpy (%d, %s) : memref<*xi32>, memref<*xi32>
  return
}

// -----

func.func @memset(%d: memref<*xi32, 1>, %v: i32) {
  // expected-error @below {{has an unranked memref, which no upstream operation takes: 'memref<*xi32, 1>'}}
  %c = agpu.memset [] (%d, %v) : memref<*xi32, 1>, i32
  return
}

// -----

func.func @dealloc(%d: memref<*xi32>) {
  // expected-error @below {{has an unranked memref}}
  agpu.dealloc %d : memref<*xi32>
  return
}
