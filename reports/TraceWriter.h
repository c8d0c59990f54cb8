// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_TRACEWRITER_H
#define LOCKSTEP_REPORTS_TRACEWRITER_H

#include "reports/Results.h"

#include "llvm/Support/raw_ostream.h"

namespace lockstep::reports {

/// Writes the timeline of `cell`, which has one, as a trace in Chrome's JSON form, for Perfetto and chrome://tracing: a
/// track of its own for each of the timeline's, and more where work on a track overlaps without nesting; an arrow for
/// each flow, from the earlier to the later piece of work. A flow that is missing or extra says so in its name.
void writeTrace(const CellResult &cell, llvm::raw_ostream &stream);

/// "suites_seeds_async.mlir/cuda-streams-random-7.json" for each cell of `results` that is not as expected and has a
/// timeline, and what `writeTrace` writes of it. The names are all different.
std::vector<std::pair<std::string, const CellResult *>> traceFiles(const Results &results);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_TRACEWRITER_H
