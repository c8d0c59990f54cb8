// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single elements of a memref: how they are compared and printed for a person.

#ifndef LOCKSTEP_HARNESS_ELEMENTS_H
#define LOCKSTEP_HARNESS_ELEMENTS_H

#include <cstdint>
#include <string>

namespace lockstep::harness {

/// How the bytes of an element are read: a LockstepElementKind and its width.
struct ElementFormat {
  int32_t kind;
  int32_t bits;
  int64_t bytes() const { return (bits + 7) / 8; }
};

/// Empty where the format is one that runtime-api/Expect.h allows; else what is wrong with it.
std::string checkFormat(ElementFormat format);

/// See harness/Expect.h; `tolerance` is negative for none, and counts for the two float kinds only.
bool elementsAgree(ElementFormat format, const void *expected, const void *actual, double tolerance);

/// "-42", "1.5", "nan(0x7fc00000)"; an i1 as 0 or 1, whatever else its byte holds.
std::string printElement(ElementFormat format, const void *element);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ELEMENTS_H
