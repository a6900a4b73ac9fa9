#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
#
# Stacks of one place, taken to several depths, are in a store each: none is taken for known because another store has
# the same hash, and each firing counts. Two, twenty and thirty frames are hashed in the program, a hundred are not.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'syscall::getppid:entry /pid == $target/ { @a[stack(2)] = count(); @b[stack()] = count(); @d[stack(30)] = count(); @c[stack(100)] = count(); }' -c "$t/syscalls 3"
awk '/`/ { last = $1; if (!first) first = $1 } NF == 1 && /^ *[0-9]+$/ { print first, $1; first = "" }' "$tmp/out" >"$tmp/rows"
first=$(head -n 1 "$tmp/rows")
[ "$first" != "${first#*[a-z]}" ] && [ "${first##* }" = 300 ] || fail "the first row is '$first': $(cat "$tmp/out")"
same "$first
$first
$first
$first" "$(cat "$tmp/rows")" 'the stacks differ'
