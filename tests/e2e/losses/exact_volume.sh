#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 120
#
# A long run in little: DTX_EVENTS (400000) events through aggregations, strings, associative arrays and self->, with
# exact counts and memory that does not grow. The long form is DTX_EVENTS=50000000 of this script by itself.
. "$(dirname "$0")/../lib.sh"

n=$((${DTX_EVENTS:-400000} / 8 * 4))      # calls; each is two events
[ -z "${DTX_GUEST:-}" ] || n=20000
"$DTX" -x strict -qn 'syscall::getpgid:entry /pid == $target/ {
		self->arg = arg0 + 1; self->name = strjoin(execname, "!"); v[arg0 & 1023] += 1; @in[execname] = count(); @q = quantize(arg0); }
	syscall::getpgid:return /self->arg/ { @out[self->name, probefunc] = count(); @sum = sum(self->arg - 1); w[self->name] += 1; self->arg = 0; self->name = 0; }
	tick-1s { printf("tick\n"); }
	END { printa("in %s %@d\n", @in); printa("out %s %s %@d\n", @out); printa("sum %@d\n", @sum); printf("w %d\n", w["threads!"]); }' \
	-c "$t/threads 4 $((n / 4)) syscall" >"$tmp/out" 2>"$tmp/err" &
dtx=$!
first='' last=''
measured_to_its_end() {
	rss=$(awk '/^VmRSS/ { print $2 }' /proc/$dtx/status 2>/dev/null)
	[ -n "$rss" ] || return 0
	if grep -q tick "$tmp/out"; then
		[ -n "$first" ] || { first=$rss; echo "RSS $first kB after a second"; }
		last=$rss
	fi
	return 1
}
until_true 100000 measured_to_its_end
wait $dtx || fail "status $?: $(cat "$tmp/err")"
[ -z "$last" ] || { echo "RSS $last kB at the end"; [ "$last" -le $((first + 4096)) ] || fail "RSS grew from $first to $last kB"; }
for want in "in threads $n" "out threads! getpgid $n" "sum $((n * (n - 1) / 2))"; do
	grep -qx "$want" "$tmp/out" || fail "no '$want': $(cat "$tmp/out" "$tmp/err")"
done
w=$(sed -n 's/^w //p' "$tmp/out")
echo "$((2 * n)) events; w[] has $w of $n"
