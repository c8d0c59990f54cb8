// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of several rows move the right bytes, and no others (COPY-9).

#include "simgpu/test/DriverUnderTest.h"

#include <numeric>

namespace lockstep::simgpu::test {
namespace {

class Strided : public DeviceTest {
protected:
  /// 6 rows of 8 bytes, numbered through.
  std::vector<uint8_t> numbered() {
    std::vector<uint8_t> bytes(48);
    std::iota(bytes.begin(), bytes.end(), 0);
    return bytes;
  }
};

TEST_F(Strided, Copy2DMovesTheRectangleBothWays) {
  std::vector<uint8_t> host = numbered(), back(48, 0xEE);
  CUdeviceptr device = allocate(2 * 16);
  CUDA_MEMCPY2D in = {};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = host.data();
  in.srcPitch = 8;
  in.srcXInBytes = 2;
  in.srcY = 1;
  in.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  in.dstDevice = device;
  in.dstPitch = 16;
  in.WidthInBytes = 3;
  in.Height = 2;
  ASSERT_OK(cu.cuMemcpy2D_v2(&in));
  std::vector<uint8_t> held = read(device, 32);
  EXPECT_EQ(std::vector<uint8_t>(held.begin(), held.begin() + 4), (std::vector<uint8_t>{10, 11, 12, 0xA5}));
  EXPECT_EQ(std::vector<uint8_t>(held.begin() + 16, held.begin() + 20), (std::vector<uint8_t>{18, 19, 20, 0xA5}));
  CUDA_MEMCPY2D out = {};
  out.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  out.srcDevice = device;
  out.srcPitch = 16;
  out.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  out.dstDevice = reinterpret_cast<CUdeviceptr>(back.data());
  out.dstPitch = 8;
  out.WidthInBytes = 3;
  out.Height = 2;
  CUstream stream = createStream();
  ASSERT_OK(cu.cuMemcpy2DAsync_v2(&out, stream));
  ASSERT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(back[8], 18);
  EXPECT_EQ(back[3], 0xEE) << "bytes between the rows must stay";
}

TEST_F(Strided, Copy3DMovesTheBox) {
  std::vector<uint8_t> host = numbered(), back(48, 0xEE);
  CUdeviceptr device = allocate(48);
  ASSERT_OK(cu.cuMemcpyHtoD_v2(device, host.data(), 48));
  CUDA_MEMCPY3D copy = {}; // 2 slices of 3 rows of 8 bytes; the box of 2 x 2 x 2 at x 1, y 1.
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = device;
  copy.srcPitch = 8;
  copy.srcHeight = 3;
  copy.srcXInBytes = 1;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back.data();
  copy.dstPitch = 2;
  copy.dstHeight = 2;
  copy.WidthInBytes = 2;
  copy.Height = 2;
  copy.Depth = 2;
  ASSERT_OK(cu.cuMemcpy3D_v2(&copy));
  EXPECT_EQ(std::vector<uint8_t>(back.begin(), back.begin() + 9),
            (std::vector<uint8_t>{9, 10, 17, 18, 33, 34, 41, 42, 0xEE}));
}

TEST_F(Strided, ARangeCountsUpToTheLastByteOfTheLastRow) {
  CUdeviceptr device = allocate(16 + 3);
  EXPECT_OK(cu.cuMemsetD2D8_v2(device, 16, 7, 3, 2));
  EXPECT_EQ(cu.cuMemsetD2D8_v2(device, 16, 7, 4, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemsetD2D8_v2(device, 2, 7, 3, 2), CUDA_ERROR_INVALID_VALUE) << "rows must not overlap";
}

TEST_F(Strided, FillsWriteEveryWidth) {
  CUdeviceptr device = allocate(64);
  ASSERT_OK(cu.cuMemsetD8_v2(device, 0x11, 64));
  ASSERT_OK(cu.cuMemsetD16_v2(device, 0x2233, 2));
  ASSERT_OK(cu.cuMemsetD32_v2(device + 8, 0x44556677, 1));
  ASSERT_OK(cu.cuMemsetD2D16_v2(device + 16, 8, 0x8899, 1, 2));
  ASSERT_OK(cu.cuMemsetD2D32_v2(device + 32, 8, 0xAABBCCDD, 1, 2));
  std::vector<uint8_t> held = read(device, 48);
  EXPECT_EQ(std::vector<uint8_t>(held.begin(), held.begin() + 13),
            (std::vector<uint8_t>{0x33, 0x22, 0x33, 0x22, 0x11, 0x11, 0x11, 0x11, 0x77, 0x66, 0x55, 0x44, 0x11}));
  EXPECT_EQ(held[24], 0x99);
  EXPECT_EQ(held[26], 0x11);
  EXPECT_EQ(held[40], 0xDD);
  EXPECT_EQ(cu.cuMemsetD32_v2(device + 2, 0, 1), CUDA_ERROR_INVALID_VALUE) << "fills must be aligned";
}

} // namespace
} // namespace lockstep::simgpu::test
