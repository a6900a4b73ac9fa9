/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * collector.c - dtx --hosts: calls the hosts, compiles once for each kernel, lets all begin
 * together, and gives what they send to the merged run.  One loop waits for all of them; nothing in
 * it waits for one.
 * Why: docs/decisions/54-hosts.md
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/fleet/collector.h"
#include "cmd/fleet/fleet-private.h"
#include "cmd/say.h"
#include "cmd/signals.h"

#define CALLED_MOST 64           /* hosts that are called at once */
#define TURN_MS     200
#define PREPARES    6            /* times hostwait: for a description, and for loading */
#define ENDS        3            /* times hostwait: to end after it was told to */
#define ASKING_MS   120000       /* somebody types a password */
#define LAST_MS     1500         /* for processes whose host has said its last */
#define FDS_A_HOST  3
#define FDS_KERNEL  3            /* each host may have a kernel of its own */
#define FDS_OWN     24           /* of the compilation, the output, the library */

/* ---- what cannot be done over hosts ------------------------------------------------- */

static const char *refused(const struct command *c)
{
	if (c->agent && (c->nprograms || c->noperands || c->run))
		return "--agent with --hosts gets its program from another dtx --hosts";
	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_PID)
			return "-p is a process of one machine: name it in the program, as in "
			       "/execname == \"nginx\"/";
	if (c->via && !c->hosts)
		return "--via needs the hosts: --hosts LIST";
	if (c->list || c->header || c->object || c->check || c->stages || c->image)
		return "--hosts runs a program: -x machine=FILE lists and checks for another "
		       "machine, which --describe has recorded";
	if (c->inspect || c->replay || c->describe || c->features || c->doctor || c->fmt ||
	    c->lsp || c->complete)
		return "--hosts runs a program, and nothing else";
	if (!c->agent && !c->run && !c->nprograms && !c->noperands)
		return "--hosts needs a program: -n PROGRAM, -s FILE or FILE";
	for (int i = 0; i < c->ngiven && c->run; i++)
		if (c->given[i].row->action == ACT_DESCRIBE_PROGRAM)
			return "--program is for what is compiled for the hosts, and not for an "
			       "image";
	return NULL;
}

int fleet_check(const struct command *c)
{
	const char *why = c->hosts || c->via ? refused(c) : NULL;

	if (why)
		command_say("%s", why);
	return why ? STATUS_USAGE : STATUS_OK;
}

/* ---- calling ---------------------------------------------------------------------- */

static void call(struct fleet_run *r, struct peer *p)
{
	char *command = reach_command(&r->reach, p);

	/* sudo in a command of --via knows the user by the terminal. */
	p->session = !p->alone && !r->reach.via;
	int err = peer_call(p, command);

	free(command);
	p->state = PEER_CALLED;
	if (err)
		talk_out(r, p, "cannot call it: %s", strerror(-err));
}

/* Those that may ask come last, one after the other. */
static void call_next(struct fleet_run *r)
{
	int called = talk_count(r, PEER_CALLED, PEER_CALLED);

	for (int i = 0; i < r->n && called < CALLED_MOST; i++)
		if (r->peers[i].state == PEER_WAITS && !r->peers[i].alone) {
			call(r, &r->peers[i]);
			called++;
		}
	for (int i = 0; i < r->n && !called; i++)
		if (r->peers[i].state == PEER_WAITS) {
			fleet_clear(r);
			call(r, &r->peers[i]);
			called++;
		}
}

/* ---- beginning and ending --------------------------------------------------------- */

static void stop_all(struct fleet_run *r, bool at_once)
{
	for (int i = 0; i < r->n; i++) {
		struct peer *p = &r->peers[i];

		if (at_once || p->state <= PEER_READY) {
			peer_hang_up(p);
			peer_kill(p, SIGTERM);
			if (p->state != PEER_OVER && p->runs)
				dtx_fleet_gone(r->merged, p->number, "interrupted");
			p->state = PEER_OVER;
		} else if (p->state == PEER_RUNS && !r->stopping) {
			peer_send(p, FRAME_STOP, NULL, 0);
		}
	}
	if (!r->stopping)
		r->stopped = fleet_now();
	r->stopping = true;
}

