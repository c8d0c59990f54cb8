// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_RUNTIMEEMITTERPROLOGUE_H
#define LOCKSTEP_LOWERING_RUNTIMEEMITTERPROLOGUE_H

#include "lowering/RuntimeEmitter.h"

namespace lockstep::agpu {

class RuntimeEmitter::InPrologue {
public:
  explicit InPrologue(RuntimeEmitter &emitter) : emitter(emitter), guard(emitter.builder) {
    if (emitter.prologueEnd)
      emitter.builder.setInsertionPointAfter(emitter.prologueEnd);
    else
      emitter.builder.setInsertionPointToStart(emitter.entry);
  }
  ~InPrologue() {
    // The builder stands behind what was built; with nothing before it, nothing was built.
    mlir::Block::iterator position = emitter.builder.getInsertionPoint();
    if (position != emitter.entry->begin())
      emitter.prologueEnd = &*std::prev(position);
  }

private:
  RuntimeEmitter &emitter;
  mlir::OpBuilder::InsertionGuard guard;
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_RUNTIMEEMITTERPROLOGUE_H
