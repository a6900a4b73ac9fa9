#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.32 flag.a flag.B flag.S flag.V opt.verbose opt.disasm opt.tree
#
# -64, -a, -A and -B change nothing, with -32 a long has four bytes; -V; -S prints the code and traces, tree, verbose and disasm
# choose what is printed, on standard error.
. "$(dirname "$0")/../lib.sh"

one='BEGIN { trace(1); exit(0); }'
for flag in -64 -a -A -B; do dtx $flag -q -n "$one"; same 1 "$(cat "$tmp/out")" "$flag"; done
longs='struct s { char c; long l; }; BEGIN { x = (unsigned long)-1; printf("%d %d %d %d %d %u", sizeof(long), sizeof(unsigned long),
	sizeof(struct s), sizeof(long long), sizeof(curthread->nvcsw), x); exit(0); }'
dtx -32 -q -n "$longs"; same '4 4 8 8 8 4294967295' "$(cat "$tmp/out")" '-32'
dtx -x ilp32 -q -n "$longs"; same '4 4 8 8 8 4294967295' "$(cat "$tmp/out")" 'ilp32'
dtx -64 -q -n "$longs"; same '8 8 16 8 8 18446744073709551615' "$(cat "$tmp/out")" '-64'
printf 'BEGIN { trace(__SUNW_D_32); exit(0); }\n' >"$tmp/32.d"; dtx -32 -q -C -s "$tmp/32.d"; same 1 "$(cat "$tmp/out")" '-32 -C'
printf 'provider p { probe q(long); };\n' >"$tmp/g.d"; "$DTX" -32 -G -s "$tmp/g.d" -o "$tmp/g.o" || fail '-32 -G'
dtx -V
grep -qE '^dtx: .* D [0-9.]+$' "$tmp/out" || fail "-V: $(cat "$tmp/out")"

dtx -S -q -n "$one"
same 1 "$(cat "$tmp/out")" '-S does not trace'
grep -q 'dtx_prog_0' "$tmp/err" || fail '-S prints no code'
dtx -q -x verbose -x disasm=1 -n "$one"
grep -q '^program 0' "$tmp/err" && ! grep -q 'dtx_prog_0:' "$tmp/err" || fail "disasm=1: $(cat "$tmp/err")"
dtx -q -x tree=1 -n "$one"
grep -q '^clause 0' "$tmp/err" && ! grep -q 'action' "$tmp/err" || fail "tree=1: $(cat "$tmp/err")"
dtx -q -x tree=2 -n "$one"
same 1 "$(cat "$tmp/out")" 'tree=2 does not trace'
[ -s "$tmp/err" ] || fail 'tree=2 prints nothing'
dtx -S ast -n "$one"
grep -q '^clause 0' "$tmp/out" || fail '-S ast'

# Messages begin with the name of the command that was called.
ln -s "$(readlink -f "$DTX")" "$tmp/dtrace"
"$tmp/dtrace" -n 'int x; BEGIN { trace(1 / x); } BEGIN { exit(0); }' >/dev/null 2>"$tmp/err" || fail 'a link to dtx fails'
same "dtrace: description 'BEGIN' matched 2 probes
dtrace: error in BEGIN for probe ID 1 (dtrace:::BEGIN): divide-by-zero at -n:1:22, in '1 / x'" "$(head -n 2 "$tmp/err")" 'messages under another name'
"$tmp/dtrace" -lV 2>&1 | grep -q '^dtrace: only one' || fail 'usage under another name'
