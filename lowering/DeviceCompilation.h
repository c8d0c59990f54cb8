// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compilers for the kinds of devices share. Knows LLVM only. Errors are sentences; nothing is printed.

#ifndef LOCKSTEP_LOWERING_DEVICECOMPILATION_H
#define LOCKSTEP_LOWERING_DEVICECOMPILATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace lockstep::agpu {

/// Bitcode behind a header of five little-endian 32-bit words: the magic number 0x0B17C0DE, a version (0), the offset
/// of the bitcode, its size in bytes, a processor type (0). LLVM's own readers take both forms.
std::string writeWrappedBitcode(const llvm::Module &module);

/// Links from a bitcode file what the module calls; that becomes internal to the module.
llvm::Error linkLibrary(llvm::Module &module, llvm::StringRef path);

/// Optimises the module at level 2 and writes assembly or an object. `target` names LLVM's target in messages.
llvm::Expected<std::string> compileModule(llvm::Module &module, llvm::TargetMachine &machine,
                                          llvm::CodeGenFileType type, llvm::StringRef target);

/// A temporary file that is removed with this object.
struct TemporaryFile {
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix) {
    TemporaryFile file;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("lockstep-kernels", suffix, file.path))
      return llvm::createStringError("cannot create a temporary file: " + code.message());
    return file;
  }
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) { other.path.clear(); }
  ~TemporaryFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }

  llvm::SmallString<128> path;
};

llvm::Expected<std::string> readFile(llvm::StringRef path);
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content);

/// Runs a program, `command[0]`, to its end. Fails with what it printed where its status is not 0.
llvm::Error runProgram(llvm::ArrayRef<llvm::StringRef> command);

} // namespace lockstep::agpu

#endif // LOCKSTEP_LOWERING_DEVICECOMPILATION_H
