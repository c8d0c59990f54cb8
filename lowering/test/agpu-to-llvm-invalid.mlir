// RUN: lockstep-opt %s --split-input-file --verify-diagnostics --agpu-to-llvm
// What is left is named, with what would have turned it into something that can be lowered (LOWER-8).

// expected-error @below {{'gpu.module' op is left after the conversion to LLVM}}
// expected-note @below {{agpu-serialize-kernels turns it into a gpu.binary}}
gpu.module @kernels {
}

// -----

// expected-error @below {{'gpu.binary' op is left after the conversion to LLVM}}
// expected-note @below {{agpu-embed-kernels embeds it}}
gpu.binary @kernels [#gpu.object<#nvvm.target, "">]

// -----

func.func @chains(%a: !agpu.chain) {
  // expected-error @below {{'agpu.wait' op is left after the conversion to LLVM}}
  // expected-note @below {{convert-agpu-to-streams, -graph or -serial lowers it}}
  agpu.wait [%a]
  return
}

// -----

func.func @tokens() {
  // expected-error @below {{'gpu.wait' op is left after the conversion to LLVM}}
  // expected-note @below {{convert-gpu-to-agpu imports it}}
  gpu.wait
  return
}

// -----

// Code of a kernel outside of any.
func.func @thread() -> index {
  // expected-error @below {{'gpu.thread_id' op is left after the conversion to LLVM}}
  // expected-note @below {{it has a meaning in kernels only: in gpu.launch, agpu.launch or gpu.func}}
  %x = gpu.thread_id x
  return %x : index
}

// -----

func.func @fill(%m: memref<4xi32>, %v: i32) {
  // expected-error @below {{'linalg.fill' op is left after the conversion to LLVM}}
  // expected-note @below {{convert-linalg-to-loops lowers it, once it is bufferized}}
  linalg.fill ins(%v : i32) outs(%m : memref<4xi32>)
  return
}

// -----

func.func @size(%n: index) {
  // expected-error @below {{'tensor.empty' op is left after the conversion to LLVM}}
  // expected-note @below {{host code has memrefs: bufferize it (one-shot-bufferize) first}}
  %t = tensor.empty(%n) : tensor<?xi32>
  return
}

// -----

// Two conversions that disagree on a type.
func.func @cast(%a: !llvm.ptr) -> i32 {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op is left after the conversion to LLVM}}
  // expected-note @below {{from '!llvm.ptr' to 'i32'}}
  %b = builtin.unrealized_conversion_cast %a : !llvm.ptr to i32
  return %b : i32
}

// -----

func.func @tensors(%n: index, %t: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{'scf.forall' op has results, which are tensors: bufferize it}}
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xi32>) {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xi32>
}
