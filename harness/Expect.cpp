// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/Expect.h"

#include "harness/Elements.h"
#include "runtime-api/Expect.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <mutex>

using namespace lockstep::harness;
using lockstep::reports::Finding;

/// How many differing elements a finding shows; more tell nothing new.
static constexpr size_t kShownDifferencesMax = 4;

namespace {

struct ExpectationLog {
  std::mutex mutex;
  int64_t reachedCount = 0;
  std::vector<Finding> findings;
};

/// A memref as the comparison walks it.
struct MemRefView {
  const char *data; ///< Of the element with all indices 0.
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<int64_t> strides;
};

} // namespace

static ExpectationLog &expectationLog() {
  static ExpectationLog log;
  return log;
}

static void report(const char *location, const std::string &message) {
  ExpectationLog &log = expectationLog();
  std::lock_guard<std::mutex> lock(log.mutex);
  log.findings.push_back({"values", "EXPECT-1", std::string(location) + ": " + message, {location}, {}});
}

static MemRefView viewOf(int64_t rank, const MgpuMemRef *memref, int64_t elementBytes) {
  return {memref->aligned + memref->offset * elementBytes,
          {memref->shape, size_t(rank)},
          {memref->shape + rank, size_t(rank)}};
}

static std::string printIndices(llvm::ArrayRef<int64_t> indices) {
  std::string text = "[";
  for (size_t i = 0; i < indices.size(); ++i)
    text += (i ? ", " : "") + std::to_string(indices[i]);
  return text + "]";
}

static std::string printShape(llvm::ArrayRef<int64_t> sizes) {
  return sizes.empty() ? "a single element"
                       : llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x");
}

/// Steps to the next index in row-major order; false after the last.
static bool advance(llvm::MutableArrayRef<int64_t> indices, llvm::ArrayRef<int64_t> sizes) {
  for (size_t i = indices.size(); i-- > 0;) {
    if (++indices[i] < sizes[i])
      return true;
    indices[i] = 0;
  }
  return false;
}

static void compareElements(const char *location, const MemRefView &view, ElementFormat format, const char *expected,
                            double tolerance) {
  llvm::SmallVector<int64_t> indices(view.sizes.size(), 0);
  std::string shown;
  size_t differences = 0;
  size_t count = 0;
  do {
    int64_t position = 0;
    for (size_t i = 0; i < indices.size(); ++i)
      position += indices[i] * view.strides[i];
    const char *actual = view.data + position * format.bytes();
    if (!elementsAgree(format, expected, actual, tolerance) && ++differences <= kShownDifferencesMax)
      shown += "; at " + printIndices(indices) + " expected " + printElement(format, expected) + ", found " +
               printElement(format, actual);
    expected += format.bytes();
    ++count;
  } while (advance(indices, view.sizes));
  if (differences == 0)
    return;
  std::string message = std::to_string(differences) + " of " + std::to_string(count) +
                        (count == 1 ? " element" : " elements") + (differences == 1 ? " differs" : " differ") + shown;
  report(location, differences > kShownDifferencesMax ? message + "; …" : message);
}

void lockstepExpect(int64_t rank, MgpuMemRef *memref, const char *location, int32_t element_kind, int32_t element_bits,
                    int64_t expected_rank, const int64_t *expected_shape, const void *expected, double tolerance) {
  {
    ExpectationLog &log = expectationLog();
    std::lock_guard<std::mutex> lock(log.mutex);
    ++log.reachedCount;
  }
  ElementFormat format{element_kind, element_bits};
  if (std::string problem = checkFormat(format); !problem.empty())
    return report(location, "the expectation cannot be judged: " + problem);
  MemRefView view = viewOf(rank, memref, format.bytes());
  llvm::ArrayRef<int64_t> wanted(expected_shape, size_t(expected_rank));
  if (view.sizes != wanted)
    return report(location, "expected shape " + printShape(wanted) + ", found " + printShape(view.sizes));
  if (!llvm::is_contained(wanted, 0))
    compareElements(location, view, format, static_cast<const char *>(expected), tolerance);
}

void lockstep::harness::clearExpectations() {
  ExpectationLog &log = expectationLog();
  std::lock_guard<std::mutex> lock(log.mutex);
  log.reachedCount = 0;
  log.findings.clear();
}

std::vector<Finding> lockstep::harness::takeExpectationFindings(int64_t &reachedCount) {
  ExpectationLog &log = expectationLog();
  std::lock_guard<std::mutex> lock(log.mutex);
  reachedCount = log.reachedCount;
  return std::move(log.findings);
}
