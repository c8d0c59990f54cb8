// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime-hip/Capture.h"
#include "runtime-hip/Fills.h"

using namespace lockstep::hip;
using namespace lockstep::runtime;

static hipDeviceptr_t allocate(ApiCall &call, uint64_t sizeBytes, hipStream_t stream, bool isHostShared) {
  hipDeviceptr_t memory = 0;
  if (isHostShared) {
    RelaxedCapture relaxed(call);
    if (!call.invoke(call.driver().hipMallocManaged, &memory, sizeBytes, unsigned(hipMemAttachGlobal)))
      return 0;
    runtimeState().managedMemory.add(memory);
    return memory;
  }
  bool done = stream ? call.invoke(call.driver().hipMallocAsync, &memory, sizeBytes, stream)
                     : call.invoke(call.driver().hipMalloc, &memory, sizeBytes);
  return done ? memory : 0;
}

void *mgpuMemAlloc(uint64_t sizeBytes, MgpuStream stream, bool isHostShared) {
  ApiCall call("mgpuMemAlloc");
  if (!call)
    return nullptr;
  hipStream_t driverStream = stream ? call.stream("stream", stream) : nullptr;
  if (stream ? !driverStream : !call.enterDefaultDevice())
    return nullptr;
  runtimeState().managedMemory.releaseFinished(call);
  // The same as on the other backend: nothing for nothing.
  if (sizeBytes == 0)
    return nullptr;
  return reinterpret_cast<void *>(allocate(call, sizeBytes, driverStream, isHostShared));
}

void mgpuMemFree(void *memory, MgpuStream stream) {
  ApiCall call("mgpuMemFree");
  if (!call)
    return;
  hipStream_t driverStream = stream ? call.stream("stream", stream) : nullptr;
  if (stream ? !driverStream : !call.enterDefaultDevice())
    return;
  ManagedMemory &managedMemory = runtimeState().managedMemory;
  managedMemory.releaseFinished(call);
  if (!memory)
    return;
  hipDeviceptr_t address = toAddress(memory);
  bool isManaged = managedMemory.take(address);
  if (!driverStream)
    call.invoke(call.driver().hipFree, address);
  else if (isManaged)
    managedMemory.freeInOrder(call, address, driverStream);
  else
    call.invoke(call.driver().hipFreeAsync, address, driverStream);
}

void mgpuMemcpy(void *destination, void *source, size_t sizeBytes, MgpuStream stream) {
  ApiCall call("mgpuMemcpy");
  hipStream_t driverStream = call ? call.stream("stream", stream) : nullptr;
  if (driverStream && sizeBytes)
    call.invoke(call.driver().hipMemcpyAsync, toAddress(destination), toAddress(source), sizeBytes, hipMemcpyDefault,
                driverStream);
}

static void fillElements(const char *function, void *destination, int64_t elementBytes, uint64_t value, size_t count,
                         MgpuStream stream) {
  ApiCall call(function);
  hipStream_t driverStream = call ? call.stream("stream", stream) : nullptr;
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
