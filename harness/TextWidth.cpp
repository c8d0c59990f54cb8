// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/TextWidth.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

using llvm::StringRef;

static bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string lockstep::harness::displayText(StringRef text) {
  std::string line = text.str();
  for (char &c : line)
    if (isControl(c))
      c = '?';
  return line;
}

size_t lockstep::harness::displayWidth(StringRef text) {
  int columns = llvm::sys::unicode::columnWidthUTF8(text);
  return columns < 0 ? text.size() : static_cast<size_t>(columns);
}

std::string lockstep::harness::padded(StringRef text, size_t width) {
  size_t own = displayWidth(text);
  return text.str() + std::string(own < width ? width - own : 0, ' ');
}
