// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/DagBuilder.h"
#include "harness/scenario/Families.h"
#include "harness/scenario/Slices.h"

#include <random>

using namespace lockstep::scenario;

static std::string numbered(const char *stem, uint64_t number) { return stem + std::to_string(number); }

namespace {

/// Numbers from a seed, the same on every machine: the standard fixes the generator, not its distributions.
class Draw {
public:
  explicit Draw(uint64_t seed) : generator(seed) {}
  /// From 0 to count - 1.
  uint64_t below(uint64_t count) { return generator() % count; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  template <typename T> const T &from(const std::vector<T> &list) { return list[below(list.size())]; }

private:
  std::mt19937_64 generator;
};

/// Draws operations over a growing set of device buffers.
class RandomDag {
public:
  RandomDag(uint64_t seed, uint64_t words) : draw(seed), words(words) {
    for (int i = 0; i < 2; ++i)
      hosts.push_back(dag.input(numbered("in", i), words, i ? MemoryKind::Pageable : MemoryKind::Pinned));
    for (int i = 0; i < 2; ++i)
      load();
  }

  void addOps(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
      addTopLevelOp();
  }

  Dag finish() {
    for (BufferId buffer : live)
      publish(buffer);
    return dag.finish();
  }

private:
  void load() {
    BufferId buffer = dag.device(numbered("d", deviceCount++), words);
    dag.alloc(buffer);
    if (draw.oneIn(3))
      dag.fill(dag.whole(buffer), 0x5A5A0000u + static_cast<uint32_t>(deviceCount));
    else
      dag.copy(dag.whole(buffer), dag.whole(draw.from(hosts)));
    live.push_back(buffer);
  }

  void publish(BufferId buffer) {
    MemoryKind memory = draw.oneIn(2) ? MemoryKind::Pinned : MemoryKind::Pageable;
    BufferId host = dag.output(numbered("out", outputCount++), words, memory);
    dag.copy(dag.whole(host), dag.whole(buffer));
    outputs.push_back(host);
  }

  void addTopLevelOp() {
    switch (draw.below(16)) {
    case 0:
      if (live.size() < 8)
        return load();
      break;
    case 1:
      if (live.size() > 2)
        return retire();
      break;
    case 2:
      return publish(draw.from(live));
    case 3:
      if (!outputs.empty())
        return touchOutput();
      break;
    case 4:
      return addLoop();
    case 5:
      return addBranch();
    default:
      break;
    }
    addWork(live);
  }

  void retire() {
    size_t index = draw.below(live.size());
    BufferId buffer = live[index];
    live.erase(live.begin() + index);
    publish(buffer);
    dag.dealloc(buffer);
  }

  void touchOutput() {
    BufferId host = draw.from(outputs);
    if (draw.oneIn(3))
      dag.hostUpdate(dag.whole(host));
    else
      dag.hostCall(dag.whole(host));
    if (draw.oneIn(2))
      dag.copy(dag.whole(draw.from(live)), dag.whole(host));
  }

  std::vector<BufferId> someLive() {
    std::vector<BufferId> some;
    for (BufferId buffer : live)
      if (some.size() < 4 && draw.oneIn(2))
        some.push_back(buffer);
    while (some.size() < 2)
      for (BufferId buffer : live)
        if (some.size() < 2 && (some.empty() || some.front() != buffer))
          some.push_back(buffer);
    return some;
  }

  void addLoop() {
    std::vector<BufferId> used = someLive();
    dag.loop(static_cast<uint32_t>(draw.below(4)), used, [&] { addSeveral(used); });
  }

  void addBranch() {
    std::vector<BufferId> used = someLive();
    bool isTaken = draw.oneIn(2);
    dag.branch(isTaken, used, [&] { addSeveral(used); }, [&] { addSeveral(used); });
  }

  void addSeveral(const std::vector<BufferId> &buffers) {
    for (uint64_t i = 0, count = 1 + draw.below(3); i < count; ++i)
      addWork(buffers);
  }

  /// A copy, fill or kernel over these buffers.
  void addWork(const std::vector<BufferId> &buffers) {
    Slice target = drawSlice(draw.from(buffers));
    switch (draw.below(6)) {
    case 0:
      dag.fill(target, static_cast<uint32_t>(draw.below(1 << 30)));
      return;
    case 1:
      if (std::vector<Slice> sources = drawSources(buffers, target, 1); !sources.empty()) {
        dag.copy(target, sources.front());
        return;
      }
      [[fallthrough]];
    default:
      launch(buffers, target);
    }
  }

  void launch(const std::vector<BufferId> &buffers, const Slice &target) {
    KernelKind kernel = kKernelKinds[draw.below(std::size(kKernelKinds))];
    uint64_t most = kernel == KernelKind::Mix || kernel == KernelKind::Update || kernel == KernelKind::Float ? 3 : 1;
    std::vector<Slice> sources = drawSources(buffers, target, 1 + draw.below(most));
    if (sources.empty())
      kernel = KernelKind::Update;
    dag.launch(kernel, target, sources);
  }

