#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc
# where: native
# truth: programs that are made, run and removed, more than there is room for unwind tables | the stack of each is whole | the calls in its source
# attack: forty programs, one after the other, fill the room for unwind tables | tables of those that are gone are freed, the stacks stay whole
#
# A program that comes after many others have gone, and one that comes again, have whole stacks: the room of the tables is used again.
. "$(dirname "$0")/../lib.sh"
plain 'slow'

# 600 functions without frame pointers, which call each other; the last one makes a system call with the number of the run.
{
	echo '#include <stdlib.h>
#include <unistd.h>
#include <sys/resource.h>
static int run;
__attribute__((noinline)) int f0(int x) { volatile int a[3] = { x }; a[1] = getpriority(run, 7117); return a[0] + a[1]; }'
	for ((i = 1; i < 600; i++)); do
		echo "__attribute__((noinline)) int f$i(int x) { volatile int a[$((i % 7 + 1))]; a[0] = f$((i > 20 ? i % 20 : i - 1))(x + 1); return a[0]; }"
	done
	echo 'int main(int argc, char **argv) { run = atoi(argv[1]); for (int i = 0; i < 4000; i++, usleep(5000)) f20(i); }'
} >"$tmp/many.c"
gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o "$tmp/many" "$tmp/many.c" || fail 'cannot compile'

timeout 60 "$DTX" -q -x unwindsize=256k -x switchrate=50hz -n 'BEGIN { printf("ready\n"); }
	syscall::getpriority:entry /arg1 == 7117/ { printf("run %d\n", (int)arg0); ustack(); }' >"$tmp/out" 2>"$tmp/err" &
dtx=$!
trap 'kill $dtx 2>/dev/null; rm -rf "$tmp"' EXIT
begun

# whole RUN: is there a stack of this run that goes from f0 to the start?
whole() {
	awk -v run="run $1" '
		function done() { found = found || (mine && frames >= 23 && starts && !bad); frames = starts = bad = 0 }
		/^run / { done(); mine = $0 == run; next }
		/incomplete/ { bad = 1 }
		/`f[0-9]+\+/ || /`main\+/ { frames++ }
		/`_start\+/ { starts++; frames++ }
		END { done(); exit !found }' "$tmp/out"
}
# run NUMBER FILE: the file runs until a stack of it is whole.
run() {
	"$2" "$1" &
	local pid=$!
	awaits whole "$1"
	kill $pid 2>/dev/null
	wait $pid 2>/dev/null
}

for ((n = 1; n <= 12; n++)); do
	cp "$tmp/many" "$tmp/copy"
	run $n "$tmp/copy"
	[ $n != 1 ] || mv "$tmp/copy" "$tmp/first"
	rm -f "$tmp/copy"
done
run 101 "$tmp/first"
exit 0
