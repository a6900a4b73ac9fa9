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
"$DTX" -n 'nothing:like_that { }' 2>"$tmp/err" && fail 'nothing:like_that is taken'
grep -q 'dtx -l lists the probes' "$tmp/err" || fail "without a word near it: $(cat "$tmp/err")"
