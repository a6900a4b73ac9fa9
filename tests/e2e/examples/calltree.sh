#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes taskset
# where: guest
# timeout: 60
#
# examples/calltree.d: one read, its functions inside each other, each at its depth, and back.
. "$(dirname "$0")/../lib.sh"

# Depths are a CPU's own, as in DTrace: the command stays on one.
taskset -pc 0 $$ >/dev/null
dtx -Fs examples/calltree.d read 'vfs_rea[d]' -c "$t/reads 100:3"
same '=> read
  -> vfs_read
  <- vfs_read
<= read' "$(awk '/=> read/ { on = 1 } on { print }' "$tmp/out" |
	sed -nE 's/^ *[0-9]+ {2}( *)([-<=>]{2} [a-z_]+).*/\1\2/p')" "not the tree of a read"
head -n 1 "$tmp/out" | grep -q '^CPU FUNCTION' || fail "no heading"
