#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# timeout: 60
# truth: functions whose stack is in pieces (gcc's -fsplit-stack) | entries, returns, results and stacks through two pieces | what the program prints
#
# Such a function calls __morestack, which calls its body and is returned to: there are two `ret`s for one return.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/split.c" <<'C'
#include <stdio.h>
#include <string.h>
#define FAR __attribute__((noinline, noclone))
FAR int low(int n) { __asm__ volatile("" ::: "memory"); return n + 1; }
FAR int huge(int n)
{
	volatile char room[300000];

	memset((char *)room, n, sizeof room);
	return low(room[n * 1000]) + 1;
}
FAR int between(int n) { int r = huge(n); __asm__ volatile("" : "+r"(r)); return r + 1; }
int main(void)
{
	for (int i = 0; i < 5; i++)
		printf("between %d\n", between(i));
	return 0;
}
C
gcc -O2 -g -fsplit-stack -o "$tmp/split" "$tmp/split.c" 2>/dev/null || skip 'no such stacks on this machine'
dtx -qn 'pid$target:a.out:huge:,pid$target:a.out:between:,pid$target:a.out:low: /probename == "entry" || probename == "return"/ {
		@[probefunc, probename] = count(); }
	pid$target:a.out:between:return { printf("between %d\n", arg1); }
	pid$target:a.out:low:entry { @s[ustack(8)] = count(); } END { printa("%s:%s %@d\n", @); printa(@s); }' -c "$tmp/split"
same "$("$tmp/split" | sort | uniq -c | awk '{ print 2 * $1, $2, $3 }')" "$(grep '^between [0-9]' "$tmp/out" | sort | uniq -c | awk '{ print $1, $2, $3 }')" results
same "$(printf '%s 5\n' between:entry between:return huge:entry huge:return low:entry low:return)" "$(grep -E '^[a-z]+:(entry|return) ' "$tmp/out" | sort)" counts
same "$(printf '%s\n' low huge __morestack between main)" "$(sed -n 's/^ *split`\([a-z_]*\).*/\1/p' "$tmp/out" | grep -v _start)" 'the stack'
