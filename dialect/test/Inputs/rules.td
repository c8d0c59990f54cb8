// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not compiled: rules for the self-test of check_labels.py: fine (GOOD-1), without a row (ROWLESS-1), unchecked (BARE-1).
