#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# on: newest
# where: guest
# timeout: 60
#
# examples/xfsslower.d: reads and writes of a file in a file system of that kind.
. "$(dirname "$0")/slower.bash"

slower xfs 320M
