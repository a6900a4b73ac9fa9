#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes kprobes
# on: oldest
# timeout: 60
#
# The programs of the man pages on kernel functions and locks.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
run_oneliners "$(cat docs/man/dtx-fbt.* docs/man/dtx-lockstat.*)" 3
