#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Of ten thousand different stacks none is lost; where there is room for fewer, the others are counted and told.
. "$(dirname "$0")/../lib.sh"

probe='pid$target:deepstacks:call:entry { @[ustack()] = count(); }'
dtx -qn "$probe" -c "$t/deepstacks 10000"
same "" "$(grep -v "% of a CPU" "$tmp/err")" "what is said"
same "10000" "$(grep -c 'deepstacks`main+0x' "$tmp/out")" "stacks"
same "10000" "$(grep -cE '^ +1$' "$tmp/out")" "counts"
"$DTX" -x nstacks=100 -qn "$probe" -c "$t/deepstacks 1000" >"$tmp/out" 2>"$tmp/err"
grep -qE '900 stack drops' "$tmp/err" || fail "$(cat "$tmp/err")"
same "100" "$(grep -c 'deepstacks`main+0x' "$tmp/out")" "stacks kept"
