#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A key that is an element of an array, which has a key of its own: the keys beside it stay what they are.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'syscall::read:entry /execname == "known-reads"/ {
		stacks["of the first"] = ustack(); numbers[1] = 78; addresses[78, "in"] = 255;
		@k["before", stacks["of the first"], "behind", numbers[1]] = count();
		@s["before", ufunc(addresses[numbers[1], "in"]), "behind", numbers[1]] = count();
	} END { printa("%s|%k|%s|%d|%@d\n", @k); printa("%s|%A|%s|%d|%@d\n", @s); }' -c "$t/reads 10:10"
same "$(printf 'before|\n|behind|78|10\nbefore|0xff|behind|78|10')" "$(grep -a '|' "$tmp/out")" "the keys"
grep -q '^[^ ]*`[a-z]' "$tmp/out" || fail "the stack is not there"
