#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flow.entry flow.return flow.other flag.F opt.flowindent
#
# -F: the header, arrows by entry and return with two columns of depth, a bar for other probes.
. "$(dirname "$0")/../lib.sh"

dtx -F -c "$t/syscalls 1" -n 'int n;
BEGIN { trace("begin"); }
syscall::getpgid:entry /pid == $target && n < 4/ { n++; trace(n); }
syscall::getpgid:return /pid == $target && n < 4/ { n++; trace(n); }
END { }'
columns() { printf '  C %-41s %s\n' "$1" "$2"; }
same "$(printf '%3s %-41s\n' CPU FUNCTION
	columns '| :BEGIN' "$(printf '  %-33s' begin)"
	columns ' => getpgid' "$(printf ' %10d' 1)"
	columns ' <= getpgid' "$(printf ' %10d' 2)"
	columns ' => getpgid' "$(printf ' %10d' 3)"
	columns ' <= getpgid' "$(printf ' %10d' 4)"
	columns '| :END' '')" "$(sed -E 's/^ *[0-9]+ /  C /; /^$/d' "$tmp/out")" "the flow is not right"

# Several clauses: only the first is an entry; each is a return, but not below 0.
dtx -F -c "$t/syscalls 1" -n 'int n;
syscall::getpgid:entry /pid == $target && n++ == 0/ { trace(1); }
syscall::getpgid:entry /pid == $target && n == 1/ { trace(2); }
syscall::getpgid:return /pid == $target && n == 1/ { trace(3); }
syscall::getpgid:return /pid == $target && n == 1/ { n++; trace(4); }'
same "$(printf '%3s %-41s\n' CPU FUNCTION
	columns ' => getpgid' "$(printf ' %10d' 1)"
	columns '  | getpgid:entry' "$(printf ' %10d' 2)"
	columns ' <= getpgid' "$(printf ' %10d' 3)"
	columns ' <= getpgid' "$(printf ' %10d' 4)")" \
	"$(sed -E 's/^ *[0-9]+ /  C /; /^$/d' "$tmp/out")" "the flow of several clauses"

# A clause that records nothing has no time either.
dtx -F -x flowtime -n 'BEGIN { self->x = 1; } BEGIN { exit(0); }'
grep -qE '^ +[0-9]+ +\| :BEGIN' "$tmp/out" || fail "flowtime and a clause that records nothing: $(cat "$tmp/out")"

# Option flowtime: after the CPU, the nanoseconds from the entry to what returns, by thread.
dtx -F -x flowtime -c "taskset 1 sleep 0.02" -n '
syscall::clock_nanosleep:entry, syscall::clock_nanosleep:return /pid == $target/ { trace("x"); }
END { }'
timed() { printf '  C %12s %-41s %s\n' "$1" "$2" "$3"; }
same "$(printf '%3s %12s %-41s\n' CPU NS FUNCTION
	timed '' ' => clock_nanosleep' "$(printf '  %-33s' x)"
	timed N ' <= clock_nanosleep' "$(printf '  %-33s' x)"
	timed '' '| :END' '')" \
	"$(sed -E 's/^ *[0-9]+ /  C /; s/^(  C ) *[0-9]{8,} /\1           N /; /^$/d' "$tmp/out")" "flowtime"

# Records that were lost may be the returns: what follows begins at the left again. No line is endless.
dtx -F -x bufsize=8k -x statusrate=20ms -x cpu=0 -n 'syscall::getpgid:entry /execname == "threads"/ { }' \
	-c "taskset 1 sh -c '$t/threads 1 20000 syscall; sleep 0.5; $t/threads 1 10 syscall'"
grep -q ' drops\? on CPU 0' "$tmp/err" || fail "nothing was lost: $(cat "$tmp/err")"
again=$(sed 's/ *$//' "$tmp/out" | grep -cx '  0  => getpgid')
[ "$again" -gt 1 ] || fail "at the left: $again, after $(cat "$tmp/err")"
longest=$(awk 'length > n { n = length } END { print n }' "$tmp/out")
[ "$longest" -lt 1060 ] || fail "a line of $longest characters"
