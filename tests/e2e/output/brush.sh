#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root chromium
# where: native
# timeout: 90
# waits: for a browser
# truth: page, errors in the program | how often 7 / zero failed, and where | the program's own 150 times
# truth: page, stddev() of a part | that of all of the run, made of its parts in the page | the value that the program has
# truth: page, one time for all panels | the stack that waited 300 ms, by its column in the heat map | the program's own sleeps
#
# A stall that a program has once is found on the page: whoever selects its column in the heat map sees what was added in that
# time, in the table, the flame graph and the log. The same live, in a report without dtx, and in the replay of a recording.
# Rows that the program has cleared since have their stacks in it, too.
# Errors stand at their place in the program; two runs are compared by the folded stacks of the first.
. "$(dirname "$0")/../lib.sh"
plain 'a browser is no part of dtx'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'
/usr/bin/python3 -c 'import websockets' 2>/dev/null || skip 'python3-websockets is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
cat >"$tmp/load.c" <<'END'
#include <time.h>
#define LONE __attribute__((noinline, noclone))
volatile int n;
LONE void usual(void) { nanosleep(&(struct timespec){ 0, 4000000 }, 0); n++; }
LONE void stalled(void) { nanosleep(&(struct timespec){ 0, 300000000 }, 0); n++; }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(void)
{
	double began = now(), done = 0;
	while (now() < began + 4.5) {
		usual();
		if (!done && now() > began + 2) { stalled(); done = 1; }
		for (double until = now() + 0.006; now() < until; ) ;
	}
}
END
gcc -O1 -g -fno-omit-frame-pointer -o "$tmp/load" "$tmp/load.c"
"$DTX" -q -o /dev/null --refresh 250ms --serve 0 --linger --report "$tmp/run.html" --record "$tmp/run" -c "$tmp/load" -n '
	syscall::clock_nanosleep:entry /pid == $target/ { self->t = timestamp; }
	syscall::clock_nanosleep:return /self->t/ {
		this->ns = timestamp - self->t;
		@lat = quantize(this->ns); @off[ustack()] = sum(this->ns); @most = max(this->ns); @mean[execname] = avg(this->ns);
		@zeroed[ustack()] = sum(this->ns); @gone[ustack()] = sum(this->ns);
		@dev = stddev(this->ns * 100);
	}
	syscall::clock_nanosleep:return /self->t && timestamp - self->t > 200000000/ { printf("stall\n"); }
	syscall::clock_nanosleep:return /self->t && n++ % 40 == 0/ { printf("nap\n"); }
	syscall::clock_nanosleep:return { self->t = 0; }
	int zero, n, faults, seconds;
	tick-1s /++seconds == 4/ { clear(@zeroed); trunc(@gone); }
	tick-10ms /faults++ < 150/ { trace(7 / zero); }' 2>"$tmp/err" &
pid=$!
awaits grep -q serving "$tmp/err"
link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
/usr/bin/python3 tests/browser/brush.py "$link" ${DTX_PICTURES:+"$DTX_PICTURES/brush.png"} || fail "live: $(cat "$tmp/err")"
awaits grep -q 'its page stays' "$tmp/err"
kill -INT $pid
wait $pid || fail "the run ended with $?: $(cat "$tmp/err")"
TMPDIR=$tmp /usr/bin/python3 tests/browser/brush.py "$tmp/run.html" || fail 'the report'
"$DTX" -q -o /dev/null --serve 0 --replay "$tmp/run" 2>"$tmp/replayed" &
pid=$!
awaits grep -q serving "$tmp/replayed"
/usr/bin/python3 tests/browser/brush.py "$(sed -n 's/.*serving //p' "$tmp/replayed")" || fail "the replay: $(cat "$tmp/replayed")"
kill $pid
wait $pid
exit 0
