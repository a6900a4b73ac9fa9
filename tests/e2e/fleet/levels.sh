#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Hosts that are collectors: two racks of two hosts, and a host of its own, are one run.
# needs: root syscall:getpriority unshare python3
# timeout: 120
# waits: for logins, and for intervals
. "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$tmp/cache
cp "$DTX" "$(dirname "$DTX")/dtx-run" "$tmp" # processes of this path are this test's
cat >"$tmp/host" <<-E
	#!/bin/sh
	case \$1 in
	rack[0-9]) exec $tmp/dtx --hosts "\$1-[1-2]" --via '$tmp/host %h' -x hostwait=1m --agent ;;
	empty)     exec $tmp/dtx --hosts nobody --via 'echo it is cold >&2; exit 1' --agent ;;
	*)         exec unshare --uts sh -c 'hostname "\$1"; exec $tmp/dtx-run --agent' sh "\$1" ;;
	esac
	E
chmod +x "$tmp/host"
fleet() { local hosts=$1; shift; timeout 60 "$tmp/dtx" --hosts "$hosts" --via "$tmp/host %h" -x hostwait=1m "$@" >"$tmp/out" 2>"$tmp/err"; }
told() { grep -qF -- "$1" "$tmp/err" || fail "not told: $1, but: $(cat "$tmp/out" "$tmp/err")"; }

# A script, its macro arguments, a definition, options of its output: all of it comes to the hosts of the racks.
# truth: a fleet of collectors, two levels | count() by hostname, sum(), quantize(), rounds of printa(), the names in front of lines | five hosts, each with 10 ticks
cat >"$tmp/p.d" <<-'D'
	BEGIN { printf("%s %d\n", $$1, TEN); i = 0; }
	tick-50ms /i < TEN/ { @n[hostname] = count(); @sum["sum"] = sum(i); @q["q"] = quantize(4); @shown = count(); printa("shown %@d\n", @shown); i++; }
	tick-50ms /i == TEN/ { exit(7); }
D
fleet rack1,rack2,web1 -C -D TEN=10 -q -s "$tmp/p.d" 'one word'
same 7 $? "the status: $(cat "$tmp/out" "$tmp/err")"
same "$(for host in rack1/rack1-{1,2} rack2/rack2-{1,2} web1; do echo "$host: one word 10"; done)" \
	"$(sed -n 's/^\(.*: \) *one word/\1one word/p' "$tmp/out" | sort)" "lines of hosts of racks: $(cat "$tmp/out" "$tmp/err")"
for host in rack1-1 rack1-2 rack2-1 rack2-2 web1; do [ "$(value $host)" = 10 ] || fail "$host: $(cat "$tmp/out" "$tmp/err")"; done
[ "$(value sum)" = 225 ] || fail "the sum: $(cat "$tmp/out")"
same '4 50' "$(histogram q | awk '$2')" 'the histogram'
same 'shown 50' "$(grep shown "$tmp/out" | tail -n 1)" 'the last round'

# A machine that two racks ask counts twice: the one above them names it, once.
told 'dtx: warning: rack1/rack1-1, rack1/rack1-2 and 3 more have the same boot_id: if that is one machine, what happens there is counted 5 times'
same 1 "$(grep -c boot_id "$tmp/err")" "told once: $(cat "$tmp/err")"
fleet rack1 -qn 'BEGIN { exit(0); }'
told 'dtx: warning: rack1/rack1-1 and rack1/rack1-2 have the same boot_id'
same 1 "$(grep -c boot_id "$tmp/err")" "told once of a rack alone: $(cat "$tmp/err")"

# What hosts of racks say, and what the racks do, is told once; of a rack alone, too.
for hosts in rack1,web1 rack1; do
	fleet $hosts -qn 'BEGIN { @[copyinstr(0)] = count(); } BEGIN { exit(0); } END { trunc(@, 3); }'
	told 'trunc(@_, n) cuts the table of each host'
	same 2 "$(grep -c 'rack1-[12]: error in ' "$tmp/err")" "errors of the hosts of $hosts: $(cat "$tmp/err")"
	same "$(tr -cd , <<<$hosts | wc -c)" "$(grep -c 'rack1: trunc' "$tmp/err")" "warnings of $hosts: $(cat "$tmp/err")"
	same '' "$(sort "$tmp/err" | uniq -d)" 'told twice'
done

# A script from a pipe is read for each of them.
for script in -s- -s/dev/stdin /dev/stdin; do
	echo 'BEGIN { @["x"] = count(); exit(0); }' | timeout 60 "$tmp/dtx" --hosts rack1,web1 --via "$tmp/host %h" -x hostwait=1m -q $script >"$tmp/out" 2>"$tmp/err"
	[ "$(value x)" = 3 ] || fail "$script: $(cat "$tmp/out" "$tmp/err")"
done

# Programs that hosts of racks are to describe.
fleet rack1,web1 --program libc -qn 'uprobe:libc:getenv { } BEGIN { @["x"] = count(); exit(0); }'
[ "$(value x)" = 3 ] || fail "--program: $(cat "$tmp/out" "$tmp/err")"

fleet rack1 -qs "$tmp/no file"
told 'rack1: left out: No such file or directory'

# Faults of a rack: none of its hosts is there; it gets an image. The others have the result.
fleet empty,web1 -qn 'BEGIN { @["x"] = count(); exit(0); }'
told 'empty: dtx: nobody: left out: it is cold'
told 'empty: left out: it ended before it traced'
[ "$(value x)" = 1 ] || fail "a rack without hosts: $(cat "$tmp/out" "$tmp/err")"
"$tmp/dtx" --image "$tmp/image" -x timestamps -n 'BEGIN { @["x"] = count(); exit(0); }'
fleet rack1,web1 -qr "$tmp/image"
told 'rack1: left out: it is a collector, which compiles'
[ "$(value x)" = 1 ] || fail "a rack and an image: $(cat "$tmp/out" "$tmp/err")"
fleet rack1,web1 -qn 'BEGIN { nothing(); }'
told 'rack1: -n:1:9: error: '
refused '--agent with --hosts gets its program' --hosts a --agent -n BEGIN

# A rack that is killed keeps what it told; Ctrl-C ends all. Nothing is left.
gone() { ! pgrep -f "^$tmp/dtx" >/dev/null; }
awaits gone
"$tmp/dtx" --hosts rack1,web1 --via "$tmp/host %h" -x hostwait=1m -x refresh=100ms -qn 'BEGIN { printf("ready\n"); @[hostname] = count(); } tick-100ms { @t = count(); printa("tick %@d\n", @t); }' \
	>"$tmp/out" 2>"$tmp/err" & pid=$!
awaits eval '[ "$(grep -cs ready "$tmp/out")" = 3 ]'
ticks() { [ "$(grep -c '^tick' "$tmp/out")" -ge "$1" ]; }
awaits ticks 10                   # of all hosts: a second
pkill -KILL -f "^$tmp/dtx --hosts rack1-.*--agent"
awaits grep -q 'rack1: the connection ended, and its run there has ended' "$tmp/err"
kill -TERM $pid
wait $pid
for host in rack1-1 rack1-2 web1; do [ "$(value $host)" = 1 ] || fail "$host: $(cat "$tmp/out" "$tmp/err")"; done
awaits gone
