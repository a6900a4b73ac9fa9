#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The sites that -h makes: a nop, and one of ten bytes that new kernels make a call of. Values below the stack pointer survive it, and
# arguments, uregs[] and stacks are those of the site, wherever the probe is.
# needs: uprobes gcc
# where: both
# on: newest
# truth: sites of -h in a function that uses the red zone | firings, arguments, results of the function | the program's own
. "$(dirname "$0")/../lib.sh"

echo 'provider app { probe tick(long, int); };' >"$tmp/app.d"
"$DTX" -h -s "$tmp/app.d" -o "$tmp/app.h" || fail "-h"
cat >"$tmp/app.c" <<'C'
#include <stdio.h>
#include "app.h"
__attribute__((noinline)) long leaf(long x)
{
	volatile long a[4] = { x, x, x, x };

	APP_TICK(x, (int)a[1]);
	return a[0] + a[1] + a[2] + a[3] - 4 * x;
}
int main(void)
{
	long bad = 0;

	for (long i = 1; i <= 300; i++)
		bad += leaf(i) != 0;
	printf("bad %ld\n", bad);
	return 0;
}
C
gcc -g -O2 -o "$tmp/app" "$tmp/app.c" || fail "gcc"
if [ "$(uname -m)" = x86_64 ]; then objdump -d "$tmp/app" | grep -A1 -w nop | grep -q '66 2e 0f 1f 84 00 00' || fail "no long nop"; fi

dtx -qn 'app$target:::tick { @ = count(); @a = sum(arg0); @b = sum(args[1]); } END { printa("%@d %@d %@d\n", @, @a, @b); }' -c "$tmp/app"
same $'300 45150 45150\nbad 0' "$(grep . "$tmp/out" | sort)" "counted"
dtx -qn 'app$target:::tick { @[ustack(2)] = count(); @pc[uregs['"$UPC"'] & 0xfff] = count(); } END { printa("pc %d %@d\n", @pc); }' -c "$tmp/app"
grep -qx 'bad 0' "$tmp/out" || fail "stacks: $(cat "$tmp/out")"
grep -qE '^ +app`leaf\+0x' "$tmp/out" && grep -qE '^ +app`main\+0x' "$tmp/out" || fail "stacks: $(cat "$tmp/out")"
site=$(readelf -n "$tmp/app" | grep -oE 'Location: 0x[0-9a-f]+' | head -1 | cut -d' ' -f2)
grep -qx "pc $((site & 0xfff)) 300" "$tmp/out" || fail "uregs: $site, $(cat "$tmp/out")"
exit 0
