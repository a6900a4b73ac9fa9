#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 120
#
# Each kind of BPF program, a row of include/dtx/tables/progkinds.def: what becomes one of this kind, where the kernel has what
# it needs, fires.
. "$(dirname "$0")/../lib.sh"

"$DTX" --features >"$tmp/features"
has() { grep -q "^$1  *yes" "$tmp/features"; }

# fires KIND PROBE [BODY]: a program of this kind.
fires() {
	local kind=$1 probe=$2 body=${3:-}
	"$DTX" -S plan -en "$probe { $body }" >"$tmp/plan" 2>"$tmp/err" || fail "$kind: $(cat "$tmp/err")"
	grep -q "program 0: $kind, " "$tmp/plan" || fail "$probe is not of kind $kind: $(grep 'program 0' "$tmp/plan")"
	dtx -qn "$probe { $body printf(\"fired\n\"); exit(0); } tick-10s { exit(1); }" -c "sh -c 'exec cat $t/spin $t/spin /dev/zero >/dev/null'"
	grep -qx fired "$tmp/out" || fail "$kind: $(cat "$tmp/out")"
}

n=0
while read -r kind; do
	case $kind in
	testrun)         fires $kind BEGIN ;;
	tick)            fires $kind tick-10ms ;;
	perf_event)      fires $kind profile-99 ;;
	tracepoint)      fires $kind tracepoint:sched::sched_switch '@[args.next_pid] = count();' ;;
	raw_tp)          has raw_tp-cookie || continue; fires $kind tracepoint:sched::sched_switch ;;
	tp_btf)          has tp_btf || continue; fires $kind rawtp:sched::sched_switch ;;
	iter)            fires $kind iter:::task ;;
	fentry)          has fentry || continue; fires $kind fbt::vfs_read:entry ;;
	fexit)           has fentry || continue; fires $kind fbt::vfs_read:return ;;
	fentry.multi)    has $kind || continue; fires $kind 'fbt:vmlinux:vfs_[r-w]*:entry' ;;
	fexit.multi)     has fentry.multi || continue; fires $kind 'fbt:vmlinux:vfs_[r-w]*:return' ;;
	kprobe)          has kprobe || continue; fires $kind kprobe:vfs_read+0 ;;
	kretprobe)       has kprobe || continue; fires $kind rawfbt::vfs_read:return ;;
	kprobe.multi)    has kprobe.multi || continue; fires $kind 'rawfbt:vmlinux:vfs_*:entry' ;;
	kretprobe.multi) has kprobe.multi || continue; fires $kind 'rawfbt:vmlinux:vfs_*:return' ;;
	kprobe.session)  has kprobe.session || continue
		"$DTX" -S plan -en 'fbt::v*:entry { self->on = 1; } fbt::[s-u]*:entry, fbt::[s-u]*:return /self->on/ { }' >"$tmp/plan"
		grep -q ": $kind, " "$tmp/plan" || fail "no program of kind $kind: $(grep program "$tmp/plan")" ;;     # it fires in kernel/graph.sh
	uprobe)          has uprobe && ! has uprobe.multi || continue; fires $kind "uprobe:libc.so.6:read" ;;
	uretprobe)       has uprobe && ! has uprobe.multi || continue; DTRACE_OPT_ureturn=kernel fires $kind "uretprobe:libc.so.6:read" ;;
	uprobe.multi)    has uprobe.multi || continue; fires $kind "uprobe:libc.so.6:read" ;;
	uretprobe.multi) has uprobe.multi || continue; DTRACE_OPT_ureturn=kernel fires $kind "uretprobe:libc.so.6:read" ;;
	*) fail "no probe is known here that becomes a program of kind $kind" ;;
	esac
	n=$((n + 1))
done < <(sed -nE 's/^PROGKIND\([A-Z_]+, *"([^"]*)".*/\1/p' include/dtx/tables/progkinds.def)
[ $n -ge 6 ] || fail "only $n kinds"
