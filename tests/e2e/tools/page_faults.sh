#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Page faults by program: 200 new pages are 200 faults and 200 pages of zeros, between two system calls; each program of the
# load has faults of its own.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	BEGIN { printf("%-16s %10s %10s\n", "PROGRAM", "FAULTS", "ZERO-FILL"); }
	vminfo:::as_fault /progenyof($target)/ { @faults[execname] = sum(arg0); }
	vminfo:::zfod /progenyof($target)/ { @zeros[execname] = sum(arg0); }
	syscall::getpgid:entry /progenyof($target) && execname == "counted"/ { self->measure = 1; }
	syscall::getpid:entry /self->measure/ { self->measure = 0; }
	vminfo:::as_fault, vminfo:::zfod /self->measure/ { @exact[probename] = sum(arg0); }
	END { printa("%-16s %@10d %@10d\n", @faults, @zeros); printa(@exact); }
END
dtx -s "$tmp/script.d" -c "$t/counted faults 200"
same '200 200' "$(value as_fault) $(value zfod)" "the pages touched"
awk '$1 == "counted" && NF == 3 && $2 >= 200 && $3 >= 200 { ok = 1 } END { exit !ok }' "$tmp/out" ||
	{ cat "$tmp/out" >&2; fail "the program's faults"; }
