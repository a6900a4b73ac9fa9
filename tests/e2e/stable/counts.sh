#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# vminfo, sysinfo, lockstat: tests/trigger/counts makes known numbers of each, between system calls that tell its parts
# apart; only what happens in it is counted.
# truth: vminfo:::as_fault | page faults of a program | the pages it touches
# truth: vminfo:::zfod | pages filled with zeros | the pages it touches
# truth: vminfo:::cow_fault, prot_fault | writes to shared pages | the pages a child writes
# truth: sysinfo:::sysread, syswrite | calls of read and write | the program's own count
# truth: sysinfo:::readch, writech | bytes read and written | the program's own count
# truth: sysinfo:::sysfork, sysvfork | processes made | the program's own count
# truth: sysinfo:::nthreads | threads made | the program's own count
# truth: sysinfo:::sema | calls of semop | the program's own count
# truth: lockstat:::adaptive-block | a mutex is waited for, once | the program, which makes two threads want it
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/counts.d" <<-'END'
	#pragma D option quiet
	int part;
	syscall::getpgid:entry /pid == $target && arg0 >= 2000000000/ { part = arg0 - 2000000000; }
	sysinfo:::sysread, sysinfo:::syswrite, sysinfo:::readch, sysinfo:::writech /pid == $target && part == 1/ {
		@[probename] = sum(arg0);
	}
	sysinfo:::sysfork, sysinfo:::sysvfork, sysinfo:::nthreads, sysinfo:::sema /pid == $target && part == 2/ {
		@[probename] = sum(args[0]);
	}
	vminfo:::as_fault, vminfo:::zfod /pid == $target && part == 3/ { @[probename] = sum(arg0); }
	vminfo:::cow_fault, vminfo:::prot_fault /pid == $target && part == 4/ { @[probename] = sum(arg0); }
	sysinfo:::pswitch /pid == $target && part == 5/ { switches++; }
	END { printf("switches %d\n", switches >= 3); }
END
want='as_fault 100
cow_fault 20
nthreads 3
prot_fault 20
readch 700
sema 1
switches 1
sysfork 2
sysread 7
sysvfork 1
syswrite 5
writech 150
zfod 100'
faults=1 # their tracepoint is one of x86's
if ! matches 'vminfo:::as_fault'; then
	sed -i '/vminfo:::/d' "$tmp/counts.d"
	faults='' want=$(grep -vE '_fault|zfod' <<<"$want")
fi
dtx -s "$tmp/counts.d" -c "$t/counts"
same "$want" "$(awk 'NF == 2 { print $1, $2 }' "$tmp/out" | sort)" "not what was done"

matches 'lockstat:::adaptive-block' || skip "this kernel has no tracepoints of contention, which lockstat is made of"
cat >"$tmp/lock.d" <<-'END'
	#pragma D option quiet
	int part;
	syscall::getpgid:entry /pid == $target && arg0 >= 2000000000/ { part = arg0 - 2000000000; }
	lockstat:::adaptive-block /pid == $target && part == 5 && args[1] >= 50000000/ {
		@["blocked"] = count();
		lock = (uintptr_t)args[0];
		ns = args[1];
	}
	sysinfo:::mutex_adenters /pid == $target && part == 5/ { entered++; }
	END { printf("lock %d entered %d second %d\n", lock != 0, entered >= 1, ns < 20000000000); }
END
dtx -s "$tmp/lock.d" -c "$t/counts"
same 'lock 1 entered 1 second 1
blocked 1' "$(awk 'NF { $1 = $1; print }' "$tmp/out")" "not the mutex waited for"
[ "$faults" ] || skip 'this kernel has no exceptions:page_fault_user, which vminfo:::as_fault is made of; the others are exact'
