#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Hosts that call themselves alike are one row by `hostname`: they are named, once, if the program reads it.
# needs: root unshare
# timeout: 120
. "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$tmp/cache
cat >"$tmp/host" <<-E
	#!/bin/sh
	name=\$1
	[ "\${name#web}" = "\$name" ] || name=localhost
	exec unshare --uts sh -c 'hostname "\$1"; exec $(realpath "$(dirname "$DTX")")/dtx-run --agent' sh "\$name"
	E
chmod +x "$tmp/host"
fleet() { timeout 60 "$DTX" --hosts "$1" --via "$tmp/host %h" -x hostwait=1m "${@:2}" >"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp/out" "$tmp/err")"; }

alike() { echo "dtx: warning: $1 call themselves 'localhost' (uname -n): hostname does not tell them apart"; }
for by in '@[hostname]' 'this->h = hostname; @[strjoin(this->h, "")]'; do
	fleet web1,db1,web2 -qn "BEGIN { $by = count(); exit(0); }"
	same 'db1 1 localhost 2' "$(xargs <"$tmp/out")" "$by"
	same "$(alike 'web1 and web2')" "$(cat "$tmp/err")" "$by: what is told"
done
fleet 'web[1-8]' -qn 'BEGIN { @[hostname] = count(); exit(0); }'
same "$(alike 'web1, web2, web3, web4, web5 and 3 more')" "$(cat "$tmp/err")" 'many'

# Told before the end, and in what is recorded.
rm "$tmp/err"
"$DTX" --hosts web1,web2 --via "$tmp/host %h" -x hostwait=1m -q --record "$tmp/both" -n 'BEGIN { @[hostname] = count(); } tick-1s { @t = count(); }' >"$tmp/out" 2>"$tmp/err" & pid=$!
awaits grep -qs "call themselves" "$tmp/err"
kill -TERM $pid
wait $pid
"$DTX" --replay "$tmp/both" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "$(alike 'web1 and web2')" "$(cat "$tmp/err")" 'a recording of both'

# Nothing is told of other programs, and of names that differ.
fleet web1,web2 -qn 'BEGIN { @["x"] = count(); exit(0); }'
same '' "$(cat "$tmp/err")" 'without hostname'
fleet web1,db1,db2 -qn 'BEGIN { @[hostname] = count(); exit(0); }'
same '' "$(cat "$tmp/err")" 'names that differ'

# Recordings of one machine.
for h in 1 2; do dtx -q --record "$tmp/r$h" -n 'BEGIN { @[hostname] = count(); exit(0); }'; done
"$DTX" --replay "$tmp/r1" "$tmp/r2" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "dtx: warning: r1 and r2 call themselves '$(uname -n)' (uname -n): hostname does not tell them apart" "$(cat "$tmp/err")" 'recordings'
