// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/test/FakeDriverCalls.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace lockstep::cuda;

FakeDriver &lockstep::cuda::state() {
  static FakeDriver &fake = *new FakeDriver;
  return fake;
}

static thread_local std::vector<CUcontext> contextStack;

FAKE_EXPORT FakeDriver *fakeDriverState() { return &state(); }

FAKE_EXPORT void fakeDriverReset() {
  contextStack.clear();
  FakeDriver &fake = state();
  for (auto &[address, size] : fake.memory)
    std::free(reinterpret_cast<void *>(address));
  for (const auto *handles : {&fake.streams, &fake.events, &fake.modules, &fake.functions})
    for (const void *handle : *handles)
      std::free(const_cast<void *>(handle));
  for (void *handle : fake.spareHandles)
    std::free(handle);
  for (CUdeviceptr address : fake.graphMemory)
    std::free(reinterpret_cast<void *>(address));
  for (FakeGraph *graph : fake.graphs)
    delete graph;
  for (FakeExec *executable : fake.execs)
    delete executable;
  fake.~FakeDriver();
  new (&fake) FakeDriver;
}

static int readVariable(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

void *lockstep::cuda::makeHandle(std::set<const void *> &handles) {
  std::vector<void *> &spare = state().spareHandles;
  void *handle = spare.empty() ? std::malloc(16) : spare.back();
  if (!spare.empty())
    spare.pop_back();
  handles.insert(handle);
  state().homes[handle] = contextStack.empty() ? nullptr : contextStack.back();
  return handle;
}

CUresult lockstep::cuda::checkHandle(const std::set<const void *> &handles, const void *handle) {
  if (handles.count(handle))
    return CUDA_SUCCESS;
  ++state().badHandleUses;
  return CUDA_ERROR_INVALID_HANDLE;
}

CUresult lockstep::cuda::checkStream(CUstream stream) {
  if (!stream)
    ++state().nullStreamUses;
  return checkHandle(state().streams, stream);
}

CUresult lockstep::cuda::destroyHandle(std::set<const void *> &handles, const void *handle) {
  CUresult result = checkHandle(handles, handle);
  if (handles.erase(handle))
    state().spareHandles.push_back(const_cast<void *>(handle));
  return result;
}

// Start and devices.

FAKE_EXPORT CUresult cuInit(unsigned) {
  FAKE_ENTER(cuInit);
  return static_cast<CUresult>(readVariable(kFakeInitResultVariable, CUDA_SUCCESS));
}

FAKE_EXPORT CUresult cuDriverGetVersion(int *version) {
  *version = readVariable(kFakeVersionVariable, 13000);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGetCount(int *count) {
  FAKE_ENTER(cuDeviceGetCount);
  *count = readVariable(kFakeDeviceCountVariable, 2);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  FAKE_ENTER(cuDeviceGet);
  *device = ordinal;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  FAKE_ENTER(cuDeviceGetName);
  std::strncpy(name, device == 0 ? "Fake 0" : "Fake 1", size);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGetErrorName(CUresult code, const char **text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGetErrorString(CUresult code, const char **text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "fake text";
  return CUDA_SUCCESS;
}

// Contexts: one number a device.

FAKE_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  FAKE_ENTER(cuDevicePrimaryCtxRetain);
  *context = reinterpret_cast<CUcontext>(static_cast<uintptr_t>(0x1000 + device));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
  FAKE_ENTER(cuCtxGetCurrent);
  *context = contextStack.empty() ? nullptr : contextStack.back();
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  FAKE_ENTER(cuCtxPushCurrent);
  contextStack.push_back(context);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  FAKE_ENTER(cuCtxPopCurrent);
  if (contextStack.empty())
    return CUDA_ERROR_INVALID_VALUE;
  *context = contextStack.back();
  contextStack.pop_back();
  return CUDA_SUCCESS;
}

void lockstep::cuda::runHeldHostFunctions(Entry &entry) {
  std::vector<std::pair<CUhostFn, void *>> held;
  held.swap(state().heldHostFunctions);
  entry.lock.unlock();
  for (auto &[function, data] : held)
    function(data);
  entry.lock.lock();
}

FAKE_EXPORT CUresult cuCtxSynchronize() {
  FAKE_ENTER_UNSAFE(cuCtxSynchronize);
  runHeldHostFunctions(entry);
  return CUDA_SUCCESS;
}

// Modules and launches.

FAKE_EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *) {
  FAKE_ENTER_UNSAFE(cuModuleLoadData);
  *module = static_cast<CUmodule>(makeHandle(state().modules));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *, unsigned, CUjit_option *options,
                                        void **values) {
  Entry entry("cuModuleLoadDataEx");
  if (entry.result != CUDA_SUCCESS) {
    if (options[0] == CU_JIT_ERROR_LOG_BUFFER)
      std::strcpy(static_cast<char *>(values[0]), "line 3: bad opcode\n");
    return entry.result;
  }
  *module = static_cast<CUmodule>(makeHandle(state().modules));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuModuleUnload(CUmodule module) {
  FAKE_ENTER(cuModuleUnload);
  return destroyHandle(state().modules, module);
}

FAKE_EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  FAKE_ENTER_UNSAFE(cuModuleGetFunction);
  if (!std::strcmp(name, "missing"))
    return CUDA_ERROR_NOT_FOUND;
  *function = static_cast<CUfunction>(makeHandle(state().functions));
  return checkHandle(state().modules, module);
}

FAKE_EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute, int) {
  FAKE_ENTER(cuFuncSetAttribute);
  return checkHandle(state().functions, function);
}

FAKE_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                    unsigned, CUstream stream, void **, void **) {
  FAKE_ENTER(cuLaunchKernel);
  CUresult result = checkHandle(state().functions, function);
  return result == CUDA_SUCCESS ? checkStream(stream) : result;
}

