#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
# where: guest
#
# `name of a variable that each CPU has is that of the current one; percpu_kaddr() takes the CPU's number.
. "$(dirname "$0")/../lib.sh"
grep -q ' __per_cpu_offset$' /proc/kallsyms || skip "this kernel names its functions only (CONFIG_KALLSYMS_ALL)"
"$DTX" -en 'BEGIN { trace(`runqueues.cpu); }' 2>"$tmp/err" || {
	grep -q D_SYM_NOTYPES "$tmp/err" || fail "$(cat "$tmp/err")"
	skip 'kernel BTF has no types of variables here'
}

# The run queue of a CPU knows its CPU, and on it runs who runs here.
dtx -qn 'profile-99 { @here[`runqueues.cpu == cpu && `runqueues.curr == curthread] = count(); @n = count(); }
	tick-1s { printa("%d %@d\n", @here); printa("%@d\n", @n); exit(0); } END { trunc(@here); trunc(@n); }'
read -r one hits < <(grep ' ' "$tmp/out")
[ "$one" = 1 ] && [ "$hits" -gt 0 ] && [ "$(grep -c . "$tmp/out")" = 2 ] || { cat "$tmp/out" >&2; fail "not the run queue of the CPU"; }

dtx -qn 'BEGIN { this->p = &`runqueues; this->at = (uint64_t)percpu_kaddr("runqueues", cpu);
	printf("%d %d %d\n", (uint64_t)this->p == this->at, percpu_kaddr("runqueues") == percpu_kaddr("runqueues", cpu),
	((struct rq *)percpu_kaddr("runqueues", 0))->cpu); exit(0); }'
same '1 1 0' "$(head -n 1 "$tmp/out")" "addresses of the run queues"

! "$DTX" -en 'BEGIN { percpu_kaddr("linux_banner"); }' 2>"$tmp/err" || fail "linux_banner is one for all CPUs"
grep -q "is not a per-CPU variable" "$tmp/err" || fail "the reason is not told"
