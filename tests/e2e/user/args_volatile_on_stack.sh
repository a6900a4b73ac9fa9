#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# A volatile argument on the stack has a list of places in gcc's debugging information, the first of them where C's convention has
# it: the convention is C's, and so are the other arguments and a result that is a struct.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/f.c" <<'END'
struct pair { long long a; int b; } __attribute__((packed));
struct large { long n[8]; } large = { { 11, 12 } };
__attribute__((noipa)) struct large f(struct pair p, long b, long c, long d, struct pair q, volatile unsigned short v, long e)
{
	return large;
}
int main(void) { return (int)f((struct pair){ 1, 2 }, 3, 4, 5, (struct pair){ 6, 7 }, 65535, 9).n[0] - 11; }
END
gcc -g -O2 -o "$tmp/f" "$tmp/f.c" || fail 'the program does not compile'
dtx -qn "uprobe:$tmp/f:f:entry { printf(\"%d %d %d %d %d %d\n\", args[0].a, args[0].b, args[1], args[4].b, args[5], args[6]); }" -c "$tmp/f"
same '1 2 3 7 65535 9' "$(grep . "$tmp/out")" 'arguments'
result="uprobe:$tmp/f:f:return { printf(\"%d %d\n\", retval.n[0], retval.n[1]); }"
if [ "$MACHINE" = aarch64 ]; then # no register says at the return where it is
	refused 'the function has written it to memory' -qn "$result"
else
	dtx -qn "$result" -c "$tmp/f"
	same '11 12' "$(grep . "$tmp/out")" 'result'
fi
