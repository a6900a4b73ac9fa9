/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.c - one run of an image, from loading to the last line of output.
 *
 *   session_load    maps and programs are in the kernel
 *   session_attach  probes are attached, programs see state IDLE and do nothing
 *   session_go      BEGIN runs, then the state becomes ACTIVE and the target goes on
 *   loop_run        records are read
 *   session_stop    state DRAINING, detach, drain, state ENDING, END, drain, final print
 *
 * When BEGIN calls exit() the programs never become active, and END still runs.
 */
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/tables/maprole.h>

#include "runtime/code/safe/budget.h"
#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/code/symtabs.h"
#include "runtime/run/run.h"
#include "runtime/value/value.h"
#include "runtime/kernel/kernel.h"

/* ---- life ------------------------------------------------------------------------- */

#define ENDING_TOLD 1000000000ll         /* ns of the end; then that names are read is told */
#define ENDING_MOST 10000000000ll        /* after SIGINT */
#define ENDING_TERM 300000000ll          /* after another signal: of the processor, and as much … */
#define ENDING_SLOW 2000000000ll         /* … of waiting for disks; what was begun has a bit more */

static bool session_interrupted(void *arg)
{
	const struct dtx_session *s = arg;

	return s->loop && loop_interrupts(s->loop) > 0;
}

static void session_tell(void *arg, const char *text)
{
	const struct dtx_session *s = arg;

	consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_INFO), "%s", text);
}

/*
 * The names of what is printed at the end are read then.  Who sits there gets them, and can end
 * that; who sends SIGTERM (timeout(1), systemd) waits for an end.
 */
static enum budget_hurry session_ending(struct dtx_session *s)
{
	s64 since = clock_ns(CLOCK_MONOTONIC) - s->ending_at;

	if (since > ENDING_TOLD && !s->ending_told && s->con) {
		s->ending_told = true;
		consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_INFO), "interrupted: names for "
			      "stacks are being read; a second interrupt leaves them out");
	}
	if (!s->by_key && since > ENDING_TERM)
		since = since > ENDING_SLOW ||
			clock_ns(CLOCK_PROCESS_CPUTIME_ID) - s->ending_cpu > ENDING_TERM
				? ENDING_MOST : 0;
	return since >= ENDING_MOST ? BUDGET_STOP : BUDGET_CALM;
}

/* How much time there is for reading files of traced programs. */
static enum budget_hurry session_hurry(void *arg)
{
	struct dtx_session *s = arg;
	int interrupts = s->loop ? loop_interrupts(s->loop) : 0;
	bool ending = s->state >= SES_DRAINING;

	if (interrupts > (ending ? 1 : 0))
		return BUDGET_STOP;
	if (ending && interrupts)
		return session_ending(s);
	return ending ? BUDGET_CALM : BUDGET_EVENTS;
}

/* With bufpolicy=fill nothing is read before the end. */
static void session_reading(void *arg, bool on)
{
	const struct dtx_session *s = arg;

	if (s->ring && !s->ld.ctl->fill)
		ring_reading(s->ring, on);
}

struct dtx_session *session_new(struct dtx_env *env, struct img *img)
{
	struct dtx_session *s = xcalloc(1, sizeof(*s));

	s->env = env;
	s->img = img;
	s->arena = arena_new();
	s->at = (struct attach){ .env = env, .img = img, .arena = s->arena, .arg = s,
				 .interrupted = session_interrupted, .tell = session_tell };
	s->ld = (struct loaded){ .env = env, .img = img, .arena = s->arena, .at = &s->at };
	s->loop = loop_new(s);
	budget_begin(session_hurry, session_reading, s);
	if (s->loop)
		return s;
	session_free(s);
	return NULL;
}

static void session_detach(struct dtx_session *);

void session_free(struct dtx_session *s)
{
	if (!s)
		return;
	budget_end();
	walk_stop(s);
	session_detach(s);
	consumer_free(s->con);
	ring_free(s->ring);
	stacktake_end(&s->ld);
	load_free(&s->ld);
	overhead_free(s->overhead);
	loop_free(s->loop);
	hotplug_free(s->hotplug);
	late_free(s->late);
	becomes_free(s);
	sights_free(s->sights);
	attach_free(&s->at);
	arena_free(s->arena);
	free(s);
}

