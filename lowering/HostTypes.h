// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_LOWERING_HOSTTYPES_H
#define LOCKSTEP_LOWERING_HOSTTYPES_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace lockstep::agpu {

/// How types of host code become LLVM types: as upstream's converter does, with chains as pointers (an event handle, or
/// null for a chain that is complete) and every memory space as 0. Lowerings and the final conversion must agree on it,
/// or casts between them stay behind.
class HostTypeConverter : public mlir::LLVMTypeConverter {
public:
  explicit HostTypeConverter(mlir::MLIRContext *context);
};

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_HOSTTYPES_H
