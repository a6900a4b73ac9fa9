#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: opt.evaltime
#
# evaltime: where a -c command waits for its probes. At exec the loader's calls are seen; at the entry point
# (the default) only those of the program and its constructors; at main() only what main() does.
. "$(dirname "$0")/../lib.sh"

saw() { [ "$(value "$1")" -gt 0 ]; }
run() { dtx -q "$@" -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' -c "$t/startup"; }
for when in exec preinit; do
	run -x evaltime=$when
	saw mmap && saw getppid && saw getpgid || fail "$when: $(cat "$tmp/out")"
done
for option in '' '-x evaltime=postinit'; do
	run $option
	saw getppid && saw getpgid && ! saw mmap || fail "postinit ($option): $(cat "$tmp/out")"
done
run -x evaltime=main
saw getpgid && ! saw getppid && ! saw mmap || fail "main: $(cat "$tmp/out")"

"$DTX" -q -x evaltime=later -n 'BEGIN { exit(0); }' 2>"$tmp/err" && fail 'evaltime=later is accepted'
# A command that ends before its entry point is still one that ran.
dtx -q -x setenv=LD_TRACE_LOADED_OBJECTS=1 -n 'END { printf("end %d\n", $target > 0); }' -c "$t/startup"
same 'end 1' "$(grep end "$tmp/out")" 'a command without its libraries'
