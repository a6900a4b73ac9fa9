#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc objdump objcopy xz
#
# Names that no symbol table has: stubs of calls to libraries ("puts@plt"), in the forms that linkers make, and functions
# whose symbols are only in .gnu_debugdata, as some distributions strip their programs.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/p.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int n, char **v) { puts("x"); printf("%d %s\n", atoi("3"), getenv("HOME") ? "" : "none"); return 0; }
C
stubs=0
for form in -Wl,-z,lazy "-Wl,-z,now $UNGUARDED" "-Wl,-z,now $GUARDED" '-fno-plt'; do
	# shellcheck disable=SC2086 # options are words
	gcc -no-pie -O0 $form -o "$tmp/p" "$tmp/p.c" || fail "gcc $form"
	objdump -d "$tmp/p" | sed -nE 's/^0*([0-9a-f]+) <(puts|atoi|getenv|printf)@plt>:$/\1 \2/p' >"$tmp/stubs"
	while read -r addr name; do
		stubs=$((stubs + 1))
		dtx -qc "$tmp/p" -n "pid\$target:p:main:entry { printf(\"%A\\n\", 0x$addr + 3); }"
		grep -qFx "p\`$name@plt+0x3" "$tmp/out" || fail "$form: $addr is $(tail -n 1 "$tmp/out"), not $name@plt+0x3"
	done <"$tmp/stubs"
done
[ "$stubs" -ge 8 ] || fail "only $stubs stubs were tried"
dtx -qln "pid\$target:p::entry" -c "$tmp/p"
if grep plt "$tmp/out"; then fail 'a stub is listed as a function'; fi

cat >"$tmp/q.c" <<'C'
#include <unistd.h>
__attribute__((noinline)) static int hidden_step(int n) { return write(n, "", 0); }
int main(void) { return hidden_step(1); }
C
gcc -O1 -o "$tmp/q" "$tmp/q.c" || fail 'gcc'
objcopy --only-keep-debug "$tmp/q" "$tmp/q.mini" || fail 'objcopy'
xz -f "$tmp/q.mini"
strip "$tmp/q"
dtx -qc "$tmp/q" -n 'syscall::write:entry /pid == $target/ { ufunc(ucaller); }'
if grep -q hidden_step "$tmp/out"; then fail 'the symbols are still there'; fi
objcopy --add-section .gnu_debugdata="$tmp/q.mini.xz" "$tmp/q" || fail 'objcopy --add-section'
dtx -qc "$tmp/q" -n 'pid$target:q:hidden_step:entry { trace(probefunc); }'
grep -q hidden_step "$tmp/out" || fail "hidden_step is not found: $(cat "$tmp/out")"
