// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash is FNV-1a over the fields of each operation.

#include "simgpu/core/Trace.h"

#include <cerrno>
#include <cstdio>

namespace lockstep::simgpu {

void Trace::clear() {
  hash = hashStart;
  lines.clear();
}

void Trace::mix(const void *bytes, size_t sizeBytes) {
  for (size_t i = 0; i < sizeBytes; ++i)
    hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 0x100000001B3ull;
}

void Trace::add(const Operation &operation) {
  const char *kind = operationKindName(operation.kind);
  mix(&operation.id, sizeof operation.id);
  mix(&operation.kind, sizeof operation.kind);
  mix(&operation.sizeBytes, sizeof operation.sizeBytes);
  mix(operation.stream.data(), operation.stream.size() + 1);
  mix(operation.detail.data(), operation.detail.size() + 1);
  std::string line = "#" + std::to_string(operation.id) + " " + kind + " " + operation.stream;
  line += " size=" + std::to_string(operation.sizeBytes);
  line += " start_ns=" + std::to_string(operation.startNs) + " end_ns=" + std::to_string(operation.endNs);
  if (!operation.detail.empty())
    line += " [" + operation.detail + "]";
  line += " " + operation.call;
  if (!operation.op.empty())
    line += " \"" + operation.op + "\"";
  lines.push_back(std::move(line));
}

int Trace::write(const char *path) const {
  FILE *file = fopen(path, "w");
  if (!file)
    return errno;
  for (const std::string &line : lines)
    fprintf(file, "%s\n", line.c_str());
  int failed = ferror(file) ? EIO : 0;
  return fclose(file) ? errno : failed;
}

} // namespace lockstep::simgpu
