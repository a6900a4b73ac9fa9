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

# A char of Unicode (DW_ATE_UTF, 16), as in the language D, has no sign either.
gcc -g -fsigned-char -S -dA -o "$tmp/c.s" "$tmp/c.c" || fail 'gcc -S'
sed -i '/DW_AT_encoding/{N;/DW_AT_name: "char"/s/0x6\t/0x10\t/}' "$tmp/c.s"
grep -q '0x10.*DW_AT_encoding' "$tmp/c.s" || fail "the type of char was not changed: $(grep -B 2 'DW_AT_name: "char"' "$tmp/c.s")"
gcc -o "$tmp/c" "$tmp/c.s" || fail 'gcc c.s'
dtx -qn "uprobe:$tmp/c:f:entry { printf(\"%d %d %d\n\", args.c, args.s, args.u); }" -c "$tmp/c"
grep -qx '240 -16 240' "$tmp/out" || fail "a char of Unicode: $(cat "$tmp/out")"
