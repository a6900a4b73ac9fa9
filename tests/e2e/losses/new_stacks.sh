#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
# truth: more different stacks than the kernel's tables hold | a row for each, their sum, nothing lost | the number of calls
#
# Stacks as keys that are all new, more than the tables of stacks and of rows hold: they are taken out while the program runs. clear() and
# trunc() count as if all rows were in one table.
. "$(dirname "$0")/../lib.sh"

# rows: how many have a whole stack, and the sum of all
rows() { awk '/deepstacks`main\+0x/ { whole = 1 } /^ *[0-9]+$/ { n += whole; sum += $1; whole = 0 } END { print n, sum }' "$tmp/out"; }

n=40000
dtx -qn 'pid$target:deepstacks:call:entry { @[ustack(512)] = count(); @least[ustack(3), arg0] = min(arg0 + 1); }
	END { printa("%k%@d\n", @); trunc(@least, -3); printa("least %@d\n", @least); clear(@least); printa("cleared %@d\n", @least); }' \
	-c "$t/deepstacks $n 16"
same "" "$(grep -v "% of a CPU" "$tmp/err")" "what is said"
same "$n $n" "$(rows)" "rows with a whole stack, and their sum"
same "least 1 least 2 least 3" "$(grep -o 'least .*' "$tmp/out" | paste -sd' ')" "the least three"
same "3" "$(grep -c cleared "$tmp/out")" "rows that are cleared"

# A limit that the user gives is one.
n=3000
dtx -x aggsize=16k -qn 'pid$target:deepstacks:call:entry { @[ustack()] = count(); }' -c "$t/deepstacks $n"
lost=$(awk '/^dtx: [0-9]+ aggregation drops? on CPU/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ "$lost" -gt 0 ] || fail "nothing was lost"
same "$((n - lost)) $((n - lost))" "$(rows)" "rows, where there is room for some"
