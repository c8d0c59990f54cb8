// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/DagBuilder.h"
#include "harness/scenario/Families.h"

using namespace lockstep::scenario;

static std::string numbered(const char *stem, uint64_t number) { return stem + std::to_string(number); }

/// Device buffers with words from the host.
static std::vector<BufferId> loadLanes(DagBuilder &dag, uint64_t count, uint64_t words) {
  std::vector<BufferId> lanes;
  for (uint64_t i = 0; i < count; ++i) {
    BufferId host = dag.input(numbered("in", i), words);
    lanes.push_back(dag.device(numbered("lane", i), words));
    dag.alloc(lanes.back());
    dag.copy(dag.whole(lanes.back()), dag.whole(host));
  }
  return lanes;
}

static void publishLanes(DagBuilder &dag, const std::vector<BufferId> &lanes, uint64_t words) {
  for (size_t i = 0; i < lanes.size(); ++i)
    dag.copy(dag.whole(dag.output(numbered("out", i), words)), dag.whole(lanes[i]));
}

static Dag buildLoop(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  std::vector<BufferId> lanes = loadLanes(dag, parameters["lanes"], words);
  auto exchange = [&] {
    for (size_t i = 0; i < lanes.size(); ++i) {
      std::vector<Slice> sources;
      if (lanes.size() > 1)
        sources.push_back(dag.whole(lanes[(i + 1) % lanes.size()]));
      dag.launch(KernelKind::Update, dag.whole(lanes[i]), sources);
    }
  };
  dag.loop(parameters["iterations"], lanes, [&] {
    for (BufferId lane : lanes)
      dag.launch(KernelKind::Update, dag.whole(lane), {});
    if (parameters["inner"])
      dag.loop(parameters["inner"], lanes, exchange);
    else
      exchange();
  });
  publishLanes(dag, lanes, words);
  return dag.finish();
}

static Dag buildStream(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  uint64_t iterations = parameters["iterations"];
  BufferId source = dag.input("in", words * iterations);
  BufferId result = dag.output("out", words * iterations);
  BufferId buffer = dag.device("buffer", words);
  BufferId scratch = dag.device("scratch", words);
  dag.alloc(buffer);
  dag.loop(static_cast<uint32_t>(iterations), {source, result, buffer}, [&] {
    dag.copy(dag.whole(buffer), {source, 0, words, 1, words});
    dag.alloc(scratch);
    dag.launch(KernelKind::Mix, dag.whole(scratch), {dag.whole(buffer)});
    dag.copy({result, 0, words, 1, words}, dag.whole(scratch));
    dag.dealloc(scratch);
  });
  return dag.finish();
}

static Dag buildBranch(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  std::vector<BufferId> lanes = loadLanes(dag, 2, words);
  for (uint64_t round = 0; round < parameters["rounds"]; ++round) {
    bool isTaken = (parameters["taken"] >> (round % 32)) & 1;
    dag.branch(
        isTaken, lanes,
        [&] {
          dag.launch(KernelKind::Update, dag.whole(lanes[0]), {dag.whole(lanes[1])});
          dag.launch(KernelKind::Update, dag.whole(lanes[1]), {});
        },
        [&] { dag.launch(KernelKind::Update, dag.whole(lanes[1]), {dag.whole(lanes[0])}); });
    dag.launch(KernelKind::Update, dag.whole(lanes[round % 2]), {});
  }
  publishLanes(dag, lanes, words);
  return dag.finish();
}

static Dag buildWaits(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  std::vector<BufferId> lanes = loadLanes(dag, 2, words);
  BufferId host = dag.output("out", words);
  for (uint64_t round = 0; round < parameters["rounds"]; ++round) {
    BufferId lane = lanes[round % 2];
    dag.launch(KernelKind::Update, dag.whole(lane), {});
    dag.copy(dag.whole(host), dag.whole(lane));
    // Work that the host does not wait for.
    dag.launch(KernelKind::Update, dag.whole(lanes[(round + 1) % 2]), {});
    dag.hostUpdate(dag.whole(host));
    dag.copy(dag.whole(lane), dag.whole(host));
  }
  publishLanes(dag, lanes, words);
  return dag.finish();
}

std::vector<Family> lockstep::scenario::controlFlowFamilies() {
  Parameter bytes = bytesParameter();
  return {
      {"loop",
       "lanes that update themselves and each other, with chains carried over the iterations",
       {{"iterations", 4, 0, 100000, "iterations"},
        {"lanes", 3, 1, 64, "lanes"},
        {"inner", 0, 0, 1000, "iterations of a loop inside, 0 for none"},
        bytes},
       buildLoop},
      {"stream",
       "a loop that moves one chunk through the device in each iteration, and allocates in it",
       {{"iterations", 5, 1, 10000, "iterations"}, bytes},
       buildStream},
      {"branch",
       "branches on a value that the host reads, which order two lanes one way or the other",
       {{"rounds", 4, 1, 1000, "branches"}, {"taken", 5, 0, 0xFFFFFFFF, "which branches are taken, as bits"}, bytes},
       buildBranch},
      {"waits",
       "the host waits for some work, rewrites what it got and hands it back",
       {{"rounds", 4, 1, 1000, "rounds"}, bytes},
       buildWaits},
  };
}
