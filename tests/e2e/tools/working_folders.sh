#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Where programs work: the working folder of each program executed, and the files it opens by names relative to it.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	proc:::exec-success /progenyof($target)/ { printf("%s started in %s\n", execname, cwd); }
	syscall::chdir:entry /progenyof($target)/ { self->to = arg0; }
	syscall::chdir:return /self->to && errno == 0/ {
		printf("%s went to %s\n", execname, cwd);
	}
	syscall::chdir:return /self->to && errno != 0/ {
		printf("%s stays in %s: %s, error %d\n", execname, cwd, copyinstr(self->to), errno);
	}
	syscall::chdir:return { self->to = 0; }
	syscall::openat:entry /progenyof($target) && execname == "cat"/ { self->name = arg1; }
	syscall::openat:return /self->name && (int)arg1 >= 0 && substr(copyinstr(self->name), 0, 1) != "/"/ {
		printf("%s opened %s\n", execname, strjoin(strjoin(cwd, "/"), copyinstr(self->name)));
	}
	syscall::openat:return { self->name = 0; }
END
mkdir -p "$tmp/a/b"
echo text >"$tmp/a/b/file"
cat >"$tmp/load" <<-END
	cd $tmp/a
	cat b/file
	cd b
	cat file
	cd $tmp/nowhere 2>/dev/null
	cd ../..
	ls >/dev/null
END
dtx -s "$tmp/script.d" -c "sh $tmp/load"
same "sh went to $tmp/a
cat started in $tmp/a
cat opened $tmp/a/b/file
sh went to $tmp/a/b
cat started in $tmp/a/b
cat opened $tmp/a/b/file
sh stays in $tmp/a/b: $tmp/nowhere, error 2
sh went to $tmp
ls started in $tmp" "$(grep -E "^(sh|cat|ls) (went|stays|opened|started)" "$tmp/out" | grep -v '^sh started')" "not where they worked"
