// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes before what, answered in constant time. Elements are added one by one, each behind a set of earlier ones.
//
// Elements are laid onto chains: each is after the one before it on its chain. So a set that holds, with an element,
// all that is before it, is one number a chain (a vector clock; Fidge 1988, Mattern 1989, with chains in the place of
// processes). An element goes to the first chain whose last element is before it, else to a new one (greedy: at most
// as many chains as elements, and few where the order is that of a few streams).

#ifndef LOCKSTEP_HARNESS_ORDER_PARTIALORDER_H
#define LOCKSTEP_HARNESS_ORDER_PARTIALORDER_H

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::harness {

/// A set of elements of one PartialOrder that holds, with an element, all that is before it. A value: copies share what
/// they hold until one changes.
class History {
public:
  bool isEmpty() const { return !counts; }
  /// Adds all that is in `other`.
  void include(const History &other);

private:
  friend class PartialOrder;
  using Counts = std::vector<uint32_t>;

  uint32_t count(uint32_t chain) const { return counts && chain < counts->size() ? (*counts)[chain] : 0; }
  bool holdsAll(const Counts &others) const;
  Counts &change();

  std::shared_ptr<Counts> counts; ///< For each chain, how many of its elements are in the set; null: none of any.
};

/// One thread uses an object.
class PartialOrder {
public:
  using Element = uint32_t;

  /// Adds an element that comes after all that is in `before`. Elements are numbered from 0.
  Element add(History before);
  size_t size() const { return elements.size(); }
  size_t chainCount() const { return lengths.size(); }

  bool isBefore(Element first, Element second) const { return holds(elements[second].before, first); }
  bool holds(const History &history, Element element) const {
    return history.count(elements[element].chain) >= elements[element].place;
  }
  /// Adds the element, and all before it, to `history`.
  void include(History &history, Element element) const;
  const History &before(Element element) const { return elements[element].before; }

private:
  struct Position {
    uint32_t chain;
    uint32_t place; ///< On its chain, from 1.
    History before;
  };

  std::vector<Position> elements;
  std::vector<uint32_t> lengths; ///< Of the chains.
};

} // namespace lockstep::harness

#endif // LOCKSTEP_HARNESS_ORDER_PARTIALORDER_H
