// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded modules and their functions, as handles name them.

#ifndef LOCKSTEP_SIMGPU_CORE_MODULE_H
#define LOCKSTEP_SIMGPU_CORE_MODULE_H

#include "simgpu/core/DeviceCode.h"
#include "simgpu/core/Handles.h"
#include "simgpu/core/Memory.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::simgpu {

struct LoadedModule : HandleObject {
  std::weak_ptr<Context> context;
  std::shared_ptr<DeviceModule> code;
  std::vector<AllocationPtr> globals;
  std::map<std::string, uint64_t> functions; ///< Handles given out, by name.
  uint64_t library = 0;                      ///< Handle of the library that it came from; 0 for one loaded by itself.
};

struct LoadedFunction : HandleObject {
  std::weak_ptr<Context> context;
  std::string name;
  uint64_t module = 0; ///< Handle of its module.
  std::shared_ptr<const DeviceKernel> code;
  uint32_t maxDynamicSharedBytes = 0; ///< Raised by setting the attribute.
};

} // namespace lockstep::simgpu

#endif // LOCKSTEP_SIMGPU_CORE_MODULE_H
