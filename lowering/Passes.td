// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every pass of Lockstep. One pass is one file, and its names line up: the flag `foo-bar` is `def FooBarPass`, in
// FooBar.cpp, with the debug type `foo-bar`, tested by test/foo-bar.mlir (test/pass-names.test checks that).
// ImportPasses, CheckPasses, KernelPasses, StreamPasses, GraphPasses <- Passes.

#ifndef LOCKSTEP_LOWERING_PASSES_TD
#define LOCKSTEP_LOWERING_PASSES_TD

include "lowering/ImportPasses.td"
include "lowering/CheckPasses.td"
include "lowering/KernelPasses.td"
include "lowering/StreamPasses.td"
include "lowering/GraphPasses.td"

#endif // LOCKSTEP_LOWERING_PASSES_TD
