#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: opt.syslibdir opt.nolibs opt.noresolve
#
# syslibdir replaces the library, nolibs leaves it out; noresolve shows user addresses as object and offset.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/lib" && printf 'inline int MINE = 41;\n' >"$tmp/lib/mine.d"
dtx -q -x syslibdir="$tmp/lib" -n 'BEGIN { trace(MINE + 1); exit(0); }'
same 42 "$(cat "$tmp/out")" syslibdir
"$DTX" -q -x nolibs -x syslibdir="$tmp/lib" -n 'BEGIN { trace(MINE); exit(0); }' 2>/dev/null && fail 'nolibs reads a library'
dtx -q -x noresolve -c "$t/sleeper 1" -n 'pid$target:a.out:nap:entry { ustack(1); }'
grep -qE '^              sleeper:0x[0-9a-f]+$' "$tmp/out" || fail "noresolve: $(cat "$tmp/out")"
