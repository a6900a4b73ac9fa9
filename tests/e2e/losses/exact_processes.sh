#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 120
#
# Threads and processes that die with self-> set lose nothing and leave no room taken: DTX_PROCESSES (10000) of them.
. "$(dirname "$0")/../lib.sh"

n=${DTX_PROCESSES:-10000}
[ -z "${DTX_GUEST:-}" ] || n=500
dtx -x strict -qn 'syscall::getpgid:entry /progenyof($target)/ { self->arg = arg0 + 1; self->time = timestamp; @entries = count(); }
	syscall::getpgid:return /self->arg/ { @returns = count(); @sum = sum(self->arg - 1); }
	END { printa("%@d %@d %@d\n", @entries, @returns, @sum); }' -c "$t/forks $n 2"
want="$((2 * n)) $((2 * n)) $((n * (n - 1)))"
[ "$(grep . "$tmp/out")" = "$want" ] || fail "$(cat "$tmp/out" "$tmp/err"), not $want"
