#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: var.walltimestamp var.vtimestamp
#
# walltimestamp is the time of day; vtimestamp goes on while the thread computes and stands while it sleeps.
. "$(dirname "$0")/../lib.sh"

before=$(date +%s%N)
now=$("$DTX" -q -n 'BEGIN { printf("%d", walltimestamp); exit(0); }' | head -n 1)
after=$(date +%s%N)
# The offset between the two clocks is taken when tracing starts.
[ "$before" -lt $((now + 1000000)) ] && [ "$now" -lt $((after + 1000000)) ] || fail "$now is not between $before and $after"

dtx -q -n 'pid$target:a.out:nap:entry { self->v = vtimestamp; self->t = timestamp; }
	pid$target:a.out:nap:return { printf("%d %d\n", vtimestamp - self->v, timestamp - self->t); }' -c "$t/sleeper 300"
read -r virtual wall <"$tmp/out"
[ "$wall" -ge 300000000 ] && [ "$virtual" -lt 100000000 ] || fail "asleep: $virtual of $wall"
dtx -q -n 'pid$target:a.out:work:entry { self->v = vtimestamp; self->t = timestamp; }
	pid$target:a.out:work:return /self->t/ { printf("%d %d\n", vtimestamp - self->v, timestamp - self->t); self->t = 0; }' -c "$t/spin 300"
read -r virtual wall <"$tmp/out"
# The share of a busy machine is unknown; the clock is grained by the tick.
[ "$virtual" -gt 0 ] && [ "$virtual" -le $((wall + 10000000)) ] || fail "computing: $virtual of $wall"
