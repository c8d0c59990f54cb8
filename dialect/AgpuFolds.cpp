// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialect/AgpuOps.h"

using namespace mlir;
using namespace lockstep::agpu;

OpFoldResult JoinOp::fold(FoldAdaptor) { return getChains().size() == 1 ? getChains().front() : OpFoldResult(); }
void JoinOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
void WaitOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
