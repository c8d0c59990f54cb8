// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding a function by name and version, as cuGetProcAddress does: the newest spelling that the asked version has.

#include "simgpu/cuda/Exports.h"
#include "simgpu/cuda/Facade.h"

#include <cstring>
#include <map>
#include <string>

namespace lockstep::simgpu::cuda {

namespace {
/// CUDA version from which the plain name stands for this spelling. Spellings that are not listed have been the meaning
/// of their plain name since before the oldest version a program can ask for today.
struct Introduction {
  const char *spelling;
  int version;
};
constexpr Introduction introductions[] = {
    {"cuDevicePrimaryCtxRelease_v2", 11000},
    {"cuDevicePrimaryCtxReset_v2", 11000},
    {"cuDevicePrimaryCtxSetFlags_v2", 11000},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuCtxCreate_v3", 11040},
    {"cuCtxCreate_v4", 12050},
    {"cuGetProcAddress_v2", 12000},
    {"cuMemAdvise_v2", 12020},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuEventElapsedTime_v2", 12080},
    {"cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
    {"cuGraphAddKernelNode_v2", 12000},
    {"cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuCtxGetDevice_v2", 13000},
    {"cuCtxSynchronize_v2", 13000},
    {"cuMemcpyBatchAsync_v2", 13000},
    {"cuMemcpy3DBatchAsync_v2", 13000},
};

int introducedIn(const std::string &spelling) {
  for (const Introduction &introduction : introductions)
    if (spelling == introduction.spelling)
      return introduction.version;
  return 0;
}

const std::map<std::string, void *> &byName() {
  static const std::map<std::string, void *> functions = [] {
    std::map<std::string, void *> map;
    for (const ExportedFunction &function : listExports())
      map.emplace(function.name, function.address);
    return map;
  }();
  return functions;
}

void *find(const std::string &spelling) {
  auto found = byName().find(spelling);
  return found == byName().end() ? nullptr : found->second;
}
} // namespace

/// Sets `tooNew` where the name exists, but only from a later version on.
static void *findFunction(const std::string &symbol, int version, bool perThread, bool &tooNew) {
  static const char *const suffixes[] = {"_v4", "_v3", "_v2", ""};
  tooNew = false;
  for (const char *suffix : suffixes) {
    std::string spelling = symbol + suffix;
    void *function = find(spelling);
    if (!function)
      continue;
    if (introducedIn(spelling) > version) {
      tooNew = true;
      continue;
    }
    if (!perThread)
      return function;
    for (const char *kind : {"_ptsz", "_ptds"})
      if (void *variant = find(spelling + kind))
        return variant;
    return function;
  }
  return nullptr;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *result) {
  constexpr uint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !function || flags > known || flags == known)
    return CUDA_ERROR_INVALID_VALUE;
  bool tooNew = false;
  *function = findFunction(symbol, version, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, tooNew);
  CUdriverProcAddressQueryResult answer = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                                          : tooNew  ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (result)
    *result = answer;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

} // namespace lockstep::simgpu::cuda
