#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A full aggregation: the counts of the keys that are there and the drops together are the firings.
. "$(dirname "$0")/../lib.sh"

dtx -qx aggsize=1k -n 'syscall::getpgid:entry /pid == $target/ { @[arg0] = count(); @all = count(); }' -c "$t/threads 2 4000 syscall"
kept=$(awk 'NF == 2 { n += $2 } END { print n + 0 }' "$tmp/out")
lost=$(awk '/^dtx: [0-9]+ aggregation drops? on CPU [0-9]+$/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ "$lost" -gt 0 ] || fail "nothing was lost: $(cat "$tmp/err")"
accounts $((kept + lost)) 8000 || fail "$kept counted and $lost lost of 8000"
accounts "$(awk 'NF == 1 { print $1 }' "$tmp/out")" 8000 || fail "the other aggregation does not have 8000: $(cat "$tmp/out")"

# As many keys as a busy host has fit without options; where maps cannot grow fewer do, and the others are counted.
dtx -qn 'syscall::getpgid:entry /pid == $target/ { @[arg0] = count(); } END { printa(@); }' -c "$t/threads 2 50000 syscall"
keys=$(grep -c . "$tmp/out") lost=$(awk '/^dtx: [0-9]+ aggregation drops? on CPU [0-9]+$/ { n += $2 } END { print n + 0 }' "$tmp/err")
accounts $((keys + lost)) 100000 || fail "$keys keys and $lost lost of 100000"
"$DTX" --features | grep -qE '^hash-alloc +no' || [ "$keys" = 100000 ] || fail "$keys keys of 100000"

# A size below that of many keys is kept too, and one key always fits.
dtx -qx aggsize=64 -n 'BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); @[4] = count(); @[5] = count();
	@[6] = count(); @[7] = count(); @[8] = count(); @[9] = count(); @[10] = count(); @[11] = count(); exit(0); }' -x cpu=0
keys=$(grep -c . "$tmp/out") lost=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ "$lost" -gt 0 ] || [ "$(nproc --all)" -gt 2 ] || fail "64 bytes hold 11 keys"
[ $((keys + lost)) = 11 ] && [ "$keys" -gt 0 ] || fail "$keys keys and $lost lost of 11"
