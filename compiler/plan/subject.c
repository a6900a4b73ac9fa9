/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subject.c - probes whose event is not, or not only, of the thread that runs, which -p, --follow,
 * --cgroup and --comm select by: those of the scheduler tell of two threads, and arguments name the
 * other one; those in interrupts run in a thread that they have nothing to do with.
 *
 * A clause that looks for the other thread, and any clause in an interrupt, misses most of its
 * events when processes are selected: dtx says so. Option unfiltered lets probes fire for all
 * processes.
 */
#include <string.h>

#include "compiler/front/builtin.h"
#include "compiler/plan/plan.h"

#define EVENT "tracepoint rawtp"
#define FUNCTION "fbt rawfbt"
#define FUNCTIONS_TOLD 8

/* Which thread runs, and why it is not the one that the event is about. */
#define INTERRUPTED "the event interrupts", "which may be any"
#define BY_PACKET "runs at that moment", "which may be any where a packet causes the event"
#define BY_KERNEL "runs at that moment", "which may be any where the kernel causes the event"
#define WRITES_BACK "writes back", "which is one of the kernel"
#define WORKS "does the work", "which is one of the kernel"
#define IDLES "runs on a CPU without work", "which is one of the kernel"

static const struct subject {
	const char *prov, *name;     /* of the probe; patterns, with blanks */
	const char *other;           /* its parameters that tell of the other thread; a pattern.
				      * NULL: it is never about the thread that runs */
	bool any;                    /* all of args[] do */
	const char *runs, *named;    /* the two threads; without the other one, what the first is */
	const char *instead;         /* what fires in the other thread; NULL: nothing */
} subjects[] = {
	{ "tracepoint", "sched_switch", "next_*", false, "leaves the CPU", "comes",
	  "sched:::on-cpu" },
	{ "rawtp", "sched_switch", "next", false, "leaves the CPU", "comes", "sched:::on-cpu" },
	{ "sched", "off-cpu", "*", true, "leaves the CPU", "comes", "sched:::on-cpu" },
	{ "tracepoint", "sched_wak*", "pid", false, "wakes", "is woken", NULL },
	{ "tracepoint", "sched_wak*", "comm", false, "wakes", "is woken", NULL },
	{ "rawtp", "sched_wak*", "p", false, "wakes", "is woken", NULL },
	{ "sched", "wakeup", "*", true, "wakes", "is woken", NULL },
	{ "tracepoint", "sched_migrate_task", "pid", false, "moves it", "is moved", NULL },
	{ "rawtp", "sched_migrate_task", "p", false, "moves it", "is moved", NULL },

	/* disks */
	{ EVENT, "block_rq_complete block_rq_error block_rq_requeue block_bio_complete "
	  "block_io_done scsi_dispatch_cmd_done scsi_dispatch_cmd_timeout nvme_complete_rq nvme_sq "
	  "nvme_async_event ata_qc_complete_* mmc_request_done ufshcd_command", NULL, true,
	  INTERRUPTED, NULL },
	{ "io", "done", NULL, true, INTERRUPTED, NULL },
	{ FUNCTION, "bio_endio blk_mq_complete_request* blk_mq_end_request* blk_update_request "
	  "*blk_account_io_done blk_done_softirq nvme_irq nvme_complete_rq nvme_pci_complete_rq "
	  "scsi_done* scsi_io_completion mmc_request_done mmc_blk_mq_complete end_bio_*", NULL,
	  true, INTERRUPTED, NULL },

	/* the network: what arrives, and what is sent as an answer or again */
	{ EVENT, "netif_receive_skb* netif_rx* napi_* sock_rcvqueue_full sk_data_ready "
	  "udp_fail_queue_rcv_skb tcp_retransmit_s* tcp_probe tcp_receive_reset tcp_bad_csum "
	  "tcp_hash_* tcp_ao_* tcp_cong_state_set xdp_* neigh_timer_handler", NULL, true,
	  INTERRUPTED, NULL },
	{ "ip tcp udp", "receive *-established connect-refused accept-refused", NULL, true,
	  INTERRUPTED, NULL },
	{ "mib", "*In* tcpPassiveOpens tcpAttemptFails tcpEstabResets tcpRetrans* tcpOutRsts "
	  "udpNoPorts", NULL, true, INTERRUPTED, NULL },
	{ FUNCTION, "tcp_v?_rcv tcp_rcv_established tcp_rcv_state_process tcp_ack tcp_data_queue "
	  "tcp_v?_syn_recv_sock tcp_conn_request tcp_fin tcp_reset tcp_*_timer "
	  "tcp_*_timer_handler "
	  "tcp_retransmit_* udp_rcv udpv6_rcv __udp?_lib_rcv icmp_rcv icmpv6_rcv arp_rcv ip_rcv* "
	  "ipv6_rcv* ip_local_deliver* ip6_input* *netif_receive_skb* netif_rx* *napi_poll "
	  "napi_gro_* napi_complete_done net_rx_action net_tx_action process_backlog "
	  "sock_def_readable", NULL, true, INTERRUPTED, NULL },
	{ EVENT, "inet_sock_set_state inet_sk_error_report sock_exceed_buf_limit kfree_skb "
	  "consume_skb tcp_send_reset tcp_destroy_sock net_dev_* qdisc_enqueue qdisc_dequeue "
	  "fib*_table_lookup neigh_* icmp_send br_fdb_*", NULL, true, BY_PACKET, NULL },
	{ "ip tcp", "send state-change", NULL, true, BY_PACKET, NULL },
	{ "mib", "*Out*Segs tcpOutDataBytes *OutRequests icmpOutMsgs", NULL, true, BY_PACKET,
	  NULL },
	{ FUNCTION, "tcp_set_state tcp_v?_do_rcv tcp_done tcp_send_ack *tcp_transmit_skb "
	  "tcp_write_xmit kfree_skb* consume_skb *kfree_skb __dev_queue_xmit dev_hard_start_xmit "
	  "sch_direct_xmit *ip_queue_xmit ip_output ip6_output ip_finish_output* ip_local_out",
	  NULL, true, BY_PACKET, NULL },

	/* interrupts and timers */
	{ EVENT, "irq_handler_* softirq_entry softirq_exit tasklet_* local_timer_* reschedule_* "
	  "call_function_* irq_work_entry irq_work_exit *_apic_entry *_apic_exit nmi_handler "
	  "hrtimer_expire_* timer_expire_* itimer_expire alarmtimer_fired wbt_timer "
	  "dma_fence_signaled", NULL, true, INTERRUPTED, NULL },
	{ FUNCTION, "*do_softirq handle_softirqs irq_exit* irq_enter* handle_irq_event* "
	  "sysvec_* common_interrupt* run_timer_softirq __run_timers call_timer_fn "
	  "hrtimer_interrupt *hrtimer_run_queues hrtimer_run_softirq tick_sched_timer "
	  "tick_nohz_handler "
	  "update_process_times scheduler_tick sched_tick tasklet_action*", NULL, true,
	  INTERRUPTED, NULL },
	{ EVENT, "softirq_raise rcu_* cpu_frequency workqueue_activate_work", NULL, true, BY_KERNEL,
	  NULL },
	{ FUNCTION, "rcu_core rcu_do_batch", NULL, true, BY_KERNEL, NULL },
	{ EVENT, "cpu_idle cpu_idle_miss tick_stop", NULL, true, IDLES, NULL },

	/* threads of the kernel */
	{ EVENT, "writeback_start writeback_written writeback_wait writeback_exec "
	  "writeback_pages_written writeback_queue_io writeback_sb_inodes_requeue "
	  "writeback_lazytime*", NULL, true, WRITES_BACK, NULL },
	{ FUNCTION, "wb_workfn wb_writeback wb_do_writeback writeback_sb_inodes", NULL, true,
	  WRITES_BACK, NULL },
	{ EVENT, "workqueue_execute_* sched_kthread_work_execute_* mm_vmscan_kswapd_* "
	  "mm_compaction_kcompactd_* jbd2_start_commit jbd2_commit_* jbd2_end_commit "
	  "jbd2_run_stats "
	  "xdp_cpumap_kthread", NULL, true, WORKS, NULL },
	{ FUNCTION, "process_one_work worker_thread kswapd balance_pgdat kcompactd "
	  "jbd2_journal_commit_transaction", NULL, true, WORKS, NULL },
};

