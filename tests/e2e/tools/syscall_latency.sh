#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Latency by system call: 40 naps of 5 ms are 40 calls, none in a row below 4 ms; calls that do nothing are counted to the
# last one and are below.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	syscall:::entry /progenyof($target) && execname != "sh"/ { self->start[probefunc] = timestamp; }
	syscall:::return /self->start[probefunc]/ {
		this->ns = timestamp - self->start[probefunc];
		@calls[probefunc] = count();
		@least[probefunc] = min(this->ns);
		@most[probefunc] = max(this->ns);
		@mean[probefunc] = avg(this->ns);
		@times[probefunc] = quantize(this->ns / 1000);
		self->start[probefunc] = 0;
	}
	END {
		printf("%-18s %8s %12s %12s %12s\n", "CALL", "COUNT", "MIN(ns)", "AVG(ns)", "MAX(ns)");
		printa("%-18s %@8u %@12u %@12u %@12u\n", @calls, @least, @mean, @most);
		printa("\n%s\n%@d\n", @times);
	}
END
echo "$t/sleeper 5 40; $t/syscalls 10" >"$tmp/load"
dtx -s "$tmp/script.d" -c "sh $tmp/load"
count() { awk -v call="$1" '$1 == call && NF == 5 { print $2 }' "$tmp/out"; }
same '40 1000 500 250 30' "$(echo $(for c in clock_nanosleep getppid getpgid open sched_yield; do count $c; done))" "the calls made"
awk '$1 == "clock_nanosleep" && NF == 5 && ($3 < 5000000 || $4 < $3 || $5 < $4) { exit 1 }' "$tmp/out" || fail "the least, mean and most"
same '40 0' "$(histogram clock_nanosleep | awk '$1 >= 4096 { n += $2 } $1 < 4096 { few += $2 } END { print n, few + 0 }')" \
	"the distribution of the naps"
same 1000 "$(histogram getppid | awk '{ n += $2 } END { print n }')" "the distribution of getppid"
