#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# truth: char of a program with -funsigned-char and -fsigned-char | args.c printed, compared, as a key, min() | the program's own C
#
# Whether char has a sign is the compiler's choice: its debug information says which.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/c.c" <<'END'
#include <stdio.h>
__attribute__((noipa)) char f(char c, signed char s, unsigned char u) { return c; }
int main(void)
{
	char c = (char)0xf0;

	f(c, c, c);
	printf("%d %d %d %d\n", c, c < 0, (signed char)c, (unsigned char)c);
}
END
for sign in signed unsigned; do
	gcc -g -f$sign-char -o "$tmp/c" "$tmp/c.c" || fail 'gcc'
	dtx -qn "uprobe:$tmp/c:f:entry { @[args.c] = min(args.c); printf(\"%d %d %d %d\n\", args.c, args.c < 0, args.s, args.u); }
		uprobe:$tmp/c:f:return { @r[retval] = count(); } END { printa(\"%d %@d\n\", @); printa(\"%d %@d\n\", @r); }" -c "$tmp/c"
	want=$("$tmp/c")
	same "$(printf '%s\n' "${want%% *} ${want%% *}" "${want%% *} 1" "$want" "$want" | sort)" "$(grep . "$tmp/out" | sort)" "$sign char"
done
