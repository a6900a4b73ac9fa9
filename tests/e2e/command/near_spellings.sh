#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A slip in the first word of a Linux spelling is answered with the right word, and the rest as it was typed.
. "$(dirname "$0")/../lib.sh"

# near DESCRIPTION RIGHT
near() {
	"$DTX" -n "$1 { }" >"$tmp/out" 2>"$tmp/err" && fail "$1 is taken"
	grep -qF "near it: $2" "$tmp/err" || fail "$1: $(cat "$tmp/err")"
}

near kprob:tcp_sendmsg kprobe:tcp_sendmsg
near kretprob:tcp_sendmsg kretprobe:tcp_sendmsg
near tracepont:sched:sched_switch tracepoint:sched:sched_switch
near uprob:libc:malloc uprobe:libc:malloc
near openat syscall::openat:entry
near BEGINN BEGIN
# A word that is no name of a probe, but of a function; one letter has no name near it.
"$DTX" -n 'nosuch_function { }' 2>"$tmp/err" && fail 'nosuch_function is taken'
grep -q 'fbt::NAME:entry for a function of the kernel' "$tmp/err" || fail "a word alone: $(cat "$tmp/err")"
echo 1 >"$tmp/one.d"
"$DTX" -s "$tmp/one.d" 2>"$tmp/err" && fail '1 is taken'
if grep -q 'near it: *$' "$tmp/err"; then fail "an empty help: $(cat "$tmp/err")"; fi
"$DTX" -n 'nothing:like_that { }' 2>"$tmp/err" && fail 'nothing:like_that is taken'
grep -q 'dtx -l lists the probes' "$tmp/err" || fail "without a word near it: $(cat "$tmp/err")"

# A function of a program.
if can_user=$("$DTX" -ln 'pid$target:libc:malloc:entry' -c true 2>/dev/null) && [ -n "$can_user" ]; then
	"$DTX" -en 'pid$target:libc:maloc:entry { exit(0); }' -c true 2>"$tmp/err" && fail "maloc is taken"
	grep -q "no function 'maloc' in libc.*; did you mean 'malloc'?" "$tmp/err" || fail "$(cat "$tmp/err")"
fi
