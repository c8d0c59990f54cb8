// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_JSONVALIDATOR_H
#define LOCKSTEP_REPORTS_JSONVALIDATOR_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace lockstep::reports {

/// Says in what `document` deviates from the schema lockstep-results/1, one line a deviation with the path of the value
/// ("cells[3].verdict: …"); empty where it conforms. Unknown keys are deviations, and so are totals that do not add up.
std::vector<std::string> validateResultsJson(const llvm::json::Value &document);

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_JSONVALIDATOR_H
