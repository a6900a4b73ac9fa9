#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# module: known
# truth: functions of a module that is loaded while dtx runs (-Z), fbt entry and return | firings, an int argument, the result | the module's own calls
# truth: events of a module that is loaded while dtx runs (-Z) | firings | the module's own calls
#
# With -Z, functions and events of a module are traced from when it is loaded; again, where the kernel lets a module that is
# traced be removed, after it was loaded anew.
. "$(dirname "$0")/../lib.sh"
known
if grep -q '^dtx_known ' /proc/modules; then rmmod dtx_known || fail 'the module stays'; fi

cat >"$tmp/late.d" <<'END'
#pragma D option quiet
#pragma D option switchrate=20hz
int go, entries, returns, events;
BEGIN { printf("begun\n"); }
syscall::kill:entry /(int)arg0 == 2000000001/ { go = entries = returns = events = 0; }
syscall::kill:entry /(int)arg0 == 2000000002/ { go++; }
fbt:dtx_known:known_twice:entry /!go && !entries++/ { printf("entry seen\n"); }
fbt:dtx_known:known_t*:return /!go && probefunc == "known_twice" && !returns++/ { printf("return seen\n"); }
tracepoint:dtx_known:: /!go && !events++/ { printf("event seen\n"); }
fbt:dtx_known:known_twice:entry /go/ { @[probemod, probefunc, probename, (int)arg0] = count(); }
fbt:dtx_known:known_t*:return /go && probefunc == "known_twice"/ { @[probemod, probefunc, probename, (int)arg1] = count(); }
tracepoint:dtx_known::*_cal? /go/ { @[probemod, probefunc, probename, 0] = count(); }
END { printa("%s %s %s %d %@d\n", @); }
END
"$DTX" -Zs "$tmp/late.d" -o "$tmp/out" 2>"$tmp/err" &
dtx=$!
# until_seen N WORD ACTION…: do it until the output has N lines WORD.
seen() {
	[ "$(grep -cE "$2" "$tmp/out" 2>/dev/null)" -ge "$1" ] 2>/dev/null && return
	"${@:3}"
	return 1
}
until_seen() { awaits seen "$@"; }
call() { echo "call $1" >/proc/dtx_known; }

until_seen 1 '^begun' true
# Before Linux 5.15 a program on many events does not learn which one fires (bpf_cookie): that nothing is attached later is told at the start.
if [ "$(uname -r | awk -F. '{ print $1 * 100 + $2 }')" -lt 515 ]; then
	kill -TERM $dtx
	wait $dtx
	same 4 "$(grep -o "'[^']*' matches nothing, and no module dtx_known is loaded: if it is loaded later, its probes are not attached" "$tmp/err" | sort -u | wc -l)" "$(cat "$tmp/err")"
	exit 0
fi
rounds=0
for round in 1 2; do
	insmod "$known" || fail 'the module is not loaded'
	kill -0 2000000001 2>/dev/null
	until_seen $((3 * round)) ' seen$' call 1
	kill -0 2000000002 2>/dev/null
	call 3
	kill -0 2000000001 2>/dev/null
	rounds=$round
	rmmod dtx_known 2>/dev/null || break    # most kernels keep what is traced
done
kill -TERM $dtx                         # a shell lets what it starts beside itself ignore SIGINT
wait $dtx
if grep -q '^dtx_known ' /proc/modules; then until_true 20 rmmod dtx_known 2>/dev/null; fi
same "dtx_known  known_call 0 $((3 * rounds))
dtx_known known_twice entry 1 $rounds
dtx_known known_twice entry 2 $rounds
dtx_known known_twice entry 3 $rounds
dtx_known known_twice return 2 $rounds
dtx_known known_twice return 4 $rounds
dtx_known known_twice return 6 $rounds" "$(grep '^dtx_known' "$tmp/out" | sort)" "$(cat "$tmp/err")"
