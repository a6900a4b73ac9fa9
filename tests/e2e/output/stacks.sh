#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes go
# where: native
# row: options.diff
#
# --stacks: the same stack as a folded line, in a profile that pprof reads, and in a flame graph; --diff compares.
. "$(dirname "$0")/../lib.sh"

program='pid$target:a.out:work:entry { @calls[execname, ustack()] = count(); }'

dtx --stacks folded="$tmp/folded" -q -n "$program" -c "$t/spin 1"
grep -qE '^spin;.*main;work 1$' "$tmp/folded" || fail "folded: $(cat "$tmp/folded")"
dtx --stacks pprof="$tmp/pb.gz" -n "$program" -c "$t/spin 1"
grep -q "wrote 1 stack to $tmp/pb.gz" "$tmp/err" || fail "what was written is not said"
HOME=$tmp go tool pprof -top "$tmp/pb.gz" >"$tmp/top" 2>&1 || fail "pprof: $(cat "$tmp/top")"
grep -qE '^ +1 +100% +100% +1 +100% +work' "$tmp/top" && grep -q 'Type: @calls' "$tmp/top" || fail "pprof: $(cat "$tmp/top")"
grep -qE '^ +0 +0% +100% +1 +100% +main' "$tmp/top" || fail "pprof: the caller is missing"
HOME=$tmp go tool pprof -tags "$tmp/pb.gz" 2>&1 | tr -s ' ' | grep -qF '1.0 ( 100%): spin' || fail 'the other key is no label'
dtx --stacks svg="$tmp/svg" --diff "$tmp/folded" -q -n "$program" -c "$t/spin 1"
grep -q '>main</text>' "$tmp/svg" && grep -q '{"old":true' "$tmp/svg" || fail 'svg'

# What the file takes is not printed, too; the other rows are, and so is what printa() prints.
dtx -q --stacks folded="$tmp/folded" -n 'BEGIN { @s["in the file", stack()] = count(); @n["printed"] = count(); exit(0); }'
grep -q 'in the file' "$tmp/out" && fail 'the rows of the file are printed, too'
grep -q 'printed' "$tmp/out" && grep -q 'in the file' "$tmp/folded" || fail "rows are missing: $(cat "$tmp/out")"
dtx -q --stacks folded="$tmp/folded" -n 'BEGIN { @s["asked for", stack()] = count(); printa(@s); exit(0); }'
grep -q 'asked for' "$tmp/out" || fail 'printa() prints nothing'

# two aggregations, each below its name; the rows of a printa() count, not those of the end
dtx -q --stacks folded="$tmp/folded" -n 'BEGIN { @a[1, stack()] = sum(7); @b["x;y", stack()] = quantize(3); printa(@a); clear(@a); exit(0); }'
sed -E 's/;[^ ]*//2g' "$tmp/folded" >"$tmp/cut"
grep -q '^@a;1.* 7$' "$tmp/folded" && grep -q '^@b;x:y.* 1$' "$tmp/folded" || fail "two: $(cat "$tmp/folded")"

# refuse ERROR OPTION…
refuse() {
	local why=$1
	shift
	"$DTX" "$@" >"$tmp/out" 2>"$tmp/err" && fail "$* is accepted"
	grep -qF "$why" "$tmp/err" || fail "$*: $(cat "$tmp/err")"
}
refuse "'png' is no format of stacks; it is folded, pprof or svg" --stacks png -n 'BEGIN { @[stack()] = count(); }'
refuse 'no aggregation of the program has a stack as key' --stacks svg="$tmp/x" -n 'BEGIN { @[pid] = count(); }'
refuse "cannot open $tmp/none/x (option stacks)" --stacks svg="$tmp/none/x" -n 'BEGIN { @[stack()] = count(); }'
refuse 'go tool pprof -diff_base' --stacks pprof="$tmp/x" --diff "$tmp/folded" -n 'BEGIN { @[stack()] = count(); }'
echo 'main;a' >"$tmp/bad"
refuse "line 1 of $tmp/bad is no folded stack" --stacks svg="$tmp/x" --diff "$tmp/bad" -n 'BEGIN { @[stack()] = count(); }'
refuse "cannot read $tmp/none" --stacks svg="$tmp/x" --diff "$tmp/none" -n 'BEGIN { @[stack()] = count(); }'
[ ! -e /dev/full ] || { "$DTX" -q --stacks svg=/dev/full -n 'BEGIN { @[stack()] = count(); exit(0); }' >"$tmp/out" 2>"$tmp/err" && fail 'a full disk is no error'
	grep -q 'No space left' "$tmp/err" || fail "full disk: $(cat "$tmp/err")"; }

# Samples on the CPU and time off it are one graph: each sample stands for the period of its timer.
# truth: flame graph | samples of profile-499 and off-CPU time on one scale | the totals that the program prints
dtx -q --stacks svg="$tmp/wall.svg" --duration 1s -n 'profile-499 { @on[stack()] = count(); @ons = count(); }
	sched:::off-cpu { self->since = timestamp; }
	sched:::on-cpu /self->since/ { @off[stack()] = sum(timestamp - self->since); @offs = sum(timestamp - self->since); self->since = 0; }
	END { printa("on %@u\n", @ons); printa("off %@d\n", @offs); }'
/usr/bin/python3 - "$tmp/wall.svg" "$tmp/out" <<'END' || fail 'on and off the CPU have no common scale'
import json, re, sys
data = json.loads(re.search(r'\{"old":.*?\}(?=\]\]>|<)', open(sys.argv[1]).read(), re.S).group())
told = dict(re.findall(r"^(on|off) (\d+)", open(sys.argv[2]).read(), re.M))
ns = sum(data["nodes"][2::3])
want = int(told["on"]) * (1000000000 // 499) + int(told["off"])
if data["unit"] != "ns" or ns != want or "count() × 2 ms" not in data["title"]:
    sys.exit(f'{data["unit"]} {ns} {want} {data["title"]}')
END

# The time of the run is that of its tracing: what follows (naming, END) is no part of it.
dtx -q -w --stacks svg="$tmp/time.svg" -n 'profile-97 { @[stack()] = count(); } tick-500ms { exit(0); } END { system("sleep 3"); }'
took=$(grep -o '[0-9.]* s: profile-97' "$tmp/time.svg")
awk -v s="${took%% *}" 'BEGIN { exit !(s >= 0.5 && s < 3) }' || fail "half a second is told as $took"

# Where a function is, as the graph tells it: the object, and with stacklines the file of the source.
dtx -q --stacks svg="$tmp/lines.svg" -x stacklines -n 'pid$target:deepstacks:call:entry { @[ustack(2)] = count(); }' -c "$DTX_TRIGGERS/deepstacks 1"
grep -q '"objects":\[.*"deepstacks, [^"]*deepstacks\.c"' "$tmp/lines.svg" || fail 'no file of the source'
exit 0
