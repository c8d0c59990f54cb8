// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_DIALECT_AGPUOPS_TD
#define LOCKSTEP_DIALECT_AGPUOPS_TD

include "dialect/AgpuBase.td"
include "dialect/AgpuInterfaces.td"
include "dialect/AgpuTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Agpu_Op<string mnemonic, list<Trait> traits = []> : Op<Agpu_Dialect, mnemonic, traits>;

/// A device operation: chains in, a chain out where it is asynchronous.
class Agpu_DeviceOp<string mnemonic, list<Trait> traits = []>
    : Agpu_Op<mnemonic, !listconcat([Agpu_ChainOpInterface], traits)>;

def Agpu_AllocOp : Agpu_DeviceOp<"alloc", [AttrSizedOperandSegments]> {
  let summary = "Allocates device memory.";
  let description = [{
    Allocates device memory for a memref. The result may be used by operations that depend on the chain; a synchronous
    allocation may be used at once (ALLOC-1). The contents are undefined (ALLOC-2). `host_shared` asks for memory that
    host code can access too (ALLOC-3). There is one size for each dynamic dimension (ALLOC-4), and the layout is the
    identity (ALLOC-5).

    Example:

    ```mlir
    func.func @example(%n: index, %c0: !agpu.chain) {
      %m, %c1 = agpu.alloc [%c0] (%n) : memref<?xf32>
      %fixed = agpu.alloc host_shared () : memref<4xi32>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, Variadic<Index>:$sizes, UnitAttr:$host_shared);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$memref, Optional<Agpu_Chain>:$chain);
  let assemblyFormat = [{
    `` custom<Chains>(type($chain), $chains) (`host_shared` $host_shared^)? ` ` `(` $sizes `)` attr-dict
    `:` type($memref)
  }];
  let hasVerifier = 1;
}

def Agpu_DeallocOp : Agpu_DeviceOp<"dealloc"> {
  let summary = "Frees device memory.";
  let description = [{
    Frees what `agpu.alloc` gave, after its chains. No operation may use the memory unless it comes before this one
    (DEALLOC-1).

    Example:

    ```mlir
    func.func @example(%m: memref<?xf32>, %c0: !agpu.chain) {
      %c1 = agpu.dealloc [%c0] %m : memref<?xf32>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, Arg<AnyRankedOrUnrankedMemRef, "", [MemFree]>:$memref);
  let results = (outs Optional<Agpu_Chain>:$chain);
  let assemblyFormat = "`` custom<Chains>(type($chain), $chains) $memref attr-dict `:` type($memref)";
}

def Agpu_MemcpyOp : Agpu_DeviceOp<"memcpy"> {
  let summary = "Copies one memref into another.";
  let description = [{
    Copies the elements of the source to the same indices of the destination, between host and device memory in any
    direction (MEMCPY-1). Both have the same element type and shape (MEMCPY-2); layouts may differ, and only the
    elements of the view are read and written (MEMCPY-3). The two must not overlap (MEMCPY-4).

    Example:

    ```mlir
    func.func @example(%d: memref<?xf32, 1>, %h: memref<?xf32>, %c0: !agpu.chain) {
      %c1 = agpu.memcpy [%c0] (%d, %h) : memref<?xf32, 1>, memref<?xf32>
      agpu.memcpy (%h, %d) : memref<?xf32>, memref<?xf32, 1>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, Arg<AnyRankedOrUnrankedMemRef, "", [MemWrite]>:$dst,
                   Arg<AnyRankedOrUnrankedMemRef, "", [MemRead]>:$src);
  let results = (outs Optional<Agpu_Chain>:$chain);
  let assemblyFormat = [{
    `` custom<Chains>(type($chain), $chains) ` ` `(` $dst `,` $src `)` attr-dict `:` type($dst) `,` type($src)
  }];
  let hasVerifier = 1;
}

def Agpu_MemsetOp : Agpu_DeviceOp<"memset"> {
  let summary = "Fills a memref with one value.";
  let description = [{
    Writes the value to each element of the destination (MEMSET-1). The element type is an integer, index or float type
    of 8, 16, 32 or 64 bits and equals the type of the value (MEMSET-2). Only the elements of the view are written
    (MEMSET-3).

    Example:

    ```mlir
    func.func @example(%d: memref<?xf64, strided<[2]>>, %v: f64) {
      %c = agpu.memset [] (%d, %v) : memref<?xf64, strided<[2]>>, f64
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, Arg<AnyRankedOrUnrankedMemRef, "", [MemWrite]>:$dst,
                   AnyType:$value);
  let results = (outs Optional<Agpu_Chain>:$chain);
  let assemblyFormat = [{
    `` custom<Chains>(type($chain), $chains) ` ` `(` $dst `,` $value `)` attr-dict `:` type($dst) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Agpu_LaunchOp : Agpu_DeviceOp<"launch", [
    AttrSizedOperandSegments, AffineScope, AutomaticAllocationScope,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Launches the kernel in its region.";
  let description = [{
    Runs the region once for each thread of the grid (LAUNCH-1). The region's arguments are block ids, thread ids, grid
    sizes and block sizes, three of each (LAUNCH-2). The region may use values from above, chains excepted (LAUNCH-3).
    `agpu-outline-kernels` moves it into a `gpu.func`. `dynamic_shared_memory_size` is in bytes (LAUNCH-4). A thread
    ends at an `agpu.terminator` (LAUNCH-5). The region holds no other operation of this dialect: a kernel cannot give
    work to the device (LAUNCH-6).

    Example:

    ```mlir
    func.func @example(%d: memref<?xi32>, %n: index, %c0: !agpu.chain) {
      %c1 = arith.constant 1 : index
      %done = agpu.launch [%c0] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                                threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
        %v = arith.index_cast %tx : index to i32
        memref.store %v, %d[%tx] : memref<?xi32>
        agpu.terminator
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, Index:$gridSizeX, Index:$gridSizeY, Index:$gridSizeZ,
                   Index:$blockSizeX, Index:$blockSizeY, Index:$blockSizeZ, Optional<I32>:$dynamicSharedMemorySize);
  let results = (outs Optional<Agpu_Chain>:$chain);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Region arguments: block ids, thread ids, grid sizes, block sizes; x, y, z of each.
    static constexpr unsigned kNumConfigRegionArguments = 12;
    ::mlir::OperandRange getGridSizes() { return getOperation()->getOperands().slice(getChains().size(), 3); }
    ::mlir::OperandRange getBlockSizes() { return getOperation()->getOperands().slice(getChains().size() + 3, 3); }
  }];
}

def Agpu_TerminatorOp : Agpu_Op<"terminator", [HasParent<"LaunchOp">, Pure, Terminator]> {
  let summary = "Ends the region of an agpu.launch.";
  let description = [{
    Ends a thread of the kernel; the region of a launch ends in no other way (LAUNCH-5).

    Example:

    ```mlir
    func.func @example(%n: index) {
      agpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
                  threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
        agpu.terminator
      }
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Agpu_LaunchFuncOp : Agpu_DeviceOp<"launch_func", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Launches a kernel function.";
  let description = [{
    Runs a kernel of a `gpu.module` or `gpu.binary`, a function with the attribute `gpu.kernel`, once for each thread of
    the grid (LAUNCHFUNC-1). Arguments match the kernel's in number and type; a kernel that is already lowered to the
    LLVM dialect or to a binary is not checked (LAUNCHFUNC-2). A chain is never an argument (LAUNCHFUNC-3).

    Example:

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @fill(%m: memref<?xf32>, %v: f32) kernel {
          %i = gpu.thread_id x
          memref.store %v, %m[%i] : memref<?xf32>
          gpu.return
        }
      }
      func.func @example(%m: memref<?xf32>, %v: f32, %n: index, %c0: !agpu.chain) {
        %one = arith.constant 1 : index
        %c1 = agpu.launch_func [%c0] @kernels::@fill blocks in (%one, %one, %one) threads in (%n, %one, %one)
            args(%m : memref<?xf32>, %v : f32)
        return
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, SymbolRefAttr:$kernel, Index:$gridSizeX, Index:$gridSizeY,
                   Index:$gridSizeZ, Index:$blockSizeX, Index:$blockSizeY, Index:$blockSizeZ,
                   Optional<I32>:$dynamicSharedMemorySize, Variadic<AnyType>:$kernelOperands);
  let results = (outs Optional<Agpu_Chain>:$chain);
  let assemblyFormat = [{
    `` custom<Chains>(type($chain), $chains) $kernel
    `blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)`
    `threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)`
    (`dynamic_shared_memory_size` $dynamicSharedMemorySize^)?
    `` custom<KernelArguments>($kernelOperands, type($kernelOperands)) attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::StringAttr getKernelModuleName() { return getKernel().getRootReference(); }
    ::mlir::StringAttr getKernelName() { return getKernel().getLeafReference(); }
    ::mlir::OperandRange getGridSizes() { return getOperation()->getOperands().slice(getChains().size(), 3); }
    ::mlir::OperandRange getBlockSizes() { return getOperation()->getOperands().slice(getChains().size() + 3, 3); }
  }];
}

def Agpu_HostCallOp : Agpu_DeviceOp<"host_call", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Calls a host function in device order.";
  let description = [{
    Calls a function on the host when all its chains are complete (HOSTCALL-1). The function has no results
    (HOSTCALL-2), and does no device operation (HOSTCALL-3). The values of the arguments are those of the moment in
    which the host reaches this operation; memory behind a memref is read when the function runs (HOSTCALL-4). The
    arguments match the function's in number and type (HOSTCALL-5), and a chain is never one (HOSTCALL-6).

    Example:

    ```mlir
    func.func private @consume(memref<?xi32>, i32)
    func.func @example(%h: memref<?xi32>, %i: i32, %c0: !agpu.chain) {
      %c1 = agpu.host_call [%c0] @consume(%h, %i) : memref<?xi32>, i32
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains, FlatSymbolRefAttr:$callee, Variadic<AnyType>:$arguments);
  let results = (outs Optional<Agpu_Chain>:$chain);
  let assemblyFormat = [{
    `` custom<Chains>(type($chain), $chains) $callee `(` ($arguments^)? `)` attr-dict (`:` type($arguments)^)?
  }];
}

def Agpu_JoinOp : Agpu_DeviceOp<"join", [Pure]> {
  let summary = "Gives a chain that completes after several others.";
  let description = [{
    Gives a chain that is complete when all its operands are (JOIN-1). It does no work. Without operands the chain is
    complete at once (JOIN-2).

    Example:

    ```mlir
    func.func @example(%a: !agpu.chain, %b: !agpu.chain) -> !agpu.chain {
      %c = agpu.join [%a, %b]
      return %c : !agpu.chain
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains);
  let results = (outs Agpu_Chain:$chain);
  let assemblyFormat = "` ` `[` ($chains^)? `]` attr-dict";
  let hasFolder = 1;
}

def Agpu_WaitOp : Agpu_DeviceOp<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Blocks the host until chains are complete.";
  let description = [{
    The host goes on when all operands are complete, and then sees what the operations before them wrote (WAIT-1). A
    chain may be waited on again; that returns at once (WAIT-2).

    Example:

    ```mlir
    func.func @example(%a: !agpu.chain, %b: !agpu.chain) {
      agpu.wait [%a, %b]
      agpu.wait [%a]
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Agpu_Chain>:$chains);
  let assemblyFormat = "` ` `[` ($chains^)? `]` attr-dict";
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    /// A wait gives no chain: the host itself is what it orders.
    ::mlir::TypedValue<::lockstep::agpu::ChainType> getChain() { return {}; }
  }];
}

def Agpu_HostRegisterOp : Agpu_Op<"host_register"> {
  let summary = "Page-locks host memory.";
  let description = [{
    Makes host memory accessible to the device and copies from and to it asynchronous (HOSTREG-1). Synchronous.

    Example:

    ```mlir
    func.func @example(%h: memref<?xi32>) {
      agpu.host_register %h : memref<?xi32>
      agpu.host_unregister %h : memref<?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemRead, MemWrite]>:$memref);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Agpu_HostUnregisterOp : Agpu_Op<"host_unregister"> {
  let summary = "Undoes agpu.host_register.";
  let description = [{
    Unlocks host memory. No device operation that uses the memory may be pending (HOSTREG-2). Synchronous.

    Example:

    ```mlir
    func.func @example(%h: memref<*xi32>) {
      agpu.host_unregister %h : memref<*xi32>
      return
    }
    ```
  }];
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemRead, MemWrite]>:$memref);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
}

def Agpu_ExpectOp : Agpu_Op<"expect"> {
  let summary = "States the contents that host memory has at this point.";
  let description = [{
    Compares host memory with a constant, element by element, and reports each difference to the harness as a finding of
    the oracle `values` (EXPECT-1). Shape and element type of both are the same (EXPECT-2). Integers and floats are
    compared bit for bit; with `tolerance` floats may differ by that much, absolutely (EXPECT-3). The program goes on
    after a difference (EXPECT-4). A synchronous host operation: it waits for no device work (EXPECT-5). Only floats
    have a tolerance, and it is a number that is not negative (EXPECT-6).

    Example:

    ```mlir
    func.func @example(%h: memref<?xi32>, %f: memref<*xf32>) {
      agpu.expect %h, dense<[84, 84]> : tensor<2xi32> : memref<?xi32>
      agpu.expect %f, dense<1.5> : tensor<2x2xf32> tolerance 1.0e-6 : memref<*xf32>
      return
    }
    ```
  }];
  // The write stands for the report: an operation that only reads would be dead code.
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemRead, MemWrite]>:$memref, ElementsAttr:$expected,
                   OptionalAttr<F64Attr>:$tolerance);
  let assemblyFormat = "$memref `,` $expected `` custom<Tolerance>($tolerance) attr-dict `:` type($memref)";
  let hasVerifier = 1;
}

#endif // LOCKSTEP_DIALECT_AGPUOPS_TD
