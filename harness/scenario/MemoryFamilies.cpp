// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/scenario/DagBuilder.h"
#include "harness/scenario/Families.h"

using namespace lockstep::scenario;

static std::string numbered(const char *stem, uint64_t number) { return stem + std::to_string(number); }

static Dag buildPipeline(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  uint64_t chunks = parameters["chunks"];
  BufferId source = dag.input("in", words * chunks);
  BufferId result = dag.output("out", words * chunks);
  std::vector<BufferId> buffers;
  for (uint64_t i = 0; i < parameters["buffers"]; ++i) {
    buffers.push_back(dag.device(numbered("buffer", i), words));
    dag.alloc(buffers.back());
  }
  for (uint64_t chunk = 0; chunk < chunks; ++chunk) {
    BufferId buffer = buffers[chunk % buffers.size()];
    dag.copy(dag.whole(buffer), {source, chunk * words, words});
    for (uint64_t stage = 0; stage < parameters["stages"]; ++stage)
      dag.launch(KernelKind::Update, dag.whole(buffer), {});
    dag.copy({result, chunk * words, words}, dag.whole(buffer));
  }
  return dag.finish();
}

static Dag buildCopies(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  MemoryKind memory = parameters["pinned"] ? MemoryKind::Pinned : MemoryKind::Pageable;
  BufferId source = dag.input("in", words, memory);
  BufferId result = dag.output("out", words, memory);
  BufferId first = dag.device("first", words);
  BufferId second = dag.device("second", words);
  dag.alloc(first);
  dag.alloc(second);
  dag.copy(dag.whole(first), dag.whole(source));
  dag.copy(dag.whole(second), dag.whole(first));
  dag.copy(dag.whole(result), dag.whole(second));
  return dag.finish();
}

static Dag buildFills(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  BufferId buffer = dag.device("a", words);
  BufferId result = dag.output("out", words);
  dag.alloc(buffer);
  for (uint64_t round = 0; round < parameters["rounds"]; ++round) {
    dag.fill({buffer, 0, (words + 1) / 2, 2}, 0x01020304u * static_cast<uint32_t>(round + 1));
    if (words > 1)
      dag.fill({buffer, 1, words / 2, 2}, 0x0F1E2D3Cu + static_cast<uint32_t>(round));
    dag.launch(KernelKind::Update, dag.whole(buffer), {});
  }
  dag.copy(dag.whole(result), dag.whole(buffer));
  return dag.finish();
}

static Dag buildReuse(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  BufferId source = dag.input("in", words);
  BufferId sum = dag.device("sum", words);
  dag.alloc(sum);
  dag.fill(dag.whole(sum), 1);
  ChainId freed = 0;
  for (uint64_t round = 0; round < parameters["rounds"]; ++round) {
    BufferId scratch = dag.device(numbered("scratch", round), words);
    // The allocator may give the same memory again.
    dag.alloc(scratch, round ? std::vector<ChainId>{freed} : std::vector<ChainId>{});
    dag.copy(dag.whole(scratch), dag.whole(source));
    dag.launch(KernelKind::Update, dag.whole(scratch), {});
    dag.launch(KernelKind::Update, dag.whole(sum), {dag.whole(scratch)});
    freed = dag.dealloc(scratch);
  }
  dag.copy(dag.whole(dag.output("out", words)), dag.whole(sum));
  return dag.finish();
}

static Dag buildAlias(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  uint64_t parts = parameters["parts"];
  uint64_t part = words / (parts + 1);
  BufferId source = dag.input("in", words);
  BufferId shared = dag.device("shared", words);
  BufferId other = dag.device("other", words);
  dag.alloc(shared);
  dag.alloc(other);
  dag.copy(dag.whole(shared), dag.whole(source));
  // Each window overlaps its neighbours by half, so that every second one is free of every other.
  for (uint64_t i = 0; i < parts; ++i)
    dag.launch(KernelKind::Update, {shared, i * part, 2 * part}, {});
  for (uint64_t i = 0; i < parts; ++i)
    dag.launch(KernelKind::Mix, {other, i * part, part},
               {{shared, i * part, part}, {shared, i * part + part / 2, part}});
  dag.copy({shared, 0, parts * part}, {other, 0, parts * part});
  dag.copy(dag.whole(dag.output("out", words)), dag.whole(shared));
  return dag.finish();
}

static Dag buildStrided(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t stride = parameters["stride"];
  uint64_t words = parameters.words() / stride * stride;
  uint64_t each = words / stride;
  BufferId source = dag.input("in", words);
  BufferId woven = dag.device("woven", words);
  BufferId plain = dag.device("plain", words);
  dag.alloc(woven);
  dag.alloc(plain);
  dag.copy(dag.whole(plain), dag.whole(source));
  // Columns of a matrix with `stride` columns: interleaved, and free of each other.
  for (uint64_t column = 0; column < stride; ++column) {
    dag.copy({woven, column, each, stride}, {plain, column * each, each});
    dag.launch(KernelKind::Update, {woven, column, each, stride}, {});
  }
  BufferId result = dag.output("out", words);
  for (uint64_t column = 0; column < stride; ++column)
    dag.copy({result, column * each, each}, {woven, column, each, stride});
  return dag.finish();
}

static Dag buildHostCall(const Parameters &parameters) {
  DagBuilder dag;
  uint64_t words = parameters.words();
  BufferId a = dag.device("a", words);
  BufferId host = dag.output("out", words);
  BufferId source = dag.input("in", words);
  dag.alloc(a);
  dag.copy(dag.whole(a), dag.whole(source));
  for (uint64_t round = 0; round < parameters["rounds"]; ++round) {
    dag.launch(KernelKind::Update, dag.whole(a), {});
    dag.copy(dag.whole(host), dag.whole(a));
    dag.hostCall(dag.whole(host));
    dag.copy(dag.whole(a), dag.whole(host));
  }
  return dag.finish();
}

std::vector<Family> lockstep::scenario::memoryFamilies() {
  Parameter bytes = bytesParameter();
  return {
      {"pipeline",
       "chunks that are copied in, worked on and copied out, over few device buffers",
       {{"chunks", 6, 1, 10000, "chunks"},
        {"stages", 2, 0, 100, "kernels for each chunk"},
        {"buffers", 2, 1, 64, "device buffers"},
        bytes},
       buildPipeline},
      {"copies",
       "to the device, on the device, and back: for sizes",
       {{"pinned", 1, 0, 1, "1: page-locked host memory, 0: pageable"}, bytes},
       buildCopies},
      {"fills",
       "fills of every other word, and kernels that read all",
       {{"rounds", 3, 1, 1000, "rounds"}, bytes},
       buildFills},
      {"reuse",
       "memory that is freed and allocated again in each round",
       {{"rounds", 4, 1, 1000, "rounds"}, bytes},
       buildReuse},
      {"alias",
       "kernels on windows of one buffer that overlap",
       {{"parts", 5, 1, 500, "windows"}, bytesParameter(4096)},
       buildAlias},
      {"strided",
       "copies and kernels on interleaved columns",
       {{"stride", 3, 1, 64, "columns"}, bytesParameter(256)},
       buildStrided},
      {"hostcall", "host functions among kernels and copies", {{"rounds", 3, 1, 1000, "rounds"}, bytes}, buildHostCall},
  };
}
