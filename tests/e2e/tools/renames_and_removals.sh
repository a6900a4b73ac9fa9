#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What is renamed, removed and made: each call with its paths, its program and its result, in the order of time.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option switchrate=10hz
	BEGIN { printf("%-10s %-8s %3s %s\n", "PROGRAM", "CALL", "ERR", "PATH"); }
	syscall::unlink:entry, syscall::rmdir:entry, syscall::mkdir:entry /progenyof($target)/ { self->a = arg0; }
	syscall::unlinkat:entry, syscall::mkdirat:entry /progenyof($target)/ { self->a = arg1; }
	syscall::rename:entry /progenyof($target)/ { self->a = arg0; self->b = arg1; }
	syscall::renameat:entry, syscall::renameat2:entry /progenyof($target)/ { self->a = arg1; self->b = arg3; }
	syscall::unlink*:return, syscall::rmdir:return, syscall::mkdir*:return /self->a/ {
		printf("%-10s %-8s %3d %s\n", execname, strstr(probefunc, "mk") != NULL ? "make" : "remove", errno, basename(copyinstr(self->a)));
	}
	syscall::rename*:return /self->a/ {
		printf("%-10s %-8s %3d %s %s\n", execname, "rename", errno, basename(copyinstr(self->a)), basename(copyinstr(self->b)));
	}
	syscall::unlink*:return, syscall::rmdir:return, syscall::mkdir*:return, syscall::rename*:return /self->a/ {
		self->a = 0;
		self->b = 0;
	}
END
cat >"$tmp/load" <<-END
	mkdir $tmp/folder
	: >$tmp/first; : >$tmp/second
	mv $tmp/first $tmp/third
	mkdir $tmp/folder 2>/dev/null
	rm $tmp/third $tmp/second
	rmdir $tmp/folder
	rmdir $tmp/folder 2>/dev/null
	exit 0
END
dtx -s "$tmp/script.d" -c "sh $tmp/load"
same 'mkdir make 0 folder
mv rename 0 first third
mkdir make 17 folder
rm remove 0 third
rm remove 0 second
rmdir remove 0 folder
rmdir remove 2 folder' "$(awk '$3 ~ /^[0-9]+$/ && $1 != "mv" || $4 == "first" { $1 = $1; print }' "$tmp/out")" "not what was done"