/* All that answered have the program: they begin together. */
static void begin(struct fleet_run *r)
{
	int ready = talk_count(r, PEER_READY, PEER_READY);
	bool short_of = r->quorum && ready < r->quorum;

	fleet_clear(r);
	if (!ready || short_of || (r->strict && ready < r->n)) {
		if (ready)
			command_say("%d of %d hosts are ready, and %s: nothing was traced", ready,
				    r->n, short_of ? "the option quorum wants more"
						   : "the option strict wants all");
		else
			command_say("no host is left: nothing was traced");
		r->failed = true;
		return;
	}
	boots_tell(r);
	if (!above_says_go(r))
		return;
	for (int i = 0; i < r->n; i++) {
		struct peer *p = &r->peers[i];

		if (p->state != PEER_READY)
			continue;
		p->number = dtx_fleet_host(r->merged, p->name);
		p->runs = true;
		p->state = PEER_RUNS;
		again_allow(p);
		peer_send(p, FRAME_GO, p->token, strlen(p->token));
	}
	r->going = true;
}

/* Hosts that were lost while it ran. */
static void look_at_quorum(struct fleet_run *r)
{
	int lost = 0, began = 0;

	for (int i = 0; i < r->n; i++) {
		lost += r->peers[i].lost;
		began += r->peers[i].runs || r->peers[i].lost;
	}
	if (r->stopping || !lost)
		return;
	if (!r->strict && !(r->quorum && began - lost < r->quorum))
		return;
	fleet_clear(r);
	command_say("%d of %d hosts are lost, and the option %s ends the run", lost, began,
		    r->strict ? "strict" : "quorum");
	r->failed = true;
	stop_all(r, false);
}

/* ---- time ------------------------------------------------------------------------- */

static void look_at_peer(struct fleet_run *r, struct peer *p, int64_t now)
{
	int64_t most = p->alone ? ASKING_MS : p->needs ? 3 * r->wait_ms : r->wait_ms;
	bool prepares = p->state == PEER_DESCRIBES || p->state == PEER_LOADS;

	if (p->state == PEER_CALLED && now - p->since > most) {
		char *words = peer_last_words(p);

		talk_out(r, p, "it does not answer: nothing came in %lld s%s%s (option hostwait)",
			 (long long)most / 1000, words ? "; it says: " : "", words ? words : "");
		free(words);
	} else if (prepares && now - p->step > PREPARES * r->wait_ms) {
		talk_out(r, p, "it has not %s in %lld s (option hostwait)",
			 p->state == PEER_LOADS ? "loaded the program" : "described its kernel",
			 (long long)(PREPARES * r->wait_ms / 1000));
	} else if (p->state == PEER_RUNS && r->stopping && now - r->stopped > ENDS * r->wait_ms) {
		talk_out(r, p, "it was told to end, and has not in %lld s (option hostwait)",
			 (long long)(ENDS * r->wait_ms / 1000));
	} else if (!again_silent(r, p, now) && p->state > PEER_CALLED && p->state < PEER_AWAY &&
		   now - p->heard > AGENT_LEASE_MS) {
		talk_out(r, p, "it is silent for %d s", AGENT_LEASE_MS / 1000);
	}
}

static void shift(int64_t *time, int64_t by, int64_t most)
{
	*time = *time + by < most ? *time + by : most;
}

static void look_at_clock(struct fleet_run *r)
{
	int64_t now = fleet_now();

	/* This process was stopped, or its output was not taken: hosts are not to blame. */
	for (int i = 0; i < r->n && now - r->looked > AGENT_BEAT_MS; i++) {
		shift(&r->peers[i].heard, now - r->looked, now);
		shift(&r->peers[i].since, now - r->looked, now);
		shift(&r->peers[i].step, now - r->looked, now);
		shift(&r->peers[i].away, now - r->looked, now);
	}
	if (now - r->looked > AGENT_BEAT_MS)
		shift(&r->stopped, now - r->looked, now);
	r->looked = now;
	for (int i = 0; i < r->n; i++) {
		look_at_peer(r, &r->peers[i], now);
		again_look(r, &r->peers[i], now);
	}
}

