#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.32 flag.a flag.B flag.S flag.V opt.verbose opt.disasm opt.tree
#
# -64, -a, -A and -B change nothing, -32 is refused; -V; -S prints the code and traces, tree, verbose and disasm
# choose what is printed, on standard error.
. "$(dirname "$0")/../lib.sh"

one='BEGIN { trace(1); exit(0); }'
for flag in -64 -a -A -B; do dtx $flag -q -n "$one"; same 1 "$(cat "$tmp/out")" "$flag"; done
"$DTX" -32 -q -n "$one" >"$tmp/out" 2>"$tmp/err" && fail '-32 is accepted'
[ $? = 1 ] && grep -q '64-bit' "$tmp/err" || fail "-32: $(cat "$tmp/err")"
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
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): divide-by-zero at -n:1:8" "$(head -n 2 "$tmp/err")" 'messages under another name'
"$tmp/dtrace" -lV 2>&1 | grep -q '^dtrace: only one' || fail 'usage under another name'
