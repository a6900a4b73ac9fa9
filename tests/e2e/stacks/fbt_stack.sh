#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes fentry
# where: guest
# timeout: 60
#
# The kernel's stack at a function's entry is taken by a kprobe, which costs half, and -v says so; with -x strict by fentry. Both
# show the same frames, give the same caller and depth, and count what the load does.
. "$(dirname "$0")/../lib.sh"

frames() { sed -n "s/^ *[^ \`]*\`\([A-Za-z_0-9]*\)+0x[0-9a-f]*$/\1/p" "$tmp/out"; }

traced() {
	dtx "$@" -v -qn 'fbt::vfs_read:entry /pid == $target && arg2 == 1000/ { @[stack(), args.count] = count(); }' -c "$t/reads 1000:50"
	[ "$(frames | head -n 1)" = vfs_read ] || fail "the stack does not begin at the function: $(cat "$tmp/out")"
	frames | grep -qE '^(do_syscall_64|do_el0_svc)$' || fail "the stack does not reach the system call: $(cat "$tmp/out")"
	grep -qE '^ +1000 +50$' "$tmp/out" || fail "not 50 stacks: $(cat "$tmp/out")"
}

traced -x strict
grep -q 'vfs_read:entry: by fentry' "$tmp/err" || fail "strict: $(cat "$tmp/err")"
frames >"$tmp/strict"
[ "$MACHINE" != aarch64 ] || exit 0     # a kprobe does not see the caller there: it is always fentry
traced
grep -q 'vfs_read:entry: 1 function by perf kprobes (for its stack' "$tmp/err" || fail "$(cat "$tmp/err")"
same "$(cat "$tmp/strict")" "$(frames)" 'the frames differ'

# The caller and the depth as well, also through an inline.
dtx -v -qn 'inline uintptr_t from = caller;
	fbt::vfs_read:entry /pid == $target && arg2 == 1000/ { printf("%a %d\n", from, stackdepth); exit(0); }' -c "$t/reads 1000:50"
grep -qF '(for its stack' "$tmp/err" || fail "caller: $(cat "$tmp/err")"
same "$(sed -n 2p "$tmp/strict") $(wc -l <"$tmp/strict")" "$(sed -nE 's/^[^`]*`([a-z_A-Z0-9]+)\+0x[0-9a-f]+ /\1 /p' "$tmp/out")" 'caller and depth'

# Without a stack it is fentry.
dtx -v -qn 'fbt::vfs_read:entry { exit(0); }' -c "$t/reads 1000:50"
grep -q 'vfs_read:entry: by fentry' "$tmp/err" || fail "no stack: $(cat "$tmp/err")"
