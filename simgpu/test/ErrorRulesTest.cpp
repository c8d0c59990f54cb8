// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules ERROR-1 to ERROR-7 and KERNEL-1: failures, contexts, handles, modules and launches.

#include "simgpu/test/DriverUnderTest.h"
#include "simgpu/test/TwoThreads.h"

namespace lockstep::simgpu::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool callsAtExit = false;

/// Where it is asked for, ends the process with what a driver call says by then. Handlers run in reverse order, and
/// this one is registered before the library is loaded.
[[maybe_unused]] const int registered = atexit([] {
  if (callsAtExit)
    _exit(100 + Driver::get().cuCtxSynchronize());
});

class ErrorRules : public OrderTest {
protected:
  CUfunction findKernel(const char *name) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_OK(cu.cuModuleLoadData(&module, testModule().data()));
    EXPECT_OK(cu.cuModuleGetFunction(&function, module, name));
    return function;
  }
  CUresult launch(CUfunction function, unsigned threads, CUstream stream, void **arguments = nullptr) {
    return cu.cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr);
  }
  void breakContext() {
    CUstream stream = createStream();
    CUfunction bad = findKernel("bad");
    EXPECT_OK(launch(bad, 1, stream)) << "the failure is not known at the launch";
    EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  }
};

TEST_F(ErrorRules, ERROR_1_AFaultOfAKernelBreaksTheContextForGood) {
  for (const std::string &schedule : listSchedules(4)) {
    start(schedule);
    CUdeviceptr device = allocate(64);
    breakContext();
    EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cu.cuMemsetD8_v2(device, 0, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(cu.cuMemFree_v2(device), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(listFindings(),
                ElementsAre(AllOf(HasSubstr("ERROR-1 cuLaunchKernel"), HasSubstr("kernel bad failed"))));
  }
}

TEST_F(ErrorRules, ERROR_1_AResetOfThePrimaryContextStartsAfreshAfterAnAssertion) {
  ASSERT_OK(launch(findKernel("assertion"), 1, createStream()));
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_ASSERT);
  EXPECT_OK(cu.cuDevicePrimaryCtxReset_v2(0));
  ASSERT_OK(cu.cuDevicePrimaryCtxRetain(&context, 0));
  ASSERT_OK(cu.cuCtxSetCurrent(context));
  EXPECT_OK(cu.cuCtxSynchronize());
}

/// Every code with its documented reach; kernels cannot cause all of them, so they are injected.
TEST_F(ErrorRules, ERROR_1_EveryCodeReachesWhatTheDocumentationSays) {
  for (unsigned code : {226, 700, 702, 714, 715, 716, 717, 718, 719, 721, 810, 911}) {
    start("lazy");
    CUcontext other, another;
    ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
    ASSERT_EQ(cu.injectFailure(code, 1), 0);
    EXPECT_EQ(cu.cuCtxSynchronize(), code);
    EXPECT_EQ(cu.cuCtxSynchronize(), code);
    ASSERT_OK(cu.cuCtxPopCurrent_v2(nullptr));
    EXPECT_EQ(cu.cuCtxSynchronize(), code) << "the whole process is affected";
    EXPECT_OK(cu.cuDevicePrimaryCtxReset_v2(0));
    EXPECT_EQ(cu.cuDevicePrimaryCtxRetain(&context, 0), code) << "only a new process helps";
    EXPECT_EQ(cu.cuCtxCreate_v2(&another, 0, 0), code);
    EXPECT_THAT(listFindings(), IsEmpty());
  }
  for (unsigned code : {214, 220, 710}) {
    start("lazy");
    CUcontext other;
    CUdeviceptr memory = allocate(4);
    ASSERT_EQ(cu.injectFailure(code, 1), 0);
    EXPECT_EQ(cu.cuCtxSynchronize(), code);
    EXPECT_EQ(cu.cuCtxSynchronize(), code);
    ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0)) << "other contexts live on";
    EXPECT_EQ(cu.cuMemsetD8_v2(memory, 0, 4), code == 710 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS)
        << "an assertion takes the memory of its context with it";
    EXPECT_OK(cu.cuCtxSynchronize());
  }
  for (unsigned code : {2, 304, 701, 999}) {
    start("lazy");
    ASSERT_EQ(cu.injectFailure(code, 1), 0);
    EXPECT_EQ(cu.cuCtxSynchronize(), code);
    EXPECT_OK(cu.cuCtxSynchronize()) << "this code takes nothing down";
  }
}

