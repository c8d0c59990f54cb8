// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_MARKDOWNWRITER_H
#define LOCKSTEP_REPORTS_MARKDOWNWRITER_H

#include "reports/Results.h"

namespace lockstep::reports {

/// The most that `markdownReport` gives, in bytes and so in characters. A comment on GitHub takes 65,536 characters.
inline constexpr size_t kMarkdownBytesMax = 65000;

/// `results`, sorted, as GitHub's Markdown for the comment on a pull request: the totals, what ran, a matrix of what
/// does not pass, and each fault with its findings and the command that shows it. Whatever does not fit is counted.
std::string markdownReport(const Results &results);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_MARKDOWNWRITER_H
