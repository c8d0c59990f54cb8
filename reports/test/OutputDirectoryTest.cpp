// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reports/OutputDirectory.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::reports;
using testing::HasSubstr;
namespace fs = llvm::sys::fs;

namespace {

class OutputDirectoryTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("lockstep-output", root)); }
  void TearDown() override { fs::remove_directories(root); }

  std::string at(llvm::StringRef name) { return (root + "/" + name).str(); }
  std::string read(llvm::StringRef name) {
    auto file = llvm::MemoryBuffer::getFile(at(name));
    return file ? (*file)->getBuffer().str() : "<absent>";
  }
  size_t entries() {
    std::error_code code;
    size_t count = 0;
    for (fs::directory_iterator entry(root, code), end; entry != end; entry.increment(code))
      ++count;
    return count;
  }
  void put(llvm::StringRef directory, llvm::StringRef name, llvm::StringRef contents) {
    OutputDirectory output = llvm::cantFail(OutputDirectory::create(at(directory)));
    llvm::cantFail(output.writeFile(name, contents));
    llvm::cantFail(output.commit());
  }

  llvm::SmallString<128> root;
};

} // namespace

TEST_F(OutputDirectoryTest, AppearsAtCommit) {
  OutputDirectory output = llvm::cantFail(OutputDirectory::create(at("a/b")));
  llvm::cantFail(output.writeFile("results.json", "1"));
  llvm::cantFail(output.writeFile("output/x.txt", "2"));
  EXPECT_FALSE(fs::exists(at("a/b")));
  llvm::cantFail(output.commit());
  EXPECT_EQ(read("a/b/results.json"), "1");
  EXPECT_EQ(read("a/b/output/x.txt"), "2");
}

TEST_F(OutputDirectoryTest, NothingIsLeftWithoutCommit) {
  {
    llvm::cantFail(llvm::cantFail(OutputDirectory::create(at("a"))).writeFile("results.json", "1"));
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputDirectoryTest, ReplacesOldResultsAsAWhole) {
  put("a", "results.json", "old");
  put("a", "other.txt", "kept only in the old results");
  EXPECT_EQ(read("a/other.txt"), "kept only in the old results");
  EXPECT_EQ(read("a/results.json"), "<absent>");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputDirectoryTest, RefusesToReplaceSomethingElse) {
  put("a", "precious.txt", "x");
  llvm::Expected<OutputDirectory> output = OutputDirectory::create(at("a"));
  ASSERT_FALSE(static_cast<bool>(output));
  EXPECT_THAT(llvm::toString(output.takeError()), HasSubstr("holds files but no results.json"));
  EXPECT_EQ(read("a/precious.txt"), "x");
}

TEST_F(OutputDirectoryTest, RefusesAFile) {
  put("a", "results.json", "x");
  llvm::Expected<OutputDirectory> output = OutputDirectory::create(at("a/results.json"));
  ASSERT_FALSE(static_cast<bool>(output));
  EXPECT_THAT(llvm::toString(output.takeError()), HasSubstr("is not a directory"));
}
