// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_PLAINTEXT_H
#define LOCKSTEP_REPORTS_PLAINTEXT_H

#include "reports/Results.h"

namespace lockstep::reports {

/// `text` as a text that every reader takes: bytes that are not UTF-8 and code points that are no characters become
/// U+FFFD, control characters but newline and tab the picture that stands for them ("␛").
std::string plainText(llvm::StringRef text);

/// At most `bytesMax` bytes of `text`, cut between two characters and marked with "…" where anything is left out.
/// `bytesMax` is 3 or more.
std::string cutText(llvm::StringRef text, size_t bytesMax);

/// What is wrong in `cell`, for a person: each finding with its oracle and rule, at most `findingsMax` of them and a
/// count of the rest; the reason where there is none. Plain text of several lines, without a newline at the end.
std::string findingsText(const CellResult &cell, size_t findingsMax);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_PLAINTEXT_H
