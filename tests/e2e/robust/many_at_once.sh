#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 120
#
# 24 of them at the same time: each counts its own program exactly.
. "$(dirname "$0")/../lib.sh"

for ((i = 1; i <= 24; i++)); do
	"$DTX" -x strict -qn 'syscall::getpgid:entry /pid == $target/ { @n = count(); @s[execname, arg0 & 3] = count(); self->a = arg0; }
		syscall::getpgid:return /self->a/ { @r = count(); } tick-97hz { @t = count(); }
		END { printa("n %@d\n", @n); printa("r %@d\n", @r); }' -c "$t/threads 2 $((100 * i)) syscall" >"$tmp/out.$i" 2>"$tmp/err.$i" &
	pid[i]=$!
done
for ((i = 1; i <= 24; i++)); do
	wait "${pid[i]}" || fail "the ${i}th: status $?: $(cat "$tmp/err.$i")"
	[ "$(sed -n 's/^n //p' "$tmp/out.$i")" = $((200 * i)) ] || fail "the ${i}th: $(cat "$tmp/out.$i" "$tmp/err.$i")"
	[ "$(sed -n 's/^r //p' "$tmp/out.$i")" = $((200 * i - 1)) ] || fail "the ${i}th: $(cat "$tmp/out.$i" "$tmp/err.$i")"
done
