// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/StreamBlocks.h"

#include "lowering/LateReads.h"

using namespace mlir;

namespace lockstep::agpu {

LogicalResult StreamBlocks::emitOp(ChainOpInterface op, Value stream) {
  auto copy = dyn_cast<MemcpyOp>(op.getOperation());
  if (!copy || !isLateRead(copy))
    return emitter.emitWork(op, stream);
  // A graph's copy reads its source when it runs, also from pageable memory. The graph is kept and launched again.
  Value graph = emitter.call(RuntimeFunction::mgpuGraphBegin, emitter.createGraphSlot());
  if (failed(emitter.emitWork(op, emitter.behindNodes(graph, {}))))
    return failure();
  emitter.call(RuntimeFunction::mgpuGraphLaunch, {graph, stream});
  return success();
}

} // namespace lockstep::agpu
