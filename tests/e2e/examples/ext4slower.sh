#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
# on: oldest
# timeout: 60
#
# examples/ext4slower.d: reads and writes of a file in a file system of that kind.
. "$(dirname "$0")/slower.bash"

slower ext4 24M
