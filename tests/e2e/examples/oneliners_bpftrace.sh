#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes
# timeout: 120
#
# The one-liners of examples/one-liners.md that are those of bpftrace's tutorial, but those on kernel functions.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
run_oneliners "$(sed -n '/^## What the tutorial of bpftrace/,/^## Kernel functions/p' examples/one-liners.md)" 16
