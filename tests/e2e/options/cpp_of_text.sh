#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# With -C, text on the command line that has lines for the preprocessor is given to it, and all of
# it with -D.
# needs: gcc
. "$(dirname "$0")/../lib.sh"

dtx -C -qn '#include <sys/socket.h>
#define MORE 3
BEGIN { printf("%d\n", AF_INET + MORE); exit(0); }'
same 5 "$(grep . "$tmp/out")" "-C -n"
dtx -C -qn 'BEGIN { printf("%d\n", 4); exit(0); }'
same 4 "$(grep . "$tmp/out")" "-C -n without such lines"
dtx -C -D MORE=7 -qn 'BEGIN { printf("%d\n", MORE); exit(0); }'
same 7 "$(grep . "$tmp/out")" "-C -D -n without such lines"
"$DTX" -e -D MORE=7 -n 'BEGIN { trace(MORE); }' 2>"$tmp/err" && fail "a name that nobody defines"
grep -q 'warning: -D defines nothing without -C' "$tmp/err" || fail "-D without -C: $(cat "$tmp/err")"
