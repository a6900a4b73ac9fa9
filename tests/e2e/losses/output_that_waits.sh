#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: native
# waits: for readers that are slow
# attack: nobody reads the output of dtx, and SIGTERM comes | it ends within seconds and says that output is lost
# attack: 200,000 calls, while printa() waits for a reader and clear() or trunc() comes then | each call is shown once
# attack: nobody reads the output of dtx, while 300,000 rows with stacks are made | no row is lost
#
# The thread that traces waits for its output, which is a pipe that nobody reads: rows are taken out of the kernel's tables all the same.
. "$(dirname "$0")/../lib.sh"
plain 'slow'

n=300000
gcc -O0 -x c -o "$tmp/calls" - <<'END' || fail 'cannot compile'
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void call(long i) { __asm__ volatile("" :: "r"(i)); }
/* It leaves the thread that takes rows some time, also where the CPUs are busy. */
int main(int argc, char **argv) { for (long i = 0, n = atol(argv[1]); i < n; i++) { call(i); if (i % 500 == 0) usleep(2000); } }
END
mkfifo "$tmp/pipe"
exec 7<>"$tmp/pipe"

# starts WHAT: dtx, in the background with its output in the pipe, has begun.
starts() {
	local line
	read -r -u 7 line
	same ready "$line" "the first line, $1"
}
waits() { grep -qs pipe_write "/proc/$dtx/stack" || grep -qs pipe "/proc/$dtx/wchan"; }
# ends WHAT: it is told to, and does.
ends() {
	kill -TERM $dtx
	timeout 60 tail --pid=$dtx -f /dev/null || { kill -9 $dtx; fail "it does not end, $1"; }
}
# is_read LAST WHAT: somebody reads what is left, the last line of it is LAST, in $tmp/out, and nothing is lost.
is_read() {
	local reader
	cat <&7 >"$tmp/out" &
	reader=$!
	ends "$2"
	wait $dtx || fail "$2: status $?: $(cat "$tmp/err")"
	awaits grep -q "$1" "$tmp/out"
	kill $reader
	same '' "$(grep -v '% of a CPU' "$tmp/err")" "what is said, $2"
}

# The first line fits into the pipe, the second one does not.
"$DTX" -x bufsize=1m -qn 'BEGIN { printf("ready\n"); } tick-100ms /!told/ { told = 1; printf("%200000d\n", 1); }
	uprobe:'"$tmp/calls"':call:entry { @[stack(2), arg0] = count(); @n = count(); }
	END { trunc(@, 3); printa("a row of %@d\n", @); printa("calls %@d\n", @n); }' >"$tmp/pipe" 2>"$tmp/err" &
dtx=$!
starts rows
awaits waits
"$tmp/calls" $n
is_read '^calls' rows
same "a row of 1 a row of 1 a row of 1 calls $n" "$(grep . "$tmp/out" | grep -v '^ *1$' | paste -sd' ')" 'rows'

# Rows that come between printa() and clear() or trunc() are not cleared: they have not been shown.
for what in clear trunc; do
	"$DTX" -qn 'BEGIN { printf("ready\n"); } uprobe:'"$tmp/calls"':call:entry { @[stack(2), arg0] = count(); calls++; }
		tick-100ms /calls >= '$((n / 3))' && !told/ { told = 1; printf("\nrows\n"); printa("%@d\n", @); '$what'(@); }
		END { printa("%@d\n", @); printf("end\n"); }' >"$tmp/pipe" 2>"$tmp/err" &
	dtx=$!
	starts $what
	"$tmp/calls" $((n / 3))
	awaits waits
	"$tmp/calls" $((n / 3))
	is_read '^end' $what
	same $((n / 3 * 2)) "$(awk '/^[0-9]+$/ { n += $1 } END { print n }' "$tmp/out")" "calls, $what"
done

# If nobody comes to read, SIGTERM ends the run, and says what is lost.
"$DTX" -qn 'BEGIN { printf("%200000d\n", 1); }' >"$tmp/pipe" 2>"$tmp/err" &
dtx=$!
awaits waits
ends 'nobody reads'
wait $dtx && fail 'the status of lost output'
same 'dtx: cannot write the output: nobody reads it' "$(<"$tmp/err")" 'the reason'
