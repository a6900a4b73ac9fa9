#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# System calls that fail, by program, call and error, the error by its name.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	BEGIN { err[ENOENT] = "ENOENT"; err[EISDIR] = "EISDIR"; err[ENOTDIR] = "ENOTDIR"; err[EBADF] = "EBADF"; }
	syscall:::return /progenyof($target) && errno != 0/ {
		@[execname, probefunc, errno, err[errno] != NULL ? err[errno] : "?"] = count();
		@all[execname] = count();
	}
	END {
		printf("%-12s %-12s %4s %-8s %6s\n", "PROGRAM", "CALL", "ERR", "NAME", "COUNT");
		printa("%-12s %-12s %4d %-8s %@6d\n", @);
		trunc(@all, 1);
		printa("most: %s\n", @all);
	}
END
echo "$t/chores errors 21; $t/syscalls 2" >"$tmp/load"
dtx -s "$tmp/script.d" -c "sh $tmp/load"
same 'chores close 9 EBADF 21
chores openat 2 ENOENT 21
chores openat 20 ENOTDIR 21
chores openat 21 EISDIR 21
most: chores
syscalls read 9 EBADF 14' "$(awk '$1 == "chores" && $5 == 21 || $1 == "syscalls" && $2 == "read" || $1 == "most:" { $1 = $1; print }' "$tmp/out" |
	sort)" "not the errors made"
