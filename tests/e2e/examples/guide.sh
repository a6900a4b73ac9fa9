#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes
# where: native
# timeout: 240
#
# The programs of docs/guide: each is accepted, runs some seconds while things happen, and ends well.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
# In two parts: so many at once begin slowly.
run_oneliners "$(cat docs/guide/problems.md)" 12
run_oneliners "$(cat docs/guide/[!p]*.md)" 12
