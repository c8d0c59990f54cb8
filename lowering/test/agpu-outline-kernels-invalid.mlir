// RUN: lockstep-opt %s --agpu-outline-kernels --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @dynamic_shared(%n: index) {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    // expected-error@+1 {{in workgroup or private memory must have a static shape in a kernel}}
    %s = memref.alloca(%n) : memref<?xf32, 3>
    agpu.terminator
  }
  return
}

// -----

func.func @nested_shared(%p: i1) {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    scf.if %p {
      // expected-error@+1 {{in workgroup or private memory must be in the first block of the kernel}}
      %s = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
    }
    agpu.terminator
  }
  return
}

// -----

func.func @allocated_shared() {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    // expected-error@+1 {{in workgroup memory is not supported in a kernel: use memref.alloca}}
    %s = memref.alloc() : memref<4xf32, 3>
    agpu.terminator
  }
  return
}

// -----

memref.global "private" @counter : memref<1xi32> = dense<0>
func.func @variable() {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    // expected-error@+1 {{in a kernel uses the global @counter, which is not constant: a kernel would get its own copy; pass the memref instead}}
    %s = memref.get_global @counter : memref<1xi32>
    agpu.terminator
  }
  return
}

// -----

func.func @nowhere() {
  %one = arith.constant 1 : index
  agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    // expected-error@+1 {{in a kernel uses a symbol that the module does not have: @missing}}
    "test.use"() {callee = @missing} : () -> ()
    agpu.terminator
  }
  return
}

// -----

module {
  "test.holder"() ({
    func.func @inner() {
      %one = arith.constant 1 : index
      // expected-error@+1 {{must be in a function that is a direct child of the module}}
      agpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                  threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
        agpu.terminator
      }
      return
    }
  }) : () -> ()
}
