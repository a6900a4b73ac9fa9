#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# examples/vfsstat.d: known reads, writes, opens and an unlink are among those of the kernel.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/syscalls" 4
"$t/reads" 100:300
:>gone; rm gone
END
tool vfsstat -i 1h
heading 'TIME READ WRITE OPEN CREATE UNLINK FSYNC'
rows 'NR == 2 { exit !($2 >= 300 && $3 >= 40 && $4 >= 100 && $6 >= 1) }' || fail "$(cat "$tmp/out")"
