#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Arrays of all lengths have the size that they have in the program. Their last index is written as short as it can be: 199 in
# one byte, 39999 in two.
# needs: uprobes gcc
. "$(dirname "$0")/../lib.sh"

gcc -g -O0 -x c -o "$tmp/long" - <<'C' || fail gcc
struct s { char a[128], b[129], c[200], d[256], e[257], f[32768], g[32769], h[40000], i[65537]; };
__attribute__((noinline)) int take(struct s *x) { return x->a[3]; }
int main(void) { static struct s s; return take(&s); }
C
dtx -qn "uprobe:$tmp/long:take:entry {
	printf(\"%d %d %d %d %d\\n\", sizeof(x->a), sizeof(x->b), sizeof(x->c), sizeof(x->d), sizeof(x->e));
	printf(\"%d %d %d %d\\n\", sizeof(x->f), sizeof(x->g), sizeof(x->h), sizeof(x->i)); }" -c "$tmp/long"
same $'128 129 200 256 257\n32768 32769 40000 65537' "$(grep . "$tmp/out")" 'C'
