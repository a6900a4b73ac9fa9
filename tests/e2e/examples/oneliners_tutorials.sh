#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes
# timeout: 120
#
# The one-liners of examples/one-liners.md that the tutorials of perf, ftrace and perf-tools begin with.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
run_oneliners "$(sed -n '/^## Tutorials/,/^## What the tutorial of bpftrace/p' examples/one-liners.md)" 15
