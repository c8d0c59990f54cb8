// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic that rounds towards zero, minus or plus infinity. The host rounds so only in a mode of the whole thread,
// so these are calls: set the mode, compute, set it back.

#include "simgpu/jit/HostSymbols.h"
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace lockstep::simgpu::jit {

namespace {

class RoundingMode {
public:
  explicit RoundingMode(int mode) { fesetround(mode); }
  ~RoundingMode() { fesetround(FE_TONEAREST); }
};

/// The operands are volatile so that the compiler neither computes before the mode is set nor after it is set back.
template <int mode, typename T> struct Rounded {
  static T add(T a, T b) {
    RoundingMode rounding(mode);
    volatile T x = a, y = b, result = x + y;
    return result;
  }
  static T mul(T a, T b) {
    RoundingMode rounding(mode);
    volatile T x = a, y = b, result = x * y;
    return result;
  }
  static T div(T a, T b) {
    RoundingMode rounding(mode);
    volatile T x = a, y = b, result = x / y;
    return result;
  }
  static T rcp(T a) { return div(T(1), a); }
  static T sqrt(T a) {
    RoundingMode rounding(mode);
    volatile T x = a, result = std::sqrt(x);
    return result;
  }
  static T fma(T a, T b, T c) {
    RoundingMode rounding(mode);
    volatile T x = a, y = b, z = c, result = std::fma(x, y, z);
    return result;
  }
  template <typename From> static T convert(From value) {
    RoundingMode rounding(mode);
    volatile From x = value;
    volatile T result = T(x);
    return result;
  }
};

template <typename Function> HostSymbol symbol(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

llvm::ArrayRef<HostSymbol> roundingSymbols() {
#define ARITHMETIC(mode, host, suffix, T)                                                                              \
  symbol("lockstep.add." mode suffix, Rounded<host, T>::add),                                                          \
      symbol("lockstep.mul." mode suffix, Rounded<host, T>::mul),                                                      \
      symbol("lockstep.div." mode suffix, Rounded<host, T>::div),                                                      \
      symbol("lockstep.rcp." mode suffix, Rounded<host, T>::rcp),                                                      \
      symbol("lockstep.sqrt." mode suffix, Rounded<host, T>::sqrt),                                                    \
      symbol("lockstep.fma." mode suffix, Rounded<host, T>::fma)
#define CONVERSIONS(mode, host, letter, T)                                                                             \
  symbol("lockstep.i2" letter "." mode, Rounded<host, T>::template convert<int32_t>),                                  \
      symbol("lockstep.ui2" letter "." mode, Rounded<host, T>::template convert<uint32_t>),                            \
      symbol("lockstep.ll2" letter "." mode, Rounded<host, T>::template convert<int64_t>),                             \
      symbol("lockstep.ull2" letter "." mode, Rounded<host, T>::template convert<uint64_t>)
#define MODE(mode, host)                                                                                               \
  ARITHMETIC(mode, host, ".f", float), ARITHMETIC(mode, host, ".d", double), CONVERSIONS(mode, host, "f", float),      \
      CONVERSIONS(mode, host, "d", double),                                                                            \
      symbol("lockstep.d2f." mode, Rounded<host, float>::template convert<double>)
  static const HostSymbol symbols[] = {MODE("rz", FE_TOWARDZERO), MODE("rm", FE_DOWNWARD), MODE("rp", FE_UPWARD)};
#undef ARITHMETIC
#undef CONVERSIONS
#undef MODE
  return symbols;
}

} // namespace lockstep::simgpu::jit
