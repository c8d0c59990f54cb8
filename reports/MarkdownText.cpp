// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/MarkdownText.h"

#include "reports/PlainText.h"

#include "llvm/ADT/StringExtras.h"

using namespace lockstep::reports;
using llvm::StringRef;

static std::string oneLine(StringRef text) {
  std::string line = plainText(text);
  for (char &c : line)
    if (c == '\n' || c == '\t')
      c = ' ';
  return line;
}

static size_t longestRun(StringRef text, char wanted) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string lockstep::reports::codeSpan(StringRef text) {
  std::string line = oneLine(text);
  std::string code;
  // Tables are cut at bars before code is looked at.
  for (char c : line)
    code += c == '|' ? std::string("\\|") : std::string(1, c);
  std::string fence(longestRun(code, '`') + 1, '`');
  bool needsBlanks = code.empty() || code.front() == '`' || code.back() == '`';
  return needsBlanks ? fence + " " + code + " " + fence : fence + code + fence;
}

std::string lockstep::reports::codeBlock(StringRef text, StringRef language) {
  std::string code = plainText(text);
  std::string fence(std::max<size_t>(3, longestRun(code, '`') + 1), '`');
  return fence + language.str() + "\n" + code + (StringRef(code).ends_with("\n") ? "" : "\n") + fence + "\n";
}

std::string lockstep::reports::words(StringRef text) {
  std::string escaped;
  for (char c : oneLine(text)) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '@' || c == '#' || c == ':')
      // A backslash keeps neither a mention nor a reference to an issue from being made; a comment of HTML does.
      escaped += std::string(1, c) + "<!-- -->";
    else if (llvm::isPunct(c) && c != ',' && c != '.' && c != '/')
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}
