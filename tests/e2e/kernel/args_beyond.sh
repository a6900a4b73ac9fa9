#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
#
# What comes after the last argument of a kernel function or of an event is told at compile time; what is there is not.
. "$(dirname "$0")/../lib.sh"

told() {                         # WORDS PROGRAM: the warning; WORDS '': none
	"$DTX" -e -n "$2" >"$tmp/out" 2>&1 || fail "$2: $(cat "$tmp/out")"
	if [ -n "$1" ]; then grep -qF "$1" "$tmp/out" || fail "$2: not told: $(cat "$tmp/out")"; fi
	[ -n "$1" ] || ! grep 'means nothing' "$tmp/out" || fail "$2: told falsely"
}
told 'the last argument of fbt:vmlinux:vfs_read:entry is arg3: arg4 means nothing there' 'fbt::vfs_read:entry { trace(arg4); }'
told 'the last argument of fbt:vmlinux:vfs_read:return is arg1: arg2 means nothing there' 'fbt::vfs_read:return { trace(arg2); }'
told 'arg2 means nothing there' 'rawfbt::vfs_read:return { trace(arg2); }'
last=$("$DTX" -lvn tracepoint:sched::sched_switch | grep -c 'args\[')
told "the last argument of tracepoint:sched::sched_switch is arg$((last - 1)): arg$last means nothing there" "tracepoint:sched::sched_switch { trace(arg$last); }"
told '' "tracepoint:sched::sched_switch { trace(arg$((last - 1))); } fbt::vfs_read:entry { trace(arg3); } fbt::vfs_read:return { trace(arg1); }"
told '' 'fbt::vfs_read:entry, fbt::vfs_open:entry { trace(arg3); } rawfbt::vfs_read:entry { trace(arg5); }'
told '' 'fbt::seq_printf:entry { trace(arg5); }'
