#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: fentry
# truth: stackdepth where functions further out have trampolines | as many as stack() has frames: several, beside kprobes | the frames of stack()
#
# stackdepth is the number of frames that stack() shows, whatever of the kernel's trampolines is between them: those of several
# functions, and of functions that are probed in another way, too.
. "$(dirname "$0")/../lib.sh"

opens=do_filp_open
grep -qE ' [tT] do_file_open$' /proc/kallsyms && opens=do_file_open       # Linux 7
around='fbt::do_sys_openat2:, fbt::'$opens':, fbt::vfs_read:, fbt::vfs_open: { @ = count(); }'
beside='rawfbt::do_sys_openat2:entry, rawfbt::vfs_read:entry, rawfbt::vfs_open:return { @k = count(); }'
inner='rawfbt::security_file_open:entry, rawfbt::security_file_permission:entry, rawfbt::path_openat:entry,
	rawfbt::security_file_open:return'
report='/pid == $target || ppid == $target/ { printf("= %d %s\n", stackdepth, probefunc); stack(100); }'
work='for i in 1 2 3 4 5 6; do cat /etc/hostname; done'

# check NAME LEAST: each stack of the output
check() {
	awk -v name="$1" -v least="$2" '
	function over() { if (seen && n != depth || alone && n > 2) { print head, "but", n, "frames:" text; bad = 1 } }
	/^=/ { over(); head = $0; depth = $2; n = alone = 0; text = ""; seen++ }
	/^ .*(`|0x)/ { n++; text = text "\n" $0 }
	/bpf_trampoline/ && n == 1 { alone = 1 }
	/bpf_trampoline/ && n > 1 { print head, $0; bad = 1 }
	END { over(); if (seen < least) { print name, "has only", seen + 0, "stacks"; bad = 1 } exit bad }' "$tmp/out" ||
		fail "$1: $(cat "$tmp/err")"
}

dtx -qvn "$inner $report $around" -x strict -c "sh -c '$work'"
grep -q 'by fexit' "$tmp/err" || skip 'no trampoline is used'
check 'trampolines' 20
dtx -qn "$inner $report $around $beside" -x strict -c "sh -c '$work'"
check 'beside kprobes' 20

dtx -qn "tracepoint:::sched_switch $report" -c "sh -c '$work'"
check 'no trampolines' 2

# An event inside a trampoline, or in its program: also beside a kprobe at the function. Its few instructions are met by many samples.
# The kernel's walk may find nothing but the trampoline: then it is shown.
inside='fbt::vfs_read:entry, fbt::vfs_read:return { @x[execname, pid, timestamp % 10] = quantize(timestamp); }'
profile='profile-1999 /arg0/ { printf("= %d\n", stackdepth); stack(100); }'
reads='dd if=/dev/zero of=/dev/null bs=1 count=10000'
samples() {                                              # status 3: the kernel has left samples out
	"$DTX" -x strict -o "$tmp/out" -c "$reads" "$@" >/dev/null 2>"$tmp/err"
	local status=$?
	[ $status = 0 ] || [ $status = 3 ] || fail "status $status: $(cat "$tmp/err")"
}
rm -f "$tmp/out"
samples -qn "$inside $profile"
grep -q 'bpf`bpf_prog' "$tmp/out" || fail "no sample was in a program: $(cat "$tmp/err")"
check 'inside trampolines' 200
rm -f "$tmp/out"
samples -qn "$inside $profile rawfbt::vfs_read:entry { @k = count(); }"
check 'inside trampolines, beside a kprobe' 100

# In a predicate it is the same number.
inner=rawfbt::security_file_open:entry
dtx -qn "$inner /pid == \$target/ { printf(\"%d\n\", stackdepth); exit(0); } $around" -x strict -c 'cat /etc/hostname'
depth=$(head -n 1 "$tmp/out")
dtx -qn "$inner /pid == \$target && stackdepth == $depth/ { printf(\"as deep\n\"); exit(0); }" -c 'cat /etc/hostname'
grep -q 'as deep' "$tmp/out" || fail "without trampolines the stack is not $depth deep"
