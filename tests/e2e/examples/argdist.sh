#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/argdist.d: the sizes of known reads, as a distribution and counted.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/reads" 100:5 3000:7
END
tool argdist -n known-reads syscall::read:entry arg2
same '64 5
2048 7' "$(histogram known-reads: | awk '$2')" 'not the distribution'
tool argdist -C -n known-reads syscall::read:return arg1
heading 'PROGRAM arg1 COUNT'
same 'known-reads 100 5
known-reads 3000 7' "$(rows 'NR > 1 { print $1, $2, $3 }')" 'not the values'
