// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text in columns, as wide as a terminal shows it.

#ifndef LOCKSTEP_HARNESS_TEXTWIDTH_H
#define LOCKSTEP_HARNESS_TEXTWIDTH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace lockstep::harness {

/// `text` on one line, for people: control characters, such as a newline in a file's name, become '?'.
std::string displayText(llvm::StringRef text);

/// How many columns `text` takes; a wide character takes two. Bytes that are no UTF-8 count as one column each.
size_t displayWidth(llvm::StringRef text);

/// `text` with spaces behind it up to `width` columns; longer text is left as it is.
std::string padded(llvm::StringRef text, size_t width);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_TEXTWIDTH_H
