#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# timeout: 60
#
# Entry and return are paired by thread: as many samples as there were reads, all of a plausible length.
. "$(dirname "$0")/../lib.sh"

program='kprobe:vfs_read { self->ts = timestamp; }
kretprobe:vfs_read /self->ts/ { @["ns"] = quantize(timestamp - self->ts); self->ts = 0; }'
plausible() {
	histogram ns | awk -v least="$1" -v most="$2" '
		$2 > 0 && ($1 < 64 || $1 > 20000000000) { print "a read of", $1, "ns"; bad = 1 }
		{ n += $2 }
		END { if (n < least || n > most) { print n, "samples"; bad = 1 } exit bad }' || fail "not the reads made"
}
dtx -n "$program" -c "$t/reads 100:1000"
plausible 1000 1000000

only='/execname == "known-reads" \&\& '
dtx -n "$(sed "s,kprobe:vfs_read {,kprobe:vfs_read /execname == \"known-reads\"/ {,; s,/self->ts/,${only}self->ts/," <<<"$program")" \
	-c "$t/reads 100:1000"
plausible 1000 1000
