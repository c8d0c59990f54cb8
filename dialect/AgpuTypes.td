// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_DIALECT_AGPUTYPES_TD
#define LOCKSTEP_DIALECT_AGPUTYPES_TD

include "dialect/AgpuBase.td"
include "mlir/IR/AttrTypeBase.td"

class Agpu_Type<string name, string typeMnemonic> : TypeDef<Agpu_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Agpu_Chain : Agpu_Type<"Chain", "chain"> {
  let summary = "chain (the completion of an asynchronous operation and of all before it)";
  let description = [{
    A chain is complete when the operation that gave it, and every operation that this one waited for, is complete
    (CHAIN-1). It may have any number of users (CHAIN-2), may be waited on any number of times (CHAIN-3), and may pass
    through block arguments, region results, calls and returns like any other value (CHAIN-4). It orders work; it holds
    no resource that the program must release (CHAIN-5).
  }];
  let builderCall = "$_builder.getType<::lockstep::agpu::ChainType>()";
}

#endif // LOCKSTEP_DIALECT_AGPUTYPES_TD
