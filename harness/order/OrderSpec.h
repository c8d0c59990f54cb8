// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which order a program asks for: the executions of its operations in the order in which the host reaches them, what
// each comes after, and the memory that it accesses. It is the same for every lowering of the program.

#ifndef LOCKSTEP_HARNESS_ORDER_ORDERSPEC_H
#define LOCKSTEP_HARNESS_ORDER_ORDERSPEC_H

#include "harness/order/ByteAccess.h"
#include "harness/order/PartialOrder.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <vector>

namespace lockstep::harness {

struct SpecOp {
  uint32_t name;    ///< In OrderSpec::name.
  uint32_t ordinal; ///< Among the executions with that name, from 0.
  LockstepTraceKind kind;
  /// What it comes after: earlier positions. Its chains, and synchronous operations before it that the host does not
  /// look at.
  llvm::SmallVector<uint32_t, 2> after = {};
  llvm::SmallVector<ByteAccess, 2> accesses = {};
  /// It is synchronous, and the host may look at what it did when it goes on.
  bool isHostAfter = false;
  History before = {};               ///< All work that comes before it.
  PartialOrder::Element element = 0; ///< Of work.

  bool isWork() const { return kind == kLockstepTraceWork; }
};

class OrderSpec {
public:
  llvm::ArrayRef<SpecOp> ops() const { return specOps; }
  llvm::StringRef name(uint32_t id) const { return names[id]; }
  /// Whether the program orders one piece of work before another, directly or by way of others and of the host.
  bool isBefore(const SpecOp &first, const SpecOp &second) const {
    return order.isBefore(first.element, second.element);
  }

private:
  friend class OrderSpecBuilder;

  std::vector<SpecOp> specOps;
  std::vector<std::string> names;
  PartialOrder order;
};

/// Puts a specification together. One thread uses an object.
class OrderSpecBuilder {
public:
  /// Begins an operation; gives its position.
  uint32_t add(llvm::StringRef name, LockstepTraceKind kind);
  void addAfter(uint32_t op, uint32_t before);
  void addAccess(uint32_t op, ByteAccess access);
  void addHostWait(uint32_t op, LockstepTraceHostWait wait);
  /// Nothing may be added afterwards.
  OrderSpec finish();

private:
  void resolveAllocation(ByteAccess &access);

  OrderSpec spec;
  llvm::StringMap<uint32_t> ids;
  std::vector<uint32_t> countOfName;
  llvm::SmallVector<uint32_t, 1> unobserved; ///< Synchronous operations that all later ones come after.

  struct Allocation {
    uint64_t end;
    uint32_t id;
  };
  std::map<uint64_t, Allocation> allocations; ///< By begin; none overlap.
  uint32_t allocationCount = 0;
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_ORDERSPEC_H