FAKE_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **, void **) {
  FAKE_ENTER(cuLaunchKernelEx);
  CUresult result = checkHandle(state().functions, function);
  return result == CUDA_SUCCESS ? checkStream(config->hStream) : result;
}

FAKE_EXPORT CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  FAKE_ENTER(cuLaunchHostFunc);
  CUresult result = checkStream(stream);
  if (result != CUDA_SUCCESS)
    return result;
  state().heldHostFunctions.push_back({function, data});
  if (!state().holdsHostFunctions)
    runHeldHostFunctions(entry);
  return CUDA_SUCCESS;
}

// Streams and events.

FAKE_EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  FAKE_ENTER(cuStreamCreate);
  state().lastStreamFlags = flags;
  *stream = static_cast<CUstream>(makeHandle(state().streams));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  FAKE_ENTER(cuStreamDestroy);
  return destroyHandle(state().streams, stream);
}

FAKE_EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  FAKE_ENTER_UNSAFE(cuStreamSynchronize);
  runHeldHostFunctions(entry);
  return checkStream(stream);
}

FAKE_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  FAKE_ENTER(cuStreamWaitEvent);
  CUresult result = checkHandle(state().events, event);
  return result == CUDA_SUCCESS ? checkStream(stream) : result;
}

FAKE_EXPORT CUresult cuEventCreate(CUevent *event, unsigned) {
  FAKE_ENTER(cuEventCreate);
  *event = static_cast<CUevent>(makeHandle(state().events));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  FAKE_ENTER(cuEventDestroy);
  return destroyHandle(state().events, event);
}

FAKE_EXPORT CUresult cuEventSynchronize(CUevent event) {
  FAKE_ENTER_UNSAFE(cuEventSynchronize);
  runHeldHostFunctions(entry);
  return checkHandle(state().events, event);
}

FAKE_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  FAKE_ENTER(cuEventRecord);
  CUresult result = checkHandle(state().events, event);
  if (state().homes[event] != state().homes[stream])
    return CUDA_ERROR_INVALID_HANDLE;
  return result == CUDA_SUCCESS ? checkStream(stream) : result;
}

FAKE_EXPORT CUresult cuEventQuery(CUevent event) {
  FAKE_ENTER_UNSAFE(cuEventQuery);
  CUresult result = checkHandle(state().events, event);
  return result != CUDA_SUCCESS || state().eventsAreReady ? result : CUDA_ERROR_NOT_READY;
}

FAKE_EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  FAKE_ENTER(cuEventElapsedTime);
  *milliseconds = 2.5f;
  CUresult result = checkHandle(state().events, start);
  return result == CUDA_SUCCESS ? checkHandle(state().events, end) : result;
}

// Memory.

static CUresult allocate(CUdeviceptr *memory, size_t size) {
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  void *block = std::malloc(size);
  std::memset(block, 0xcd, size);
  *memory = reinterpret_cast<uintptr_t>(block);
  state().memory[*memory] = size;
  return CUDA_SUCCESS;
}

static CUresult release(CUdeviceptr memory) {
  state().managed.erase(memory);
  if (!state().memory.erase(memory))
    return CUDA_ERROR_INVALID_VALUE;
  std::free(reinterpret_cast<void *>(memory));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t size) {
  FAKE_ENTER_UNSAFE(cuMemAlloc);
  return allocate(memory, size);
}

FAKE_EXPORT CUresult cuMemFree_v2(CUdeviceptr memory) {
  FAKE_ENTER_UNSAFE(cuMemFree);
  return release(memory);
}

FAKE_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t size, CUstream stream) {
  FAKE_ENTER(cuMemAllocAsync);
  CUresult result = checkStream(stream);
  return result == CUDA_SUCCESS ? allocate(memory, size) : result;
}

FAKE_EXPORT CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  FAKE_ENTER(cuMemFreeAsync);
  CUresult result = checkStream(stream);
  if (result == CUDA_SUCCESS && state().liveGraphMemory.erase(memory))
    return CUDA_SUCCESS;
  if (result == CUDA_SUCCESS && state().managed.count(memory))
    return CUDA_ERROR_INVALID_VALUE;
  return result == CUDA_SUCCESS ? release(memory) : result;
}

