#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# on: newest
#
# A few system calls that are rare are attached each to its own event, others share one attachment; -v tells, and the
# option strict, a kernel stack, a frequent call or many calls keep the shared one. Both ways give the same: arguments,
# also those that the call does not take, results, and the child of a fork.
. "$(dirname "$0")/../lib.sh"

shared='by (tp_btf|raw_tp) on sys_' own='by perf, one event each'
cat >"$tmp/calls.d" <<'END'
syscall::kill:entry, syscall::setpgid:entry, syscall::fdatasync:entry, syscall::chdir:entry /progenyof($target)/ {
	printf("%s %x %x %x %x %x %x\n", probefunc, probefunc == "chdir" ? 0 : arg0, arg1, arg2, arg3, arg4, arg5);
}
syscall::openat:entry /progenyof($target) && arg3 == 34/ { printf("openat %d %x %x %x\n", (int)args[0], args[2], arg4, arg5); }
syscall::kill:return, syscall::setpgid:return, syscall::fdatasync:return, syscall::chdir:return /progenyof($target)/ {
	printf("%s = %d %d errno %d\n", probefunc, arg0, retval, errno);
}
syscall::clone:return, syscall::fork:return, syscall::clone3:return /progenyof($target)/ {
	printf("%s in the %s\n", probefunc, arg1 ? "parent" : "child");
}
syscall::exit_group:entry /progenyof($target)/ { printf("exit_group %d\n", arg0); }
END
# run WAY OPTIONS…: what dtx prints, sorted; each note of attaching is of this way.
run() {
	local way=$1
	shift
	rm -f "$tmp/said"
	dtx -Zqv -s "$tmp/calls.d" "$@" -o "$tmp/said" -c "$t/rarecalls 2"
	[ "$(grep -cE "system calls? $way" "$tmp/err")" -gt 0 ] || fail "no call is attached $way"
	[ "$(grep -E 'system calls? by' "$tmp/err" | grep -cvE "$way")" = 0 ] || fail "not all are attached $way"
	grep -E '^[a-z_]+ ' "$tmp/said" | sort
}
first=$(run "$own")
same "$first" "$(run "$shared" -x strict)" 'the two ways differ'
same '2' "$(grep -c '^kill 7ffffff0 0 3 4 5 6$' <<<"$first")" 'arguments of kill'
same '2' "$(grep -c '^fdatasync ffffffff.* 16 17 18 19 1a$' <<<"$first")" 'arguments of fdatasync'
same '2' "$(grep -c '^kill = -3 -3 errno 3$' <<<"$first")" 'the result of kill'
# arm64 traces no end of a system call in a new thread (ret_from_fork of its entry.S).
child=$([ $MACHINE = aarch64 ] && echo 0 || echo 1)
same "1 $child" "$(grep -c 'in the parent' <<<"$first") $(grep -c 'in the child' <<<"$first")" 'the two returns of a fork'

# way WAY PROGRAM: its system calls are attached so.
way() {
	dtx -qvn "$2" -c "$t/rarecalls"
	grep -qE "system calls? $1" "$tmp/err" || fail "$2: not $1"
}
way "$own" 'syscall::kill:entry { @[arg0] = count(); }'
way "$shared" 'syscall::kill:entry { @[stack()] = count(); }'
way "$shared" 'syscall::kill:entry, syscall::getppid:entry { @[arg0] = count(); }'
way "$shared" 'syscall::*at:entry { @[probefunc] = count(); }'
way "$shared" 'syscall:::entry { @a[probefunc] = count(); } syscall::kill:entry { @ = count(); }'

# 91 is fchmod for a program of 64 bits, and munmap for one of 32.
if "$t/compat" 2>/dev/null; then
	dtx -qn 'syscall::fchmod: /pid == $target/ { @ = count(); } END { printa("fchmod %@d\n", @); }' -c "$t/compat 77777"
	same '' "$(grep fchmod "$tmp/out")" 'a call of 32 bits is taken for one of 64'
fi
