# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# emit_scenarios.sh FOLDER SCENARIO...: writes the program of each scenario into the folder.
set -eu
folder=$1
shift
for scenario in "$@"; do
  lockstep emit "$scenario" --stage agpu -o "$folder/$(printf %s "$scenario" | tr '(=,' '---' | tr -d ')').mlir"
done
