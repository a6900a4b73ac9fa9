#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Variables that are optimised out, whose value the debugging information computes: the smaller or larger of two numbers
# (DW_OP_bra).
# needs: uprobes gcc readelf
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/clip.c" <<'C'
volatile long sink;

__attribute__((noipa)) long clip(long n, unsigned long u)
{
	long low = n < 100 ? n : 100, high = n > 50 ? n : 50;
	unsigned long most = u < 7 ? u : 7;

	sink = n;	/* here */
	return n + (long)u;
}

int main(void)
{
	clip(30, 5);
	clip(300, 1ul << 63);
	clip(-4, 8);
	return 0;
}
C
gcc -g -O2 -o "$tmp/clip" "$tmp/clip.c" || fail 'gcc'
readelf --debug-dump=loc "$tmp/clip" 2>/dev/null | grep -q DW_OP_bra || skip 'needs a compiler that describes min() by a branch'
dtx -qn "uprobe:$tmp/clip:clip.c:$(grep -nF 'here */' "$tmp/clip.c" | cut -d: -f1) { printf(\"%d %d %d;\", low, high, most); }" -c "$tmp/clip"
same '30 50 5;100 300 7;-4 50 7;' "$(grep . "$tmp/out")" 'values'
