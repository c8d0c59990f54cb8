; Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The kernels of the tests in this folder, for HIP.
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x()

; data[thread] += value
define amdgpu_kernel void @add_value(ptr %data, i32 %value) {
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %index = sext i32 %thread to i64
  %element = getelementptr i32, ptr %data, i64 %index
  %old = load i32, ptr %element
  %new = add i32 %old, %value
  store i32 %new, ptr %element
  ret void
}

; left[thread] += right[thread]
define amdgpu_kernel void @add_array(ptr %left, ptr %right) {
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %index = sext i32 %thread to i64
  %leftElement = getelementptr i32, ptr %left, i64 %index
  %rightElement = getelementptr i32, ptr %right, i64 %index
  %a = load i32, ptr %leftElement
  %b = load i32, ptr %rightElement
  %sum = add i32 %a, %b
  store i32 %sum, ptr %leftElement
  ret void
}
