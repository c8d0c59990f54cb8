// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Printf.h"
#include "simgpu/jit/Module.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <cstdio>
#include <cstring>
#include <string>

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

PrintSink &printSink() {
  static auto *sink = new PrintSink;
  return *sink;
}

class Formatter {
public:
  Formatter(const char *arguments) : arguments(arguments) {}

  void run(StringRef format) {
    while (!format.empty()) {
      size_t percent = format.find('%');
      text += format.take_front(percent);
      if (percent == StringRef::npos)
        return;
      format = format.drop_front(percent);
      if (format.starts_with("%%")) {
        text += '%';
        format = format.drop_front(2);
        continue;
      }
      size_t last = format.find_first_not_of("-+ #0123456789.hljztL", 1);
      if (last == StringRef::npos) {
        text += format;
        return;
      }
      convert(format.take_front(last + 1));
      format = format.drop_front(last + 1);
    }
  }

  std::string text;
  int32_t count = 0;

private:
  template <typename T> T next() {
    offset = alignTo(offset, sizeof(T));
    T value;
    memcpy(&value, arguments + offset, sizeof(T));
    offset += sizeof(T);
    ++count;
    return value;
  }

  /// The specification without its length modifiers, with `modifier` instead.
  static std::string withLength(StringRef specification, StringRef modifier) {
    StringRef flags = specification.drop_back().rtrim("hljztL");
    return (flags + modifier + specification.take_back(1)).str();
  }

  template <typename T> void append(const std::string &specification, T value) {
    int length = snprintf(nullptr, 0, specification.c_str(), value);
    if (length <= 0)
      return;
    size_t start = text.size();
    text.resize(start + length + 1);
    snprintf(text.data() + start, length + 1, specification.c_str(), value);
    text.pop_back();
  }

  void convert(StringRef specification) {
    bool isLong = specification.contains('l') || specification.contains('j') || specification.contains('z') ||
                  specification.contains('t');
    switch (specification.back()) {
    case 'd':
    case 'i':
      return isLong ? append(withLength(specification, "ll"), next<long long>())
                    : append(withLength(specification, ""), next<int>());
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return isLong ? append(withLength(specification, "ll"), next<unsigned long long>())
                    : append(withLength(specification, ""), next<unsigned>());
    case 'c':
      return append(withLength(specification, ""), next<int>());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return append(withLength(specification, ""), next<double>());
    case 's':
      return append(withLength(specification, ""), next<const char *>());
    case 'p':
      return append(withLength(specification, ""), next<const void *>());
    default:
      text += specification;
    }
  }

  const char *arguments;
  uint64_t offset = 0;
};

} // namespace

void setPrintSink(PrintSink sink) { printSink() = std::move(sink); }

int32_t devicePrintf(const char *format, const char *arguments) {
  if (!format)
    return -1;
  Formatter formatter(arguments);
  formatter.run(format);
  if (printSink())
    printSink()(formatter.text);
  else
    fwrite(formatter.text.data(), 1, formatter.text.size(), stdout);
  return formatter.count;
}

} // namespace lockstep::simgpu::jit
