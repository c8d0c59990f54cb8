// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_CHAINREFERENCES_H
#define LOCKSTEP_LOWERING_CHAINREFERENCES_H

#include "lowering/RuntimeEmitter.h"

#include "llvm/ADT/SetVector.h"

namespace lockstep::agpu {

/// Inserts mgpuEventPoolRetain and mgpuEventPoolRelease, so that every definition among `owned` gives up its one
/// reference on every path, and every branch, call and return has one to pass for each operand (LOWER-4). `owned` are
/// values of type !llvm.ptr that hold events: results and block arguments of the region. Splits critical edges where
/// the two ways out of a block need different counts.
///
/// By liveness on the control flow graph: on an edge that passes a value k times, where it is live behind the edge l
/// times (0 or 1), k + l - 1 references are added, or the one is released. Time is that of the live-in sets together.
void insertChainReferences(mlir::Region &region, const llvm::SetVector<mlir::Value> &owned, RuntimeEmitter &emitter);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_CHAINREFERENCES_H