/* The first time in order, the second at once; before anything runs the first is enough. */
static void look_at_user(struct fleet_run *r)
{
	if (r->interrupts > 1 || (r->interrupts && !r->going)) {
		stop_all(r, true);
		r->failed = r->failed || !r->going;
	} else if ((r->interrupts || dtx_fleet_stop(r->merged)) && !r->stopping) {
		stop_all(r, false);
	}
}

/* ---- the loop ------------------------------------------------------------------------ */

static void end_process(struct fleet_run *r, struct peer *p)
{
	if (!p->pid || p->from >= 0 || p->err >= 0)
		return;
	peer_hang_up(p);
	if (waitpid(p->pid, NULL, WNOHANG) != p->pid)
		return;
	p->pid = 0;
	talk_ended(r, p);
}

static void serve_kernels(struct fleet_run *r, const struct pollfd *at)
{
	int i = 0;

	for (struct kernel *k = r->kernels; k; k = k->next, i++) {
		if (k->messages >= 0 && at[i].revents) {
			kernel_listen(k);
			if (k->messages < 0)
				talk_compiled(r, k);
		}
		talk_describe(r, k);
	}
}

/* How many descriptors; `f` has room for all. */
static int watch(struct fleet_run *r, struct pollfd *f)
{
	int n = 0;

	for (int i = 0; i < r->n; i++) {
		struct peer *p = &r->peers[i];

		f[n++] = (struct pollfd){ bytes_left(&p->put) ? p->to : -1, POLLOUT };
		f[n++] = (struct pollfd){ p->from, POLLIN };
		f[n++] = (struct pollfd){ p->err, POLLIN };
	}
	for (struct kernel *k = r->kernels; k; k = k->next)
		f[n++] = (struct pollfd){ k->messages, POLLIN };
	f[n++] = (struct pollfd){ r->above_told ? r->above_go : -1, POLLIN };
	return n;
}

static void turn(struct fleet_run *r, struct pollfd *f)
{
	int n = watch(r, f), peers = r->n, came, err;

	pthread_mutex_unlock(&r->held);
	int64_t due = dtx_fleet_turn(r->merged) / 1000000;

	came = poll(f, n, due < TURN_MS ? (int)due : TURN_MS);
	err = came < 0 ? errno : 0;
	pthread_mutex_lock(&r->held);
	if (err && err != EINTR) {
		fleet_clear(r);
		command_say("cannot wait for the hosts: %s", strerror(err));
		r->failed = true;
	}
	if (came > 0) {
		for (int i = 0; i < peers; i++) {
			struct peer *p = &r->peers[i];
			struct pollfd *at = &f[FDS_A_HOST * i];

			if (at[0].revents && bytes_write(&p->put, p->to))
				peer_hang_up(p);
			if (at[1].revents)
				talk_hear(r, p);
			if (at[2].revents)
				talk_words(p);
		}
		serve_kernels(r, f + FDS_A_HOST * peers);
	}
	talk_compile(r);
	for (int i = 0; i < peers; i++)
		end_process(r, &r->peers[i]);
	look_at_user(r);
	look_at_clock(r);
}

static void loop(struct fleet_run *r)
{
	struct pollfd *f = calloc((FDS_A_HOST + 2) * r->n + 2, sizeof(*f));

	r->looked = fleet_now();
	while (!r->failed && talk_count(r, PEER_WAITS, PEER_AWAY)) {
		call_next(r);
		turn(r, f);
		fleet_progress(r);
		if (!r->going && !r->stopping && !talk_count(r, PEER_WAITS, PEER_LOADS))
			begin(r);
		look_at_quorum(r);
	}
	fleet_clear(r);
	if (r->failed)
		stop_all(r, true);
	free(f);
}

/* Agents end when their input does; what does not end is killed. */
static void end_processes(struct fleet_run *r)
{
	int64_t until = fleet_now() + LAST_MS;
	bool left = true;

	for (int i = 0; i < r->n; i++)
		peer_hang_up(&r->peers[i]);
	while (left && fleet_now() < until) {
		left = false;
		for (int i = 0; i < r->n; i++)
			left |= !peer_ended(&r->peers[i]);
		if (left)
			usleep(10000);
	}
}

