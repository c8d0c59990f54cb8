// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-api/test/backends/Backend.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>

namespace lockstep::runtime::test {

static void *require(void *found) {
  if (found)
    return found;
  fprintf(stderr, "%s\n", dlerror());
  exit(1);
}

static Backend load(const char *name, const char *library, const char *variable, const char *driver,
                    const char *kernels) {
  setenv(variable, driver, 1);
  void *handle = require(dlopen(library, RTLD_NOW | RTLD_LOCAL));
  Backend backend;
  backend.name = name;
#define MGPU_SYMBOL(RESULT, NAME, PARAMETERS)                                                                          \
  backend.NAME = reinterpret_cast<decltype(backend.NAME)>(require(dlsym(handle, #NAME)));
#include "runtime-api/Symbols.def"
  std::ifstream file(kernels, std::ios::binary);
  backend.kernels.assign(std::istreambuf_iterator<char>(file), {});
  backend.mgpuStatusSetPolicy(kMgpuPolicyRecord);
  return backend;
}

const Backend &Backend::cuda() {
  static const Backend backend =
      load("cuda", CUDA_LIBRARY_PATH, "LOCKSTEP_CUDA_DRIVER", CUDA_DRIVER_PATH, CUDA_KERNELS_PATH);
  return backend;
}

const Backend &Backend::hip() {
  static const Backend backend =
      load("hip", HIP_LIBRARY_PATH, "LOCKSTEP_HIP_DRIVER", HIP_DRIVER_PATH, HIP_KERNELS_PATH);
  return backend;
}

namespace {
/// A driver call in words that do not name a vendor, and the places of the arguments that both vendors have.
struct NeutralCall {
  const char *name;
  std::vector<int> arguments;
};
} // namespace

/// Calls that are not here are a vendor's own business: contexts, current devices, queries of the pool.
static const std::map<std::string, NeutralCall> &neutralCalls() {
  static const std::map<std::string, NeutralCall> calls = {
      {"cuStreamCreate", {"create a stream with flags", {1}}},
      {"hipStreamCreateWithFlags", {"create a stream with flags", {1}}},
      {"cuStreamDestroy", {"destroy a stream", {}}},
      {"hipStreamDestroy", {"destroy a stream", {}}},
      {"cuStreamSynchronize", {"wait for a stream", {}}},
      {"hipStreamSynchronize", {"wait for a stream", {}}},
      {"cuStreamWaitEvent", {"a stream waits with flags", {2}}},
      {"hipStreamWaitEvent", {"a stream waits with flags", {2}}},
      {"cuEventCreate", {"create an event with flags", {1}}},
      {"hipEventCreateWithFlags", {"create an event with flags", {1}}},
      {"cuEventDestroy", {"destroy an event", {}}},
      {"hipEventDestroy", {"destroy an event", {}}},
      {"cuEventRecord", {"record an event", {}}},
      {"hipEventRecord", {"record an event", {}}},
      {"cuEventSynchronize", {"wait for an event", {}}},
      {"hipEventSynchronize", {"wait for an event", {}}},
      {"cuMemAllocAsync", {"allocate bytes", {1}}},
      {"hipMallocAsync", {"allocate bytes", {1}}},
      {"cuMemFreeAsync", {"free", {}}},
      {"hipFreeAsync", {"free", {}}},
      {"cuMemAllocManaged", {"allocate managed bytes, flags", {1, 2}}},
      {"hipMallocManaged", {"allocate managed bytes, flags", {1, 2}}},
      {"cuMemcpyAsync", {"copy bytes", {2}}},
      {"hipMemcpyAsync", {"copy bytes", {2}}},
      {"cuMemcpy2DAsync", {"copy rows", {}}},
      {"hipMemcpy2DAsync", {"copy rows", {}}},
      {"cuMemcpy3DAsync", {"copy slices", {}}},
      {"hipMemcpy3DAsync", {"copy slices", {}}},
      {"cuMemsetD8Async", {"fill with 8-bit value, count", {1, 2}}},
      {"hipMemsetD8Async", {"fill with 8-bit value, count", {1, 2}}},
      {"cuMemsetD16Async", {"fill with 16-bit value, count", {1, 2}}},
      {"hipMemsetD16Async", {"fill with 16-bit value, count", {1, 2}}},
      {"cuMemsetD32Async", {"fill with 32-bit value, count", {1, 2}}},
      {"hipMemsetD32Async", {"fill with 32-bit value, count", {1, 2}}},
      {"cuLaunchKernel", {"launch with grid, block, shared bytes", {1, 2, 3, 4, 5, 6, 7}}},
      {"hipModuleLaunchKernel", {"launch with grid, block, shared bytes", {1, 2, 3, 4, 5, 6, 7}}},
      {"cuLaunchHostFunc", {"launch a host function", {}}},
      {"hipLaunchHostFunc", {"launch a host function", {}}},
      {"cuGraphCreate", {"create a graph", {}}},
      {"hipGraphCreate", {"create a graph", {}}},
      {"cuGraphAddKernelNode", {"add a kernel node", {}}},
      {"hipGraphAddKernelNode", {"add a kernel node", {}}},
      {"cuGraphAddMemcpyNode", {"add a copy node", {}}},
      {"hipGraphAddMemcpyNode", {"add a copy node", {}}},
      {"cuGraphAddMemsetNode", {"add a fill node", {}}},
      {"hipGraphAddMemsetNode", {"add a fill node", {}}},
      {"cuGraphAddEmptyNode", {"add an empty node", {}}},
      {"hipGraphAddEmptyNode", {"add an empty node", {}}},
      {"cuGraphInstantiate", {"instantiate", {}}},
      {"hipGraphInstantiateWithFlags", {"instantiate", {}}},
      {"cuGraphExecKernelNodeSetParams", {"set a kernel node", {}}},
      {"hipGraphExecKernelNodeSetParams", {"set a kernel node", {}}},
      {"cuGraphExecMemsetNodeSetParams", {"set a fill node", {}}},
      {"hipGraphExecMemsetNodeSetParams", {"set a fill node", {}}},
      {"cuGraphExecUpdate", {"update", {}}},
      {"hipGraphExecUpdate", {"update", {}}},
      {"cuGraphLaunch", {"launch a graph", {}}},
      {"hipGraphLaunch", {"launch a graph", {}}},
      {"cuGraphExecDestroy", {"destroy an executable graph", {}}},
      {"hipGraphExecDestroy", {"destroy an executable graph", {}}},
      {"cuStreamBeginCapture", {"begin a capture in mode", {1}}},
      {"hipStreamBeginCapture", {"begin a capture in mode", {1}}},
      {"cuStreamEndCapture", {"end a capture", {}}},
      {"hipStreamEndCapture", {"end a capture", {}}},
  };
  return calls;
}

static void note(void *context, const MgpuCallRecord *record) {
  auto found = neutralCalls().find(record->call);
  if (found == neutralCalls().end())
    return;
  std::string line = found->second.name;
  // One vendor's values are signed where the other's are not, so 32 bits of each are compared.
  for (int place : found->second.arguments)
    line +=
        " " + (place < record->argument_count ? std::to_string(static_cast<uint32_t>(record->arguments[place])) : "?");
  if (record->code != 0)
    line += " fails";
  if (*record->op)
    line += std::string(" for ") + record->op;
  static_cast<std::vector<std::string> *>(context)->push_back(line);
}

std::vector<std::string> transcriptOf(const Backend &backend, const std::function<void(const Backend &)> &program) {
  std::vector<std::string> lines;
  backend.mgpuReset();
  MgpuRecorder recorder = {&lines, nullptr, note};
  backend.mgpuSetRecorder(&recorder);
  program(backend);
  backend.mgpuSetRecorder(nullptr);
  MgpuStatus status;
  if (backend.mgpuStatusGet(&status) != kMgpuStatusOk) {
    // Which driver call, and its code's name and text, are the vendor's.
    std::string message = status.message;
    lines.push_back("failure of kind " + std::to_string(status.kind) + " in " + status.function + ", op '" + status.op +
                    "'" + (*status.call ? ", of a driver call" : message.substr(message.find(':'))));
  }
  backend.mgpuReset();
  return lines;
}

std::vector<std::string> compare(const std::vector<std::string> &cuda, const std::vector<std::string> &hip) {
  std::vector<std::string> differences;
  for (size_t i = 0; i < cuda.size() || i < hip.size(); ++i) {
    std::string left = i < cuda.size() ? cuda[i] : "nothing", right = i < hip.size() ? hip[i] : "nothing";
    if (left != right)
      differences.push_back("cuda: " + left + "; hip: " + right);
  }
  return differences;
}

} // namespace lockstep::runtime::test
