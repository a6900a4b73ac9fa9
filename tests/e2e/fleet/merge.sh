#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs of several hosts as one: --replay A B C prints aggregations once, added for every function, and the rest with its host. The witness is
# one run that does what the three did.
# needs: root jq python3 syscall:getpriority
# waits: for intervals
# truth: aggregations of several hosts | the merged table of every aggregating function | one run that does what all hosts did
. "$(dirname "$0")/../lib.sh"

# Of host $1 of $2: numbers of its own, keys that all have and keys that only it has.
values='this->v = i * 7 - 30 + h;
	@c = count(); @cs[h % 2 ? "odd" : "even", i % 3] = count(); @s[i % 4] = sum(this->v); @mi[i % 2] = min(this->v + 40); @ma[i % 2] = max(this->v);
	@a = avg(this->v); @sd = stddev(this->v); @q[h] = quantize(this->v); @qs = quantize(this->v); @l = lquantize(this->v, -20, 60, 10);
	@ll = llquantize(this->v, 10, 0, 3, 5); @x[stack()] = count(); @y[(short)h] = sum(-1); @only[h] = max(h - 5);
	@w = sum(0x7fffffffffffffff); @wa = avg(0x7ffffffffffffff0 + h); @wd = stddev(i % 2 ? 0x7fffffffffffffff : -0x7fffffffffffffff);'
step() { printf 'BEGIN { h = %d; i = 0; } BEGIN, BEGIN, BEGIN, BEGIN, BEGIN { %s i++; }\n' "$1" "$values"; }
end='END { printa("%d %@d %@d\n", @ma, @mi); printa("%d %@d %@d\n", @only, @y); normalize(@c, 2); printa(@c); } BEGIN { exit(0); }'
for h in 1 2 3; do dtx -q --record "$tmp/$h" -n "$(step $h) $end"; done
"$DTX" -qn "$(step 1) $(step 2) $(step 3) $end" >"$tmp/one" 2>"$tmp/err" || fail "all in one: $(cat "$tmp/err")"
for order in "$tmp/1 $tmp/2 $tmp/3" "$tmp/3 $tmp/1 $tmp/2"; do
	"$DTX" --replay $order >"$tmp/all" 2>"$tmp/err" || fail "merged: $(cat "$tmp/err")"
	diff "$tmp/one" "$tmp/all" || fail 'the merged tables are not those of one run'
done
# A run of several is a host of another one.
dtx --replay "$tmp"/[12] --record "$tmp/rack"
"$DTX" --replay "$tmp/rack" "$tmp/3" >"$tmp/all" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
diff "$tmp/one" "$tmp/all" || fail 'two levels of merging'
for opt in aggsortrev 'aggsortkey -x aggsortkeypos=1' aggtop=2; do
	"$DTX" -x $opt -qn "$(step 1) $(step 2) $(step 3) $end" >"$tmp/one" 2>"$tmp/err" || fail "$opt: $(cat "$tmp/err")"
	"$DTX" -x $opt --replay "$tmp"/[123] >"$tmp/all" 2>"$tmp/err" || fail "$opt: $(cat "$tmp/err")"
	diff "$tmp/one" "$tmp/all" || fail "with -x $opt"
done

# Lines have their host, and are whole.
host() { dtx -q --record "$tmp/$1" -n 'BEGIN { printf("half "); printf("line of %d\nrest", $1); @ = sum($1); exit(0); }' "$2"; }
host web1 1
host w2 2
merged() { "$DTX" "$@" --replay "$tmp/web1" "$tmp/w2" 2>"$tmp/err" || fail "$(cat "$tmp/err")"; }
same 'web1: half line of 1
w2:   half line of 2
web1: rest
w2:   rest

                3' "$(merged)" 'lines with their host'
same 'half line of 1
resthalf line of 2
rest
                3' "$(merged -x hostprefix=no)" 'without'