FAKE_EXPORT CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t size, unsigned) {
  FAKE_ENTER_UNSAFE(cuMemAllocManaged);
  CUresult result = allocate(memory, size);
  if (result == CUDA_SUCCESS)
    state().managed.insert(*memory);
  return result;
}

FAKE_EXPORT CUresult cuMemHostRegister_v2(void *memory, size_t size, unsigned) {
  FAKE_ENTER(cuMemHostRegister);
  state().registrations.push_back({memory, size});
  return state().registered.insert(memory).second ? CUDA_SUCCESS : static_cast<CUresult>(712);
}

FAKE_EXPORT CUresult cuMemHostUnregister(void *memory) {
  FAKE_ENTER(cuMemHostUnregister);
  return state().registered.erase(memory) ? CUDA_SUCCESS : static_cast<CUresult>(713);
}

FAKE_EXPORT CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream) {
  FAKE_ENTER(cuMemcpyAsync);
  CUresult result = checkStream(stream);
  if (result == CUDA_SUCCESS)
    std::memcpy(reinterpret_cast<void *>(destination), reinterpret_cast<void *>(source), size);
  return result;
}

FAKE_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
  FAKE_ENTER(cuMemcpy2DAsync);
  if (copy->srcPitch < copy->WidthInBytes || copy->dstPitch < copy->WidthInBytes)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = checkStream(stream);
  for (size_t row = 0; row < copy->Height && result == CUDA_SUCCESS; ++row)
    std::memcpy(reinterpret_cast<char *>(copy->dstDevice) + row * copy->dstPitch,
                reinterpret_cast<char *>(copy->srcDevice) + row * copy->srcPitch, copy->WidthInBytes);
  return result;
}

CUresult lockstep::cuda::copyBox(const CUDA_MEMCPY3D &copy) {
  bool hasRows = copy.Height > 1 || copy.Depth > 1;
  if ((hasRows && (copy.srcPitch < copy.WidthInBytes || copy.dstPitch < copy.WidthInBytes)) ||
      (copy.Depth > 1 && (copy.srcHeight < copy.Height || copy.dstHeight < copy.Height)))
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t slice = 0; slice < copy.Depth; ++slice)
    for (size_t row = 0; row < copy.Height; ++row)
      std::memcpy(reinterpret_cast<char *>(copy.dstDevice) + (slice * copy.dstHeight + row) * copy.dstPitch,
                  reinterpret_cast<char *>(copy.srcDevice) + (slice * copy.srcHeight + row) * copy.srcPitch,
                  copy.WidthInBytes);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
  FAKE_ENTER(cuMemcpy3DAsync);
  CUresult result = checkStream(stream);
  return result == CUDA_SUCCESS ? copyBox(*copy) : result;
}

template <typename T>
static CUresult fill(CUdeviceptr destination, size_t pitch, T value, size_t width, size_t height, CUstream stream) {
  CUresult result = checkStream(stream);
  if (result != CUDA_SUCCESS)
    return result;
  if (destination % sizeof(T) != 0 || pitch % sizeof(T) != 0 || (height > 1 && pitch < width * sizeof(T)))
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t row = 0; row < height; ++row)
    for (size_t column = 0; column < width; ++column)
      reinterpret_cast<T *>(destination + row * pitch)[column] = value;
  return CUDA_SUCCESS;
}

#define FAKE_FILL(BITS, TYPE)                                                                                          \
  FAKE_EXPORT CUresult cuMemsetD##BITS##Async(CUdeviceptr destination, TYPE value, size_t count, CUstream stream) {    \
    FAKE_ENTER(cuMemsetD##BITS##Async);                                                                                \
    return fill<TYPE>(destination, 0, value, count, 1, stream);                                                        \
  }                                                                                                                    \
  FAKE_EXPORT CUresult cuMemsetD2D##BITS##Async(CUdeviceptr destination, size_t pitch, TYPE value, size_t width,       \
                                                size_t height, CUstream stream) {                                      \
    FAKE_ENTER(cuMemsetD2D##BITS##Async);                                                                              \
    return fill<TYPE>(destination, pitch, value, width, height, stream);                                               \
  }
FAKE_FILL(8, unsigned char)
FAKE_FILL(16, unsigned short)
FAKE_FILL(32, unsigned)

FAKE_EXPORT CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank, void *address,
                                            const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                                            const uint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  FAKE_ENTER(cuTensorMapEncodeTiled);
  map->opaque[0] = static_cast<uint64_t>(type);
  map->opaque[1] = rank;
  map->opaque[2] = reinterpret_cast<uintptr_t>(address);
  for (uint32_t index = 0; index < rank; ++index) {
    map->opaque[3 + index] = sizes[index];
    map->opaque[8 + index] = box[index];
    if (index + 1 < rank)
      map->opaque[12 + index] = strides[index];
  }
  return CUDA_SUCCESS;
}

FAKE_EXPORT void lockstepSimSetOp(const char *op) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().ops.push_back(op ? op : "(null)");
}
