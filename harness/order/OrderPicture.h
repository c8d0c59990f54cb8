// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_HARNESS_ORDER_ORDERPICTURE_H
#define LOCKSTEP_HARNESS_ORDER_ORDERPICTURE_H

#include "harness/order/OrderSpec.h"
#include "reports/Results.h"

namespace lockstep::harness {

/// A program of more operations than this is not drawn: results would grow by megabytes for a picture nobody reads.
inline constexpr size_t kPictureOpsMax = 1000;

/// The order that a program asks for, for a report: a node for each operation, however often it was executed, and an
/// edge from each to those that come directly after it in the order of their first executions. The pairs that
/// `findings` of the oracles `order` and `hazard` name are missing edges, also where the program orders them by way of
/// others or not at all. None where there is no such finding, or the program has more than `kPictureOpsMax` operations.
std::optional<reports::CellGraph> drawOrder(const OrderSpec &spec, llvm::ArrayRef<reports::Finding> findings);

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_ORDERPICTURE_H
