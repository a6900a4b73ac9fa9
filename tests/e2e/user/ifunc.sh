#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A function that is chosen when a program starts (IFUNC): probed is what it can be, never the code that chooses, in the C library and
# in a program's own clones for processors.
# needs: uprobes gcc
# truth: memcmp and strlen of the C library, target_clones | calls | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/if.c" <<'C'
#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
__attribute__((target_clones("avx2", "sse4.2", "default"), noinline)) int best(int n) { return n * 3; }
#else
__attribute__((noinline)) static int best_here(int n) { return n * 3; }
__attribute__((noinline)) static int best_other(int n) { return n * 4; }
static int (*choose(long caps))(int) { return caps & 1 << 1 ? best_here : best_other; }
int best(int n) __attribute__((ifunc("choose")));
#endif
int main(int argc, char **argv)
{
	int (*volatile cmp)(const void *, const void *, size_t) = memcmp;
	size_t (*volatile len)(const char *) = strlen, s = 0;

	for (int i = 0; i < 50; i++)
		s += cmp(argv[0], "./xx", 2) + len("abcd") + best(i);
	return !s;
}
C
gcc -O1 -fno-builtin -o "$tmp/if" "$tmp/if.c" && gcc -O1 -no-pie -fno-builtin -o "$tmp/fixed" "$tmp/if.c" || fail gcc
libc=$(ldd "$tmp/if" | awk '/libc.so/ { print $3 }')
chosen='memcmp strlen'
[ "$(uname -m)" = x86_64 ] || chosen=strlen # memcmp is one function there
for f in $chosen; do
	for p in "uprobe:$libc:$f" "pid\$target:libc.so.6:$f:entry" "pid\$target:libc.so.6:$f:return"; do
		"$DTX" -n "$p /pid == \$target/ { n++; } END { printf(\"calls %d\\n\", n); }" -c "$tmp/if" >"$tmp/out" 2>"$tmp/err" || fail "$p: $(cat "$tmp/err")"
		n=$(grep -o 'calls [0-9]*' "$tmp/out")
		# the C library calls strlen itself
		[ "${n#* }" -ge 50 ] && [ "${n#* }" -lt 500 ] || grep -q 'cannot set a probe' "$tmp/err" || fail "$p: $n $(cat "$tmp/err")"
		grep -q "$f of libc.so.6 is chosen when a program starts\|$f of /.* is chosen" "$tmp/err" || fail "$p: $(cat "$tmp/err")"
	done
done
for p in if fixed; do
	dtx -qn 'pid$target:a.out:best:entry { n++; } pid$target:a.out:best:return { r++; } END { printf("%d %d\n", n, r); }' -c "$tmp/$p"
	grep -qx '50 50' "$tmp/out" || fail "$p: $(cat "$tmp/out" "$tmp/err")"
	dtx -qn 'pid$target:a.out:bes*:entry { n++; } END { printf("%d\n", n); }' -c "$tmp/$p"
	grep -qx 50 "$tmp/out" || fail "$p, pattern: $(cat "$tmp/out" "$tmp/err")"
done