merged --format json >"$tmp/json"
tests/output/validate.py "$tmp/json" || fail 'not valid'
same 'web1 w2' "$(jq -r 'select(.type == "record").host' "$tmp/json" | uniq | paste -sd' ')" 'the host in each object'
same 3 "$(jq 'select(.type == "row").value' "$tmp/json")" 'the merged row'
same 'host,time,tid,cpu,probe,text host
web1 w2' "$(merged --format csv | awk -F, '/^host/ { print "host,time,tid,cpu,probe,text", $1 } /^w/ { printf "%s%s", sep, $1; sep = " " } END { print "" }')" 'a column of CSV'
merged --record "$tmp/fleet" >"$tmp/first"
same 'fleet/web1: half line of 1' "$("$DTX" --replay "$tmp/fleet" "$tmp/w2" 2>/dev/null | head -n 1)" 'a host of a host'
"$DTX" --replay "$tmp/fleet" >"$tmp/second" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
cmp "$tmp/first" "$tmp/second" || fail 'a recording of several hosts, replayed'

# One that is cut, and one that is rubbish: named, the others are not harmed.
head -c $(($(stat -c %s "$tmp/w2") - 3)) "$tmp/w2" >"$tmp/cut"
head -c 3000 /dev/urandom >"$tmp/rubbish"
"$DTX" --replay "$tmp/web1" "$tmp/cut" "$tmp/rubbish" >"$tmp/out" 2>"$tmp/err"
grep -q 'cut: its recording ends before its run' "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q 'rubbish: what it sends is no run' "$tmp/err" || fail "$(cat "$tmp/err")"
grep -qx ' *1' "$tmp/out" || fail "$(cat "$tmp/out")"

# printa() in rounds: what each host clears after it has printed is counted once, and a round is one table.
ticks='tick-10ms { @ = count(); @m = max(1); i++; } tick-50ms { printa("round %@d %@d\n", @, @m); trunc(@); trunc(@m); } tick-10ms /i >= 17/ { exit(0); }
	END { printa("round %@d %@d\n", @, @m); }'
for h in 1 2 3; do "$DTX" -q --record "$tmp/t$h" -n "$ticks" >>"$tmp/each" 2>"$tmp/err" || fail "ticks: $(cat "$tmp/err")"; done
"$DTX" --replay "$tmp"/t[123] >"$tmp/all" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
sum() { awk '/round/ { n += $2 } END { print n }' "$1"; }
same "$(sum "$tmp/each")" "$(sum "$tmp/all")" 'all that was counted'
[ $((3 * $(grep -c round "$tmp/all"))) -le $(($(grep -c round "$tmp/each") + 6)) ] || fail "rounds that are not shared: $(cat "$tmp/all")"
same 1 "$(awk '/round/ { print $3 }' "$tmp/all" | sort -u)" 'max() of several is no sum'

# What one host shows with printa(), and another one never does: the values of both are there.
shows='BEGIN { @ = sum($1); } BEGIN /$1 == 5/ { printa("shown %@d\n", @); } BEGIN { exit(0); }'
for h in 5 7; do dtx -q --record "$tmp/p$h" -n "$shows" $h; done
same 'shown 5 7' "$("$DTX" -q --replay "$tmp"/p[57] 2>&1 | xargs)" 'shown by one host'

# hostname: the machine where the clause ran, in keys and predicates, and so a label and a column wherever keys are.
dtx -q --record "$tmp/h1" -n 'BEGIN /hostname == "'"$(uname -n)"'"/ { @[hostname] = count(); printf("on %s", hostname); exit(0); }'
same "on $(uname -n)" "$(head -n 1 "$tmp/out")" 'hostname'
if unshare -u true 2>/dev/null; then
	unshare -u sh -c 'hostname another 2>/dev/null || echo another >/proc/sys/kernel/hostname; exec "$@"' - "$DTX" -q --record "$tmp/h2" -n \
		'BEGIN { @[hostname] = count(); exit(0); }' >"$tmp/out" 2>&1 || fail "$(cat "$tmp/out")"
	grep -q '^  another  *1$' "$tmp/out" || fail "the name at the start: $(cat "$tmp/out")"
