// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Image.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

constexpr uint32_t wrapperMagic = 0x0B17C0DE;
constexpr uint32_t rawMagic = 0xDEC04342;
constexpr uint32_t fatbinMagic = 0xBA55ED50;
constexpr uint32_t fatbinWrapperMagic = 0x466243B1;
constexpr uint32_t offloadBinaryMagic = 0xAD10FF10;
constexpr uint16_t elfMachineCuda = 190;
constexpr uint16_t elfMachineAmdgpu = 224;

std::string kindOfImage(StringRef image) {
  if (image.empty())
    return "an empty image";
  if (image.starts_with("\x7f"
                        "ELF") &&
      image.size() >= 20) {
    uint16_t machine = support::endian::read16le(image.data() + 18);
    if (machine == elfMachineCuda)
      return "an ELF cubin for an NVIDIA GPU";
    if (machine == elfMachineAmdgpu)
      return "an ELF code object (HSACO) for an AMD GPU";
    return "an ELF file for machine " + std::to_string(machine);
  }
  if (image.starts_with("__CLANG_OFFLOAD_BUNDLE__") || image.starts_with("CCOB"))
    return "a clang offload bundle";
  if (image.size() >= 4) {
    uint32_t magic = support::endian::read32le(image.data());
    if (magic == fatbinMagic || magic == fatbinWrapperMagic)
      return "a CUDA fatbin";
    if (magic == offloadBinaryMagic)
      return "an LLVM offload binary";
  }
  StringRef head = image.take_front(4096);
  if (head.contains(".version") && head.contains(".target"))
    return "PTX text";
  if (head.contains("target triple") || head.starts_with("; ModuleID"))
    return "LLVM IR text";
  return "an image of unknown kind";
}

/// Reads the top level of a bitstream, where only blocks stand: each entry is an abbreviation id of two bits (1 enters
/// a block), a block id, the width of ids inside, padding to 32 bits and the length in words.
class TopLevelBlocks {
public:
  explicit TopLevelBlocks(const unsigned char *start) : start(start) {}

  /// The id of the block that begins here, after stepping over it; nothing when no block begins here.
  std::optional<unsigned> skipBlock() {
    constexpr unsigned enterBlock = 1;
    unsigned bit = 0;
    if (read(bit, 2) != enterBlock)
      return std::nullopt;
    unsigned id = readVariable(bit, 8);
    readVariable(bit, 4);
    size_t header = (bit + 31) / 32 * 4;
    uint32_t words = support::endian::read32le(start + sizeBytes + header);
    sizeBytes += header + 4 + size_t(words) * 4;
    return id;
  }

  size_t sizeBytes = 4;

private:
  uint32_t read(unsigned &bit, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = 0; i < width; ++i, ++bit)
      value |= uint32_t((start[sizeBytes + bit / 8] >> (bit % 8)) & 1) << i;
    return value;
  }

  uint32_t readVariable(unsigned &bit, unsigned width) {
    uint32_t value = 0, chunk;
    unsigned shift = 0;
    do {
      chunk = read(bit, width);
      value |= (chunk & ((1u << (width - 1)) - 1)) << shift;
      shift += width - 1;
    } while (chunk >> (width - 1) && shift < 32);
    return value;
  }

  const unsigned char *start;
};

} // namespace

Error checkIsBitcode(StringRef image) {
  if (image.size() >= 4) {
    uint32_t magic = support::endian::read32le(image.data());
    if (magic == wrapperMagic || magic == rawMagic)
      return Error::success();
  }
  return createStringError("the image is " + kindOfImage(image) + ": the simulated device takes LLVM bitcode");
}

std::optional<size_t> bitcodeSizeBytes(const void *image) {
  auto *bytes = static_cast<const unsigned char *>(image);
  uint32_t magic = support::endian::read32le(bytes);
  if (magic == wrapperMagic)
    return size_t(support::endian::read32le(bytes + 8)) + support::endian::read32le(bytes + 12);
  if (magic != rawMagic)
    return std::nullopt;
  constexpr unsigned moduleBlock = 8, identificationBlock = 13, stringTableBlock = 23, symbolTableBlock = 25;
  TopLevelBlocks blocks(bytes);
  // LLVM's writer ends every file with the string table; looking further would read memory that is not the image's.
  while (true) {
    size_t sizeBytes = blocks.sizeBytes;
    std::optional<unsigned> id = blocks.skipBlock();
    if (id == stringTableBlock)
      return blocks.sizeBytes;
    if (id != moduleBlock && id != identificationBlock && id != symbolTableBlock)
      return sizeBytes;
  }
}

} // namespace lockstep::simgpu::jit
