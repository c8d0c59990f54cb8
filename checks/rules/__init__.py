# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The style rules, one family a module. Each module has check(tree), which yields findings."""

from rules import coverage, format, function, header, include, lit, text

FAMILIES = (include, header, function, format, lit, text, coverage)
