#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes kprobes
# on: oldest
# timeout: 60
#
# The programs of the man pages on kernel functions and locks.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
if "$DTX" -ln lockstat:::adaptive-block 2>/dev/null | grep -q adaptive-block; then run_oneliners "$(cat docs/man/dtx-fbt.* docs/man/dtx-lockstat.*)" 3
else run_oneliners "$(cat docs/man/dtx-fbt.*)" 2; fi          # before Linux 5.19
