// RUN: lockstep-opt %s --split-input-file --verify-diagnostics --convert-agpu-to-streams
// LOWER-8: what has no lowering is refused.

// expected-error @below {{'func.func' op has chains in its signature but no body}}
func.func private @elsewhere(!agpu.chain)

// -----

func.func @hidden(%a: !agpu.chain) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op uses a chain but is not known to pass it on}}
  // expected-note @below {{chains pass through branches}}
  %p = builtin.unrealized_conversion_cast %a : !agpu.chain to index
  return
}

// -----

func.func @nested(%f: (!agpu.chain) -> ()) {
  return
}

func.func @indirect() {
  // expected-error @below {{'func.constant' op has a chain inside another type, which has no lowering}}
  %f = func.constant @nested : ((!agpu.chain) -> ()) -> ()
  return
}

// -----

func.func private @outside()

module @inside {
  func.func @chains(%a: !agpu.chain) {
    // expected-error @below {{'agpu.wait' op is in a module inside the program's: only functions of the program's own module are lowered}}
    agpu.wait [%a]
    return
  }
}

// -----

func.func @region(%d: memref<4xi32>, %v: i32) {
  // expected-note @below {{device operations may stand in functions}}
  memref.alloca_scope {
    // expected-error @below {{'agpu.memset' op is inside 'memref.alloca_scope', which does not become blocks}}
    agpu.memset (%d, %v) : memref<4xi32>, i32
  }
  return
}

// -----

func.func @layout(%d: memref<4xi32, affine_map<(i) -> (i floordiv 2)>>, %v: i32) {
  // expected-error @below {{'agpu.memset' op has a memref whose layout is not strided}}
  agpu.memset (%d, %v) : memref<4xi32, affine_map<(i) -> (i floordiv 2)>>, i32
  return
}

// -----

func.func private @take(memref<*xi32>)
func.func @unranked(%m: memref<*xi32>) {
  // expected-error @below {{'agpu.host_call' op passes an unranked memref}}
  agpu.host_call @take(%m) : memref<*xi32>
  return
}

// -----

func.func @launch(%n: index) {
  // expected-error @below {{'agpu.launch' op has a kernel in its region: run agpu-outline-kernels before this pass}}
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    agpu.terminator
  }
  return
}

// -----

func.func @kind(%m: memref<2xi4>) {
  // expected-error @below {{'agpu.expect' op cannot be lowered: comparison knows signless integers}}
  agpu.expect %m, dense<1> : tensor<2xi4> : memref<2xi4>
  return
}

// -----

func.func @tensors(%n: index, %t: tensor<4xi32>, %d: memref<4xi32>, %v: i32) -> tensor<4xi32> {
  // expected-error @below {{'scf.forall' op has results, which are tensors: bufferize it}}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xi32>) {
    agpu.memset (%d, %v) : memref<4xi32>, i32
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xi32>
}
