#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# examples/vfscount.d: the reads and writes of a known program.
. "$(dirname "$0")/tool.bash"

own syscalls known
load <<'END'
./known 4
END
tool vfscount -n known
heading 'FUNCTION COUNT'
rows '$1 == "vfs_write" { w = $2 } $1 == "vfs_open" { o = $2 } END { exit !(w == 40 && o >= 100) }' || fail "$(cat "$tmp/out")"