/* ---- loading ------------------------------------------------------------------------ */

static int session_suits(struct dtx_session *s)
{
	const char *policy = opt_text(s->env, OPT_bufpolicy);

	if (!opt_num(s->env, OPT_every))
		return 0;
	if (*opt_text(s->env, OPT_stacks) && !opt_num(s->env, OPT_cumulative))
		return dtx_env_fail(s->env, -EINVAL, "with the option every the stacks begin anew "
				    "each time, and --stacks would keep only the last ones: leave "
				    "one of them out, or add -x cumulative");
	if (!strcmp(policy, "switch"))
		return 0;
	return dtx_env_fail(s->env, -EINVAL, "the option every prints while the program runs, and "
			    "bufpolicy=%s prints nothing before its end: leave one of them out",
			    policy);
}

int session_load(struct dtx_session *s)
{
	int err = session_suits(s);

	if (!err)
		err = load_object(&s->ld);
	if (err)
		return err;
	int fd = load_role_fd(&s->ld, ROLE_ring);
	if (fd >= 0) {
		s->ring = ring_new(fd);
		if (!s->ring)
			return dtx_env_fail(s->env, -errno, "cannot map the ring buffer: %s",
					    strerror(errno));
	}
	err = stacktake_start(&s->ld);
	if (err)
		return dtx_env_fail(s->env, err, "cannot start the thread that keeps stacks: %s",
				    strerror(-err));
	err = sights_start(s);
	if (!err)
		s->state = SES_LOADED;
	return err;
}

/* ---- attaching ------------------------------------------------------------------------ */

static bool session_is_late(const struct dtx_session *s, u32 prog)
{
	return img_probe(s->img, s->img->progs[prog].probes[0])->late;
}

/* Are some of the fields addresses of processes, or shown as such (%a, %A)? */
static bool fields_of_user(const struct img_field *v, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (v[i].user && (v[i].type == IMG_STACK || v[i].type == IMG_SYM))
			return true;
	return false;
}

static bool action_of_user(const struct img_action *a)
{
	for (u32 i = 0; i < a->nconvs; i++)
		if (a->convs[i].conv && strchr("aA", *a->convs[i].conv))
			return true;
	return fields_of_user(a->fields, a->nfields);
}

static bool session_of_user(const struct img *img)
{
	for (u32 i = 0; i < img->nsites; i++)
		for (u32 k = 0; k < img->sites[i].nactions; k++)
			if (action_of_user(&img->sites[i].actions[k]))
				return true;
	for (u32 i = 0; i < img->naggs; i++)
		if (fields_of_user(img->aggs[i].keys, img->aggs[i].nkeys))
			return true;
	return false;
}

/* What finding the probes needed.  Of those that come later others are told apart by it. */
static void session_listed(struct dtx_session *s, bool late)
{
	codefiles_unpin(s->env, late || session_of_user(s->img));
	if (!late && s->env->prov_free)
		s->env->prov_free(s->env);
}

struct tally {
	u32 wanted;                      /* probes of clauses */
	u32 beside;                      /* refused places that are not of clauses */
	bool runs, late;                 /* runs: there is more than what is attached now */
};

static void session_attach_next(struct dtx_session *s, u32 prog, struct tally *t)
{
	const struct img_prog *p = &s->img->progs[prog];
	u32 before = s->at.refused.n;
	bool late = session_is_late(s, prog);

	t->late |= late;
	if (kind_is(p->kind, KIND_ONCE) || late) {
		t->runs = true;
		return;
	}
	session_attach_prog(s, prog);
	if (p->saves)
		t->beside += s->at.refused.n - before;
	else
		t->wanted += p->nprobes;
}

/* In such an order that the programs of a probe run in the order in which they are listed. */
static void session_attach_all(struct dtx_session *s, struct tally *t)
{
	u32 n = s->img->nprogs;

	for (u32 i = 0; i < n; i++)
		if (!kind_is(s->img->progs[i].kind, KIND_LAST_FIRST))
			session_attach_next(s, i, t);
	for (u32 i = n; i-- > 0;)
		if (kind_is(s->img->progs[i].kind, KIND_LAST_FIRST))
			session_attach_next(s, i, t);
}

