#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf unshare python3
# where: guest
# timeout: 60
#
# What is behind pointers, in lists, in the variables of each CPU and in bit-fields is what other sources of the machine say.
# truth: list of the kernel whose elements contain the link, tasks | how many processes | /proc
# truth: struct pid, two pid namespaces deep | its level, its number in each | the program itself
# truth: control group of a thread, by members | id, name, level | the inode of its folder
# truth: per-CPU variable of the kernel, struct rq | cpu, curr, the name of the idle thread | built-ins cpu and curthread
# truth: bit-fields of struct sk_buff | ip_summed, pkt_type, protocol, len | fields of the kernel's event
# truth: names in events, dynamic arrays | programs and names at exec, fork, rename | the text of the kernel's own tracer
. "$(dirname "$0")/../lib.sh"

tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || skip 'no tracefs'

# Two processes more or less may come and go.
list='BEGIN { this->n = 0; this->t = &`init_task;
	for (this->on = 1; this->on; this->on = (uintptr_t)this->t != (uintptr_t)&`init_task) {
		this->t = (struct task_struct *)((uintptr_t)this->t->tasks.next - offsetof(struct task_struct, tasks)); this->n++; }
	printf("%d\n", this->n - 1); exit(0); }'
dtx -qn "$list"
have=$(printf '%s\n' /proc/[0-9]* | wc -l) told=$(grep -oE '^[0-9]+' "$tmp/out")
[ "$told" -ge $((have - 2)) ] && [ "$told" -le $((have + 2)) ] || fail "$told processes in the list, $have in /proc"

dtx -qn 'syscall::getppid:return /execname == "python3" && curthread->thread_pid->level == 2/ {
	printf("= %d %d %d\n", curthread->thread_pid->numbers[0].nr == pid, curthread->thread_pid->numbers[1].nr, curthread->thread_pid->numbers[2].nr); }' \
	-c "unshare -pf unshare -pf sh -c 'true; true & python3 -c \"import os; os.getppid(); print(\\\"pid\\\", os.getpid())\"; wait'"
inner=$(awk '$1 == "pid" { print $2 }' "$tmp/out")
same "1 $inner" "$(awk '$1 == "=" { print $2, $4 }' "$tmp/out" | sort -u)" 'numbers of a process two namespaces deep'
[ "$(awk '$1 == "=" { print $3 }' "$tmp/out" | head -n 1)" -gt "$inner" ] || fail "the number in between: $(cat "$tmp/out")"

mkdir "$tmp/groups"
if mount -t cgroup2 none "$tmp/groups" 2>/dev/null; then
	mkdir -p "$tmp/groups/dtx_outer/dtx_inner"
	dtx -qn 'syscall::getppid:return /execname == "python3"/ { this->g = curthread->cgroups->dfl_cgrp;
		printf("= %d %s %d\n", this->g->kn->id, stringof(this->g->kn->name), this->g->level); }' \
		-c "sh -c 'echo 0 >$tmp/groups/dtx_outer/dtx_inner/cgroup.procs; exec python3 -c \"import os; os.getppid()\"'"
	id=$(stat -c %i "$tmp/groups/dtx_outer/dtx_inner")
	rmdir "$tmp/groups/dtx_outer/dtx_inner" "$tmp/groups/dtx_outer"
	umount "$tmp/groups"
	same "= $id dtx_inner 2" "$(grep '^=' "$tmp/out" | sort -u)" 'the control group'
fi

# The types of these are in BTF, but not on 5.10.
dtx -qn 'extern struct rq runqueues;
	profile-199 { @[cpu == `runqueues.cpu, (uint64_t)`runqueues.curr == (uint64_t)curthread, strstr(stringof(`runqueues.idle->comm), "swapper/") != NULL] = count(); }
	tick-1s { exit(0); }'
same '1 1 1' "$(awk 'NF == 4 { print $1, $2, $3 }' "$tmp/out")" 'variables of each CPU'

ip link set lo up
dtx -qn 'rawtp:net::net_dev_start_xmit { @["bits", args.skb->ip_summed, args.skb->pkt_type, ntohs(args.skb->protocol), args.skb->len] = count(); }
	tracepoint:net:net_dev_start_xmit { @["event", args.ip_summed, 0, args.protocol, args.len] = count(); }' -c "python3 -c '
import socket
s = socket.socket(2, 2)
for n in (1, 100, 1000): s.sendto(b\"y\" * n, (\"127.0.0.1\", 9))
'"
awk '$1 == "event" { $1 = ""; print }' "$tmp/out" | sort >"$tmp/event"
awk '$1 == "bits" { $1 = ""; print }' "$tmp/out" | sort >"$tmp/bits"
[ "$(wc -l <"$tmp/event")" -ge 3 ] || fail "few packets: $(cat "$tmp/out")"
same "$(cat "$tmp/event")" "$(cat "$tmp/bits")" 'bits of packets'

events='sched/sched_process_exec sched/sched_process_fork task/task_rename'
switch() { for event in $events; do echo "$1" >$tracing/events/$event/enable; done; }
ln -s /bin/true "$tmp/a-very-long-name-of-a-program"
echo >$tracing/trace
dtx -qn 'BEGIN { printf("ready\n"); }
	tracepoint:sched:sched_process_exec /progenyof($target)/ { printf("sched_process_exec: filename=%s pid=%d old_pid=%d\n", args.filename, args.pid, args.old_pid); }
	tracepoint:sched:sched_process_fork /progenyof($target)/ { printf("sched_process_fork: comm=%s pid=%d child_comm=%s child_pid=%d\n", args.parent_comm, args.parent_pid, args.child_comm, args.child_pid); }
	tracepoint:task:task_rename /progenyof($target)/ { printf("task_rename: pid=%d oldcomm=%s newcomm=%s oom_score_adj=%d\n", tid, args.oldcomm, args.newcomm, args.oom_score_adj); }' \
	-c "sh -c 'for e in $events; do echo 1 >$tracing/events/\$e/enable; done; echo \"target \$\$\"; /bin/true; $tmp/a-very-long-name-of-a-program; cat /dev/null
		for e in $events; do echo 0 >$tracing/events/\$e/enable; done'"
# Those of the shell and its children.
ours=$(awk '/^target/ { print $2 } /^sched_process_fork/ { sub(/.*child_pid=/, ""); print }' "$tmp/out" | paste -sd'|')
grep -v '^#' $tracing/trace | sed -nE 's/^.*: ((sched_process_exec|sched_process_fork|task_rename): .*)/\1/p' | grep -E "[: ]pid=($ours) " >"$tmp/kernel"
switch 0
grep -E '^(sched_process|task_rename)' "$tmp/out" >"$tmp/told"
grep -q 'newcomm=a-very-long-nam ' "$tmp/told" || fail "no name: $(cat "$tmp/out")"
[ "$(wc -l <"$tmp/kernel")" -ge 6 ] || fail "the kernel's tracer has little: $(cat "$tmp/kernel")"
same '' "$(grep -vxFf "$tmp/told" "$tmp/kernel")" 'what the kernel says and dtx does not'
