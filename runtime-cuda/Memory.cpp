// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-cuda/Capture.h"
#include "runtime-cuda/Fills.h"

using namespace lockstep::cuda;
using namespace lockstep::runtime;

static CUdeviceptr allocate(ApiCall &call, uint64_t sizeBytes, CUstream stream, bool isHostShared) {
  CUdeviceptr memory = 0;
  if (isHostShared) {
    RelaxedCapture relaxed(call);
    if (!call.invoke(call.driver().cuMemAllocManaged, &memory, sizeBytes, unsigned(CU_MEM_ATTACH_GLOBAL)))
      return 0;
    runtimeState().managedMemory.add(memory);
    return memory;
  }
  bool done = stream ? call.invoke(call.driver().cuMemAllocAsync, &memory, sizeBytes, stream)
                     : call.invoke(call.driver().cuMemAlloc, &memory, sizeBytes);
  return done ? memory : 0;
}

void *mgpuMemAlloc(uint64_t sizeBytes, MgpuStream stream, bool isHostShared) {
  ApiCall call("mgpuMemAlloc");
  if (!call)
    return nullptr;
  CUstream driverStream = stream ? call.stream("stream", stream) : nullptr;
  if (stream ? !driverStream : !call.enterDefaultDevice())
    return nullptr;
  runtimeState().managedMemory.releaseFinished(call);
  // The driver calls a size of zero an error; a program with an empty memref has made none.
  if (sizeBytes == 0)
    return nullptr;
  return reinterpret_cast<void *>(allocate(call, sizeBytes, driverStream, isHostShared));
}

void mgpuMemFree(void *memory, MgpuStream stream) {
  ApiCall call("mgpuMemFree");
  if (!call)
    return;
  CUstream driverStream = stream ? call.stream("stream", stream) : nullptr;
  if (stream ? !driverStream : !call.enterDefaultDevice())
    return;
  ManagedMemory &managedMemory = runtimeState().managedMemory;
  managedMemory.releaseFinished(call);
  if (!memory)
    return;
  CUdeviceptr address = toAddress(memory);
  bool isManaged = managedMemory.take(address);
  if (!driverStream)
    call.invoke(call.driver().cuMemFree, address);
  else if (isManaged)
    managedMemory.freeInOrder(call, address, driverStream);
  else
    call.invoke(call.driver().cuMemFreeAsync, address, driverStream);
}

void mgpuMemcpy(void *destination, void *source, size_t sizeBytes, MgpuStream stream) {
  ApiCall call("mgpuMemcpy");
  CUstream driverStream = call ? call.stream("stream", stream) : nullptr;
  if (driverStream && sizeBytes)
    call.invoke(call.driver().cuMemcpyAsync, toAddress(destination), toAddress(source), sizeBytes, driverStream);
}

static void fillElements(const char *function, void *destination, int64_t elementBytes, uint64_t value, size_t count,
                         MgpuStream stream) {
  ApiCall call(function);
  CUstream driverStream = call ? call.stream("stream", stream) : nullptr;
  if (!driverStream || !count)
    return;
  std::vector<FillPiece> pieces;
  appendFillPieces(pieces, toAddress(destination), elementBytes, value, count, 1, 0);
  fill(call, driverStream, pieces);
}

void mgpuMemset32(void *destination, unsigned value, size_t count, MgpuStream stream) {
  fillElements("mgpuMemset32", destination, 4, value, count, stream);
}

void mgpuMemset16(void *destination, unsigned short value, size_t count, MgpuStream stream) {
  fillElements("mgpuMemset16", destination, 2, value, count, stream);
}

void mgpuMemset8(void *destination, unsigned char value, size_t count, MgpuStream stream) {
  fillElements("mgpuMemset8", destination, 1, value, count, stream);
}

void mgpuMemset64(void *destination, uint64_t value, size_t count, MgpuStream stream) {
  fillElements("mgpuMemset64", destination, 8, value, count, stream);
}
