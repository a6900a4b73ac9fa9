#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Without frame pointers stacks reach the program's start: by unwind tables, in the program and in the C library, at the entry of a
# function, in its middle, in a signal handler. With the options that use none they end where they did.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.c" <<'END'
#include <signal.h>
#include <stdlib.h>
static volatile long sum;
static void *volatile kept;
__attribute__((noipa)) void inner(long n) { sum += n; kept = malloc(77); sum++; }
__attribute__((noipa)) void on_signal(int sig) { inner(sig); sum++; }
__attribute__((noipa)) int compare(const void *a, const void *b) { inner(1); return *(char *)a - *(char *)b; }
__attribute__((noipa)) void sorting(void) { char s[] = "ba"; qsort(s, 2, 1, compare); sum++; }
__attribute__((noipa)) void raising(void) { raise(SIGUSR1); sum++; }
int main(void) { signal(SIGUSR1, on_signal); sorting(); raising(); return 0; }
END
gcc -O2 -fomit-frame-pointer -o "$tmp/prog" "$tmp/prog.c" || fail "cannot compile"

# names OPTIONS…: the functions of the stacks in inner(), one stack a line, the innermost first.
names() {
	dtx -q "$@" -c "$tmp/prog"
	awk '/`/ { sub(/.*`/, ""); sub(/[+].*/, ""); line = line " " $1 } /incomplete/ { line = line " ?" } NF == 0 { print line; line = "" }
		END { print line }' "$tmp/out" | grep .
}
probe='pid$target:prog:inner:entry { ustack(); }'
names -n "$probe" >"$tmp/lines"
grep -qE '^ inner compare .*qsort(_r)? sorting main .*_start$' "$tmp/lines" || fail "through the library: $(cat "$tmp/lines")"
grep -qE '^ inner on_signal .*raise raising main .*_start$' "$tmp/lines" || fail "through a signal: $(cat "$tmp/lines")"
names -n 'uprobe:libc:malloc /arg0 == 77/ { ustack(); }' >"$tmp/lines"
grep -qE '^ (__libc_)?malloc inner compare .*sorting main .*_start$' "$tmp/lines" || fail "of malloc: $(cat "$tmp/lines")"
# Its depth is the number of frames, and its caller the second one.
names -n 'uprobe:libc:malloc /arg0 == 77/ { printf("%d %A\n", ustackdepth, ucaller); ustack(); exit(0); }' >/dev/null
same "$(grep -c '^  ' "$tmp/out")" "$(awk 'NR == 1 { print $1 }' "$tmp/out")" "ustackdepth"
same "$(sed -n '4s/^ *//p' "$tmp/out")" "$(awk 'NR == 1 { print $2 }' "$tmp/out")" "ucaller"
# By frame pointers, and as addresses.
for how in fp off; do
	names -x ustackunwind=$how -n "$probe" >"$tmp/lines"
	if grep -qw main "$tmp/lines"; then fail "ustackunwind=$how: $(cat "$tmp/lines")"; fi
	grep -q '^ inner' "$tmp/lines" || fail "ustackunwind=$how: $(cat "$tmp/out")"
done
# Without room for tables dtx says so, and which stacks are not whole.
names -x unwindsize=1 -n "$probe" >"$tmp/lines"
grep -q 'unwind tables fill 0 MB' "$tmp/err" || fail "unwindsize: $(cat "$tmp/err")"
grep -q '^ inner.*?$' "$tmp/lines" || fail "unwindsize: $(cat "$tmp/lines")"
grep -qF '[incomplete: no unwind table]' "$tmp/out" || fail "unwindsize: $(cat "$tmp/out")"
# Structured output has the reason, the end of the run the share.
dtx -x unwindsize=1 -x format=json -n "$probe" -c "$tmp/prog"
grep -qF '"incomplete":"no unwind table"' "$tmp/out" || fail "in JSON: $(cat "$tmp/out")"
grep -qE '2 of 2 user stacks are incomplete \(100.0 %\): 2: no unwind table' "$tmp/err" || fail "the share: $(cat "$tmp/err")"
