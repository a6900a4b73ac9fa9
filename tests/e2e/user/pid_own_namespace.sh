#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: unshare
# where: both
#
# nspid and nstid: the numbers that a process in a pid namespace of its own is told, and its threads; outside of one they
# are pid and tid.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'syscall::getpgid:entry /arg0 == 77/ { printf("%d %d %d\n", nspid, nstid, pid != nspid); }' -c "unshare -p -f $t/hopper 77"
same '1 1 1' "$(grep . "$tmp/out")" "the number of the first process of a namespace"
dtx -qn 'syscall::nanosleep:entry, syscall::clock_nanosleep:entry /execname == "nappers"/ { @[nspid, nstid] = count(); }
	END { printa("%d %d %@d\n", @); }' -c "unshare -p -f $t/nappers 3 10"
if [ "$(skipped)" = 0 ]; then
	same $'1 2 1\n1 3 1\n1 4 1' "$(grep . "$tmp/out" | sort)" "threads of the first process"
else
	preempts || fail "the kernel skipped: $(cat "$tmp/err")"
fi
dtx -qn 'syscall::getpgid:entry /pid == $target && arg0 == 77/ { printf("%d %d\n", pid == nspid, tid == nstid); }' -c "$t/hopper 77"
same '1 1' "$(grep . "$tmp/out")" "outside of a namespace"
