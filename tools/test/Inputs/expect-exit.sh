# Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# expect-exit.sh STATUS COMMAND…: succeeds where the command ends with that very status.
wanted=$1
shift
"$@"
got=$?
if [ "$got" -ne "$wanted" ]; then
  echo "expect-exit: status $got, expected $wanted" >&2
  exit 1
fi
