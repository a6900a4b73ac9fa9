#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Other outputs of a run of hosts: --serve, --live, a flame graph of what differs between two of them.
# needs: root syscall:getpriority unshare tmux curl
# where: native
# timeout: 90
. "$(dirname "$0")/../live/terminal.bash"
plain 'the library that --serve loads is not instrumented'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

export XDG_CACHE_HOME=$tmp/cache
cat >"$tmp/host" <<-E
	#!/bin/sh
	exec unshare --uts sh -c 'hostname "\$1"; exec $(realpath "$(dirname "$DTX")")/dtx-run --agent' sh "\$1"
	E
chmod +x "$tmp/host"
cat >"$tmp/p.d" <<-'D'
	BEGIN { @n[hostname, "part"] = sum(hostname == "web1" ? 30 : 50); @all["sum"] = sum(hostname == "web1" ? 30 : 50); printf("line of %s\n", hostname); }
	BEGIN { @st[hostname, "x", stack(1)] = sum(hostname == "web1" ? 3 : 5); }
	tick-100ms { @r[hostname] = count(); }
D
hosts=(--hosts web1,web2 --via "$tmp/host %h" -x hostwait=1m)

# truth: --serve of a fleet | rows by host, the sum of all, lines with their host, labels of metrics | constants of the program
"$DTX" "${hosts[@]}" -q --serve 0 -s "$tmp/p.d" >"$tmp/out" 2>"$tmp/err" & pid=$!
awaits grep -qs 'serving http[^ ]*$' "$tmp/err"
link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
get() { curl -s --max-time 5 "${link%%\?*}$1${1:+$([[ $1 = *\?* ]] && echo '&' || echo '?')}${link#*\?}" >"$tmp/answer"; }
has() { get "$1" && grep -qE -- "$2" "$tmp/answer"; }
for row in '"web2","part",50' '"web1","part",30'; do
	awaits has 'rows?agg=0' "\\[$row"
done
has 'rows?agg=1' '\["sum",80' || fail "the sum: $(cat "$tmp/answer")"
has log 'web1: *line of web1' && has log 'web2: *line of web2' || fail "the log: $(cat "$tmp/answer")"
has metrics '"web1".* 30$' && has metrics '"web2".* 50$' || fail "metrics: $(cat "$tmp/answer")"
kill -TERM $pid
wait $pid || fail "the run ended with $?: $(cat "$tmp/err")"

# truth: flame graph of two hosts, --diff web1:web2 | old and new value of a stack | constants of the program
sed 's/^tick.*/tick-300ms { exit(0); }/' "$tmp/p.d" >"$tmp/short.d"
dtx "${hosts[@]}" -q --stacks folded="$tmp/folded" --diff web1:web2 -s "$tmp/short.d"
same 'x 3 5' "$(tail -n 1 "$tmp/folded")" "the hosts compared: $(cat "$tmp/folded")"

# Live: hosts are a column, keys sort by them and leave one; lines have their host. The end is that of one machine.
# truth: --live of a fleet | rows by host, sorted; those of one host; the total; lines with their host | constants of the program
terminal 140 30
line '$DTX -q --hosts web1,web2 --via "'"$tmp/host"' %h" -x hostwait=1m --live --refresh 200ms -s '"$tmp/p.d"
wait_for '^  web1 +part +30' 60
wait_for '^ @n .*2 keys  total 80 '
wait_for '^   web1: line of web1'
rows() { screen | sed -nE 's/^  (web[12]) +part +([0-9]+) .*/\1 \2/p' | xargs; }
awaits eval '[ "$(rows)" = "web2 50 web1 30" ]'
keys r
awaits eval '[ "$(rows)" = "web1 30 web2 50" ]'
keys / web2 Enter
awaits eval '[ "$(rows)" = "web2 50" ]'
wait_for "^ @n .*2 keys  total 80 .*filter 'web2': 1"
keys q
wait_for '^status 0'
screen | grep -qE '^ +web1 +part +30$' || fail "no table at the end: $(screen)"
