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

#define INTERRUPTED "the event interrupts", "which may be any"
#define BY_PACKET "runs at that moment", "which may be any where a packet causes the event"
#define WRITES_BACK "writes back", "which is one of the kernel"

static const struct subject {
	const char *prov, *name;     /* of the probe; patterns */
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
	{ "tracepoint", "block_rq_complete", NULL, true, INTERRUPTED, NULL },
	{ "rawtp", "block_rq_complete", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "block_bio_complete", NULL, true, INTERRUPTED, NULL },
	{ "rawtp", "block_bio_complete", NULL, true, INTERRUPTED, NULL },
	{ "io", "done", NULL, true, INTERRUPTED, NULL },
	{ "ip", "receive", NULL, true, INTERRUPTED, NULL },
	{ "tcp", "receive", NULL, true, INTERRUPTED, NULL },
	{ "tcp", "*-established", NULL, true, INTERRUPTED, NULL },
	{ "tcp", "connect-refused", NULL, true, INTERRUPTED, NULL },
	{ "udp", "receive", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "tcp_retransmit_skb", NULL, true, INTERRUPTED, NULL },
	{ "rawtp", "tcp_retransmit_skb", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "tcp_probe", NULL, true, INTERRUPTED, NULL },
	{ "rawtp", "tcp_probe", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "inet_sock_set_state", NULL, true, BY_PACKET, NULL },
	{ "rawtp", "inet_sock_set_state", NULL, true, BY_PACKET, NULL },
	{ "tracepoint", "netif_receive_skb*", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "napi_*", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "irq_handler_*", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "softirq_e*", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "hrtimer_expire_*", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "timer_expire_*", NULL, true, INTERRUPTED, NULL },
	{ "tracepoint", "writeback_start", NULL, true, WRITES_BACK, NULL },
	{ "tracepoint", "writeback_written", NULL, true, WRITES_BACK, NULL },
};

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

		if (!glob_matches(s->prov, p->prov) || !glob_matches(s->name, p->name))
			continue;
		if (s->other)
			found = subject_look(s, cl);
		if (s->other && !found)
			continue;
		if (found)
			tell_other(c, s, found, p->name, by);
		else
			alone_add(&alone[i], at, p->name);
		return true;
	}
	return false;
}

/* Once a clause. */
static void subject_clause(struct comp *c, struct clause *cl, const char *by, struct alone *alone)
{
	for (struct pdesc *d = cl->descs; d; d = d->next)
		for (u32 i = 0; i < d->nprobes; i++)
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
