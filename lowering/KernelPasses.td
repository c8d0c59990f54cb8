// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes that move kernels out of host code and turn them into device code.

#ifndef LOCKSTEP_LOWERING_KERNELPASSES_TD
#define LOCKSTEP_LOWERING_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def AgpuOutlineKernelsPass : Pass<"agpu-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Moves the region of each agpu.launch into a kernel function.";
  let description = [{
    Turns each `agpu.launch` into a `gpu.module` that holds one kernel, and an `agpu.launch_func` that launches it.
    Chains, dynamic shared memory and the launch's own attributes stay as they are.

    Needs: launches inside functions that are direct children of the module.

    Guarantees:
    - No `agpu.launch` is left, and the module has the attribute `gpu.container_module`.
    - The kernel of function `f` is `@f_kernel::@f_kernel`; the next ones are `@f_kernel_0`, `@f_kernel_1`. The names
      depend on the order of the launches in the program and on nothing else.
    - Values from above become arguments, in order of first use, with their type and so their memory space. Constants
      are copied into the kernel instead. Integer and index computations without side effects move into the kernel where
      only the kernel uses them and no further argument becomes necessary.
    - Symbols that the region uses are copied into the `gpu.module`, with the symbols that those use.
    - `memref.alloca` in workgroup memory (`#gpu.address_space<workgroup>` or 3) becomes a workgroup attribution, in
      private memory (`#gpu.address_space<private>`) a private one.
    - Constant grid and block sizes are kept as `known_grid_size` and `known_block_size`.

    Refuses: workgroup memory of a dynamic shape, or allocated anywhere but in the region's first block; `memref.alloc`
    in workgroup memory; a use of a `memref.global` that is neither constant nor workgroup memory (the kernel would get
    a copy that the host never sees: pass the memref instead); a use of a symbol that the module does not have.

    Before:

    ```mlir
    func.func @main(%m: memref<?xi32, 1>, %n: index, %c0: !agpu.chain) {
      %one = arith.constant 1 : index
      %c1 = agpu.launch [%c0] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %one, %sz = %one) {
        %v = arith.index_cast %tx : index to i32
        memref.store %v, %m[%tx] : memref<?xi32, 1>
        agpu.terminator
      }
      return
    }
    ```

    After:

    ```mlir
    func.func @main(%m: memref<?xi32, 1>, %n: index, %c0: !agpu.chain) {
      %one = arith.constant 1 : index
      %c1 = agpu.launch_func [%c0] @main_kernel::@main_kernel blocks in (%one, %one, %one)
          threads in (%n, %one, %one) args(%m : memref<?xi32, 1>)
      return
    }
    gpu.module @main_kernel {
      gpu.func @main_kernel(%m: memref<?xi32, 1>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>} {
        %tx = gpu.thread_id x
        %v = arith.index_cast %tx : index to i32
        memref.store %v, %m[%tx] : memref<?xi32, 1>
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let statistics = [
    Statistic<"kernelCount", "kernels", "Kernels moved out of launches">,
    Statistic<"sunkCount", "sunk-operations", "Operations copied or moved from the host into a kernel">,
  ];
}

def AgpuLegalizeKernelsPass : Pass<"agpu-legalize-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expands kernel operations that upstream's conversion to the target does not know.";
  let description = [{
    The first step of the kernel pipeline. Rewrites what upstream's conversion to NVVM or ROCDL
    leaves alone into what it knows.

    Needs: kernels in the gpu, memref, vector, scf, arith and math dialects.

    Guarantees, for what is in the module:
    - `gpu.all_reduce` becomes shuffles, workgroup memory and barriers; `gpu.subgroup_reduce` becomes shuffles of
      the whole subgroup; `gpu.global_id` becomes block and thread ids.
    - `gpu.shuffle` works on 32 bits: 64-bit and 16-bit values are split or widened.
    - `gpu.subgroup_size` is the option's, and `gpu.num_subgroups` follows from the size of the block.
    - `math.ipowi` of a scalar becomes a loop.
    - Atomic products, and `memref.generic_atomic_rmw` of floats, become loops of compare-and-exchange on integers.
    - Vector operations of more than one dimension, masked ones and transfers become one-dimensional loads, stores and
      arithmetic.
    - For `rocdl`: `gpu.shuffle` becomes `ds_bpermute`. A width under the subgroup's size divides it into segments of
      the next power of two which work alone, so code written for 32 lanes runs in a wave of 64; a lane whose partner is
      outside of its segment keeps its value. `gpu.subgroup_reduce` leaves out lanes that the block does not have.
      `cf.assert` becomes a message by `gpu.printf` and a trap.

    Refuses: a target of another name; a cluster wider than a subgroup; `gpu.all_reduce`
    that is not uniform, which some threads of the block may not reach.

    Before:

    ```mlir
    %r = gpu.subgroup_reduce add %v : (f32) -> f32
    ```

    After, once for each of the distances 1, 2, 4, 8 and 16:

    ```mlir
    %other, %valid = gpu.shuffle xor %v, %distance, %width : f32
    %sum = arith.addf %v, %other : f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"target", "target", "std::string", "\"nvvm\"", "Kind of device: `nvvm` or `rocdl`.">,
    Option<"subgroupSize", "subgroup-size", "unsigned", "32", "Lanes of a subgroup: 32, or 64 for AMD's up to gfx9.">,
  ];
}

