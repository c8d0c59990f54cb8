// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels of the AMDGPU target: waves of 64 and 32 lanes, dispatch structures, address spaces, device library.

#include "simgpu/jit/WarpOperation.h"
#include "simgpu/jit/test/TestKernels.h"
#include <bit>

using namespace lockstep::simgpu::jit;
using namespace lockstep::simgpu::jit::test;

namespace {

constexpr const char *layout =
    "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-"
    "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-"
    "n32:64-S32-A5-G1-ni:7:8:9";

/// A kernel k(out, PARAMETERS) for a chip. %t is the thread and %slot the place of its word in out.
std::string amdgpuText(llvm::StringRef body, llvm::StringRef chip = "gfx90a", llvm::StringRef parameters = "",
                       llvm::StringRef outside = "") {
  std::string text = "target datalayout = \"" + std::string(layout) + "\"\n";
  text += "target triple = \"amdgcn-amd-amdhsa\"\n";
  text += "declare i32 @llvm.amdgcn.workitem.id.x()\n" + outside.str();
  text += "\ndefine amdgpu_kernel void @k(ptr addrspace(1) %out" + parameters.str() + ") #0 {\n";
  text += "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n";
  text += "  %slot = getelementptr i32, ptr addrspace(1) %out, i32 %t\n";
  text += body.str() + "\n  ret void\n}\n";
  text += "attributes #0 = { \"target-cpu\"=\"" + chip.str() + "\" \"amdgpu-flat-work-group-size\"=\"1,256\" }\n";
  return text;
}

/// Runs a kernel whose body computes %r for each thread of one block.
std::vector<uint32_t> results(const std::string &text, uint32_t threads) {
  TestModule module(text);
  std::vector<uint32_t> out(threads, 0xFFFFFFFF);
  uint32_t *pointer = out.data();
  module.run({{1, 1, 1}, {threads, 1, 1}}, {&pointer});
  return out;
}

constexpr const char *store = "\n  store i32 %r, ptr addrspace(1) %slot";

TEST(Amdgpu, BoundOfThreadsAndParametersAreRead) {
  TestModule module(amdgpuText("", "gfx90a", ", i8 %a, ptr addrspace(4) byref({ i64, i32 }) align 8 %s, float %f"));
  EXPECT_EQ(module.kernel().maxThreadsPerBlock(), 256u);
  ASSERT_EQ(module.kernel().parameters().size(), 4u);
  EXPECT_EQ(module.kernel().parameters()[1].offsetBytes, 8u);
  EXPECT_EQ(module.kernel().parameters()[2].offsetBytes, 16u);
  EXPECT_EQ(module.kernel().parameters()[2].sizeBytes, 16u);
  EXPECT_EQ(module.kernel().parameters()[3].offsetBytes, 32u);
}

TEST(Amdgpu, StructuresByReferenceAreCopied) {
  TestModule module(amdgpuText("  %p = getelementptr i8, ptr addrspace(4) %s, i32 8\n"
                               "  %r = load i32, ptr addrspace(4) %p" +
                                   std::string(store),
                               "gfx90a", ", ptr addrspace(4) byref({ i64, i32 }) align 8 %s"));
  uint32_t out = 0, *pointer = &out;
  struct {
    int64_t a;
    int32_t b;
  } value{1, 42};
  module.run({{1, 1, 1}, {1, 1, 1}}, {&pointer, &value});
  EXPECT_EQ(out, 42u);
}

TEST(Amdgpu, WaveSizeFollowsChipAndFeatures) {
  std::string body = "  %r = call i32 @llvm.amdgcn.wavefrontsize()" + std::string(store);
  const char *outside = "declare i32 @llvm.amdgcn.wavefrontsize()";
  EXPECT_EQ(results(amdgpuText(body, "gfx90a", "", outside), 1)[0], 64u);
  EXPECT_EQ(results(amdgpuText(body, "gfx1100", "", outside), 1)[0], 32u);
  std::string wide = "gfx1100\" \"target-features\"=\"+wavefrontsize64";
  EXPECT_EQ(results(amdgpuText(body, wide, "", outside), 1)[0], 64u);
}

TEST(Amdgpu, LanesAreCountedInTheirWave) {
  std::string body = "  %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
                     "  %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)" +
                     std::string(store);
  const char *outside = "declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)\ndeclare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)";
  std::vector<uint32_t> wide = results(amdgpuText(body, "gfx90a", "", outside), 100);
  std::vector<uint32_t> narrow = results(amdgpuText(body, "gfx1100", "", outside), 100);
  for (uint32_t t = 0; t != 100; ++t) {
    EXPECT_EQ(wide[t], t % 64);
    EXPECT_EQ(narrow[t], t % 32);
  }
}

TEST(Amdgpu, BpermuteReadsAndMissingLanesGiveZero) {
  std::string body = "  %n = add i32 %t, 1\n  %a = shl i32 %n, 2\n"
                     "  %v = add i32 %t, 100\n"
                     "  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %v)" +
                     std::string(store);
  std::vector<uint32_t> out =
      results(amdgpuText(body, "gfx90a", "", "declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)"), 70);
  EXPECT_EQ(out[0], 101u);
  EXPECT_EQ(out[62], 163u);
  EXPECT_EQ(out[63], 100u); // Around the wave.
  EXPECT_EQ(out[64], 165u);
  EXPECT_EQ(out[69], 0u); // Lane 6 of this wave does not exist.
}

TEST(Amdgpu, PermuteWrites) {
  std::string body = "  %h = lshr i32 %t, 1\n  %a = shl i32 %h, 2\n"
                     "  %r = call i32 @llvm.amdgcn.ds.permute(i32 %a, i32 %t)" +
                     std::string(store);
  std::vector<uint32_t> out =
      results(amdgpuText(body, "gfx90a", "", "declare i32 @llvm.amdgcn.ds.permute(i32, i32)"), 64);
  EXPECT_EQ(out[3], 7u);  // Lanes 6 and 7 write; the higher one wins.
  EXPECT_EQ(out[40], 0u); // Nobody writes.
}

TEST(Amdgpu, BallotAndLanesInADetour) {
  // Lanes 0 to 9 take the detour; its ballot counts them alone, and the one behind it counts all again.
  std::string body = "  %c = icmp ult i32 %t, 10\n  br i1 %c, label %detour, label %join\n"
                     "detour:\n  %inside = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n  br label %join\n"
                     "join:\n  %seen = phi i64 [ %inside, %detour ], [ 0, %0 ]\n"
                     "  %all = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n"
                     "  %x = call i64 @llvm.ctpop.i64(i64 %seen)\n  %y = call i64 @llvm.ctpop.i64(i64 %all)\n"
                     "  %m = mul i64 %x, 1000\n  %s = add i64 %m, %y\n  %r = trunc i64 %s to i32" +
                     std::string(store);
  std::vector<uint32_t> out = results(
      amdgpuText(body, "gfx90a", "", "declare i64 @llvm.amdgcn.ballot.i64(i1)\ndeclare i64 @llvm.ctpop.i64(i64)"), 64);
  EXPECT_EQ(out[3], 10064u);
  EXPECT_EQ(out[30], 64u);
}

TEST(Amdgpu, ReadsOfOneLane) {
  std::string body = "  %v = mul i32 %t, 3\n  %a = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 5)\n"
                     "  %b = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)\n  %s = add i32 %a, %b\n"
                     "  %r = call i32 @llvm.amdgcn.writelane.i32(i32 7, i32 2, i32 %s)" +
                     std::string(store);
  std::vector<uint32_t> out = results(
      amdgpuText(body, "gfx90a", "",
                 "declare i32 @llvm.amdgcn.readlane.i32(i32, i32)\ndeclare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n"
                 "declare i32 @llvm.amdgcn.writelane.i32(i32, i32, i32)"),
      128);
  EXPECT_EQ(out[0], 15u);
  EXPECT_EQ(out[2], 7u);
  EXPECT_EQ(out[66], 7u);
  EXPECT_EQ(out[70], (64u + 5) * 3 + 64);
}

TEST(Amdgpu, ReadlaneIsUndefinedForLanesThatAreNotThereAndForLanesThatDisagree) {
  auto read = [](const std::string &lane) {
    std::string body = "  %w = zext i32 %t to i64\n  %x = call i64 @llvm.amdgcn.readlane.i64(i64 %w, i32 " + lane +
                       ")\n  %h = lshr i64 %x, 32\n  %s = or i64 %x, %h\n  %r = trunc i64 %s to i32" +
                       std::string(store);
    return results(amdgpuText(body, "gfx90a", "", "declare i64 @llvm.amdgcn.readlane.i64(i64, i32)"), 10)[3];
  };
  EXPECT_EQ(read("9"), 9u);
  EXPECT_EQ(read("10"), undefinedLaneValue); // The block has 10 threads.
  EXPECT_EQ(read("%t"), undefinedLaneValue);
}

TEST(Amdgpu, DppMovesInRows) {
  auto run = [](const char *control, const char *masks) {
    std::string body = "  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 900, i32 %t, i32 " + std::string(control) +
                       ", " + masks + ")" + store;
    return results(amdgpuText(body, "gfx90a", "",
                              "declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, "
                              "i1 immarg)"),
                   64);
  };
  std::vector<uint32_t> shifted = run("273", "i32 15, i32 15, i1 false"); // row_shr:1
  EXPECT_EQ(shifted[5], 4u);
  EXPECT_EQ(shifted[16], 900u);
  EXPECT_EQ(run("273", "i32 15, i32 15, i1 true")[16], 0u);
  EXPECT_EQ(run("273", "i32 1, i32 15, i1 false")[20], 900u); // The second row is off.
  EXPECT_EQ(run("27", "i32 15, i32 15, i1 false")[4], 7u);    // quad_perm [3,2,1,0]
  EXPECT_EQ(run("320", "i32 15, i32 15, i1 false")[17], 30u); // row_mirror
  EXPECT_EQ(run("322", "i32 15, i32 15, i1 false")[40], 31u); // row_bcast:15
  EXPECT_EQ(run("323", "i32 15, i32 15, i1 false")[40], 31u); // row_bcast:31
}

TEST(Amdgpu, SwizzleStaysInItsHalf) {
  // Exclusive or with 16: mask of the and 31, of the exclusive or 16.
  std::string body = "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 16415)" + std::string(store);
  std::vector<uint32_t> out =
      results(amdgpuText(body, "gfx90a", "", "declare i32 @llvm.amdgcn.ds.swizzle(i32, i32 immarg)"), 64);
  EXPECT_EQ(out[1], 17u);
  EXPECT_EQ(out[40], 56u);
}

TEST(Amdgpu, LocalMemoryAndBarriers) {
  std::string body = "  %w = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n  store i32 %t, ptr addrspace(3) %w\n"
                     "  fence syncscope(\"workgroup\") release\n  call void @llvm.amdgcn.s.barrier()\n"
                     "  fence syncscope(\"workgroup\") acquire\n  %o = sub i32 127, %t\n"
                     "  %x = getelementptr i32, ptr addrspace(3) @lds, i32 %o\n  %v = load i32, ptr addrspace(3) %x\n"
                     "  %private = alloca i32, addrspace(5)\n  store i32 %v, ptr addrspace(5) %private\n"
                     "  %flat = addrspacecast ptr addrspace(5) %private to ptr\n  %r = load i32, ptr %flat" +
                     std::string(store);
  std::vector<uint32_t> out = results(amdgpuText(body, "gfx90a", "",
                                                 "@lds = internal addrspace(3) global [128 x i32] poison\n"
                                                 "declare void @llvm.amdgcn.s.barrier()"),
                                      128);
  EXPECT_EQ(out[0], 127u);
  EXPECT_EQ(out[100], 27u);
}

TEST(Amdgpu, AtomicsOfAllScopes) {
  std::string body = "  %a = atomicrmw add ptr addrspace(1) %out, i32 1 syncscope(\"agent\") monotonic\n"
                     "  %b = atomicrmw add ptr addrspace(1) %out, i32 1 syncscope(\"workgroup-one-as\") acq_rel\n"
                     "  %c = atomicrmw uinc_wrap ptr addrspace(1) %out, i32 1000 syncscope(\"wavefront\") seq_cst";
  TestModule module(amdgpuText(body));
  uint32_t out = 0, *pointer = &out;
  module.run({{2, 1, 1}, {64, 1, 1}}, {&pointer});
  EXPECT_EQ(out, 384u);
}

/// The word at an offset behind a pointer that an intrinsic gives, in a launch of 5 x 2 blocks of 32 x 4 threads.
uint32_t wordBehind(llvm::StringRef intrinsic, unsigned offset, llvm::StringRef type, llvm::StringRef flags = "") {
  std::string name = "llvm.amdgcn." + intrinsic.str() + ".ptr";
  std::string body = "  %p = call ptr addrspace(4) @" + name +
                     "()\n  %q = getelementptr i8, ptr addrspace(4) %p, i32 " + std::to_string(offset) +
                     "\n  %n = load " + type.str() + ", ptr addrspace(4) %q\n" +
                     (type == "i32" ? "  %r = add i32 %n, 0" : "  %r = zext i16 %n to i32") +
                     "\n  store i32 %r, ptr addrspace(1) %out";
  TestModule module(amdgpuText(body, "gfx90a", "", "declare ptr addrspace(4) @" + name + "()\n") + flags.str());
  uint32_t out = 0, *pointer = &out;
  module.run({{5, 2, 1}, {32, 4, 1}, 48}, {&pointer});
  return out;
}

TEST(Amdgpu, ImplicitArgumentsByCodeObjectVersion) {
  const char *v4 = "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 400}\n";
  const char *v5 = "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 500}\n";
  EXPECT_EQ(wordBehind("implicitarg", 0, "i32", v5), 5u);
  EXPECT_EQ(wordBehind("implicitarg", 4, "i32", v5), 2u);
  EXPECT_EQ(wordBehind("implicitarg", 12, "i16", v5), 32u);
  EXPECT_EQ(wordBehind("implicitarg", 14, "i16", v5), 4u);
  EXPECT_EQ(wordBehind("implicitarg", 64, "i16", v5), 2u);
  EXPECT_EQ(wordBehind("implicitarg", 120, "i32", v5), 48u);
  EXPECT_EQ(wordBehind("implicitarg", 0, "i32", v4), 0u);
  EXPECT_EQ(wordBehind("implicitarg", 0, "i32"), 5u); // LLVM's default is a later one.
}

TEST(Amdgpu, DispatchPacketHoldsSizes) {
  EXPECT_EQ(wordBehind("dispatch", 4, "i16"), 32u);
  EXPECT_EQ(wordBehind("dispatch", 6, "i16"), 4u);
  EXPECT_EQ(wordBehind("dispatch", 12, "i32"), 160u);
  EXPECT_EQ(wordBehind("dispatch", 16, "i32"), 8u);
}

TEST(Amdgpu, DeviceLibraryOfEveryWidth) {
  std::string body = "  %f = uitofp i32 %t to float\n  %e = call float @__ocml_exp_f32(float %f)\n"
                     "  %d = fpext float %e to double\n  %l = call double @__ocml_log_f64(double %d)\n"
                     "  %h = fptrunc double %l to half\n  %s = call half @__ocml_sqrt_f16(half %h)\n"
                     "  %w = fpext half %s to float\n  %r = bitcast float %w to i32" +
                     std::string(store);
  std::vector<uint32_t> out =
      results(amdgpuText(body, "gfx90a", "",
                         "declare float @__ocml_exp_f32(float)\ndeclare double @__ocml_log_f64(double)\n"
                         "declare half @__ocml_sqrt_f16(half)"),
              10);
  EXPECT_EQ(std::bit_cast<float>(out[9]), 3.0f);
  EXPECT_EQ(std::bit_cast<float>(out[4]), 2.0f);
}

TEST(Amdgpu, SizesByTheLibrary) {
  std::string body = "  %a = call i64 @__ockl_get_local_size(i32 0)\n  %b = call i64 @__ockl_get_num_groups(i32 0)\n"
                     "  %c = call i64 @__ockl_get_global_id(i32 0)\n  %m = mul i64 %a, 100\n  %s = add i64 %m, %b\n"
                     "  %n = mul i64 %s, 1000\n  %u = add i64 %n, %c\n  %r = trunc i64 %u to i32" +
                     std::string(store);
  std::vector<uint32_t> out =
      results(amdgpuText(body, "gfx90a", "",
                         "declare i64 @__ockl_get_local_size(i32)\ndeclare i64 @__ockl_get_num_groups(i32)\n"
                         "declare i64 @__ockl_get_global_id(i32)"),
              8);
  EXPECT_EQ(out[7], 801007u);
}

TEST(Amdgpu, PrintfOfHip) {
  std::string body =
      "  %m = call i64 @__ockl_printf_begin(i64 0)\n"
      "  %n = call i64 @__ockl_printf_append_string_n(i64 %m, ptr addrspacecast (ptr addrspace(4) @f to "
      "ptr), i64 13, i32 0)\n"
      "  %o = call i64 @__ockl_printf_append_string_n(i64 %n, ptr addrspacecast (ptr addrspace(4) @s to "
      "ptr), i64 4, i32 0)\n"
      "  %x = zext i32 %t to i64\n"
      "  %p = call i64 @__ockl_printf_append_args(i64 %o, i32 2, i64 %x, i64 4609434218613702656, i64 0, "
      "i64 0, i64 0, i64 0, i64 0, i32 1)";
  const char *outside = "@f = private addrspace(4) constant [13 x i8] c\"%s: %d %.1f\\0A\\00\"\n"
                        "@s = private addrspace(4) constant [4 x i8] c\"abc\\00\"\n"
                        "declare i64 @__ockl_printf_begin(i64)\n"
                        "declare i64 @__ockl_printf_append_string_n(i64, ptr, i64, i32)\n"
                        "declare i64 @__ockl_printf_append_args(i64, i32, i64, i64, i64, i64, i64, i64, i64, i32)";
  std::string printed;
  setPrintSink([&](llvm::StringRef text) { printed += text; });
  results(amdgpuText(body, "gfx90a", "", outside), 2);
  setPrintSink({});
  EXPECT_EQ(printed, "abc: 0 1.5\nabc: 1 1.5\n");
}

TEST(Amdgpu, WhatTheDeviceDoesNotHaveIsRefused) {
  std::string buffer = amdgpuText("  %p = load ptr addrspace(8), ptr addrspace(1) %out");
  EXPECT_NE(loadError(assemble(buffer)).find("buffer resources"), std::string::npos);
  std::string narrow = amdgpuText("  %w = getelementptr i8, ptr addrspace(3) @lds, i32 %t\n"
                                  "  %r = ptrtoint ptr addrspace(3) %w to i32" +
                                      std::string(store),
                                  "gfx90a", "", "@lds = internal addrspace(3) global [4 x i8] poison");
  EXPECT_NE(loadError(assemble(narrow)).find("numbers of 32 bits"), std::string::npos);
  std::string unknown = amdgpuText("  call void @llvm.amdgcn.s.sethalt(i32 1)", "gfx90a", "",
                                   "declare void @llvm.amdgcn.s.sethalt(i32 immarg)");
  EXPECT_EQ(loadError(assemble(unknown)),
            "function 'k' calls 'llvm.amdgcn.s.sethalt', which the simulated device does not know");
}

} // namespace
