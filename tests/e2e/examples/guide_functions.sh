#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf uprobes gcc
# where: guest
# timeout: 400
#
# The programs of docs/guide that probe functions of the kernel are accepted, run, and end well.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/guide.bash"
for page in docs/guide/*.md; do programs "$page"; done | grep -E "$needs_functions" >"$tmp/programs"
in_folder
run_oneliners "$(cat "$tmp/programs")" 10
