#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: both
# timeout: 60
#
# A program without frame pointers, called back by the C library: its stack is whole, on each kernel. The first one may come before
# the library's table where the file has another identity in the kernel than for stat(2), as on the shared folders of guests.
# Its code does not begin at the begin of its file: where it does is counted in pages of the kernel, of 4, 16 or 64 KB.
. "$(dirname "$0")/../lib.sh"

gcc -x c -O2 -fomit-frame-pointer -Wl,-z,separate-code -o "$tmp/prog" - <<'END' || fail "cannot compile"
#include <stdlib.h>
#include <unistd.h>
static volatile long sum;
__attribute__((noipa)) void inner(long n) { sum += n; }
__attribute__((noipa)) int compare(const void *a, const void *b) { inner(1); return *(char *)a - *(char *)b; }
__attribute__((noipa)) void sorting(void) { char s[] = "ba"; qsort(s, 2, 1, compare); sum++; }
int main(void) { sorting(); sleep(3); sorting(); return 0; }
END
dtx -qn 'pid$target:prog:inner:entry { ustack(); }' -c "$tmp/prog"
awk '/`inner$/ { line = "" } /`/ { sub(/.*`/, ""); sub(/[+].*/, ""); line = line $1 " " } /incomplete/ { line = line "? " }
	END { sub(/ $/, "", line); print line }' "$tmp/out" >"$tmp/line"
grep -qE '^inner compare .*qsort(_r)? sorting main .*_start$' "$tmp/line" || fail "$(cat "$tmp/line" "$tmp/out")"
