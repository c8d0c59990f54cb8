// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/HostSymbols.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

// Helpers of the compiler's support library, for integer powers and 128-bit integers.
extern "C" {
float __powisf2(float, int);
double __powidf2(double, int);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __fixsfti(float);
__int128 __fixdfti(double);
unsigned __int128 __fixunssfti(float);
unsigned __int128 __fixunsdfti(double);
float __floattisf(__int128);
double __floattidf(__int128);
float __floatuntisf(unsigned __int128);
double __floatuntidf(unsigned __int128);
}

namespace lockstep::simgpu::jit {

namespace {

/// Code generation calls these where the processor does not convert 16-bit floats itself. The 16 bits travel in the low
/// part of a floating-point register, as a `float` argument does; g++ 12 has no C++ type for them.
float carry16(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
uint16_t carried16(float carrier) { return uint16_t(std::bit_cast<uint32_t>(carrier)); }

float extendHalf(float carrier) {
  uint16_t half = carried16(carrier);
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 31, fraction = half & 0x3FF;
  if (exponent == 31) {
    // A NaN becomes a quiet one.
    uint32_t quiet = fraction ? 0x400000 : 0;
    return std::bit_cast<float>(sign | 0x7F800000 | fraction << 13 | quiet);
  }
  if (exponent)
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  float magnitude = std::ldexp(float(fraction), -24);
  return sign ? -magnitude : magnitude;
}

/// Rounds a finite magnitude to a multiple of the unit in the last place that a format with `fractionBits` and smallest
/// normal exponent `minExponent` has there; to nearest, ties to even, which is how rint rounds by default.
double roundToFormat(double magnitude, int fractionBits, int minExponent) {
  if (magnitude == 0)
    return 0;
  int exponent = std::max(std::ilogb(magnitude), minExponent);
  return std::ldexp(std::rint(std::ldexp(magnitude, fractionBits - exponent)), exponent - fractionBits);
}

/// Bits of the 16-bit format with `fractionBits` bits of fraction that is nearest to `value`.
uint16_t truncateTo16(double value, int fractionBits) {
  int exponentBits = 15 - fractionBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t infinity = uint16_t(((1 << exponentBits) - 1) << fractionBits);
  if (std::isnan(value))
    return sign | infinity | uint16_t(1 << (fractionBits - 1));
  double rounded = std::isinf(value) ? value : roundToFormat(std::fabs(value), fractionBits, 1 - bias);
  if (std::isinf(rounded) || (rounded != 0 && std::ilogb(rounded) > bias))
    return sign | infinity;
  if (rounded == 0)
    return sign;
  int exponent = std::max(std::ilogb(rounded), 1 - bias);
  // With the implicit bit the fraction carries into the exponent by itself; a subnormal has no implicit bit.
  auto scaled = uint32_t(std::ldexp(rounded, fractionBits - exponent));
  return sign | uint16_t(scaled + (uint32_t(exponent + bias - 1) << fractionBits));
}

float truncateFloatToHalf(float value) { return carry16(truncateTo16(value, 10)); }
float truncateDoubleToHalf(double value) { return carry16(truncateTo16(value, 10)); }
float truncateFloatToBfloat(float value) { return carry16(truncateTo16(value, 7)); }
float truncateDoubleToBfloat(double value) { return carry16(truncateTo16(value, 7)); }

template <typename Function> HostSymbol symbol(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

llvm::ArrayRef<HostSymbol> mathSymbols() {
#define LIBM_FUNCTION(name) symbol(#name, ::name), symbol(#name "f", ::name##f),
#define SUPPORT_FUNCTION(name) symbol(#name, ::name),
  static const HostSymbol symbols[] = {
#include "simgpu/jit/HostFunctions.def"
      symbol("bcmp", ::memcmp),
      symbol("__extendhfsf2", extendHalf),
      symbol("__truncsfhf2", truncateFloatToHalf),
      symbol("__truncdfhf2", truncateDoubleToHalf),
      symbol("__truncsfbf2", truncateFloatToBfloat),
      symbol("__truncdfbf2", truncateDoubleToBfloat),
  };
  return symbols;
}

llvm::ArrayRef<HostSymbol> hostSymbols() {
  static const std::vector<HostSymbol> *symbols = [] {
    auto *all = new std::vector<HostSymbol>(mathSymbols().begin(), mathSymbols().end());
    all->insert(all->end(), roundingSymbols().begin(), roundingSymbols().end());
    all->insert(all->end(), runtimeSymbols().begin(), runtimeSymbols().end());
    return all;
  }();
  return *symbols;
}

} // namespace lockstep::simgpu::jit
