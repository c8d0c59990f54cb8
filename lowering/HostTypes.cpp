// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lowering/HostTypes.h"

#include "dialect/AgpuTypes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

lockstep::agpu::HostTypeConverter::HostTypeConverter(MLIRContext *context) : LLVMTypeConverter(context) {
  addConversion([](ChainType type) -> Type { return LLVM::LLVMPointerType::get(type.getContext()); });
  // Device memory is addressed by plain pointers on the host.
  auto toDefault = [](BaseMemRefType type, Attribute) -> TypeConverter::AttributeConversionResult {
    return IntegerAttr::get(IntegerType::get(type.getContext(), 64), 0);
  };
  addTypeAttributeConversion([=](BaseMemRefType type, IntegerAttr space) { return toDefault(type, space); });
  addTypeAttributeConversion([=](BaseMemRefType type, gpu::AddressSpaceAttr space) { return toDefault(type, space); });
}
