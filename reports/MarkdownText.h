// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOCKSTEP_REPORTS_MARKDOWNTEXT_H
#define LOCKSTEP_REPORTS_MARKDOWNTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace lockstep::reports {

/// `text` as inline code of one line that nothing in it can end; also inside of a table.
std::string codeSpan(llvm::StringRef text);

/// `text` as a block of code in `language` ("text", "sh"), with a newline at the end.
std::string codeBlock(llvm::StringRef text, llvm::StringRef language);

/// `text` as plain words of one line: nothing in it is taken as Markdown, HTML, a link, a mention or an emoji.
std::string words(llvm::StringRef text);

/// Takes blocks of text until `bytesMax` is reached; what does not fit is left out as a whole.
class BoundedText {
public:
  explicit BoundedText(size_t bytesMax) : bytesMax(bytesMax) {}

  /// False where `block` does not fit; then nothing changes.
  bool append(llvm::StringRef block) {
    if (text.size() + block.size() > bytesMax)
      return false;
    text += block;
    return true;
  }
  const std::string &str() const { return text; }

private:
  size_t bytesMax;
  std::string text;
};

} // namespace lockstep::reports

#endif // LOCKSTEP_REPORTS_MARKDOWNTEXT_H
