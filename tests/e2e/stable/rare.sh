#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 60
# These need a memory that is full, or locks that are wanted at once, which no program here can
# make happen at will: attached.sh enables them.
# row: stable.lockstat:adaptive-acquire-error stable.lockstat:adaptive-spin stable.lockstat:rw-block stable.lockstat:rw-spin
# row: stable.lockstat:spin-spin stable.sysinfo:rw_rdfails stable.sysinfo:rw_wrfails stable.vminfo:anonpgin stable.vminfo:anonpgout
# row: stable.vminfo:dfree stable.vminfo:pgrrun stable.vminfo:pgswapin stable.vminfo:pgswapout stable.vminfo:scan
#
# What seldom happens: tests/trigger/rare does it in known numbers, of which others can only make more.
# truth: mib:::tcpOutDataSegs | segments with data | the program's own writes
# truth: mib:::tcpRetransSegs | segments that are sent again, at least | a server whose queue is full
# truth: sysinfo:::idlethread | how often a CPU becomes idle, within 2 | switches to thread 0
# truth: sched:::remain-cpu | a thread that yields to nobody, at least | the program's own sched_yield()
. "$(dirname "$0")/../lib.sh"

# has DESCRIPTION: this kernel has the probe.
has() { matches "$1"; }

# at_least NAME N…: in the aggregation.
at_least() {
	while [ $# -gt 0 ]; do
		[ "$(value "$1")" -ge "$2" ] || { cat "$tmp/out" >&2; fail "$1 is $(value "$1"), less than the program's $2"; }
		shift 2
	done
}

dtx -qn 'sysinfo:::msg, mib:::udpNoPorts, mib:::icmpOutMsgs, mib:::icmpInMsgs, mib:::tcpEstabResets, mib:::tcpAttemptFails,
	mib:::ipInReceives, mib:::ipOutRequests, mib:::tcpInSegs, mib:::tcpOutSegs, vminfo:::kernel_asflt /pid == $target/ {
		@[probename] = sum(arg0); }
	mib:::tcpRetransSegs { @[probename] = sum(arg0); }' -c "$t/rare"
at_least udpNoPorts 3 icmpOutMsgs 3 icmpInMsgs 3 tcpEstabResets 2 tcpAttemptFails 1 tcpRetransSegs 1 kernel_asflt 50
at_least ipInReceives 12 ipOutRequests 12 tcpInSegs 6 tcpOutSegs 6
[ "$(value msg)" = 3 ] || fail "$(value msg) messages, not 3"
[ "$(value kernel_asflt)" -lt 100 ] || fail "$(value kernel_asflt) pages that the kernel touched, for 50"

dtx -qn 'mib:::ipv6InReceives, mib:::ipv6OutRequests, mib:::tcpOutDataSegs /pid == $target/ { @[probename] = sum(arg0); }' -c "$t/talk ::1"
[ "$(value tcpOutDataSegs)" = 3 ] || fail "$(value tcpOutDataSegs) segments with data, for 3 writes"
at_least ipv6InReceives 10 ipv6OutRequests 10

# Two that want the same processor lose it to each other; a thread that nobody else waits for keeps it.
cat >"$tmp/two" <<-END
	taskset -c 0 $t/spin 400 &
	taskset -c 0 $t/spin 400
	wait
	sleep 0.2
	true
END
dtx -qn 'int on; sched:::preempt, sysinfo:::inv_swtch, sched:::tick /execname == "spin"/ { @[probename] = sum(1); }
	sched:::wakeup /args[1]->pr_fname == "sleep"/ { @[probename] = sum(1); }
	sysinfo:::sysexec /progenyof($target)/ { @[probename] = sum(arg0); }
	sysinfo:::idlethread /on/ { @[probename] = sum(arg0); }
	rawtp:sched::sched_switch /on && args.next->pid == 0/ { @["idle"] = sum(1); }
	BEGIN { on = 1; } proc:::exit /pid == $target/ { on = 0; }' -c "sh $tmp/two"
[ "$(value preempt)" = "$(value inv_swtch)" ] || { cat "$tmp/out" >&2; fail 'preempt and inv_swtch do not agree'; }
at_least preempt 3 tick 10 wakeup 1 sysexec 5
idle=$(($(value idlethread) - $(value idle)))
[ ${idle#-} -le 2 ] || { cat "$tmp/out" >&2; fail 'idlethread is not how often a processor became idle'; }
if has sched:::remain-cpu; then
	dtx -qn 'sched:::remain-cpu /pid == $target/ { @[probename] = count(); }' -c "$t/rare"
	at_least remain-cpu 10
fi

# Calls from one processor to others: memory that a thread on another one uses is taken away.
printf '%s 2\nls /\n' "$t/threads" >"$tmp/more"
dtx -Zqn 'sysinfo:::xcalls { @[probename] = sum(arg0); } vminfo:::pgrec /progenyof($target)/ { @[probename] = sum(arg0); }' \
	-c "sh $tmp/more"
! has vminfo:::pgrec || at_least pgrec 1
[ "$(nproc)" = 1 ] || at_least xcalls 1

# What is made of functions: path names and pages that had to be read.
if has sysinfo:::namei; then
	dtx -qn 'sysinfo:::namei /pid == $target/ { @[probename] = sum(arg0); }' -c "cat $t/rare $t/talk $t/spin"
	at_least namei 3
fi
