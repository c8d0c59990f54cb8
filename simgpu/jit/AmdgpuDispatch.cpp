// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/AmdgpuDispatch.h"
#include <cstring>

namespace lockstep::simgpu::jit {

namespace {

template <typename T> void put(char *bytes, size_t offset, T value) { memcpy(bytes + offset, &value, sizeof value); }

uint16_t dimensions(const LaunchShape &shape) {
  if (shape.grid.z * shape.block.z > 1)
    return 3;
  return shape.grid.y * shape.block.y > 1 ? 2 : 1;
}

} // namespace

void writeImplicitArguments(ImplicitLayout layout, const LaunchShape &shape, char *bytes) {
  memset(bytes, 0, implicitArgumentBytes);
  if (layout != ImplicitLayout::v5)
    return; // Version 4 holds the global offsets, which are 0, and addresses of what is not there.
  const uint32_t grid[] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const uint32_t block[] = {shape.block.x, shape.block.y, shape.block.z};
  for (unsigned i = 0; i != 3; ++i) {
    put<uint32_t>(bytes, 4 * i, grid[i]);
    put<uint16_t>(bytes, 12 + 2 * i, block[i]);
    // Remainders stay 0: a grid is a whole number of blocks.
  }
  put<uint16_t>(bytes, 64, dimensions(shape));
  put<uint32_t>(bytes, 120, shape.dynamicSharedBytes);
}

void writeDispatchPacket(const LaunchShape &shape, uint32_t staticSharedBytes, const void *arguments, char *bytes) {
  memset(bytes, 0, dispatchPacketBytes);
  const uint32_t grid[] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const uint32_t block[] = {shape.block.x, shape.block.y, shape.block.z};
  put<uint16_t>(bytes, 2, dimensions(shape));
  for (unsigned i = 0; i != 3; ++i) {
    put<uint16_t>(bytes, 4 + 2 * i, block[i]);
    put<uint32_t>(bytes, 12 + 4 * i, grid[i] * block[i]);
  }
  put<uint32_t>(bytes, 28, staticSharedBytes + shape.dynamicSharedBytes);
  put<const void *>(bytes, 40, arguments);
}

} // namespace lockstep::simgpu::jit
