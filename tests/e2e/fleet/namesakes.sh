#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Hosts that call themselves alike are one row by `hostname`: they are named, once, if the program reads it. Names of one machine
# are asked each: that is told, too.
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

# All are one machine here, which is told of any program.
besides() { grep -v ' have the same boot_id: ' "$tmp/err"; }
alike() { echo "dtx: warning: $1 call themselves 'localhost' (uname -n): hostname does not tell them apart"; }
for by in '@[hostname]' 'this->h = hostname; @[strjoin(this->h, "")]'; do
	fleet web1,db1,web2 -qn "BEGIN { $by = count(); exit(0); }"
	same 'db1 1 localhost 2' "$(xargs <"$tmp/out")" "$by"
	same "$(alike 'web1 and web2')" "$(besides)" "$by: what is told"
done
fleet 'web[1-8]' -qn 'BEGIN { @[hostname] = count(); exit(0); }'
same "$(alike 'web1, web2, web3, web4, web5 and 3 more')" "$(besides)" 'many'

# Told before the end, and in what is recorded.
rm "$tmp/err"
"$DTX" --hosts web1,web2 --via "$tmp/host %h" -x hostwait=1m -q --record "$tmp/both" -n 'BEGIN { @[hostname] = count(); } tick-1s { @t = count(); }' >"$tmp/out" 2>"$tmp/err" & pid=$!
awaits grep -qs "call themselves" "$tmp/err"
kill -TERM $pid
wait $pid
"$DTX" --replay "$tmp/both" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "$(alike 'web1 and web2')" "$(grep 'call themselves' "$tmp/err")" 'a recording of both'
# So is what was told before they began.
"$DTX" --hosts web1,web2,gone --via "[ %h != gone ] || exit 1; $tmp/host %h" -x hostwait=1m -q --record "$tmp/before" -n 'BEGIN { @ = count(); exit(0); }' >"$tmp/out" 2>"$tmp/meant" || fail "$(cat "$tmp/meant")"
"$DTX" --replay "$tmp/before" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "$(sed 's/^dtx: gone/dtx: warning: gone/' "$tmp/meant")" "$(cat "$tmp/err")" 'what a recording tells of a host that was left out, and of one machine'
same 2 "$(wc -l <"$tmp/err")" 'both are told'

# Nothing is told of other programs, and of names that differ.
fleet web1,web2 -qn 'BEGIN { @["x"] = count(); exit(0); }'
same '' "$(besides)" 'without hostname'
fleet web1,db1,db2 -qn 'BEGIN { @[hostname] = count(); exit(0); }'
same '' "$(besides)" 'names that differ'

# One machine by several names counts several times: that is told before it begins, and of no name that is alone.
boot() { echo "dtx: warning: $1 have the same boot_id: if that is one machine, what happens there is counted $2 times"; }
fleet db1,web1 -qn 'BEGIN { @["x"] = count(); exit(0); }'
same "$(boot 'db1 and web1' 2)" "$(cat "$tmp/err")" 'two names of one machine'
fleet web1,web2,web3,web4 -qn 'BEGIN { @["x"] = count(); exit(0); }'
same "$(boot 'web1, web2 and 2 more' 4)" "$(cat "$tmp/err")" 'four names of one machine'
fleet web1 -qn 'BEGIN { @["x"] = count(); exit(0); }'
same '' "$(cat "$tmp/err")" 'one name'

# Recordings of one machine.
for h in 1 2; do dtx -q --record "$tmp/r$h" -n 'BEGIN { @[hostname] = count(); exit(0); }'; done
"$DTX" --replay "$tmp/r1" "$tmp/r2" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "dtx: warning: r1 and r2 call themselves '$(uname -n)' (uname -n): hostname does not tell them apart" "$(cat "$tmp/err")" 'recordings'
