#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The sentence as one types it: every program's reads, and among them those of the known program, exactly.
. "$(dirname "$0")/../lib.sh"

dtx -n 'syscall::read:entry { @[execname] = quantize(arg2); }' -c "$t/reads 7:30 8:10 4096:60"
same "2 0
4 30
8 10
16 0
32 0
64 0
128 0
256 0
512 0
1024 0
2048 0
4096 60
8192 0" "$(histogram known-reads)" "the buckets differ"