TEST_F(ErrorRules, ERROR_1_EachKindOfFailureOfAKernelHasItsCode) {
  const std::pair<const char *, CUresult> kinds[] = {{"bad", CUDA_ERROR_ILLEGAL_ADDRESS},
                                                     {"trap", CUDA_ERROR_ILLEGAL_INSTRUCTION},
                                                     {"assertion", CUDA_ERROR_ASSERT},
                                                     {"stuck", CUDA_ERROR_LAUNCH_TIMEOUT},
                                                     {"deep", CUDA_ERROR_HARDWARE_STACK_ERROR}};
  for (const auto &[name, code] : kinds) {
    start("lazy");
    ASSERT_OK(launch(findKernel(name), 2, createStream()));
    EXPECT_EQ(cu.cuCtxSynchronize(), code) << name;
    EXPECT_THAT(listFindings(), ElementsAre(HasSubstr(std::string("kernel ") + name + " failed")));
  }
}

TEST_F(ErrorRules, ERROR_2_AnInjectedFailureSurfacesAtTheCallThatWasAskedFor) {
  ASSERT_EQ(cu.injectFailure(CUDA_ERROR_EXTERNAL_DEVICE, 3), 0);
  CUevent event;
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuEventCreate(&event, 0));
  EXPECT_EQ(cu.cuEventDestroy_v2(event), CUDA_ERROR_EXTERNAL_DEVICE);
  EXPECT_EQ(cu.injectFailure(0, 1), 1);
  EXPECT_EQ(cu.injectFailure(700, 0), 1);
  ASSERT_EQ(cu.injectFailure(700, 1), 0);
  start("eager");
  EXPECT_OK(cu.cuCtxSynchronize()) << "a reset drops it";
}

TEST_F(ErrorRules, ERROR_1_WorkBehindTheFailureDoesNotRun) {
  start("lazy");
  CUstream stream = createStream();
  EXPECT_OK(launch(findKernel("bad"), 1, stream));
  mark(stream, 'a');
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(order, "");
}