fi

# What is not exact is said; what cannot be is refused.
for h in 1 2; do "$DTX" -q --record "$tmp/n$h" -n "BEGIN { @ = count(); @t[\$1] = count(); trunc(@t, 1); normalize(@, \$1); exit(\$1); }" $h >"$tmp/out" 2>&1; done
"$DTX" --replay "$tmp"/n[12] >"$tmp/out" 2>"$tmp/err"
grep -q 'normalized @_ by different factors' "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q 'trunc(@t, n) cuts the table of each host' "$tmp/err" || fail "$(cat "$tmp/err")"
refused 'not there for a run of several hosts' --replay "$tmp/n1" "$tmp/n2" --trace "$tmp/line"
refused 'not there for a run of several hosts' --replay "$tmp/n1" "$tmp/n2" --perfetto "$tmp/line"
refused 'csvdir is not there' --replay "$tmp/n1" "$tmp/n2" -x csvdir="$tmp/tables"
refused 'cannot read the recording' --replay "$tmp/n1" "$tmp/nothing"

# A host that dies keeps what it had told: its last state.
for h in 1 2; do "$DTX" -q --record "$tmp/s$h" -x refresh=50ms -n 'BEGIN { i = 0; } tick-10ms { @[i++ % 3] = count(); @s[i % 3] = sum(-1); } tick-300ms { exit(0); }' >"$tmp/so$h" 2>&1 || fail "$(cat "$tmp/so$h")"; done
total() { awk 'NF == 2 && $2 > 0 { n += $2 } END { print n + 0 }' "$1"; }
dtx --replay "$tmp"/s[12]
one=$(total "$tmp/so1") both=$(($(total "$tmp/so1") + $(total "$tmp/so2")))
same "$both" "$(total "$tmp/out")" 'states, then the end'
head -c $(($(stat -c %s "$tmp/s2") - 300)) "$tmp/s2" >"$tmp/dies"
"$DTX" --replay "$tmp/s1" "$tmp/dies" >"$tmp/out" 2>"$tmp/err"
[ "$(total "$tmp/out")" -gt "$one" ] && [ "$(total "$tmp/out")" -lt "$both" ] || fail "of $one and $both: $(cat "$tmp/out")"
grep -q 'dies: its recording ends before its run: what it had sent stays' "$tmp/err" || fail "$(cat "$tmp/err")"

# The same if the program prints them in END, which that host has not come to.
for h in 1 2; do "$DTX" -q --record "$tmp/e$h" -x refresh=50ms -n 'BEGIN { i = 0; } tick-10ms { @[i++] = count(); } tick-1300ms { exit(0); } END { printa("row %d %@d\n", @); }' >"$tmp/eo$h" 2>&1 || fail "$(cat "$tmp/eo$h")"; done
head -c $(($(stat -c %s "$tmp/e2") - 100)) "$tmp/e2" >"$tmp/dies"      # a block is written each second; its last one is cut
"$DTX" -q --replay "$tmp/e1" "$tmp/dies" >"$tmp/out" 2>"$tmp/err"
same "$(grep -c '^row' "$tmp/eo1")" "$(grep -c '^row .* 1$' "$tmp/out")" 'the host that ended'
[ "$(grep -cE '^ +[0-9]+ +1$' "$tmp/out")" -gt 3 ] || fail "what the other one had told: $(cat "$tmp/out" "$tmp/err")"

# Many keys in an order of its own on each host, of which a few change later: two that die.
# truth: states of hosts whose keys come in other orders | every row of the merged table, with the values told last | the same sums made by awk
cat >"$tmp/calls.py" <<-'E'
	import ctypes, time
	libc = ctypes.CDLL(None)
	for n in 307, 40, 0:
	    for i in range(n): libc.getpriority(0, 0)
	    time.sleep(0.4)
	time.sleep(0.6)
	E