  Slice drawSlice(BufferId buffer) {
    Slice slice = dag.whole(buffer);
    if (words < 8 || draw.oneIn(2))
      return slice;
    slice.words = words / 4;
    slice.stride = 1 + draw.below(3);
    slice.offset = draw.below(words - (slice.words - 1) * slice.stride);
    return slice;
  }

  /// As many words as the target has, from slices that do not overlap it. Fewer slices where there are not so many.
  std::vector<Slice> drawSources(const std::vector<BufferId> &buffers, const Slice &target, uint64_t count) {
    std::vector<Slice> sources;
    for (uint64_t attempt = 0; attempt < 4 * count && sources.size() < count; ++attempt) {
      Slice source = dag.whole(draw.from(buffers));
      source.words = target.words;
      source.stride = 1 + draw.below(std::max<uint64_t>(1, (words - 1) / std::max<uint64_t>(1, target.words)));
      source.offset = draw.below(words - (source.words - 1) * source.stride);
      if (!mayOverlap(source, target))
        sources.push_back(source);
    }
    return sources;
  }

  Draw draw;
  DagBuilder dag;
  uint64_t words;
  std::vector<BufferId> hosts, outputs, live;
  unsigned deviceCount = 0, outputCount = 0;
};

/// A graph of kernels, each with a buffer of its own, that are checked at the end.
class KernelDag : public DagBuilder {
public:
  explicit KernelDag(uint64_t words) : words(words) {
    root = add("root", {});
    copy(whole(root), whole(input("in", words)));
  }

  BufferId add(const std::string &name, const std::vector<BufferId> &from) {
    BufferId buffer = device(name, words);
    alloc(buffer);
    std::vector<Slice> sources;
    for (BufferId source : from)
      sources.push_back(whole(source));
    if (!from.empty())
      launch(KernelKind::Mix, whole(buffer), sources);
    isRead.resize(buffer + 1);
    for (BufferId source : from)
      isRead[source] = true;
    made.push_back(buffer);
    return buffer;
  }

  /// Copies back what no kernel reads, which depends on all the rest.
  Dag publishAndFinish() {
    for (BufferId buffer : std::vector<BufferId>(made))
      if (!isRead[buffer])
        copy(whole(output("out" + std::to_string(buffer), words)), whole(buffer));
    return finish();
  }

  BufferId root;

private:
  uint64_t words;
  std::vector<bool> isRead;
  std::vector<BufferId> made;
};

} // namespace

static Dag buildRandom(const Parameters &parameters) {
  RandomDag random(parameters["seed"], parameters.words());
  random.addOps(parameters["ops"]);
  return random.finish();
}

static Dag buildLayered(const Parameters &parameters) {
  Draw draw(parameters["seed"]);
  KernelDag dag(parameters.words());
  std::vector<BufferId> above = {dag.root};
  for (uint64_t layer = 0; layer < parameters["layers"]; ++layer) {
    std::vector<BufferId> next;
    for (uint64_t i = 0; i < parameters["width"]; ++i) {
      std::vector<BufferId> from;
      for (uint64_t input = 0, count = 1 + draw.below(3); input < count; ++input)
        from.push_back(draw.from(above));
      next.push_back(dag.add("l" + std::to_string(layer) + "_" + std::to_string(i), from));
    }
    above = next;
  }
  return dag.publishAndFinish();
}

/// A part of a series-parallel graph from one buffer to another.
static BufferId addSeriesParallel(KernelDag &dag, Draw &draw, BufferId from, uint64_t ops, unsigned &number) {
  if (ops <= 1)
    return dag.add(numbered("k", number++), {from});
  uint64_t first = 1 + draw.below(ops - 1);
  if (ops > 3 && draw.oneIn(2)) {
    first = 1 + draw.below(ops - 2);
    BufferId left = addSeriesParallel(dag, draw, from, first, number);
    BufferId right = addSeriesParallel(dag, draw, from, ops - 1 - first, number);
    return dag.add(numbered("k", number++), {left, right});
  }
  BufferId middle = addSeriesParallel(dag, draw, from, first, number);
  return addSeriesParallel(dag, draw, middle, ops - first, number);
}

static Dag buildSeriesParallel(const Parameters &parameters) {
  Draw draw(parameters["seed"]);
  KernelDag dag(parameters.words());
  unsigned number = 0;
  addSeriesParallel(dag, draw, dag.root, parameters["ops"], number);
  return dag.publishAndFinish();
}

std::vector<Family> lockstep::scenario::randomFamilies() {
  Parameter bytes = bytesParameter();
  Parameter seed = {"seed", 1, 0, UINT64_MAX, "seed"};
  return {
      {"layered",
       "layers of kernels that each read one to three of the layer above",
       {seed, {"layers", 4, 1, 1000, "layers"}, {"width", 4, 1, 1000, "kernels of a layer"}, bytes},
       buildLayered},
      {"seriesparallel",
       "a graph composed of sequences and of forks that join",
       {seed, {"ops", 16, 1, 10000, "kernels"}, bytes},
       buildSeriesParallel},
      {"random",
       "operations of every kind, slices, loops and branches, drawn from a seed",
       {seed, {"ops", 30, 1, 10000, "operations, those in loops counted once"}, bytes},
       buildRandom},
  };
}
