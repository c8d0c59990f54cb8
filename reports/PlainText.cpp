// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/PlainText.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using namespace lockstep::reports;
using llvm::StringRef;

static constexpr llvm::StringLiteral kReplacement = "\xEF\xBF\xBD";

/// The picture of an ASCII control character: U+2400 and on; delete has one of its own.
static void appendPicture(unsigned char control, std::string &text) {
  unsigned char index = control == 0x7F ? 0x21 : control;
  text += "\xE2\x90";
  text += static_cast<char>(0x80 + index);
}

/// U+FFFE and U+FFFF, the code points of one to three bytes that are no characters and that XML refuses.
static bool isNoCharacter(StringRef rest) {
  return rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF");
}

std::string lockstep::reports::plainText(StringRef text) {
  std::string valid = llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string plain;
  for (size_t i = 0; i < valid.size(); ++i) {
    unsigned char byte = valid[i];
    if (isNoCharacter(StringRef(valid).substr(i, 3))) {
      plain += kReplacement;
      i += 2;
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
      appendPicture(byte, plain);
    } else {
      plain += valid[i];
    }
  }
  return plain;
}

std::string lockstep::reports::cutText(StringRef text, size_t bytesMax) {
  static constexpr llvm::StringLiteral mark = "…";
  if (text.size() <= bytesMax)
    return text.str();
  size_t end = bytesMax - mark.size();
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return text.take_front(end).str() + mark.str();
}

std::string lockstep::reports::findingsText(const CellResult &cell, size_t findingsMax) {
  if (cell.findings.empty())
    return plainText(cell.reason);
  std::string text;
  for (const Finding &finding : llvm::ArrayRef(cell.findings).take_front(findingsMax)) {
    text += (text.empty() ? "[" : "\n[") + finding.oracle + (finding.rule.empty() ? "" : " " + finding.rule) + "] ";
    text += finding.message;
  }
  if (size_t rest = cell.findings.size() - std::min(findingsMax, cell.findings.size()))
    text += "\n… and " + std::to_string(rest) + (rest == 1 ? " more finding" : " more findings");
  return plainText(text);
}