int session_attach(struct dtx_session *s)
{
	u64 began = clock_ns(CLOCK_MONOTONIC);
	struct tally t = { 0 };
	int err = filter_start(s);

	if (!err)
		session_attach_all(s, &t);
	if (!err && t.late)
		s->late = late_start(s);
	for (u32 i = 0; i < s->ntargets; i++)
		become_watch(s, target_pid(s->targets[i]));
	session_listed(s, t.late);
	s->state = SES_ATTACHED;
	s->attach_ns = clock_ns(CLOCK_MONOTONIC) - began;
	if (s->at.unattached)
		consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_INFO),
			      "interrupted: %u of %u probes were not attached", s->at.unattached,
			      t.wanted);
	if (err || t.runs || !t.wanted || s->at.refused.n - t.beside < t.wanted)
		return err;
	const struct dtx_probe *p = s->at.refused.v[0].probe;
	return dtx_env_fail(s->env, -ENOTSUP, "no probe could be attached; " PROBE_NAME ": %s",
			    PROBE_PARTS(p), s->at.refused.v[0].reason);
}

/* ---- detaching ------------------------------------------------------------------------ */

/* Trampolines in stacks of the kernel are known by names that go with them. */
static void session_name_code(struct dtx_session *s)
{
	bool stacks = false;

	for (u32 i = 0; i < s->img->nmaps; i++)
		stacks |= s->img->maps[i].role == ROLE_stack;
	if (stacks && s->at.made_code)
		ksyms_get(s->env);
}

/* After this nothing fires: neither attached programs nor timers. */
static void session_detach(struct dtx_session *s)
{
	ticker_free(s->at.ticker);
	s->at.ticker = NULL;
	pace_detach(s);
}

/* ---- BEGIN, END -------------------------------------------------------------------------- */

static void session_set_state(struct dtx_session *s, enum dtx_state state)
{
	__atomic_store_n(&s->ld.ctl->state, state, __ATOMIC_SEQ_CST);
}

static bool session_is_prog_of(const struct dtx_session *s, const struct img_prog *p,
			       const char *probe)
{
	return kind_is(p->kind, KIND_ONCE) && !strcmp(img_probe(s->img, p->probes[0])->name, probe);
}

/* With the option cpu it runs there; the end comes also when that CPU has gone offline. */
static int session_run_prog(struct dtx_session *s, int prog_fd)
{
	int err = sys_test_run(prog_fd, env_cpu(s->env));

	return err == -ENXIO ? sys_test_run(prog_fd, -1) : err;
}

/* The BEGIN or END programs, one after the other, on this CPU. */
static int session_run_progs(struct dtx_session *s, const char *probe)
{
	u32 orders = 0;

	for (u32 i = 0; i < s->img->nprogs; i++)
		if (session_is_prog_of(s, &s->img->progs[i], probe))
			orders = MAX(orders, s->img->progs[i].order + 1);
	for (u32 order = 0; order < orders; order++) {
		for (u32 i = 0; i < s->img->nprogs; i++) {
			const struct img_prog *p = &s->img->progs[i];
			if (p->order != order || !session_is_prog_of(s, p, probe))
				continue;
			int err = session_run_prog(s, load_prog_fd(&s->ld, i, p->probes[0]));
			if (err < 0)
				return dtx_env_fail(s->env, err, "cannot run the clauses of %s: %s",
						    probe, strerror(-err));
		}
	}
	return 0;
}

/* From now on few of the rows are asked for; these may be at any time. */
static void session_pack(struct dtx_session *s)
{
	img_pack(s->img);
	for (u32 i = 0; s->img->packed && i < s->at.refused.n; i++)
		img_probe(s->img, img_probe_at(s->img, s->at.refused.v[i].probe));
	for (u32 i = 0; s->img->packed && i < s->at.percpu.n; i++)
		img_probe(s->img, img_probe_at(s->img, s->at.percpu.v[i].probe));
}