/* Does one of the patterns match? */
static bool one_matches(const char *patterns, const char *name)
{
	char one[64];

	for (const char *at = patterns; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		memcpy(one, at, MIN(len, sizeof(one) - 1));
		one[MIN(len, sizeof(one) - 1)] = '\0';
		if (glob_matches(one, name))
			return true;
		at += len;
	}
	return false;
}

static bool of_function(const struct dtx_probe *p)
{
	return one_matches(FUNCTION, p->prov);
}

/* What the table, and the option unfiltered, call it: a function by its name, not "entry". */
static const char *called(const struct dtx_probe *p)
{
	return of_function(p) ? p->func : p->name;
}

/* ---- does a clause look for the other thread? ------------------------------------------------ */

struct look {
	const struct subject *of;
	const struct node *found;    /* where it names the other thread */
};

static bool look_is_args(const struct node *n)
{
	return n && n->kind == N_IDENT && builtin_named(n->name, BI_args);
}

static bool look_name(struct node *n, void *arg)
{
	struct look *l = arg;
	bool named = !l->of->any && n->kind == N_IDENT && !n->scope && strchr(l->of->other, '_');

	named |= n->kind == N_MEMBER && look_is_args(n->a);
	if (named && n->name && glob_matches(l->of->other, n->name))
		l->found = l->found ? l->found : n;
	if (l->of->any && n->kind == N_INDEX && look_is_args(n->a))
		l->found = l->found ? l->found : n;
	return true;
}

