#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# where: guest
# on: newest
# timeout: 60
#
# A kprobe at the entry of a kernel function: stack() has the caller as its second frame, `caller` and stackdepth agree, also
# where a call leaves the return address in a register. A return probe replaces that address, two do it twice, and the kernel
# runs the probe first that was made last: nothing of it is to be seen.
# truth: caller at a kernel function's entry, kprobe | caller, stackdepth and the second frame of stack() | where the function returns to
. "$(dirname "$0")/../lib.sh"

ours='/pid == $target && arg2 == 1000/'
entry="rawfbt::vfs_read:entry $ours { @[stack()] = count(); @two[stack(2)] = count(); self->caller = caller;
	printf(\"from %a, %d frames\n\", caller, stackdepth); }"
case $MACHINE in aarch64) pc=pc ;; *) pc=ip ;; esac
returns="rawfbt::vfs_read:return /self->caller/ { @same[self->caller == reg(\"$pc\") ? \"the same\" : \"another\"] = count(); self->caller = 0; }
	fbt::vfs_read:return $ours { @other = count(); }"

frames() { sed -nE 's/^ *[^ `]*`([A-Za-z_0-9.]+)(\+0x[0-9a-f]+)?$/\1/p' "$tmp/out"; }

traced() {
	dtx -qn "self uintptr_t caller; $*" -c "$t/reads 1000:50"
	frames >"$tmp/both"
	head -n -2 "$tmp/both" >"$tmp/frames"
	[ "$(head -n 1 "$tmp/frames")" = vfs_read ] || fail "the stack does not begin at the function: $(cat "$tmp/out" "$tmp/err")"
	grep -qE '^(do_syscall_64|do_el0_svc)$' "$tmp/frames" || fail "the stack does not reach the system call: $(cat "$tmp/out")"
	same "$(head -n 2 "$tmp/frames")" "$(tail -n 2 "$tmp/both")" 'stack(2)'
	same "$(sed -n 2p "$tmp/frames"), $(wc -l <"$tmp/frames") frames" \
		"$(sed -nE 's/^from [^`]*`([A-Za-z_0-9.]+)\+0x[0-9a-f]+/\1/p' "$tmp/out" | sort -u)" 'caller and depth'
	same 2 "$(grep -cE '^ +50$' "$tmp/out")" 'stacks of all 50 calls'
}

traced "$entry"
cp "$tmp/frames" "$tmp/alone"
if grep -q ' kretprobe_trampoline$' /proc/kallsyms; then exit 0; fi       # return_probes.sh
traced "$entry $returns"
same "$(cat "$tmp/alone")" "$(cat "$tmp/frames")" 'frames beside return probes'
grep -qE '^ +the same +50$' "$tmp/out" || fail "the caller is not where the function returns to: $(cat "$tmp/out")"

# Inside a function a frame may have been made, or not: where the kernel's walk cannot tell, dtx warns.
if [ "$MACHINE" = aarch64 ]; then
	dtx -S bpf -n 'kprobe:vfs_read+0x10 { stack(); }'
	grep -qF 'inside vfs_read, at +0x10, its caller may be missing' "$tmp/err" || fail "no warning: $(cat "$tmp/err")"
fi
