// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simgpu/jit/Printf.h"
#include "simgpu/jit/Module.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

using namespace llvm;

namespace lockstep::simgpu::jit {

namespace {

PrintSink &printSink() {
  static auto *sink = new PrintSink;
  return *sink;
}

class Formatter {
public:
  /// An argument takes at least `slotBytes`.
  Formatter(const char *arguments, size_t slotBytes) : arguments(arguments), slotBytes(slotBytes) {}

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
    offset = alignTo(offset, std::max(sizeof(T), slotBytes));
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
  size_t slotBytes;
  uint64_t offset = 0;
};

} // namespace

void setPrintSink(PrintSink sink) { printSink() = std::move(sink); }

static int32_t print(StringRef format, const char *arguments, size_t slotBytes) {
  Formatter formatter(arguments, slotBytes);
  formatter.run(format);
  if (printSink())
    printSink()(formatter.text);
  else
    fwrite(formatter.text.data(), 1, formatter.text.size(), stdout);
  return formatter.count;
}

int32_t devicePrintf(const char *format, const char *arguments) {
  return format ? print(format, arguments, /*slotBytes=*/1) : -1;
}

namespace {

struct Message {
  std::optional<std::string> format;
  std::deque<std::string> strings; ///< A deque keeps their addresses.
  std::vector<uint64_t> arguments;

  /// Prints and ends the message where this was its last piece.
  uint64_t finish(bool isLast) {
    if (!isLast)
      return reinterpret_cast<uint64_t>(this);
    if (format)
      print(*format, reinterpret_cast<const char *>(arguments.data()), sizeof(uint64_t));
    delete this;
    return 0;
  }
};

Message &asMessage(uint64_t message) { return *reinterpret_cast<Message *>(message); }

} // namespace

uint64_t deviceMessageBegin() { return reinterpret_cast<uint64_t>(new Message); }

uint64_t deviceMessageString(uint64_t message, const char *text, uint64_t lengthBytes, uint32_t isLast) {
  Message &target = asMessage(message);
  // The length counts the zero at the end.
  std::string copy(text ? text : "", text ? strnlen(text, lengthBytes) : 0);
  if (!target.format) {
    target.format = std::move(copy);
  } else {
    target.strings.push_back(std::move(copy));
    target.arguments.push_back(reinterpret_cast<uint64_t>(target.strings.back().c_str()));
  }
  return target.finish(isLast);
}

uint64_t deviceMessageArguments(uint64_t message, uint32_t count, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,
                                uint64_t a4, uint64_t a5, uint64_t a6, uint32_t isLast) {
  Message &target = asMessage(message);
  const uint64_t given[] = {a0, a1, a2, a3, a4, a5, a6};
  target.arguments.insert(target.arguments.end(), given, given + std::min<size_t>(count, std::size(given)));
  return target.finish(isLast);
}

} // namespace lockstep::simgpu::jit
