// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of scenarios, for the reference evaluator. Kernels have it in IR (KernelLibrary.cpp), written apart,
// so that the two can disagree.
//
// mixWord is a finalizer of the MurmurHash3 family with a multiplication of the state between: it is not commutative
// and not associative, and each bit of either argument changes about half of the result. A word that was written by
// another operation, in another order, or not at all, changes what is computed from it.

#ifndef LOCKSTEP_HARNESS_SCENARIO_MIXING_H
#define LOCKSTEP_HARNESS_SCENARIO_MIXING_H

#include <cstdint>

namespace lockstep::scenario {

/// Host memory that nothing has written yet.
inline constexpr uint32_t kPoisonWord = 0xDEADBEEF;
/// What a loop adds to the salt of a launch in each iteration.
inline constexpr uint32_t kSaltPerIteration = 0x01000193;
/// Threads of a block; Shared kernels exchange words within one.
inline constexpr uint32_t kBlockThreads = 64;

inline uint32_t mixWord(uint32_t state, uint32_t word) {
  uint32_t mixed = (state * 0x9E3779B1u) ^ word;
  mixed ^= mixed >> 16;
  mixed *= 0x85EBCA6Bu;
  mixed ^= mixed >> 13;
  mixed *= 0xC2B2AE35u;
  return mixed ^ (mixed >> 16);
}

/// Word `index` of the input buffer with this number.
inline uint32_t inputWord(uint32_t buffer, uint32_t index) { return mixWord(mixWord(0x10C57EB5u, buffer), index); }

/// The low 16 bits as a number in [0, 1), exactly.
inline float unitFloat(uint32_t word) { return static_cast<float>(word & 0xFFFFu) * (1.0f / 65536.0f); }

} // namespace lockstep::scenario

#endif // LOCKSTEP_HARNESS_SCENARIO_MIXING_H