def AgpuSerializeKernelsPass : Pass<"agpu-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns each gpu.module into a gpu.binary.";
  let description = [{
    Translates each `gpu.module` to LLVM IR and replaces it with a `gpu.binary` of the same name that holds one object.
    The object lists the module's kernels in its kernel table.

    Needs: `gpu.module`s in the LLVM dialect and the target's (NVVM, ROCDL): what the kernel pipeline
    (`lowering/KernelPipeline.h`) or upstream's `convert-gpu-to-nvvm` and `convert-gpu-to-rocdl` make.

    Guarantees, by format:
    - `bitcode`: LLVM bitcode in wrapper form, so 20 bytes of header (magic 0x0B17C0DE, offset, size) come first and a
      loader can tell the length. For the simulated device. Calls of the device library (`__nv_expf`, `__ocml_exp_f64`)
      stay calls.
    - `isa`: PTX, or assembly text of AMD's processors with the metadata of code object version 5, optimised at level 2.
      The device library is linked where a CUDA toolkit or ROCm is found. With `rocdl` the sizes of block and grid need
      no library.
    - `binary`: the PTX assembled by `ptxas`; with `rocdl` a code object (HSACO) linked by `ld.lld`.

    Refuses: other targets, by name; chips that LLVM does not know; operations that have no translation to LLVM IR;
    with `isa` and `binary` a call of the device library where no toolkit has it (the functions are named); with
    `binary` a machine without `ptxas` or `ld.lld`, and whatever these refuse (their own message is quoted).

    Before:

    ```mlir
    gpu.module @kernels {
      llvm.func @fill(%p: !llvm.ptr, %v: f32) attributes {gpu.kernel, nvvm.kernel} {
        llvm.store %v, %p : f32, !llvm.ptr
        llvm.return
      }
    }
    ```

    After:

    ```mlir
    gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_75">,
      kernels = <[#gpu.kernel_metadata<"fill", !llvm.func<void (ptr, f32)>>]>, offload = "...">]
    ```
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect"
  ];
  let options = [
    Option<"target", "target", "std::string", "\"nvvm\"", "Kind of device: `nvvm` or `rocdl`.">,
    Option<"format", "format", "std::string", "\"bitcode\"", "What the object holds: `bitcode`, `isa` or `binary`.">,
    Option<"chip", "chip", "std::string", "\"\"",
           "The processor; empty: `sm_75` or `gfx90a`. With `rocdl` it decides the size of a wave, too.">,
    Option<"features", "features", "std::string", "\"\"",
           "LLVM target features, such as `+ptx80`; empty: the lowest PTX version that knows the chip.">,
    Option<"cudaPath", "cuda-path", "std::string", "\"\"",
           "Folder of the CUDA toolkit that has the device library; empty: CUDA_HOME, CUDA_PATH or CUDA_ROOT of the "
           "environment, or the toolkit's usual folder.">,
    Option<"ptxas", "ptxas", "std::string", "\"\"",
           "The assembler; empty: `ptxas` on the PATH, or that of the toolkit.">,
    Option<"rocmPath", "rocm-path", "std::string", "\"\"",
           "Folder of ROCm that has the device libraries; empty: ROCM_PATH or HIP_PATH of the environment, or ROCm's "
           "usual folder.">,
    Option<"lld", "lld", "std::string", "\"\"",
           "The linker of code objects; empty: that of ROCm, or `ld.lld-22` or `ld.lld` on the PATH.">,
  ];
  let statistics = [
    Statistic<"moduleCount", "modules", "Modules turned into binaries">,
    Statistic<"byteCount", "bytes", "Bytes of all objects">,
  ];
}

