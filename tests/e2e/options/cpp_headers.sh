#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: cpp
#
# #include of the system's headers: functions with bodies in them, names that the kernel has as types, commas after
# the last enumerator and large enumerators do no harm; a name of the script goes before an enumerator of a header,
# and messages count the script's own lines.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/sys" && cat >"$tmp/sys/odd.h" <<'END'
enum odd { ODD_ONE = 1, ODD_MINE, ODD_LARGE = 1u << 31, };
static inline int twice(int x) { if (x) { return "}"[0]; } return x * 2; }
_Static_assert(sizeof(int) == 4, "int");
typedef void (*__sighandler_t)(int);
struct odd_t { int a, string, self; struct { char b[3]; } s; };
extern __inline struct odd_t odd_make(void)
{
	struct odd_t o = { 1, { "a" } };
	return o;
}
typedef __builtin_va_list odd_list;
END
cat >"$tmp/h.d" <<'END'
int ODD_MINE;
#include "sys/odd.h"
BEGIN { ODD_MINE = 7; printf("%d %d %d", ODD_ONE, ODD_MINE, sizeof(struct odd_t)); exit(0); }
END
dtx -q -C -I "$tmp" -s "$tmp/h.d"
same '1 7 16' "$(cat "$tmp/out")" 'what a header defines'
printf '#include "sys/odd.h"\n\nBEGIN { trace(none); }\n' >"$tmp/l.d"
"$DTX" -q -C -I "$tmp" -s "$tmp/l.d" 2>"$tmp/err" && fail 'an unknown name is accepted'
grep -q 'l.d:3:15: ' "$tmp/err" || fail "the line is not told: $(cat "$tmp/err")"
for header in sys/types.h stdio.h signal.h sys/socket.h netinet/in.h linux/fs.h; do
	printf '#include <%s>\nBEGIN { trace(sizeof(size_t)); exit(0); }\n' $header >"$tmp/s.d"
	dtx -q -C -s "$tmp/s.d"
	same 8 "$(cat "$tmp/out")" "$header"
done
