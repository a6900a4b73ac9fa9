#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# -x every=TIME prints what END and the end print, and begins anew: each of a program's calls is in one table, in none twice, whatever
# is read meanwhile. TOOL TIME COUNT prints COUNT times.
# truth: -x every | calls in each table | the program's own calls: together as many
. "$(dirname "$0")/../lib.sh"

calls=300000
writer="dd if=/dev/zero of=/dev/null bs=1 count=$calls status=none"
together() { awk -v word="$1" '$1 == word { n += $NF } END { printf "%.0f\n", n }' "$tmp/out"; }
tables() { grep -c "^$1" "$tmp/out"; }

# With keys, without, with buckets and stacks; printed by END, and by dtx itself; the last two are of the values that are left.
dtx -q -x every=50ms -c "$writer" -n 'syscall::write:entry /pid == $target/ {
		@keys["keys"] = count(); @["left", arg0] = count(); @sum = sum(2); @wide["wide"] = sum(arg2 << 34);
		@average["average"] = avg(arg2); @least["least"] = min(arg2); @sizes = quantize(arg2); @stack[ustack(1)] = count(); }
	BEGIN { @keys["first"] = count(); }
	END { printf("table\n"); printa("%s %@d\n", @keys); printa("sum %@d\n", @sum); printa("%s %@d\n", @wide); printa("%s %@d\n", @average);
		printa("%s %@d\n", @least); printa("sizes %@d\n", @sizes); printa("stack %k%@d\n", @stack); }'
same $calls "$(together keys)" 'calls by key'
same $calls "$(together left)" 'calls that dtx prints itself'
same $((2 * calls)) "$(together sum)" 'a sum without a key'
same $((calls << 34)) "$(together wide)" 'a sum of more than 32 bits'
same $calls "$(awk '/^ *1 \|/ { n += $NF } END { print n + 0 }' "$tmp/out")" 'a histogram'
same $calls "$(awk '/^stack/ { on = 1; next } on && NF == 1 && /^[0-9]+$/ { n += $1 } NF == 2 { on = 0 } END { print n + 0 }' "$tmp/out")" 'stacks'
same 1 "$(together first)" 'a key of before has no row in later tables'
[ "$(tables table)" -gt 1 ] || fail "one table: $(cat "$tmp/out")"
! grep -E '^(keys|average|least) 0$' "$tmp/out" || fail "rows of nothing: $(cat "$tmp/out")"
[ ! -s "$tmp/err" ] || fail "told: $(cat "$tmp/err")"

# As often as the times say; the last table is that of the end.
dtx -q -x every=400ms --duration 1400ms -n 'END { printf("table\n"); }'
same 4 "$(tables table)" '3 times 400 ms, and the rest'
dtx -q -x every=400ms --duration 1200ms -n 'END { printf("table\n"); }'
same 3 "$(tables table)" '3 times 400 ms'
dtx -q -x every=400ms -x cumulative --duration 1200ms -n 'BEGIN { @ = count(); } END { printa("table %@d\n", @); }'
same 'table 1
table 1
table 1' "$(sed '/^$/d' "$tmp/out")" 'what is not begun anew'
dtx -q -x every=1s -n 'END { printf("table\n"); } tick-10ms { exit(0); }'
same 1 "$(tables table)" 'an earlier end'

# The tools, as their peers: a time, or so many tables of that time.
for words in '400ms' '400ms 1' '400ms 3' '--every 400ms --duration 1200ms'; do
	# shellcheck disable=SC2086
	dtx syscount $words
	case $words in *3 | *1200ms) n=3 ;; *) n=1 ;; esac
	same $n "$(tables 'CALL ')" "syscount $words"
done
refused "there is no use for the COUNT '3'" opensnoop 1 3
refused "has no use for '0'" syscount 1 0
refused "the least is 1ms" syscount 10us 3
refused 'the option every prints while the program runs, and bufpolicy=fill prints nothing before its end: leave one of them out' -x every=1s -x bufpolicy=fill -n BEGIN
refused '--stacks would keep only the last ones: leave one of them out, or add -x cumulative' -x every=1s --stacks "folded=$tmp/folded" -n \
	'profile-97 { @[stack()] = count(); }'
