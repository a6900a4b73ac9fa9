#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: both
# timeout: 60
#
# A program without frame pointers, called back by the C library: its stack is whole, on each kernel.
. "$(dirname "$0")/../lib.sh"

gcc -x c -O2 -fomit-frame-pointer -o "$tmp/prog" - <<'END' || fail "cannot compile"
#include <stdlib.h>
static volatile long sum;
__attribute__((noipa)) void inner(long n) { sum += n; }
__attribute__((noipa)) int compare(const void *a, const void *b) { inner(1); return *(char *)a - *(char *)b; }
__attribute__((noipa)) void sorting(void) { char s[] = "ba"; qsort(s, 2, 1, compare); sum++; }
int main(void) { sorting(); return 0; }
END
dtx -qn 'pid$target:prog:inner:entry { ustack(); }' -c "$tmp/prog"
awk '/`/ { sub(/.*`/, ""); sub(/[+].*/, ""); print $1 } /incomplete/ { print "?" }' "$tmp/out" | paste -sd ' ' >"$tmp/line"
grep -qE '^inner compare .*qsort(_r)? sorting main .*_start$' "$tmp/line" || fail "$(cat "$tmp/line" "$tmp/out")"