def AgpuEmbedKernelsPass : Pass<"agpu-embed-kernels", "::mlir::ModuleOp"> {
  let summary = "Embeds binaries in the host program and loads them before it starts.";
  let description = [{
    Makes each `gpu.binary` constant data of the host program, with code that loads it before `main` and unloads it at
    the end. The program's own code loads nothing, so that its stream operations can be captured.

    Needs: launches lowered to loads from kernel handles. A handle is an `llvm.mlir.global` of pointer type with the
    attribute `agpu.kernel`, which names the kernel: `@module::@kernel`. The slot of a graph is a null pointer with the
    attribute `agpu.graph_slot`.

    Guarantees:
    - A constructor loads the modules (`mgpuModuleLoad`, for PTX `mgpuModuleLoadJIT`) in program order and fills the
      handles (`mgpuModuleGetFunction`); a destructor releases the graphs of all slots (`mgpuGraphRelease`), then
      unloads the modules in reverse (`mgpuModuleUnload`).
    - The data is aligned to 8 bytes, and PTX ends in a zero byte.
    - A binary to which no handle refers is dropped: nothing would ever use it.
    - No `gpu.binary` is left.

    Refuses: a handle whose module or kernel does not exist (both are named); launches that are not lowered; symbols
    with the name of a runtime function.

    Before:

    ```mlir
    gpu.binary @kernels [#gpu.object<#nvvm.target, kernels = <[#gpu.kernel_metadata<"fill", ...>]>, offload = "...">]
    llvm.mlir.global internal @agpu.function.kernels.fill() {agpu.kernel = @kernels::@fill} : !llvm.ptr
    ```

    After (the destructor and some constants left out):

    ```mlir
    llvm.mlir.global internal constant @agpu.data.kernels("...") {alignment = 8 : i64}
    llvm.mlir.global internal @agpu.module.kernels() : !llvm.ptr { ... }
    llvm.mlir.global internal @agpu.function.kernels.fill() : !llvm.ptr { ... }
    llvm.func internal @agpu.load_kernels() {
      %module = llvm.call @mgpuModuleLoad(%data, %size) : (!llvm.ptr, i64) -> !llvm.ptr
      llvm.store %module, %module_address : !llvm.ptr, !llvm.ptr
      %function = llvm.call @mgpuModuleGetFunction(%module, %name) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
      llvm.store %function, %function_address : !llvm.ptr, !llvm.ptr
      llvm.return
    }
    llvm.mlir.global_ctors ctors = [@agpu.load_kernels], priorities = [123 : i32], data = [#llvm.zero]
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"moduleCount", "modules", "Binaries embedded">,
    Statistic<"droppedCount", "dropped", "Binaries that no handle refers to">,
  ];
}

#endif // LOCKSTEP_LOWERING_KERNELPASSES_TD
