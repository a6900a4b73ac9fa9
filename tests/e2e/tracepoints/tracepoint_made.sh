#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc
# where: native
#
# Events that somebody made (perf probe, tracefs) cannot be attached: they are named with the reason, and what can run goes on.
. "$(dirname "$0")/../lib.sh"

events=/sys/kernel/tracing/uprobe_events
[ -w $events ] || skip 'this kernel has no uprobe_events'
group=dtx_test_$$
trap 'for e in BEGXN here; do echo "-:$group/$e" >>$events; done 2>/dev/null; rm -rf "$tmp"' EXIT

echo 'int f(void) { return 1; } int main(void) { return f(); }' | gcc -x c -o "$tmp/gone" - || fail 'the program does not compile'
cp "$tmp/gone" "$tmp/there"
off=0x$(nm "$tmp/gone" | awk '$3 == "f" { print $1 }')
echo "p:$group/BEGXN $tmp/gone:$off" >>$events || fail 'the event cannot be made'
echo "p:$group/here $tmp/there:$off" >>$events || fail 'the event cannot be made'
rm "$tmp/gone"
gone="it was made with perf probe or tracefs for $tmp/gone, which is not there any more"

# refused REASON PROGRAM: it ends with status 0 all the same, printing "ran".
refused() {
	dtx -n "$2"
	grep -q ran "$tmp/out" || fail "it did not run: $(cat "$tmp/out" "$tmp/err")"
	grep -q "^dtx: warning: not attached: .*$group.*: $1" "$tmp/err" || fail "no reason: $(cat "$tmp/err")"
}
refused "$gone" 'BEG?N /probename == "BEGIN"/ { trace("ran"); exit(0); }'
refused "$gone" "rawtp:$group::BEGXN { } BEGIN { trace(\"ran\"); exit(0); }"
refused "$gone" "tracepoint:$group::BEGXN { } END { trace(\"ran\"); } tick-10ms { exit(0); }"
refused "$gone" "tracepoint:$group::BEGXN, tick-10ms { trace(\"ran\"); exit(0); }"
refused "it was made .* trace the place itself, by a uprobe: $tmp/there:" "tracepoint:$group::here, tick-10ms { trace(\"ran\"); exit(0); }"

"$DTX" -n "tracepoint:$group::BEGXN { }" >"$tmp/out" 2>&1 && fail 'it runs with nothing that can fire'
grep -qF "dtx: no probe could be attached; tracepoint:$group::BEGXN: $gone" "$tmp/out" || fail "$(cat "$tmp/out")"
