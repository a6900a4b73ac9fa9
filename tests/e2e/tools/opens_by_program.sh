#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Opens by program and path, and those that fail, by their error.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option strsize=200
	syscall::open:entry /progenyof($target)/ { self->path = arg0; }
	syscall::openat:entry /progenyof($target)/ { self->path = arg1; }
	syscall::open*:return /self->path && (int)arg1 >= 0/ { @good[execname, copyinstr(self->path)] = count(); }
	syscall::open*:return /self->path && (int)arg1 < 0/ {
		@bad[execname, copyinstr(self->path), errno == ENOENT ? "ENOENT" : errno == ENOTDIR ? "ENOTDIR" :
		    errno == EISDIR ? "EISDIR" : "other"] = count();
	}
	syscall::open*:return /self->path/ { self->path = 0; }
	END {
		printf("%-16s %6s %s\n", "PROGRAM", "COUNT", "PATH");
		printa("%-16s %@6d %s\n", @good);
		printa("failed %-16s %s %s %@d\n", @bad);
	}
END
echo "$t/chores errors 13; $t/syscalls 2; cat $tmp/load >/dev/null" >"$tmp/load"
dtx -s "$tmp/script.d" -c "sh $tmp/load"
same "cat 1 $tmp/load
chores 13 /dev/null
sh 1 $tmp/load
syscalls 50 /dev/null" "$(awk -v load="$tmp/load" 'NF == 3 && ($3 == "/dev/null" && $1 != "sh" || $3 == load) { print $1, $2, $3 }' "$tmp/out" |
	sort)" "the opens that succeed"
same 'failed chores /dev EISDIR 13
failed chores /dev/null/below ENOTDIR 13
failed chores /no/such/file ENOENT 13' "$(awk '$1 == "failed" && $2 == "chores" { $1 = $1; print }' "$tmp/out" | sort)" "those that fail"
