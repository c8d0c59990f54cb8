// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/ExitStatus.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace lockstep::harness;
using llvm::StringRef;

namespace {

class ExitError : public llvm::ErrorInfo<ExitError> {
public:
  static char ID;
  ExitError(ExitStatus status, std::string message) : status(status), text(std::move(message)) {}
  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  ExitStatus status;
  std::string text;
};

char ExitError::ID = 0;

} // namespace

llvm::Error lockstep::harness::usageError(const llvm::Twine &message) {
  return llvm::make_error<ExitError>(kExitUsage, message.str());
}

llvm::Error lockstep::harness::environmentError(const llvm::Twine &message) {
  return llvm::make_error<ExitError>(kExitEnvironment, message.str());
}

llvm::Error lockstep::harness::unknownNameError(StringRef what, StringRef name, llvm::ArrayRef<StringRef> known) {
  std::string message = ("unknown " + what + " '" + name + "'; known: " + llvm::join(known, ", ")).str();
  StringRef nearest;
  // Two letters swapped, or a third of them wrong, is still a slip of the pen; more is another word.
  unsigned nearestDistance = std::max<unsigned>(2, name.size() / 3) + 1;
  for (StringRef candidate : known) {
    unsigned distance = name.edit_distance(candidate);
    if (distance < nearestDistance) {
      nearest = candidate;
      nearestDistance = distance;
    }
  }
  if (!nearest.empty())
    message += ("; did you mean '" + nearest + "'?").str();
  return usageError(message);
}

/// True for "file:line:…", which editors and people read best when nothing stands in front.
static bool startsWithPlace(StringRef message) {
  StringRef line = message.split('\n').first;
  auto [file, rest] = line.split(':');
  return !file.contains(' ') && !rest.empty() && llvm::isDigit(rest.front());
}

ExitStatus lockstep::harness::reportError(llvm::Error error) {
  ExitStatus status = kExitAsExpected;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    std::string message = info.message();
    if (!startsWithPlace(message))
      llvm::errs() << "lockstep: error: ";
    llvm::errs() << message << '\n';
    ExitStatus own = info.isA<ExitError>() ? static_cast<const ExitError &>(info).status : kExitEnvironment;
    if (status == kExitAsExpected)
      status = own;
  });
  return status;
}
