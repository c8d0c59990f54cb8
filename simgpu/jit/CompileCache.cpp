// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <atomic>
#include <list>
#include <mutex>

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

using Digest = std::array<uint8_t, 32>;

class Cache {
public:
  Expected<std::shared_ptr<const CompiledModule>> get(StringRef image) {
    Digest digest = SHA256::hash(arrayRefFromStringRef(image));
    std::lock_guard lock(mutex);
    for (auto entry = entries.begin(); entry != entries.end(); ++entry)
      if (entry->digest == digest) {
        entries.splice(entries.begin(), entries, entry);
        return entry->code;
      }
    auto code = compile(image);
    if (!code)
      return code.takeError();
    entries.push_front({digest, *code});
    if (entries.size() > cachedImagesMax)
      entries.pop_back();
    return *code;
  }

  std::atomic<uint64_t> compileCount = 0;

private:
  struct Entry {
    Digest digest;
    std::shared_ptr<const CompiledModule> code;
  };

  Expected<std::shared_ptr<const CompiledModule>> compile(StringRef image) {
    auto host = createHostMachine();
    if (!host)
      return host.takeError();
    auto context = std::make_unique<LLVMContext>();
    auto program = flattenImage(image, *context, **host);
    if (!program)
      return program.takeError();
    ++compileCount;
    return compileProgram(std::move(*program), std::move(context), **host);
  }

  std::mutex mutex;
  /// Most recently used first.
  std::list<Entry> entries;
};

/// Never destroyed: modules may be loaded while the process shuts down.
Cache &cache() {
  static Cache *instance = new Cache;
  return *instance;
}

} // namespace

Expected<std::shared_ptr<const CompiledModule>> compileCached(StringRef image) { return cache().get(image); }

uint64_t cacheCompileCount() { return cache().compileCount; }

} // namespace lockstep::simgpu::jit
