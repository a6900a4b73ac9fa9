#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# where: guest
# timeout: 60
#
# rawfbt: a function's entries and returns as fbt has them, with arguments by register and without types; the clones that fbt
# leaves out are listed and can be enabled; nothing is listed unless the provider is named.
. "$(dirname "$0")/../lib.sh"

dtx -n 'rawfbt::vfs_read:entry /pid == $target && arg2 == 100/ { @["entries"] = count(); }
	rawfbt::vfs_read:return /pid == $target && arg1 == 100/ { @["returns"] = count(); }' -c "$t/reads 100:300"
same "300 300" "$(value entries) $(value returns)" "not the reads made: $(cat "$tmp/out" "$tmp/err")"
"$DTX" -n 'rawfbt::vfs_read:entry { trace(args[0]); }' 2>"$tmp/err" && fail "args[0] has a type"
grep -q D_ARGS_IDX "$tmp/err" || { cat "$tmp/err" >&2; fail "args[0] is not refused as it should be"; }
"$DTX" -ln '::vfs_read:entry' >"$tmp/out" || fail "vfs_read is not listed"
grep -q rawfbt "$tmp/out" && fail "rawfbt is listed though it was not named"

dtx -lP rawfbt
awk '$2 == "rawfbt" && $4 ~ /\.(isra|constprop|part)/ && $5 == "entry" { print $4 }' "$tmp/out" >"$tmp/clones"
dtx -ln 'fbt:::entry'
grep -F . <(awk '$2 == "fbt" { print $4 }' "$tmp/out") && fail "a clone is listed by fbt"
[ -s "$tmp/clones" ] || skip "this kernel has no clones that can be traced"
sort -u "$tmp/clones" | awk 'NR % 40 == 1' | head -n 5 >"$tmp/some"
dtx -vqn "$(sed 's/.*/rawfbt::&:entry/' "$tmp/some" | paste -sd ,) { @ = count(); } BEGIN { exit(0); }"
grep 'not attached' "$tmp/err" >&2 && fail "a clone is listed, but not to be had"
same "$(wc -l <"$tmp/some")" "$(grep -oE '[0-9]+ functions? by' "$tmp/err" | awk '{ n += $1 } END { print n + 0 }')" "clones attached"
