#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# Clauses that look for another thread than the one that -p, --follow, --cgroup and --comm select by, and those that run in an
# interrupt, are warned of; those of the thread that runs, and runs without a selection, are not.
. "$(dirname "$0")/../lib.sh"

# warns N OPTIONS PROGRAM
warns() {
	local got
	# shellcheck disable=SC2086
	"$DTX" -e $2 -n "$3" >"$tmp/out" 2>"$tmp/err" || fail "$3: $(cat "$tmp/err")"
	got=$(grep -cE 'this clause( and .*)? runs? only if the thread that' "$tmp/err")
	[ "$got" = "$1" ] || fail "$2 $3: $got warnings, not $1: $(cat "$tmp/err")"
}

switch='tracepoint:sched:sched_switch'
comes="$switch { t[args.prev_pid] = timestamp; } $switch /t[next_pid]/ { @[args.next_comm] = count(); }"
warns 1 "-p $$" "$comes"
grep -q 'sched:::on-cpu fires in the thread that comes' "$tmp/err" || fail 'no help'
warns 1 '--comm sh' "$comes"
warns 0 "-p $$ -x grabonly" "$comes"
warns 0 '' "$comes"
warns 0 "-p $$" "$switch /prev_pid && prev_state/ { @[args.next_comm] = count(); }"
warns 1 "-p $$" 'rawtp:sched::sched_switch /args.next->pid == 1/ { }'
warns 1 "-p $$" 'sched:::wakeup { w[args[0]->pr_lwpid] = timestamp; }'
warns 1 "-p $$" "tracepoint:sched:sched_waking { if (args.pid == 1) { printf(\"woken\"); } }"
grep -q -- '-x unfiltered=sched_waking lets' "$tmp/err" || fail 'no help'
warns 0 "-p $$ -x unfiltered=sched_waking" 'tracepoint:sched:sched_waking /args.pid == 1/ { }'
warns 0 "-p $$" 'sched:::wakeup { @[execname] = count(); }'

# What happens in interrupts, and in threads of the kernel, is not of the thread that runs.
warns 1 "-p $$" 'io:::done { @[execname] = count(); }'
grep -q 'the thread that the event interrupts is selected, which may be any' "$tmp/err" || fail 'not the reason'
warns 0 "-p $$ -x unfiltered=done" 'io:::done { @[execname] = count(); }'
warns 0 '' 'io:::done { @[execname] = count(); }'
warns 1 '--cgroup /' 'tracepoint:irq:softirq_entry { @[vec] = count(); }'
warns 1 "-p $$" 'tracepoint:writeback:writeback_start { @ = count(); }'

# The kind as a whole: what the kernel does in interrupts, for packets, in threads of its own, on idle CPUs; by event and by its raw form.
while read -r why events; do
	for event in $events; do
		matches "tracepoint:${event%:*}:${event#*:}" || continue
		for of in "tracepoint:${event%:*}:${event#*:}" "rawtp:${event%:*}::${event#*:}"; do
			warns 1 "-p $$" "$of { @ = count(); }"
			grep -q "${why//_/ }" "$tmp/err" || fail "$of: not '$why': $(cat "$tmp/err")"
			grep -q -- "-x unfiltered=${event#*:} lets" "$tmp/err" || fail "$of: no help: $(cat "$tmp/err")"
		done
	done
done <<'END'
the_event_interrupts timer:hrtimer_expire_entry timer:hrtimer_expire_exit timer:timer_expire_entry timer:timer_expire_exit
the_event_interrupts irq:softirq_entry irq:softirq_exit irq:irq_handler_entry irq:irq_handler_exit irq:tasklet_entry
the_event_interrupts net:netif_receive_skb net:netif_rx net:napi_gro_receive_entry napi:napi_poll sock:sk_data_ready udp:udp_fail_queue_rcv_skb
the_event_interrupts tcp:tcp_retransmit_skb tcp:tcp_retransmit_synack tcp:tcp_probe tcp:tcp_receive_reset xdp:xdp_exception xdp:xdp_redirect
the_event_interrupts block:block_rq_complete block:block_bio_complete block:block_io_done scsi:scsi_dispatch_cmd_done nvme:nvme_complete_rq mmc:mmc_request_done
where_a_packet_causes_the_event net:net_dev_xmit net:net_dev_queue skb:kfree_skb skb:consume_skb tcp:tcp_destroy_sock sock:inet_sk_error_report
where_the_kernel_causes_the_event rcu:rcu_utilization irq:softirq_raise power:cpu_frequency
is_one_of_the_kernel workqueue:workqueue_execute_start writeback:writeback_exec writeback:writeback_pages_written power:cpu_idle timer:tick_stop
END
warns 1 "-p $$" 'tcp:::send { @ = count(); }'
warns 1 "-p $$" 'mib:::icmpInMsgs { @ = count(); }'
for event in timer:hrtimer_start block:block_rq_issue tcp:tcp_rcv_space_adjust workqueue:workqueue_queue_work writeback:writeback_dirty_folio; do
	! matches "tracepoint:$event" || warns 0 "-p $$" "tracepoint:$event { @ = count(); }"
done
if matches fbt::tcp_v4_rcv:entry; then
	warns 1 "-p $$" 'fbt::tcp_v4_rcv:entry { @ = count(); }'
	grep -q -- '-x unfiltered=tcp_v4_rcv lets' "$tmp/err" || fail "no help: $(cat "$tmp/err")"
	warns 0 "-p $$ -x unfiltered=tcp_v4_rcv" 'fbt::tcp_v4_rcv:entry { @ = count(); }'
	warns 1 "-p $$" 'fbt::process_one_work:entry { @ = count(); }'
	warns 0 "-p $$" 'fbt::vfs_read:entry, fbt::tcp_sendmsg:entry { @ = count(); }'
fi

# A state of a connection changes in a system call, or where a packet arrives.
for of in tracepoint rawtp; do
	warns 1 "-p $$" "$of:sock::inet_sock_set_state { @ = count(); }"
	grep -q 'which may be any where a packet causes the event' "$tmp/err" || fail 'not the reason'
	warns 0 "-p $$ -x unfiltered=inet_sock_set_state" "$of:sock::inet_sock_set_state { @ = count(); }"
done

# selected: the filter as a value, where there is none; calls that are not named keep it.
is() { # VALUE OPTION…
	dtx -q "${@:2}" -x unfiltered=openat -c "cat /dev/null" -n 'syscall::openat:entry, syscall::read:entry /execname == "cat"/ {
		@[probefunc, selected] = count(); }'
	same "$1" "$(awk 'NF == 3 { print $1, $2 }' "$tmp/out" | sort)" "selected with ${*:2}"
}
is 'openat 2
read 2'
is 'openat 1
read 1' --follow
is 'openat 1
read 1' --comm cat
is 'openat 0' --comm dog