TEST_F(ErrorRules, ERROR_2_TheFailureSurfacesAtALaterUnrelatedCall) {
  start("eager");
  CUfunction bad = findKernel("bad");
  CUstream stream = createStream();
  EXPECT_OK(launch(bad, 1, stream));
  CUevent event;
  EXPECT_EQ(cu.cuEventCreate(&event, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(ErrorRules, ERROR_3_ADestroyedContext) {
  CUcontext other;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  ASSERT_OK(cu.cuCtxSetCurrent(context)); // Replaces it at the top of the stack.
  ASSERT_OK(cu.cuCtxPushCurrent_v2(other));
  ASSERT_OK(cu.cuCtxPushCurrent_v2(context));
  EXPECT_OK(cu.cuCtxDestroy_v2(other));
  EXPECT_OK(cu.cuCtxPopCurrent_v2(nullptr));
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED) << "it is current on this thread";
  EXPECT_EQ(cu.cuCtxSetCurrent(other), CUDA_ERROR_INVALID_CONTEXT) << "its handle is bad";
  EXPECT_EQ(cu.cuCtxDestroy_v2(other), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(listRules(), Each(std::string("ERROR-3")));
}

TEST_F(ErrorRules, ERROR_3_NoContext) {
  ASSERT_OK(cu.cuCtxSetCurrent(nullptr));
  EXPECT_EQ(cu.cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu.cuCtxPopCurrent_v2(nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(ErrorRules, ERROR_3_AfterTheDriversTeardownCallsSaySo) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        callsAtExit = true;
        exit(0);
      },
      ::testing::ExitedWithCode(CUDA_ERROR_DEINITIALIZED + 100), "");
}

TEST_F(ErrorRules, ERROR_3_TwoThreadsThatDestroyOneContext) {
  start("parallel");
  CUcontext other;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  Gate gate;
  queue(createStream(), {Gate::wait, &gate});
  ASSERT_OK(cu.cuCtxSetCurrent(context));
  EXPECT_THAT(callTwiceAtOnce(gate, [&] { return cu.cuCtxDestroy_v2(other); }),
              ElementsAre(CUDA_SUCCESS, CUDA_ERROR_INVALID_CONTEXT));
  EXPECT_THAT(listRules(), ElementsAre("ERROR-3"));
  start("eager"); // Ends the threads of the schedule: a later test forks.
}

TEST_F(ErrorRules, ERROR_4_HandlesOfTheWrongKindAreNamed) {
  CUstream stream = createStream();
  CUevent event = createEvent();
  EXPECT_EQ(cu.cuStreamWaitEvent(stream, reinterpret_cast<CUevent>(stream), 0), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuStreamSynchronize(reinterpret_cast<CUstream>(event)), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventDestroy_v2(reinterpret_cast<CUevent>(0x1234)), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuEventSynchronize(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(listFindings(),
              ElementsAre("ERROR-4 cuStreamWaitEvent: argument hEvent is a stream (S1), an event is expected",
                          "ERROR-4 cuStreamSynchronize: argument hStream is an event (E1), a stream is expected",
                          "ERROR-4 cuEventDestroy_v2: argument hEvent is not a handle (0x1234), an event is expected",
                          "ERROR-4 cuEventSynchronize: argument hEvent is null, an event is expected"));
}

TEST_F(ErrorRules, ERROR_4_DestroyedHandlesAreNamed) {
  CUstream stream = createStream();
  EXPECT_OK(cu.cuStreamDestroy_v2(stream));
  EXPECT_EQ(cu.cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_NE(createStream(), stream) << "a handle is not used again";
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("a stream that was destroyed (S1)")));
}

TEST_F(ErrorRules, ERROR_4_HandlesOfBeforeTheResetAreNamed) {
  CUstream stream = createStream();
  start("eager");
  EXPECT_NE(createStream(), stream);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("a stream of before the last reset (S1)")));
}

TEST_F(ErrorRules, ERROR_4_AFunctionAndAStreamMustShareAContext) {
  CUfunction set = findKernel("shared");
  CUcontext other;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  EXPECT_EQ(launch(set, 1, createStream()), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ErrorRules, ERROR_4_DefaultStreamsCannotBeDestroyed) {
  for (uintptr_t handle : {0, 1, 2})
    EXPECT_EQ(cu.cuStreamDestroy_v2(reinterpret_cast<CUstream>(handle)), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ErrorRules, ERROR_5_OnlyBitcodeIsAccepted) {
  CUmodule module;
  std::string ptx = "//\n.version 8.0\n.target sm_80\n",
              elf = "\x7f"
                    "ELF",
              fat = "\x50\xED\x55\xBA";
  for (std::string *image : {&ptx, &elf, &fat}) {
    image->resize(256);
    EXPECT_EQ(cu.cuModuleLoadData(&module, image->data()), CUDA_ERROR_INVALID_IMAGE);
  }
  EXPECT_THAT(listFindings(), ElementsAre(AllOf(HasSubstr("PTX text"), HasSubstr("takes LLVM bitcode")),
                                          HasSubstr("an ELF image"), HasSubstr("a fat binary")));
}

TEST_F(ErrorRules, ERROR_5_KernelsForAnotherDeviceAreNamed) {
  CUmodule module;
  const std::string amdgcn = bitcodeOf("target triple = \"amdgcn-amd-amdhsa\"\n");
  EXPECT_EQ(cu.cuModuleLoadData(&module, amdgcn.data()), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_THAT(listFindings(),
              ElementsAre(HasSubstr("for 'amdgcn-amd-amdhsa', and this CUDA driver takes LLVM bitcode for nvptx")));
}

TEST_F(ErrorRules, ERROR_5_LoadingFailsWhereItsMemoryCannotBeHad) {
  start("eager", "memory_limit_bytes=3");
  CUmodule module;
  EXPECT_EQ(cu.cuModuleLoadData(&module, testModule().data()), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_THAT(listRules(), ElementsAre("ERROR-5"));
}

TEST_F(ErrorRules, ERROR_5_KernelsAreThereWhenTheModuleIs) {
  start("lazy");
  CUmoduleLoadingMode mode{};
  EXPECT_OK(cu.cuModuleGetLoadingMode(&mode));
  EXPECT_EQ(mode, CU_MODULE_EAGER_LOADING);
  mark(createStream(), 'a');
  findKernel("set");
  EXPECT_EQ(order, "") << "the first use of a kernel may wait for the context, which helps nobody here";
}

TEST_F(ErrorRules, ERROR_5_NamesAreFoundOrReported) {
  CUmodule module;
  CUfunction function;
  CUdeviceptr counter = 0;
  size_t sizeBytes = 0;
  ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  EXPECT_EQ(cu.cuModuleGetFunction(&function, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
  EXPECT_THAT(listFindings(), ElementsAre(HasSubstr("no kernel 'no_such_kernel'")));
  ASSERT_OK(cu.cuModuleGetGlobal_v2(&counter, &sizeBytes, module, "counter"));
  EXPECT_EQ(sizeBytes, 4u);
  EXPECT_EQ(read(counter, 4)[0], 7);
  ASSERT_OK(cu.cuModuleGetFunction(&function, module, "set"));
  EXPECT_OK(cu.cuModuleUnload(module));
  EXPECT_EQ(launch(function, 1, createStream()), CUDA_ERROR_INVALID_HANDLE) << "functions go with their module";
}

TEST_F(ErrorRules, ERROR_7_AModuleOfALibraryGoesWithItsLibraryOnly) {
  CUlibrary library = nullptr;
  ASSERT_OK(cu.cuLibraryLoadData(&library, testModule().data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUmodule module = nullptr, again = nullptr;
  ASSERT_OK(cu.cuLibraryGetModule(&module, library));
  ASSERT_OK(cu.cuLibraryGetModule(&again, library));
  EXPECT_EQ(module, again);
  size_t before = cu.findingCount();
  EXPECT_EQ(cu.cuModuleUnload(module), CUDA_ERROR_NOT_PERMITTED);
  EXPECT_EQ(cu.findingCount(), before + 1);
  CUfunction function = nullptr;
  EXPECT_OK(cu.cuModuleGetFunction(&function, module, "shared"));
  ASSERT_OK(cu.cuLibraryUnload(library));
  EXPECT_EQ(cu.cuModuleGetFunction(&function, module, "shared"), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuLibraryGetModule(&module, library), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ErrorRules, ERROR_7_AModuleLoadedByItselfIsUnloaded) {
  CUmodule module = nullptr;
  ASSERT_OK(cu.cuModuleLoadData(&module, testModule().data()));
  EXPECT_OK(cu.cuModuleUnload(module));
}

TEST_F(ErrorRules, ERROR_7_EachContextHasAModuleOfItsOwn) {
  CUlibrary library = nullptr;
  ASSERT_OK(cu.cuLibraryLoadData(&library, testModule().data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  ASSERT_OK(cu.cuLibraryGetKernel(&kernel, library, "shared"));
  const char *name = nullptr;
  ASSERT_OK(cu.cuKernelGetName(&name, kernel));
  EXPECT_STREQ(name, "shared");
  CUlibrary owner = nullptr;
  ASSERT_OK(cu.cuKernelGetLibrary(&owner, kernel));
  EXPECT_EQ(owner, library);
  CUfunction here = nullptr, there = nullptr;
  ASSERT_OK(cu.cuKernelGetFunction(&here, kernel));
  CUcontext other = nullptr;
  ASSERT_OK(cu.cuCtxCreate_v2(&other, 0, 0));
  ASSERT_OK(cu.cuKernelGetFunction(&there, kernel));
  EXPECT_NE(here, there);
  EXPECT_EQ(cu.cuLibraryGetKernel(&kernel, library, "no such kernel"), CUDA_ERROR_NOT_FOUND);
  ASSERT_OK(cu.cuLibraryUnload(library));
  EXPECT_EQ(cu.cuKernelGetFunction(&here, kernel), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_OK(cu.cuCtxDestroy_v2(other));
}

TEST_F(ErrorRules, ERROR_6_ParametersAreReadAtTheCall) {
  start("lazy");
  CUstream stream = createStream();
  CUdeviceptr device = allocate(8);
  int value = 5;
  void *arguments[] = {&device, &value};
  EXPECT_OK(launch(findKernel("set"), 2, stream, arguments));
  value = 6;
  arguments[0] = nullptr;
  EXPECT_THAT(read(device, 8), ElementsAre(5, 0, 0, 0, 5, 0, 0, 0));
}

TEST_F(ErrorRules, ERROR_6_ThePackedBufferWorks) {
  CUdeviceptr device = allocate(4);
  struct {
    CUdeviceptr address;
    int value;
  } packed = {device, 5};
  size_t sizeBytes = 12;
  void *extra[] = {reinterpret_cast<void *>(CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT), &packed,
                   reinterpret_cast<void *>(CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT), &sizeBytes, nullptr};
  CUfunction set = findKernel("set");
  EXPECT_OK(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, createStream(), nullptr, extra));
  EXPECT_EQ(read(device, 4)[0], 5);
  void *arguments[] = {&packed.address, &packed.value};
  EXPECT_EQ(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, createStream(), arguments, extra), CUDA_ERROR_INVALID_VALUE);
  sizeBytes = 8;
  EXPECT_EQ(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, createStream(), nullptr, extra), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(set, 1, createStream()), CUDA_ERROR_INVALID_VALUE) << "arguments are missing";
  EXPECT_THAT(listRules(), ElementsAre("ERROR-6", "ERROR-6", "ERROR-6"));
}

TEST_F(ErrorRules, ERROR_6_TooManyBytesOfArguments) {
  std::vector<char> bytes(4096);
  int value = 0;
  void *arguments[] = {bytes.data(), &value};
  EXPECT_OK(launch(findKernel("full"), 1, createStream(), arguments));
  EXPECT_EQ(launch(findKernel("big"), 1, createStream(), arguments), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_THAT(listRules(), ElementsAre("ERROR-6"));
}

TEST_F(ErrorRules, KERNEL_1_SizesOverTheLimitsAreRefused) {
  CUfunction shared = findKernel("shared"), bounded = findKernel("bounded");
  auto result = [&](CUfunction f, unsigned gx, unsigned gy, unsigned bx, unsigned bz, unsigned bytes) {
    return cu.cuLaunchKernel(f, gx, gy, 1, bx, 1, bz, bytes, createStream(), nullptr, nullptr);
  };
  EXPECT_EQ(result(shared, 0, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(result(shared, 1, 1, 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(result(shared, 1, 65536, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(result(shared, 1, 1, 1025, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(result(shared, 1, 1, 1, 65, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(result(shared, 1, 1, 512, 3, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(result(shared, 1, 1, 1, 1, 48 << 10), CUDA_ERROR_INVALID_VALUE) << "1 KiB of it is in use";
  EXPECT_EQ(result(bounded, 1, 1, 65, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(listRules(), Each(std::string("KERNEL-1")));
  EXPECT_EQ(listRules().size(), 8u);
  EXPECT_OK(result(shared, 1, 1, 1024, 1, 0));
  EXPECT_OK(result(shared, 1, 1, 1, 1, 47 << 10));
  EXPECT_OK(result(bounded, 1, 1, 64, 1, 0));
}

TEST_F(ErrorRules, KERNEL_1_MoreSharedMemoryIsThereOnRequest) {
  CUfunction shared = findKernel("shared");
  auto launchWith = [&](unsigned bytes) {
    return cu.cuLaunchKernel(shared, 1, 1, 1, 1, 1, 1, bytes, createStream(), nullptr, nullptr);
  };
  EXPECT_EQ(cu.cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 99 << 10),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 98 << 10));
  EXPECT_OK(launchWith(98 << 10));
  EXPECT_EQ(launchWith((98 << 10) + 1), CUDA_ERROR_INVALID_VALUE);
}

} // namespace

} // namespace lockstep::simgpu::test
