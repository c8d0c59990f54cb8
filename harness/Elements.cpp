// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Elements.h"

#include "runtime-api/Expect.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace lockstep::harness;
using llvm::APFloat;
using llvm::APInt;

static bool isFloatKind(int32_t kind) { return kind == kLockstepElementFloat || kind == kLockstepElementBFloat; }

std::string lockstep::harness::checkFormat(ElementFormat format) {
  auto bitsAre = [&](std::initializer_list<int32_t> allowed) {
    for (int32_t bits : allowed)
      if (format.bits == bits)
        return std::string();
    return "elements of kind " + std::to_string(format.kind) + " cannot have " + std::to_string(format.bits) + " bits";
  };
  switch (format.kind) {
  case kLockstepElementInteger:
    return bitsAre({1, 8, 16, 32, 64});
  case kLockstepElementFloat:
    return bitsAre({16, 32, 64});
  case kLockstepElementBFloat:
    return bitsAre({16});
  case kLockstepElementIndex:
    return bitsAre({64});
  default:
    return "unknown kind of element " + std::to_string(format.kind);
  }
}

static APInt readBits(ElementFormat format, const void *element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, format.bytes()); // Little endian, as every machine that this tool runs on.
  return APInt(format.bits, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
}

static APFloat readFloat(ElementFormat format, const void *element) {
  APInt bits = readBits(format, element);
  if (format.kind == kLockstepElementBFloat)
    return APFloat(APFloat::BFloat(), bits);
  switch (format.bits) {
  case 16:
    return APFloat(APFloat::IEEEhalf(), bits);
  case 32:
    return APFloat(APFloat::IEEEsingle(), bits);
  default:
    return APFloat(APFloat::IEEEdouble(), bits);
  }
}

static double toDouble(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

bool lockstep::harness::elementsAgree(ElementFormat format, const void *expected, const void *actual,
                                      double tolerance) {
  if (readBits(format, expected) == readBits(format, actual))
    return true;
  if (tolerance < 0 || !isFloatKind(format.kind))
    return false;
  double wanted = toDouble(readFloat(format, expected));
  double found = toDouble(readFloat(format, actual));
  if (std::isnan(wanted) || std::isnan(found))
    return std::isnan(wanted) && std::isnan(found);
  if (std::isinf(wanted) || std::isinf(found))
    return wanted == found;
  return std::fabs(wanted - found) <= tolerance;
}

std::string lockstep::harness::printElement(ElementFormat format, const void *element) {
  llvm::SmallString<32> text;
  if (!isFloatKind(format.kind)) {
    readBits(format, element).toString(text, 10, /*Signed=*/format.bits != 1);
    return text.str().str();
  }
  APFloat value = readFloat(format, element);
  if (value.isNaN()) // The payload is what tells two of them apart.
    return "nan(0x" + llvm::utohexstr(readBits(format, element).getZExtValue(), /*LowerCase=*/true) + ")";
  value.toString(text);
  return text.str().str();
}