/* ---- a run -------------------------------------------------------------------------- */

/* Enough for all hosts?  If not, none is called: which of them are left out would be chance. */
static bool enough_descriptors(int hosts)
{
	rlim_t needed = (rlim_t)hosts * FDS_A_HOST + FDS_OWN, allowed;
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= needed + (rlim_t)hosts * FDS_KERNEL)
		return true;
	allowed = l.rlim_cur;
	l.rlim_cur = l.rlim_max;
	if (!setrlimit(RLIMIT_NOFILE, &l))
		allowed = l.rlim_max;
	if (allowed >= needed)
		return true;
	command_say("%d host%s need%s %llu open files, and %llu are allowed here: raise the limit "
		    "(ulimit -n), or ask fewer hosts at a time", hosts, hosts > 1 ? "s" : "",
		    hosts > 1 ? "" : "s", (unsigned long long)needed, (unsigned long long)allowed);
	return false;
}

static bool prepare(struct fleet_run *r)
{
	const struct command *c = r->c;
	const char *become = dtx_option(r->d, "become");

	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_HOSTS && !hosts_add(&r->hosts, c->given[i].arg))
			return false;
	r->n = r->hosts.n;
	if (!r->n) {
		command_say("--hosts names no host");
		return false;
	}
	if (!enough_descriptors(r->n))
		return false;
	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_DESCRIBE_PROGRAM)
			bytes_add(&r->programs, c->given[i].arg, strlen(c->given[i].arg) + 1);
	r->reach.via = c->via;
	r->reach.become = become ? become : "sudo";
	r->quorum = dtx_option_number(r->d, "quorum");
	r->strict = dtx_option_number(r->d, "strict");
	r->destructive = dtx_option_number(r->d, "destructive");
	r->wait_ms = dtx_option_number(r->d, "hostwait") / 1000000;
	r->peers = calloc(r->n, sizeof(*r->peers));
	r->merged = dtx_fleet_open(r->d, r->out);
	if (r->merged && r->above_go >= 0)
		dtx_fleet_relays(r->merged);
	return r->peers && r->merged;
}

static bool take_image(struct fleet_run *r)
{
	int err;

	if (!r->c->run)
		return true;
	r->given = calloc(1, sizeof(*r->given));
	err = r->given ? kernel_image(r->given, r->c->run) : -ENOMEM;
	if (err)
		command_say("cannot read the image %s: %s", r->c->run, dtx_file_why(-err));
	return !err && !dtx_fleet_program(r->merged, r->given->bytes, r->given->len);
}

static int end(struct fleet_run *r)
{
	int began = 0, status;

	for (int i = 0; i < r->n; i++)
		began += r->peers[i].begun;
	if (!began)
		return STATUS_FAILED;
	status = dtx_fleet_end(r->merged) ? STATUS_FAILED : dtx_fleet_status(r->merged);
	for (int i = 0; i < r->n && !status && r->strict; i++)
		if (r->peers[i].why)
			status = DTX_LOST;
	return r->failed && !status ? STATUS_FAILED : status;
}

static void free_run(struct fleet_run *r)
{
	for (int i = 0; i < r->n && r->peers; i++)
		peer_free(&r->peers[i]);
	dtx_fleet_close(r->merged);
	kernels_free(r->kernels);
	kernels_free(r->given);
	reach_free(&r->reach);
	bytes_free(&r->programs);
	hosts_free(&r->hosts);
	free(r->peers);
}

int fleet_work(const struct tool *tool, struct dtx *d, struct command *c, FILE *out)
{
	struct fleet_run r = { .tool = tool, .c = c, .d = d, .out = out };
	int status = STATUS_FAILED;

	above_find(&r);
	if (words_keep(c) && prepare(&r) && take_image(&r)) {
		for (int i = 0; i < r.n; i++)
			r.peers[i] = (struct peer){ .name = strdup(r.hosts.name[i]), .to = -1,
						    .from = -1, .err = -1 };
		signals_count(&r.interrupts);
		if (lease_begin(&r))
			loop(&r);
		signals_count(NULL);
		lease_end(&r);
		end_processes(&r);
		status = end(&r);
	}
	free_run(&r);
	return status;
}
