#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes
# timeout: 60
#
# The one-liners of examples/one-liners.md, but those of the tutorials and on kernel functions: each is accepted, runs two seconds
# while things happen, and ends well without a word of error.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
run_oneliners "$(sed '/^## Tutorials/,$d' examples/one-liners.md)" 20
