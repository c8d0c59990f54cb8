// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_JSONWRITER_H
#define LOCKSTEP_REPORTS_JSONWRITER_H

#include "reports/Results.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace lockstep::reports {

/// Writes `results` as results.json, indented, with a newline at the end. Every key of the schema is present even where
/// its value is empty. Bytes that are not UTF-8 are replaced. The same results give the same text.
void writeResultsJson(const Results &results, llvm::raw_ostream &stream);

/// The same as the next value of `json`, in its form.
void writeResultsJson(const Results &results, llvm::json::OStream &json);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_JSONWRITER_H