for m in 5 291; do
	"$DTX" -q --record "$tmp/k$m" -x refresh=50ms -c "python3 $tmp/calls.py" -n 'BEGIN { i = 0; } syscall::getpriority:entry
		/pid == $target/ { @[i * $1 % 307] = sum(i * i * 70001); @q[i * $1 % 307] = quantize(i); i++; }' $m >"$tmp/ko$m" 2>&1 &
done
wait
for m in 5 291; do head -c $(($(stat -c %s "$tmp/k$m") - 100)) "$tmp/k$m" >"$tmp/d$m"; done
"$DTX" -q --replay "$tmp/d5" "$tmp/d291" >"$tmp/out" 2>"$tmp/err"
same 2 "$(grep -c 'what it had sent stays' "$tmp/err")" 'both end too early'
awk 'BEGIN { for (i = 0; i < 347; i++) { s[i * 5 % 307] += i * i * 70001; s[i * 291 % 307] += i * i * 70001 } for (k in s) printf "%d %.0f\n", k, s[k] }' | sort >"$tmp/own"
awk 'NF == 2 && $2 !~ /-/ { print $1, $2 }' "$tmp/out" | sort | diff "$tmp/own" - || fail 'the last states of two hosts'
same 694 "$(awk '$2 ~ /^\|/ { n += $NF } END { print n }' "$tmp/out")" 'each call in a histogram'

# exit() ends the run of its host; with -x exit=all those of all.
leave='BEGIN { i = 0; } tick-10ms { printf("still here\n"); } tick-10ms /i++ >= $1/ { exit($1); } END { @ = count(); }'
"$DTX" -q --record "$tmp/leaves" -n "$leave" 3 >"$tmp/out" 2>&1 && fail 'the status of exit()'
"$DTX" -q --record "$tmp/stays" -n "$leave" 20 >"$tmp/out" 2>&1 && fail 'the status of exit()'
"$DTX" --replay "$tmp/leaves" "$tmp/stays" >"$tmp/host" 2>&1
"$DTX" -x exit=all --replay "$tmp/leaves" "$tmp/stays" >"$tmp/all" 2>&1
[ "$(grep -c '^stays: ' "$tmp/host")" -ge 20 ] || fail "exit() of one host: $(cat "$tmp/host")"
[ "$(grep -c '^stays: ' "$tmp/all")" -lt 20 ] || fail "exit() with exit=all: $(cat "$tmp/all")"

# Two values of the first key are compared: hosts, or anything else.
dtx -q --stacks folded="$tmp/folded" -x diff=web1,web3:web2 -n 'BEGIN { @["web1", "x", stack(1)] = sum(3); @["web2", "x", stack(1)] = sum(5); @["web3", "x", stack(1)] = sum(4); @["db", "x", stack(1)] = sum(9); exit(0); }'
same '7 5' "$(awk '{ o += $(NF - 1); n += $NF } END { print o, n }' "$tmp/folded")" 'two groups compared'
same 0 "$(grep -c web "$tmp/folded")" 'both sides have the same names'
refused 'has no key to compare by' -q --stacks folded="$tmp/folded" -x diff=web1:web2 -n 'BEGIN { @[stack(1)] = count(); exit(0); }'
dtx -q --stacks folded="$tmp/folded" -x diff=web1:web2 -n 'BEGIN { @["web1", stack(1)] = sum(3); @["web2", stack(1)] = sum(5); exit(0); }'
same '(no stack) 3 5' "$(cat "$tmp/folded")" 'the only other key is an empty stack'
dtx -q --stacks folded="$tmp/folded" -x diff=web1:web9 -n 'BEGIN { @["web1", stack(1)] = sum(3); exit(0); }'
same "dtx: warning: option diff: no stack has 'web9' as its first key: nothing of it is in $tmp/folded" "$(grep '^dtx: ' "$tmp/err")" 'a name that no row has'
