#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# A probe with twelve arguments: ten can be read, and it is not said that there are no more.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/p.c" <<'C'
int main(void)
{
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
			 "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, 0\n.asciz \"shop\"\n.asciz \"many\"\n"
			 ".asciz \"-4@%0 -4@%0 -4@%0 -4@%0 -4@%0 -4@%0 -4@%0 -4@%0 -4@%0 -4@%1 -4@%1 -4@%1\"\n994: .balign 4\n.popsection"
			 :: "r"(1), "r"(2));
	return 0;
}
C
gcc -O1 -o "$tmp/p" "$tmp/p.c" || fail gcc
dtx -qn "usdt:$tmp/p:shop:many { printf(\"%d %d\\n\", args[8], args[9]); }" -c "$tmp/p"
same '1 2' "$(grep . "$tmp/out")" 'the last two'
refused 'the first 10 can be read' -n "usdt:$tmp/p:shop:many { trace(args[10]); }"
exit 0
