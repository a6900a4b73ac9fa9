#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A full table of stacks: the firings with a stack and the stack drops together are the firings.
. "$(dirname "$0")/../lib.sh"

dtx -qx nstacks=1 -n 'syscall:::entry /pid == $target/ { @[ustack()] = count(); @all = count(); }
	END { printa("stack%k%@d\n", @); printa("all %@d\n", @all); }' -c 'ls -l /proc/self'
all=$(sed -n 's/^all //p' "$tmp/out")
lost=$(awk '/^dtx: [0-9]+ stack drops?$/ { n += $2 } END { print n + 0 }' "$tmp/err")
# A key without a stack has no frames between "stack" and the count.
with=$(awk '/^stack/ { frames = 0 } /[`+]|0x/ { frames = 1 } frames && /^ *[0-9]+$/ { n += $1 } END { print n + 0 }' "$tmp/out")
[ "$lost" -gt 0 ] && [ "$with" -gt 0 ] || fail "nothing was lost: $(cat "$tmp/err" "$tmp/out")"
[ $((with + lost)) = "$all" ] || fail "$with with a stack and $lost lost of $all: $(cat "$tmp/out")"
