// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/order/PartialOrder.h"

#include <algorithm>
#include <cassert>

using namespace lockstep::harness;

bool History::holdsAll(const Counts &others) const {
  if (!counts)
    return false;
  for (size_t chain = 0; chain < others.size(); ++chain)
    if (count(chain) < others[chain])
      return false;
  return true;
}

History::Counts &History::change() {
  if (!counts)
    counts = std::make_shared<Counts>();
  else if (counts.use_count() > 1)
    counts = std::make_shared<Counts>(*counts);
  return *counts;
}

void History::include(const History &other) {
  if (!other.counts || other.counts == counts || holdsAll(*other.counts))
    return;
  // Sharing costs nothing, and is what mostly happens: one of the two is the younger.
  if (!counts || other.holdsAll(*counts)) {
    counts = other.counts;
    return;
  }
  Counts &own = change();
  own.resize(std::max(own.size(), other.counts->size()));
  for (size_t chain = 0; chain < other.counts->size(); ++chain)
    own[chain] = std::max(own[chain], (*other.counts)[chain]);
}

PartialOrder::Element PartialOrder::add(History before) {
  uint32_t chain = 0;
  while (chain < lengths.size() && before.count(chain) != lengths[chain])
    ++chain;
  if (chain == lengths.size())
    lengths.push_back(0);
  elements.push_back({chain, ++lengths[chain], std::move(before)});
  return elements.size() - 1;
}

void PartialOrder::include(History &history, Element element) const {
  const Position &position = elements[element];
  if (holds(history, element))
    return;
  history.include(position.before);
  History::Counts &counts = history.change();
  if (counts.size() <= position.chain)
    counts.resize(position.chain + 1);
  counts[position.chain] = position.place;
}
