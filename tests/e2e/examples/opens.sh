#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/opens.d: all opens of a known program, by name; and one that fails.
. "$(dirname "$0")/tool.bash"

run="$t/syscalls 2" tool opens syscalls
head -n 1 "$tmp/out" | grep -qx '    PID PROGRAM           FD  ERR PATH' || fail "no heading"
n=$(grep -cE '^ *[0-9]+ syscalls +[0-9]+ +0 /dev/null$' "$tmp/out")
[ "$n" = 50 ] || fail "$n opens of /dev/null, not 50"

run="bash -c exec</no/such/file" tool opens known
! grep -q bash "$tmp/out" || fail "another program than the one asked for"

printf 'exec cat /no/such/file 2>/dev/null || :\n' >"$tmp/script"
"$DTX" -qs examples/opens.d cat -c "sh $tmp/script" >"$tmp/out"
grep -qE '^ *[0-9]+ cat +-1 +2 /no/such/file$' "$tmp/out" || fail "the open that fails is not there"
