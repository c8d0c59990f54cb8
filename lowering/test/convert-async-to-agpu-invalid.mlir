// What the import refuses; import-diagnostics.test checks that no case is missing.
// RUN: lockstep-opt %s --split-input-file --convert-async-to-agpu --verify-diagnostics

func.func @group(%n: index, %t: !async.token) {
  // expected-error @below {{cannot become chains}}
  // expected-note @below {{expected: async.execute, async.await and async.yield only}}
  // expected-note @below {{await each token of the group, or pass the tokens to one async.execute}}
  %g = async.create_group %n : !async.group
  return
}

// -----

// expected-error @below {{cannot become chains}}
// expected-note @below {{expected: async.execute, async.await and async.yield only}}
// expected-note @below {{use a func.func that returns tokens or values of the async dialect}}
async.func private @function() -> !async.token

// -----

func.func @coroutine() {
  // expected-error @below {{cannot become chains}}
  // expected-note @below {{expected: async.execute, async.await and async.yield only}}
  %id = async.coro.id
  return
}

// -----

func.func @other_operation(%a: !async.token, %b: !async.token, %cond: i1) {
  // expected-error @below {{passes on a value of the async dialect in a way that chains cannot go}}
  // expected-note @below {{expected: func, scf and cf operations only}}
  %t = arith.select %cond, %a, %b : !async.token
  async.await %t : !async.token
  return
}

// -----

// gpu operations in a body are imported by the rules of convert-gpu-to-agpu, refusals included.
func.func @gpu_refusal(%n: index) {
  %t = async.execute {
    // expected-error @below {{has memory attributions}}
    // expected-note @below {{run gpu-kernel-outlining first: a gpu.func keeps them}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
               threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n)
               workgroup(%w : memref<4xi32, 3>) {
      gpu.terminator
    }
    async.yield
  }
  return
}
