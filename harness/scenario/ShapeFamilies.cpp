// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/DagBuilder.h"
#include "harness/scenario/Families.h"

using namespace lockstep::scenario;

namespace {

/// What every shape needs: a first device buffer with known words, and ways to make and to publish others.
class Shape : public DagBuilder {
public:
  explicit Shape(uint64_t words) : words(words) {}

  /// A device buffer whose words come from the host.
  BufferId loaded(const std::string &name) {
    BufferId host = input("in_" + name, words);
    BufferId buffer = made(name);
    copy(whole(buffer), whole(host));
    return buffer;
  }

  BufferId made(const std::string &name, uint64_t times = 1) {
    BufferId buffer = device(name, words * times);
    alloc(buffer);
    return buffer;
  }

  /// A new buffer, computed from others.
  BufferId mixed(const std::string &name, const std::vector<BufferId> &from, KernelKind kernel = KernelKind::Mix) {
    BufferId buffer = made(name);
    std::vector<Slice> sources;
    for (BufferId source : from)
      sources.push_back(whole(source));
    launch(kernel, whole(buffer), sources);
    return buffer;
  }

  void update(BufferId buffer, const std::vector<BufferId> &from = {}) {
    std::vector<Slice> sources;
    for (BufferId source : from)
      sources.push_back(whole(source));
    launch(KernelKind::Update, whole(buffer), sources);
  }

  void publish(BufferId buffer, const std::string &name) { copy(whole(output("out_" + name, words)), whole(buffer)); }

  const uint64_t words;
};

} // namespace

static std::string numbered(const char *stem, uint64_t number) { return stem + std::to_string(number); }

static Dag buildChain(const Parameters &parameters) {
  Shape shape(parameters.words());
  BufferId a = shape.loaded("a");
  for (uint64_t i = 0; i < parameters["length"]; ++i)
    shape.update(a);
  shape.publish(a, "a");
  return shape.finish();
}

static Dag buildFork(const Parameters &parameters) {
  Shape shape(parameters.words());
  BufferId root = shape.loaded("root");
  for (uint64_t i = 0; i < parameters["width"]; ++i)
    shape.publish(shape.mixed(numbered("leaf", i), {root}), numbered("leaf", i));
  return shape.finish();
}

static Dag buildJoin(const Parameters &parameters) {
  Shape shape(parameters.words());
  uint64_t width = parameters["width"];
  BufferId all = shape.made("all", width);
  for (uint64_t i = 0; i < width; ++i) {
    BufferId host = shape.input(numbered("in", i), shape.words);
    shape.copy({all, i * shape.words, shape.words}, shape.whole(host));
  }
  shape.publish(shape.mixed("sum", {all}, KernelKind::Fold), "sum");
  return shape.finish();
}

static Dag buildForkJoin(const Parameters &parameters) {
  Shape shape(parameters.words());
  uint64_t width = parameters["width"];
  BufferId root = shape.loaded("root");
  for (uint64_t level = 0; level < parameters["depth"]; ++level) {
    BufferId lanes = shape.made(numbered("lanes", level), width);
    for (uint64_t i = 0; i < width; ++i)
      shape.launch(KernelKind::Mix, {lanes, i * shape.words, shape.words}, {shape.whole(root)});
    root = shape.mixed(numbered("joined", level), {lanes}, KernelKind::Fold);
  }
  shape.publish(root, "joined");
  return shape.finish();
}

static Dag buildDiamond(const Parameters &parameters) {
  Shape shape(parameters.words());
  BufferId top = shape.loaded("top");
  for (uint64_t i = 0; i < parameters["count"]; ++i) {
    BufferId left = shape.mixed(numbered("left", i), {top});
    BufferId right = shape.mixed(numbered("right", i), {top}, KernelKind::Shared);
    top = shape.mixed(numbered("bottom", i), {left, right});
  }
  shape.publish(top, "bottom");
  return shape.finish();
}

static Dag buildButterfly(const Parameters &parameters) {
  Shape shape(parameters.words());
  uint64_t lanes = uint64_t(1) << parameters["stages"];
  std::vector<BufferId> current;
  for (uint64_t lane = 0; lane < lanes; ++lane)
    current.push_back(shape.loaded(numbered("lane", lane)));
  for (uint64_t stage = 0; stage < parameters["stages"]; ++stage) {
    std::vector<BufferId> next;
    for (uint64_t lane = 0; lane < lanes; ++lane)
      next.push_back(shape.mixed("s" + std::to_string(stage) + "_" + std::to_string(lane),
                                 {current[lane], current[lane ^ (uint64_t(1) << stage)]}));
    current = next;
  }
  for (uint64_t lane = 0; lane < lanes; ++lane)
    shape.publish(current[lane], numbered("lane", lane));
  return shape.finish();
}

static Dag buildReduce(const Parameters &parameters) {
  Shape shape(parameters.words());
  std::vector<BufferId> level;
  for (uint64_t i = 0; i < parameters["leaves"]; ++i)
    level.push_back(shape.loaded(numbered("leaf", i)));
  for (uint64_t depth = 0; level.size() > 1; ++depth) {
    std::vector<BufferId> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(shape.mixed("r" + std::to_string(depth) + "_" + std::to_string(i / 2), {level[i], level[i + 1]},
                                 KernelKind::Float));
    if (level.size() % 2)
      next.push_back(level.back());
    level = next;
  }
  shape.publish(level.front(), "sum");
  return shape.finish();
}

