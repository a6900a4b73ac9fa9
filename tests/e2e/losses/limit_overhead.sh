#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 60
#
# maxoverhead: the most expensive probe is detached and named, the others go on; within the budget nothing is.
. "$(dirname "$0")/../lib.sh"

: >"$tmp/err"
# One program looks through strings at each system call, the other counts some of them.
"$DTX" -x maxoverhead=3% -qn '
	rawtp:raw_syscalls::sys_enter { @dear[strlen(strjoin(cwd, cwd)) > 0, strstr(cwd, "xx") == 0] = count(); }
	syscall::getpgid:entry { @cheap = count(); }
	END { printa("cheap %@d\n", @cheap); }' -c "$t/syscalls 1000000" >"$tmp/out" 2>"$tmp/err" &
dtx=$!
awaits grep -q 'is detached' "$tmp/err"
kill -TERM $dtx
wait $dtx
grep -qE '^dtx: maxoverhead: rawtp:raw_syscalls::sys_enter is detached: it took [0-9.]+% of the CPU time' "$tmp/err" ||
	fail "not detached: $(cat "$tmp/err" "$tmp/out")"
[ "$(sed -n 's/^cheap //p' "$tmp/out")" -gt 0 ] || fail "the other probe has counted nothing: $(cat "$tmp/out")"

# Probes of two providers in one program: it is measured once, and all of it is detached.
: >"$tmp/err"                            # what the first one said
"$DTX" -x maxoverhead=1% -qn '
	*:raw_syscalls::sys_* { @dear[probeprov, strlen(strjoin(cwd, cwd)) > 0, strstr(cwd, "xx") == 0] = count(); }' \
	-c "$t/syscalls 1000000" >"$tmp/out" 2>"$tmp/err" &
dtx=$!
awaits grep -q 'is detached' "$tmp/err"
kill -TERM $dtx
wait $dtx
[ "$(grep -c 'is detached' "$tmp/err")" = 1 ] || fail "detached one by one, or never: $(cat "$tmp/err")"
sed -nE 's/.* it took ([0-9.]+%).* all together ([0-9.]+%).*/\1 \2/p' "$tmp/err" >"$tmp/took"
read -r one all <"$tmp/took"
[ "$one" = "$all" ] || fail "counted twice: $(cat "$tmp/err")"

dtx -x strict -x maxoverhead=100% -qn 'syscall::getppid:entry { @ = count(); }' -c "$t/syscalls 10"
[ "$(tr -d ' \n' <"$tmp/out")" -ge 1000 ] || fail "$(cat "$tmp/out")"

# A cheap probe goes on although it stands beside the expensive one, of the same kind.
"$DTX" -x maxoverhead=3% -qn '
	syscall::getpgid:entry { @dear[strlen(strjoin(cwd, cwd)) > 0, strstr(cwd, "xx") == 0] = count(); }
	syscall::openat:entry { @cheap = count(); }
	END { printa("cheap %@d\n", @cheap); }' -c "$t/syscalls 1000000" >"$tmp/out" 2>"$tmp/err" &
dtx=$!
awaits grep -q 'is detached' "$tmp/err"
head -c 1 /dev/null; cat /dev/null          # these open files, after the other probe has gone
kill -TERM $dtx
wait $dtx
grep -qE '^dtx: maxoverhead: syscall:vmlinux:getpgid:entry is detached: ' "$tmp/err" || fail "getpgid alone is not detached: $(cat "$tmp/err")"
[ "$(sed -n 's/^cheap //p' "$tmp/out")" -gt 0 ] || fail "openat went with getpgid: $(cat "$tmp/out")"

for bad in 0 0% 101 101% -1 1e9 abc ''; do
	"$DTX" -q -x maxoverhead="$bad" -n 'BEGIN { exit(0); }' >"$tmp/out" 2>&1 && fail "maxoverhead=$bad is accepted"
done
exit 0
