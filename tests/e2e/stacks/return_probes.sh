#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# where: guest
# timeout: 60
#
# Return probes at functions further out, of dtx and of another tracer: a stack has the frames that it has without them. Where
# the kernel's walk ends at the first of them (before Linux 5.16), that function's caller is the last frame, the stack is marked,
# and what would need the rest is an error.
# truth: stack(), caller, stackdepth beside return probes further out | frames, of dtx's own return probes and of another tracer's | the same without them
# truth: stack(), caller, stackdepth at the return of a function, kretprobe | the function returned to, or an error | the stack at its entry
. "$(dirname "$0")/../lib.sh"

events=/sys/kernel/tracing/kprobe_events
[ -e $events ] || skip 'no events by hand'
mark="[incomplete: the kernel's walk ends at a return probe]"
grep -q ' kretprobe_trampoline$' /proc/kallsyms && early=yes || early=
ours='/pid == $target && self->on/'
on='syscall::read:entry /pid == $target && arg2 == 1000/ { self->on = 1; } syscall::read:return { self->on = 0; }'
inner=rawfbt::security_file_permission:entry
returns='rawfbt::vfs_read:return, rawfbt::ksys_read:return { this->seen = 1; }'

frames() { sed -nE 's/^ *[^ `]*`([A-Za-z_0-9.]+)(\+0x[0-9a-f]+)?$/\1/p' "$tmp/$1"; }

# seen NAME ARG…: the frames of 50 calls in NAME.frames, the first three in NAME.three, the callers in NAME.caller, errors in NAME.err.
seen() {
	local name=$1
	shift
	"$DTX" -qn "$on $inner $ours { @[stack()] = count(); }" "$@" -c "$t/reads 1000:50" >"$tmp/$name.out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	[ "$(grep -cE '^ +50$' "$tmp/$name.out")" = 1 ] || fail "not one stack of 50 calls: $(cat "$tmp/$name.out")"
	frames "$name.out" >"$tmp/$name.frames"
	"$DTX" -qn "$on $inner $ours { @[stack(3), caller] = count(); }" "$@" -c "$t/reads 1000:50" >"$tmp/$name.out3" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	frames "$name.out3" >"$tmp/$name.three"
	grep -qF "$mark" "$tmp/$name.out3" && fail "stack(3) is marked: $(cat "$tmp/$name.out3")"
	awk 'NF == 2 && $2 == 50 { print $1 }' "$tmp/$name.out3" >"$tmp/$name.caller"
	"$DTX" -qn "$on $inner $ours { @[stackdepth] = count(); }" "$@" -c "$t/reads 1000:50" >"$tmp/$name.depth" 2>"$tmp/$name.err" || fail "$(cat "$tmp/$name.err")"
}

# agrees NAME: as without return probes, or marked.
agrees() {
	same "$(head -n 3 "$tmp/plain.frames")" "$(cat "$tmp/$1.three")" "$1: stack(3)"
	same "$(cat "$tmp/plain.caller")" "$(cat "$tmp/$1.caller")" "$1: caller"
	if [ -z "$early" ]; then
		same "$(cat "$tmp/plain.frames")" "$(cat "$tmp/$1.frames")" "$1: stack()"
		same "$(cat "$tmp/plain.depth")" "$(cat "$tmp/$1.depth")" "$1: stackdepth"
		return
	fi
	same "$(head -n 3 "$tmp/plain.frames")" "$(cat "$tmp/$1.frames")" "$1: stack() up to the return probe"
	grep -qF "$mark" "$tmp/$1.out" || fail "$1: no mark: $(cat "$tmp/$1.out")"
	grep -qF 'not available: ' "$tmp/$1.err" || fail "$1: stackdepth is no error: $(cat "$tmp/$1.depth" "$tmp/$1.err")"
	[ -z "$(tr -d ' \n' <"$tmp/$1.depth")" ] || fail "$1: stackdepth has a value: $(cat "$tmp/$1.depth")"
}

seen plain
same $'security_file_permission\nvfs_read\nksys_read' "$(grep -v '^rw_verify_area$' "$tmp/plain.frames" | head -n 3)" 'without return probes'
seen own -n "$returns"
agrees own

echo 'r:dtx_test_a vfs_read' >$events
echo 'r:dtx_test_b vfs_read' >>$events
echo 'r:dtx_test_c ksys_read' >>$events
echo 1 >"${events%/*}/events/kprobes/enable"
seen others
echo 0 >"${events%/*}/events/kprobes/enable"
echo >$events
agrees others

# At the return itself.
at_return() {
	"$DTX" -qn "$on rawfbt::vfs_read:return, rawfbt::vfs_read:return $ours { $1 }" -c "$t/reads 1000:50" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
}
at_return '@[stack()] = count();'
same ksys_read "$(frames out | head -n 1)" 'the function that is returned to'
if [ -n "$early" ]; then
	grep -qF "$mark" "$tmp/out" || fail "no mark at the return: $(cat "$tmp/out")"
	for what in caller stackdepth; do
		at_return "@[$what] = count();"
		grep -qF 'not available: ' "$tmp/err" || fail "at the return $what is no error: $(cat "$tmp/out" "$tmp/err")"
	done
else
	grep -qF "$mark" "$tmp/out" && fail "marked for nothing: $(cat "$tmp/out")"
	grep -qE '^ *vmlinux`do_syscall_64' "$tmp/out" || fail "the stack does not reach the system call: $(cat "$tmp/out")"
fi
exit 0
