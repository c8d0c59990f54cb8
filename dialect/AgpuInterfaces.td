// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_DIALECT_AGPUINTERFACES_TD
#define LOCKSTEP_DIALECT_AGPUINTERFACES_TD

include "mlir/IR/OpBase.td"

def Agpu_ChainOpInterface : OpInterface<"ChainOpInterface"> {
  let cppNamespace = "::lockstep::agpu";
  let description = [{
    An operation that has chains in and may give a chain out. An operation that gives one is asynchronous. One that
    gives none has no chains in, except where it blocks the host until they are complete (CHAIN-6). Such operations
    stand in host code, never in a `gpu.module` (CHAIN-7).
  }];
  let methods = [
    InterfaceMethod<"The chains that the operation waits for.", "::mlir::OperandRange", "getChains">,
    InterfaceMethod<"The same operands, to be changed.", "::mlir::MutableOperandRange", "getChainsMutable">,
    InterfaceMethod<"The chain that the operation gives, or null where it is synchronous.",
                    "::mlir::TypedValue<::lockstep::agpu::ChainType>", "getChain">,
  ];
  let verify = [{ return ::lockstep::agpu::detail::verifyChains($_op); }];
  let extraSharedClassDeclaration = [{
    /// Whether the host goes on before the operation is complete.
    bool isAsync() { return static_cast<bool>($_op.getChain()); }
  }];
}

#endif // LOCKSTEP_DIALECT_AGPUINTERFACES_TD
