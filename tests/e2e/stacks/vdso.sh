#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc perf
#
# Frames in the vDSO are places in it, the same in each process, and its table leads to their callers.
. "$(dirname "$0")/../lib.sh"

gcc -x c -O2 -o "$tmp/prog" - <<'END' || fail "cannot compile"
#include <time.h>
int main(void)
{
	struct timespec t;
	for (;;)
		clock_gettime(CLOCK_MONOTONIC, &t);
}
END
"$tmp/prog" &
one=$!
"$tmp/prog" &
two=$!
trap 'kill $one $two; rm -rf "$tmp"' EXIT
dtx -qn "BEGIN { begin = timestamp; }
	profile-997 /(pid == $one || pid == $two) && arg1 && timestamp - begin > 500000000/ { @[ustack()] = count(); @n[pid] = count(); }
	tick-2s { exit(0); }"
grep -qF '[vdso]' "$tmp/out" || skip "the clock is not read in the vDSO here"
if grep -F '[vdso]`0x' "$tmp/out"; then fail "addresses of one process"; fi
awk '/\[vdso\]/ { inside = 1; next } inside { if (!/libc\.so\.6`.*clock_gettime/) print; inside = 0 }' "$tmp/out" >"$tmp/callers"
[ ! -s "$tmp/callers" ] || fail "callers of the vDSO: $(cat "$tmp/callers")"
if grep incomplete "$tmp/out" | grep -v 'being made'; then fail "not whole: $(cat "$tmp/out")"; fi