int session_go(struct dtx_session *s)
{
	s64 limit = opt_num(s->env, OPT_maxoverhead);

	s->overhead = overhead_new(s, limit);
	if (!s->overhead && limit > 0)
		return -EPERM;
	sights_prepare_probed(s->sights);
	for (u32 i = 0; i < s->ntargets; i++)
		sights_prepare(s->sights, target_pid(s->targets[i]));
	session_pack(s);
	int err = session_run_progs(s, "BEGIN");

	if (err || s->ld.ctl->exit_called)
		return err;
	s->marks = !s->ld.ctl->only_cpu && !opt_num(s->env, OPT_quietempty);
	if (s->marks)
		silence_begin(s);
	else
		session_set_state(s, s->ld.ctl->only_cpu ? DTX_STATE_ACTIVE_CPU : DTX_STATE_ACTIVE);
	s->state = SES_ACTIVE;
	s->hotplug = hotplug_start(s);
	err = ticker_start(s->at.ticker);
	if (err)
		return dtx_env_fail(s->env, err, "cannot start the timers of tick probes: %s",
				    err == -EAGAIN ? "there is no memory for a thread, or the "
				    "limit of threads is reached" : strerror(-err));
	walk_start(s);
	for (u32 i = 0; !err && i < s->ntargets; i++)
		err = target_resume(s->targets[i], session_of_user(s->img));
	return err;
}

/* Wait until every program that saw the old state has ended on every CPU. */
static void session_quiesce(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

static void session_account(struct dtx_session *s)
{
	const char *trouble[] = { debug_server_trouble(), budget_trouble(s->env->arena),
				  codefiles_trouble(s->env, s->env->arena) };
	const char *figures = s->explained ? codefiles_figures(s->env, s->env->arena) : NULL;

	if (!env_is_quiet(s->env))
		sights_account(s->sights);
	becomes_say(s);
	loss_account(s->con);
	s->lost = loss_any(s->con);
	for (u32 i = 0; i < ARRAY_SIZE(trouble); i++)
		if (trouble[i])
			consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_WARNING), "%s", trouble[i]);
	if (figures)
		consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_INFO), "%s", figures);
	if (loss_unknown(s->con) && (s->explained || env_is_strict(s->env)))
		consumer_tell(s->con, MESSAGE(DTX_NOTICE, DTX_INFO),
			      "this kernel does not tell how many firings its probes of functions "
			      "missed (Linux 6.7 does, or one with types): returns may be missing");
}

int session_table(struct dtx_session *s)
{
	int err = session_drain(s);

	if (!err)
		err = session_run_progs(s, "END");
	if (!err)
		err = session_drain(s);
	if (!err)
		consumer_table(s->con);
	return err == -EINTR ? 0 : err;          /* the loop ends the run */
}

/* The second interrupt ended the reading: counts and reports the records that are left. */
static void session_abandon(struct dtx_session *s)
{
	s->abandoned = 1;                /* 1 + the records left */
	session_drain(s);
	loss_other(s->con, LOSS_ABANDONED, s->abandoned - 1);
	consumer_report_drops(s->con, true);
	session_account(s);
}

int session_stop(struct dtx_session *s)
{
	if (s->by_key && !s->ld.ctl->exit_called)
		consumer_newline(s->con);
	session_set_state(s, DTX_STATE_DRAINING);
	s->state = SES_DRAINING;
	s->ending_at = clock_ns(CLOCK_MONOTONIC);
	s->ending_cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	walk_stop(s);
	loss_end_samples(s->con, 0, s->at.links.n);
	if (s->at.links.n)
		session_quiesce();
	consumer_report_samples(s->con);
	consumer_report_skips(s->con);
	session_name_code(s);
	session_detach(s);
	sights_refresh(s->sights);
	int err = session_drain(s);
	consumer_ending(s->con, s->ending_at);
	consumer_last_sample(s->con);
	session_set_state(s, DTX_STATE_ENDING);
	int end = session_run_progs(s, "END");
	if (!err)
		err = session_drain(s);
	s->exit_status = s->ld.ctl->exit_status;
	if (s->killed && !s->exit_status)
		s->exit_status = 1;
	s->state = SES_DONE;
	if (err == -EINTR) {             /* second interrupt: the rest is abandoned */
		session_abandon(s);
		pace_wait(s);
		return end;
	}
	if (!err) {
		consumer_show_held(s->con);
		consumer_drops(s->con, NULL, NULL);
		consumer_finish(s->con);
		session_account(s);
		silence_say(s);
		err = -consumer_error(s->con);
	}
	pace_wait(s);
	return err ? err : end;
}