/* The conditions of a body, and the keys of variables, as in began[next_pid] = timestamp. */
static bool look_keys(struct node *n, void *arg)
{
	struct look *l = arg;

	if (n->kind == N_IF)
		node_walk(n->a, look_name, l);
	if (n->kind == N_INDEX && !look_is_args(n->a))
		for (struct node *k = n->list; k; k = k->next)
			node_walk(k, look_name, l);
	return true;
}

static const struct node *subject_look(const struct subject *s, struct clause *cl)
{
	struct look l = { .of = s };

	if (cl->pred)
		node_walk(cl->pred, look_name, &l);
	if (!l.found)
		clause_walk(cl->pred, cl->body, look_keys, &l);
	return l.found;
}

/* ---- the warning --------------------------------------------------------------------- */

/* The thread that runs and the other one. */
static void tell_other(struct comp *c, const struct subject *s, const struct node *found,
		       const char *name, const char *by)
{
	struct diag *d = diag_warn(&c->env->diags, DIAG_NONE, found->at,
				   "with %s this clause runs only if the thread that %s is "
				   "selected: this is the one that %s", by, s->runs, s->named);

	if (s->instead)
		diag_hint(&c->env->diags, d, "%s fires in the thread that %s", s->instead,
			  s->named);
	else
		diag_hint(&c->env->diags, d, "-x unfiltered=%s lets the probe fire in all "
			  "threads: select the one that %s by a variable that it set "
			  "itself", name, s->named);
}

/* Clauses of a probe that has no other thread: the first one is told, and how many more. */
struct alone { struct range at; const char *name; u32 clauses; };

static void tell_alone(struct comp *c, const struct subject *s, const struct alone *a,
		       const char *by)
{
	u32 more = a->clauses - 1;
	const char *who = !more ? "this clause runs" :
			  arena_printf(c->arena, "this clause and %u more of its probe run", more);
	struct diag *d = diag_warn(&c->env->diags, DIAG_NONE, a->at,
				   "with %s %s only if the thread that %s is selected, %s", by, who,
				   s->runs, s->named);

	diag_hint(&c->env->diags, d, "-x unfiltered=%s lets the probe fire in all threads: select "
		  "by a variable that another clause set in a thread of yours", a->name);
}

static void alone_add(struct alone *a, struct range at, const char *name)
{
	if (!a->clauses++) {
		a->at = at;
		a->name = name;
	}
}

static bool subject_tell(struct comp *c, struct clause *cl, struct range at,
			 const struct dtx_probe *p, const char *by, struct alone *alone)
{
	for (u32 i = 0; i < ARRAY_SIZE(subjects); i++) {
		const struct subject *s = &subjects[i];
		const struct node *found = NULL;

		if (!one_matches(s->prov, p->prov) || !one_matches(s->name, called(p)))
			continue;
		if (s->other)
			found = subject_look(s, cl);
		if (s->other && !found)
			continue;
		if (found)
			tell_other(c, s, found, p->name, by);
		else
			alone_add(&alone[i], at, called(p));
		return true;
	}
	return false;
}

/* Who asks for very many functions does not ask for those that are called in interrupts. */
static bool is_told(const struct pdesc *d)
{
	return d->nprobes <= FUNCTIONS_TOLD || !of_function(d->probes[0]);
}

/* Once a clause. */
static void subject_clause(struct comp *c, struct clause *cl, const char *by, struct alone *alone)
{
	for (struct pdesc *d = cl->descs; d; d = d->next)
		for (u32 i = 0; i < d->nprobes && is_told(d); i++)
			if (!d->probes[i]->place.no_filter &&
			    subject_tell(c, cl, d->at, d->probes[i], by, alone))
				return;
}

void subject_warn(struct comp *c, const char *by)
{
	struct alone alone[ARRAY_SIZE(subjects)] = { 0 };

	for (struct clause *cl = c->ast.first; cl; cl = cl->next)
		if (!cl->library)
			subject_clause(c, cl, by, alone);
	for (u32 i = 0; i < ARRAY_SIZE(subjects); i++)
		if (alone[i].clauses)
			tell_alone(c, &subjects[i], &alone[i], by);
}
