#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A 32-bit system call is not taken for the 64-bit one of its number: alone, and among many. It has a probe of its own,
# in module ia32, with its own name and registers, which only its name enables.
# needs: root
# where: both
set -eu
compat=$DTX_TRIGGERS/compat failed=0
[ -x "$compat" ] || { echo "needs a 32-bit gate for 64-bit programs, as x86-64 has it (arm64: syscall_arm.sh)"; exit 77; }
"$compat" || { echo "this kernel takes no 32-bit system calls"; exit 77; }
for probes in syscall::writev: "syscall::writev:,syscall::pipe:,syscall::readv:"; do
	got=$("$DTX" -qn "$probes /pid == \$target/ { @[probefunc, probename] = count(); }
		END { printa(\"%s %s %@d \", @); }" -x aggsortkey -c "$compat")
	if [ "$got" != "writev entry 1 writev return 1 " ]; then echo "$probes: $got" && failed=1; fi
done
want() { if [ "$2" != "$1" ]; then echo "$2, not $1" && failed=1; fi; }
want "getpid entry 3 getpid return 3 writev entry 1 writev return 1 " "$("$DTX" -qn 'syscall:ia32:getpid:, syscall::writev:,
	syscall::getpid: /pid == $target && (probemod == "ia32" || probefunc == "writev")/ { @[probefunc, probename] = count(); }
	END { printa("%s %s %@d ", @); }' -x aggsortkey -c "$compat")"
# 20 is getpid(), 91 munmap(): the first with what %ebx held, the second refused.
want "getpid 20 munmap 22 " "$("$DTX" -qn 'syscall:ia32::entry /pid == $target && arg0 == 77777/ { @[probefunc] = max(20); }
	syscall:ia32:munmap:return /pid == $target/ { @[probefunc] = max(errno); }
	END { printa("%s %@d ", @); }' -x aggsortkey -c "$compat 77777")"
want 0 "$("$DTX" -ln 'syscall:::' | grep -c ia32)"
id=$("$DTX" -ln 'syscall:ia32:getpid:entry' | awk 'NR == 2 { print $1, $2, $3, $4, $5 }')
want "$id" "$("$DTX" -l -i "${id%% *}" | awk 'NR == 2 { print $1, $2, $3, $4, $5 }')"
exit $failed
