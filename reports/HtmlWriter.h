// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_HTMLWRITER_H
#define LOCKSTEP_REPORTS_HTMLWRITER_H

#include "reports/Results.h"

#include "llvm/Support/raw_ostream.h"

namespace lockstep::reports {

/// Whether this build can write a page: its scripts are bundled by npm's tools, which the build machine may lack.
bool hasHtmlPage();

/// Writes `results`, sorted, as one page of HTML that needs no other file and no network: reports/html with the results
/// in it. Nothing in the results can become markup or script. Only where `hasHtmlPage`.
void writeHtmlPage(const Results &results, llvm::raw_ostream &stream);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_HTMLWRITER_H
