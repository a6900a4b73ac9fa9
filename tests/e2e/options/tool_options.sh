#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What every tool takes, whatever it declares: --top, --name, and its times as operands.
. "$(dirname "$0")/../lib.sh"

tool() { printf '#!/usr/bin/dtx -qs\n%s\n' "$1" >"$tmp/tool.d"; }
# gives OUTPUT ARG…
gives() { same "$1" "$("$DTX" "$tmp/tool.d" "${@:2}" 2>&1)" "with: ${*:2}"; }

tool '#pragma D param every int 3 "rows"
BEGIN { @[1] = sum(1); @[2] = sum(2); @[3] = sum(3); exit(0); } END { printa("%d ", @); }'
gives '1 2 3 '
gives '3 ' -t1
gives '2 3 ' --top 2
gives "dtx: tool.d: --top takes a whole number, as in 10, not 'x'" -t x

# Only threads of the name: the commands that the shell below becomes.
tool '#pragma D param every int 3 "rows"
syscall::getppid:entry { @[execname] = count(); } END { printa("%s %@d\n", @); }'
for name in one two; do ln -s "$(readlink -f "$DTX_TRIGGERS/forker")" "$tmp/$name"; done
gives $'two 10' -n two -c "sh -c '$tmp/one </dev/null; $tmp/two </dev/null'"

# What a tool declares itself is its own.
tool '#pragma D param top,t string "its top"
#pragma D param total,n flag "its total"
BEGIN { printf("%s %d", $top, $total); exit(0); }'
gives 'x 1' -t x -n
"$DTX" "$tmp/tool.d" --help | grep -qx '      --name TEXT          only threads of this name' || fail 'a letter is used twice'

# TOOL INTERVAL COUNT, TOOL TIME, each after the operands that the program uses.
tool '#pragma D param interval,i time 1s "between"
#pragma D param count int 0 "lines"
BEGIN { printf("%d %d", $interval / 1000000, $count); exit(0); }'
gives '1000 0'
gives '200 0' 200ms
gives '5000 7' 5 7
"$DTX" "$tmp/tool.d" soon 2>&1 | grep -q "operand 'soon' is not used" || fail 'no interval is accepted'
"$DTX" "$tmp/tool.d" 5 7 9 2>&1 | grep -q "operand '9' is not used" || fail 'an operand too many is accepted'
tool '#pragma D param every int 3 "rows"
/* $9 is not used, nor is "$8" */
tick-20ms { n++; } tick-20ms /n == 3/ { printf("$1=%d\n", $1); } END { printf("end"); }'
gives $'$1=4\nend' 4 200ms
gives $'end' 4 30ms
tool '#pragma D param limit int 3 "rows"
tick-20ms /++n == 3/ { printf("%d", n); } END { printf(" end"); }'
gives '3 end' 90ms 1
gives $'3 end\n end' 90ms 2
tool '#pragma D param limit int 3 "rows"
tick-20ms /++n == 3/ { printf("%d", n); }'
"$DTX" "$tmp/tool.d" 90ms 2 2>&1 | grep -q "operand '2' is not used" || fail 'a count is accepted where there is no table'
tool '#pragma D param every time 365d "between"
#pragma D param count int 0 "tables"
tick-$every { n++; printf("%d/%d ", n, $count); } tick-$every /n == $count/ { exit(0); } END { printf("%d", $every / 1000000); }'
gives '1/3 2/3 3/3 20' 20ms 3
gives 31536000000 60ms
gives 31536000000 60ms 1
for name in biolatency cpudist hardirqs runqlat runqlen softirqs; do
	"$DTX" $name 100ms 2 >"$tmp/out" 2>"$tmp/err" || grep -q 'matches no probe' "$tmp/err" || fail "$name: $(cat "$tmp/err")"
done
# The tables begin anew: each has the firings of its time, and all of them the whole.
"$DTX" softirqs 100ms 3 >"$tmp/out" 2>"$tmp/err" || grep -q 'matches no probe' "$tmp/err" || fail "softirqs: $(cat "$tmp/err")"
[ -s "$tmp/err" ] || same 3 "$(grep -c '^SOFTIRQ' "$tmp/out")" "tables of softirqs: $(cat "$tmp/out")"

tool '#pragma D param every int 3 "rows"
BEGIN { c = '\''"'\''; n = $1; printf("%d", n); exit(0); }'
gives 10 10

# A number is seconds, wherever a time is meant.
same 3 "$("$DTX" -qn 'tick-20ms /++n == 3/ { printf("%d", n); exit(0); }' --duration 60 -x refresh=2)" '--duration 60 has ended'

# truth: tools of files, --file | only rows of paths that have the text | a job that reads two files
# Tools of files: only what has the text in its path.
printf 'a\n' >"$tmp/wanted"
printf '#!/bin/sh\nfor f in %s/wanted /etc/passwd; do cat $f >/dev/null; ls $f >/dev/null; done\n' "$tmp" >"$tmp/job"
chmod +x "$tmp/job"
for name in opensnoop statsnoop 'fileslower -m 0' filetop; do
	"$DTX" $name --file "${tmp##*/}/want" -c "$tmp/job" >"$tmp/out" 2>&1
	grep -q "${tmp##*/}/wanted\$" "$tmp/out" || fail "$name --file: no row: $(cat "$tmp/out")"
	! grep -q ' /etc/passwd$' "$tmp/out" || fail "$name --file: others, too"
done
