#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A 32-bit system call is not taken for the 64-bit one of its number: alone, and among many.
# needs: root
# where: both
set -eu
compat=$DTX_TRIGGERS/compat failed=0
"$compat" || { echo "this kernel takes no 32-bit system calls"; exit 77; }
for probes in syscall::writev: "syscall::writev:,syscall::pipe:,syscall::readv:"; do
	got=$("$DTX" -qn "$probes /pid == \$target/ { @[probefunc, probename] = count(); }
		END { printa(\"%s %s %@d \", @); }" -x aggsortkey -c "$compat")
	if [ "$got" != "writev entry 1 writev return 1 " ]; then echo "$probes: $got" && failed=1; fi
done
exit $failed
