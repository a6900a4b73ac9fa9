#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# timeout(1) sends its signal twice at once: that is one interrupt, and the output is whole. One that comes later
# abandons what is left.
. "$(dirname "$0")/../lib.sh"

mkfifo "$tmp/never"
exec 8<>"$tmp/never"

# stopped PAUSE: dtx waits for its reader; two signals with a pause between them, $apart µs; then what comes is read.
stopped() {
	local from
	rm -f "$tmp/pipe"
	mkfifo "$tmp/pipe"
	exec 7<>"$tmp/pipe"
	"$DTX" -qn 'tick-1ms { printf("%2000d\n", 1); @ = count(); } END { printf("ended\n"); printa("%@d rows\n", @); }' >&7 2>"$tmp/err" &
	until_true 10 blocked $! || fail 'dtx does not wait for the reader'
	from=${EPOCHREALTIME/./}
	kill -TERM $!
	read -rt "$1" <&8
	kill -TERM $!
	apart=$((${EPOCHREALTIME/./} - from))
	cat "$tmp/pipe" >"$tmp/out" 7>&- &
	exec 7>&-
	wait
}

for ((try = 0, apart = 1000000; apart > 40000 && try < 20; try++)); do stopped 0.005; done
[ $apart -le 40000 ] || skip 'the machine is too busy to send two signals at once'
grep -q '^ended$' "$tmp/out" && grep -q '^[0-9]* rows$' "$tmp/out" || fail "the end is missing: $(tail -n 2 "$tmp/out" | tr -s ' ')"
[ ! -s "$tmp/err" ] || fail "$(cat "$tmp/err")"

stopped 0.3
! grep -q 'rows$' "$tmp/out" || fail 'a second interrupt does not abandon what is left'
