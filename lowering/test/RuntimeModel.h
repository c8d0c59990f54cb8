// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime's calls enforce: streams, events, graphs and captures as sets of work. Handles are small numbers, 0
// is null.

#ifndef LOCKSTEP_LOWERING_TEST_RUNTIMEMODEL_H
#define LOCKSTEP_LOWERING_TEST_RUNTIMEMODEL_H

#include "lowering/test/ChainInterpreter.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <optional>
#include <set>

namespace lockstep::test {

class RuntimeModel {
public:
  explicit RuntimeModel(ChainRun &result) : result(result) {}

  /// One call; gives the number that stands for its result. `data` reads the list behind a pointer argument.
  int64_t call(llvm::StringRef name, llvm::ArrayRef<int64_t> arguments,
               llvm::function_ref<std::vector<int32_t>(int64_t pointer)> data);
  /// The program is over: notes what is left.
  void finish();

private:
  struct Graph {
    bool isOpen = true;
    /// For each node the work that is complete when it is; and all work of the graph.
    std::vector<WorkSet> nodes;
    WorkSet work;
  };
  struct Capture {
    int64_t origin = 0;
    /// What the streams that take part hold outside of the capture.
    std::map<int64_t, WorkSet> outside;
    std::set<int64_t> events;
    WorkSet work;
  };

  std::optional<int64_t> create(llvm::StringRef name);
  bool callPool(llvm::StringRef name, llvm::ArrayRef<int64_t> arguments);
  void addNode(llvm::StringRef name, int64_t graph, llvm::ArrayRef<int32_t> dependencies, int64_t count);
  void launch(int64_t graph, int64_t stream);
  void beginCapture(int64_t stream);
  void launchCapture(int64_t stream);
  void record(int64_t event, int64_t stream);
  void wait(int64_t stream, int64_t event);
  void hostWait(const WorkSet &work, bool isCaptured);
  void issue(int64_t stream);

  bool isCaptured(int64_t stream) const { return capture && capture->outside.count(stream); }
  WorkSet &stream(int64_t number);
  bool isAlive(int64_t event);
  void changeReferences(int64_t event, int64_t change);
  void noteEvents(int64_t change);
  void problem(const llvm::Twine &text) { result.problems.push_back(text.str()); }

  ChainRun &result;
  WorkSet host;
  std::vector<WorkSet> streams, events;
  std::vector<bool> streamHeld;
  std::vector<int64_t> references;
  std::vector<Graph> graphs;
  std::optional<Capture> capture;
  uint64_t numEvents = 0;
};

} // namespace lockstep::test

#endif // LOCKSTEP_LOWERING_TEST_RUNTIMEMODEL_H
