#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: fentry
#
# A program that fires within itself is skipped by the kernel, and each time is counted: the clause adds a key, for
# which the kernel calls the very function that is traced.
. "$(dirname "$0")/../lib.sh"

"$DTX" -x strict -n 'int n; fbt::htab_map_update_elem:entry /pid == $target/ { @ran[n++] = count(); }
	syscall::getpgid:entry /pid == $target/ { @made[arg0] = count(); }
	END { clear(@made); }' -c "$t/threads 1 300 syscall" >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status = 3 ] || fail "status $status, not 3: $(tail -n 5 "$tmp/err")"
ran=$(awk 'NF == 2 && $2 == 1 { n++ } END { print n + 0 }' "$tmp/out")
skipped=$(skipped)
[ "$ran" = 300 ] || fail "$ran ran of 300: $(cat "$tmp/err")"
[ "$skipped" = 300 ] || { preempts && [ "$skipped" -gt 300 ]; } || fail "$skipped skipped of 300: $(cat "$tmp/err")"
grep -q 'lost in all by fbt:vmlinux:htab_map_update_elem:entry: 300 firings skipped' "$tmp/err" || fail "$(cat "$tmp/err")"
