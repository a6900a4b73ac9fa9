#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# on: oldest
# needs: kprobes btf
# where: guest
# timeout: 120
#
# The one-liners of examples/one-liners.md on kernel functions.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
run_oneliners "$(sed -n '/^## Kernel functions/,$p' examples/one-liners.md)" 5
