# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit configuration that every suite of this project shares."""

import os
import shutil
import sys

import lit.formats

config.name = config.lockstep_name
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.lockstep_source_root
config.test_exec_root = config.lockstep_exec_root

build_bin = os.path.join(config.lockstep_build_root, "bin")
build_lib = os.path.join(config.lockstep_build_root, "lib")
config.environment["PATH"] = os.pathsep.join([build_bin, config.llvm_tools_dir, config.environment.get("PATH", "")])
# One substituted value checked twice must be the same value: scoped variables catch a stale capture.
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --allow-unused-prefixes=false"

config.substitutions += [
    ("%python", sys.executable),
    ("%lockstep_root", config.lockstep_project_root),
    ("%lockstep_bin", build_bin),
    ("%sim_cuda_driver", os.path.join(build_lib, "sim", "libcuda.so.1")),
    ("%sim_hip_driver", os.path.join(build_lib, "sim", "libamdhip64.so.6")),
    ("%runtime_cuda", os.path.join(build_lib, "liblockstep_runtime_cuda.so")),
    ("%runtime_hip", os.path.join(build_lib, "liblockstep_runtime_hip.so")),
    ("%mlir_include", os.path.join(os.path.dirname(config.llvm_tools_dir), "include")),
    ("%mlir_lib", os.path.join(os.path.dirname(config.llvm_tools_dir), "lib")),
]

if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
if shutil.which("xmllint"):
    config.available_features.add("xmllint")
if any(shutil.which(name, path=config.environment["PATH"]) for name in ("ld.lld-22", "ld.lld")):
    config.available_features.add("ld.lld")
