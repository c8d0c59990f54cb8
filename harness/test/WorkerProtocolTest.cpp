// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness/WorkerProtocol.h"
#include "harness/WorkerProcess.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace lockstep::harness;
namespace reports = lockstep::reports;
using testing::EndsWith;

/// Encodes, checks that the message is one line, and decodes.
static Reply roundTrip(const Reply &reply) {
  std::string line = encodeReply(reply);
  EXPECT_EQ(llvm::StringRef(line).count('\n'), 1u);
  EXPECT_THAT(line, EndsWith("\n"));
  return llvm::cantFail(decodeReply(llvm::StringRef(line).drop_back()));
}

TEST(WorkerProtocol, RequestsRoundTrip) {
  JobRequest job{"a \"b\".mlir", "streams", "cuda", "/x/libcuda.so.1", {{3, "random:7"}, {4, "lazy"}}};
  job.pipeline = "builtin.module(canonicalize)";
  job.passPlugins = {"/a.so", "/b.so"};
  job.untracedReason = "SIGSEGV";
  Request decoded = llvm::cantFail(decodeRequest(encodeRequest(job)));
  JobRequest &got = std::get<JobRequest>(decoded);
  EXPECT_EQ(got.program, job.program);
  EXPECT_EQ(got.lowering, "streams");
  EXPECT_EQ(got.driver, job.driver);
  EXPECT_EQ(got.pipeline, job.pipeline);
  EXPECT_EQ(got.passPlugins, job.passPlugins);
  EXPECT_EQ(got.untracedReason, "SIGSEGV");
  ASSERT_EQ(got.cells.size(), 2u);
  EXPECT_EQ(got.cells[0].id, 3u);
  EXPECT_EQ(got.cells[1].schedule, "lazy");
  Request probe = llvm::cantFail(decodeRequest(encodeRequest(ProbeRequest{"cuda", "d"})));
  EXPECT_EQ(std::get<ProbeRequest>(probe).driver, "d");
}

TEST(WorkerProtocol, CellRepliesKeepTheOrder) {
  CellDoneReply done;
  done.order = OrderCounts{5000000000, 2, 3, 4};
  done.graph = reports::CellGraph{{{"a.mlir:1:2 memset", "memset", "a.mlir:1:2"}, {"b memcpy", "memcpy", ""}},
                                  {{0, 1, reports::EdgeState::Missing}}};
  CellDoneReply got = std::get<CellDoneReply>(roundTrip(done));
  ASSERT_TRUE(got.order);
  EXPECT_EQ(got.order->ops, 5000000000u);
  EXPECT_EQ(got.order->unjudgedOps, 2u);
  EXPECT_EQ(got.order->freePairs, 3u);
  EXPECT_EQ(got.order->lostPairs, 4u);
  ASSERT_TRUE(got.graph);
  ASSERT_EQ(got.graph->nodes.size(), 2u);
  EXPECT_EQ(got.graph->nodes[0].place, "a.mlir:1:2");
  ASSERT_EQ(got.graph->edges.size(), 1u);
  EXPECT_EQ(got.graph->edges[0].to, 1u);
  EXPECT_EQ(got.graph->edges[0].state, reports::EdgeState::Missing);
  EXPECT_TRUE(std::holds_alternative<TraceStartedReply>(roundTrip(TraceStartedReply{})));
  EXPECT_TRUE(std::holds_alternative<TraceDoneReply>(roundTrip(TraceDoneReply{})));
}

TEST(WorkerProtocol, CellRepliesKeepOutputAndFindings) {
  CellDoneReply done;
  done.id = UINT64_MAX;
  done.exitStatus = -5;
  done.expectations = 2;
  done.output = "line 1\nline 2\n";
  done.errorOutput = "bad \xff byte";
  done.driverCalls = {{"cuInit", 1}, {"cuLaunchKernel", 5000000000}};
  done.namedOps = 5000000000;
  done.orderProblem = "unknown";
  done.findings.push_back({"values", "EXPECT-1", "two\nlines", {"op a", "op b"}, {}});
  CellDoneReply got = std::get<CellDoneReply>(roundTrip(done));
  EXPECT_EQ(got.id, UINT64_MAX);
  EXPECT_EQ(got.exitStatus, -5);
  EXPECT_EQ(got.expectations, 2);
  EXPECT_EQ(got.driverCalls, done.driverCalls);
  EXPECT_EQ(got.namedOps, done.namedOps);
  EXPECT_EQ(got.orderProblem, "unknown");
  EXPECT_FALSE(got.order);
  EXPECT_EQ(got.output, done.output);
  EXPECT_EQ(got.errorOutput, "bad \xef\xbf\xbd byte");
  ASSERT_EQ(got.findings.size(), 1u);
  EXPECT_EQ(got.findings[0].message, "two\nlines");
  EXPECT_EQ(got.findings[0].ops, done.findings[0].ops);
}

TEST(WorkerProtocol, OtherRepliesRoundTrip) {
  EXPECT_EQ(std::get<CompiledReply>(roundTrip(CompiledReply{2.5})).durationMs, 2.5);
  EXPECT_EQ(std::get<CompileFailedReply>(roundTrip(CompileFailedReply{"m"})).message, "m");
  EXPECT_EQ(std::get<CellStartedReply>(roundTrip(CellStartedReply{7})).id, 7u);
  EXPECT_TRUE(std::holds_alternative<JobDoneReply>(roundTrip(JobDoneReply{})));
  ProbeReply probe = std::get<ProbeReply>(roundTrip(ProbeReply{"", "lib", "13.0", "dev", 2, true}));
  EXPECT_EQ(probe.deviceCount, 2);
  EXPECT_TRUE(probe.isSimulated);
}

TEST(WorkerProtocol, WhatIsNoMessageIsRefused) {
  for (llvm::StringRef line : {"", "{", "[]", "{\"type\":\"nothing\"}"}) {
    EXPECT_FALSE(llvm::errorToBool(decodeReply(line).takeError()) == false) << line.str();
    EXPECT_FALSE(llvm::errorToBool(decodeRequest(line).takeError()) == false) << line.str();
  }
}

TEST(LineBuffer, CutsAcrossPieces) {
  LineBuffer lines;
  std::string line;
  lines.append("ab");
  EXPECT_FALSE(lines.takeLine(line));
  lines.append("c\nd\n\ne");
  EXPECT_TRUE(lines.takeLine(line));
  EXPECT_EQ(line, "abc");
  EXPECT_TRUE(lines.takeLine(line));
  EXPECT_EQ(line, "d");
  EXPECT_TRUE(lines.takeLine(line));
  EXPECT_EQ(line, "");
  EXPECT_FALSE(lines.takeLine(line));
  lines.append("\n");
  EXPECT_TRUE(lines.takeLine(line));
  EXPECT_EQ(line, "e");
}

TEST(LastLines, KeepsTheEnd) {
  EXPECT_EQ(lastLines("a\nb\nc\n", 2), "b\nc");
  EXPECT_EQ(lastLines("a", 2), "a");
  EXPECT_EQ(lastLines("", 2), "");
}
