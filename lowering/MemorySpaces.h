// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a memory space means, written as #gpu.address_space<…> or as a number. The numbers are those of the NVPTX
// target.

#ifndef LOCKSTEP_LOWERING_MEMORYSPACES_H
#define LOCKSTEP_LOWERING_MEMORYSPACES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace lockstep::agpu {

constexpr int64_t kGlobalSpace = 1;
constexpr int64_t kWorkgroupSpace = 3;

inline bool isMemorySpace(mlir::Attribute space, mlir::gpu::AddressSpace named, int64_t number) {
  if (auto attribute = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space))
    return attribute.getValue() == named;
  auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(space);
  return integer && integer.getInt() == number;
}

/// Memory that all threads of a block share.
inline bool isWorkgroupMemory(mlir::BaseMemRefType type) {
  return isMemorySpace(type.getMemorySpace(), mlir::gpu::AddressSpace::Workgroup, kWorkgroupSpace);
}

/// Memory of one thread. Has no number: memory space 5 is for an alloca of LLVM, not for an attribution.
inline bool isPrivateMemory(mlir::BaseMemRefType type) {
  auto attribute = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(type.getMemorySpace());
  return attribute && attribute.getValue() == mlir::gpu::AddressSpace::Private;
}

/// Memory that is the device's by its type alone.
inline bool isGlobalMemory(mlir::BaseMemRefType type) {
  return isMemorySpace(type.getMemorySpace(), mlir::gpu::AddressSpace::Global, kGlobalSpace);
}

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_MEMORYSPACES_H
