#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/lockwait.d: a thread that waits 20 times 5 ms for a mutex.
. "$(dirname "$0")/tool.bash"

own chores known
load <<'END'
./known locks 20 5 >/dev/null
END
tool lockwait -n known -m 1ms
rows '/ us in / { us += $1; n += $4 } END { exit !(us >= 80000 && us < 9000000 && n >= 15) }' || fail "$(cat "$tmp/out")"
tool lockwait -n known -m 1h
same '' "$(cat "$tmp/out")" 'waits of less than an hour'