static Dag buildBroadcast(const Parameters &parameters) {
  Shape shape(parameters.words());
  BufferId root = shape.loaded("root");
  for (uint64_t i = 0; i < parameters["width"]; ++i) {
    BufferId copy = shape.made(numbered("copy", i));
    shape.copy(shape.whole(copy), shape.whole(root));
    shape.update(copy);
    shape.publish(copy, numbered("copy", i));
  }
  // Written again as soon as all have read it.
  shape.update(root);
  shape.publish(root, "root");
  return shape.finish();
}

static Dag buildWavefront(const Parameters &parameters) {
  Shape shape(parameters.words());
  std::vector<BufferId> above(parameters["columns"]);
  for (uint64_t column = 0; column < above.size(); ++column)
    above[column] = shape.loaded(numbered("top", column));
  for (uint64_t row = 0; row < parameters["rows"]; ++row) {
    BufferId left = shape.loaded(numbered("side", row));
    for (uint64_t column = 0; column < above.size(); ++column)
      left = above[column] =
          shape.mixed("c" + std::to_string(row) + "_" + std::to_string(column), {above[column], left});
  }
  for (uint64_t column = 0; column < above.size(); ++column)
    shape.publish(above[column], numbered("bottom", column));
  return shape.finish();
}

static Dag buildPingPong(const Parameters &parameters) {
  Shape shape(parameters.words());
  BufferId a = shape.loaded("a");
  BufferId b = shape.loaded("b");
  for (uint64_t round = 0; round < parameters["rounds"]; ++round) {
    BufferId nextA = shape.mixed(numbered("a", round + 1), {a, b});
    BufferId nextB = shape.mixed(numbered("b", round + 1), {b, a});
    a = nextA;
    b = nextB;
  }
  shape.publish(a, "a");
  shape.publish(b, "b");
  return shape.finish();
}

static Dag buildFanOut(const Parameters &parameters) {
  Shape shape(parameters.words());
  uint64_t width = parameters["width"];
  BufferId root = shape.loaded("root");
  BufferId all = shape.made("all", width);
  for (uint64_t i = 0; i < width; ++i)
    shape.launch(KernelKind::Mix, {all, i * shape.words, shape.words}, {shape.whole(root)});
  BufferId host = shape.output("out", shape.words * width);
  shape.copy(shape.whole(host), shape.whole(all));
  return shape.finish();
}

static Dag buildKernels(const Parameters &parameters) {
  Shape shape(parameters.words());
  BufferId a = shape.loaded("a");
  BufferId b = shape.loaded("b");
  BufferId shared = shape.mixed("shared", {a}, KernelKind::Shared);
  BufferId number = shape.mixed("number", {a, b}, KernelKind::Float);
  shape.update(shared, {number});
  BufferId counts = shape.made("counts");
  shape.fill(shape.whole(counts), 7);
  shape.launch(KernelKind::Atomic, {counts, 0, std::min<uint64_t>(4, shape.words)}, {shape.whole(shared)});
  shape.publish(number, "number");
  shape.publish(shared, "shared");
  shape.publish(counts, "counts");
  return shape.finish();
}

std::vector<Family> lockstep::scenario::shapeFamilies() {
  Parameter bytes = bytesParameter();
  return {
      {"chain",
       "each kernel updates what the one before wrote",
       {{"length", 5, 1, 100000, "kernels"}, bytes},
       buildChain},
      {"fork", "kernels that read one buffer", {{"width", 4, 1, 10000, "kernels"}, bytes}, buildFork},
      {"join",
       "copies into one buffer, and a kernel that reads all of it",
       {{"width", 4, 1, 10000, "copies"}, bytes},
       buildJoin},
      {"forkjoin",
       "levels of a fork and a join each",
       {{"width", 4, 1, 1000, "kernels of a level"}, {"depth", 2, 1, 1000, "levels"}, bytes},
       buildForkJoin},
      {"diamond",
       "a fork into two and a join, one after the other",
       {{"count", 3, 1, 10000, "diamonds"}, bytes},
       buildDiamond},
      {"butterfly",
       "the exchange pattern of a fast Fourier transform",
       {{"stages", 3, 1, 10, "stages, over two to the power of this lanes"}, bytes},
       buildButterfly},
      {"reduce", "a binary tree of kernels", {{"leaves", 8, 1, 4096, "inputs"}, bytes}, buildReduce},
      {"broadcast",
       "copies of one device buffer, which is written again when all have read it",
       {{"width", 6, 1, 10000, "copies"}, bytes},
       buildBroadcast},
      {"wavefront",
       "each cell of a grid comes after its neighbours above and to the left",
       {{"rows", 3, 1, 300, "rows"}, {"columns", 4, 1, 300, "columns"}, bytes},
       buildWavefront},
      {"pingpong",
       "two lanes that read each other's last words in each round",
       {{"rounds", 4, 1, 10000, "rounds"}, bytes},
       buildPingPong},
      {"fanout",
       "more independent kernels than any device has queues",
       {{"width", 64, 1, 10000, "kernels"}, bytes},
       buildFanOut},
      {"kernels", "every kind of kernel once", {bytes}, buildKernels},
  };
}
