/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * talk.c - what the collector hears from a host, and answers.  A host is not trusted: it can only
 * harm what is its own.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <dtx-run.h>

#include "cmd/fleet/fleet-private.h"
#include "cmd/say.h"

#define BEFORE_MOST (64u << 10)  /* bytes before the agent's first: the banner of a login */
#define TURN_MOST   (64u << 10)  /* bytes of one host in a turn: the others wait */
#define CLOCK_OFF   2            /* s: more is told, beside what the answer may have taken */
#define WORDS_KEPT  (8u << 10)   /* of standard error */

int talk_count(const struct fleet_run *r, enum peer_state from, enum peer_state to)
{
	int n = 0;

	for (int i = 0; i < r->n; i++)
		n += r->peers[i].state >= from && r->peers[i].state <= to;
	return n;
}

/* A program writes a line in pieces. */
static void hear_output(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	bytes_add(&p->line, f->body, f->len);
	const char *from = p->line.data + p->line.at, *end;
	size_t len = bytes_left(&p->line);

	end = memrchr(from, '\n', len);
	if (end)
		len = end + 1 - from;
	if (!end && len < WORDS_KEPT)
		return;
	fleet_line(r, p, from, len);
	bytes_skip(&p->line, len);
}

static void over(struct fleet_run *r, struct peer *p, const char *why)
{
	if (bytes_left(&p->line))        /* it ends without a line's end */
		fleet_line(r, p, p->line.data + p->line.at, bytes_left(&p->line));
	bytes_free(&p->line);
	p->state = PEER_OVER;
	p->why = why ? strdup(why) : NULL;
	peer_hang_up(p);
	if (p->kernel && p->kernel->by == p)
		p->kernel->by = NULL;
	p->kernel = NULL;
	if (p->runs)
		dtx_fleet_gone(r->merged, p->number, why);
}

static void tell_left_out(struct fleet_run *r, const char *names, const char *why)
{
	char *text;

	if (asprintf(&text, "left out: %s", why) < 0)
		abort();
	fleet_told(r, names, text);
	free(text);
}

void talk_out(struct fleet_run *r, struct peer *p, const char *fmt, ...)
{
	char *why = NULL, *plain;
	va_list ap;

	if (p->state == PEER_OVER)
		return;
	va_start(ap, fmt);
	if (vasprintf(&why, fmt, ap) < 0)
		why = NULL;
	va_end(ap);
	plain = dtx_plain_text(why ? why : fmt);
	fleet_clear(r);
	p->lost = p->runs;
	for (char *l = plain; (l = strchr(l, '\n')); l++)
		*l = ' ';                /* a further line would be nobody's */
	if (!p->runs)
		tell_left_out(r, p->name, plain);
	over(r, p, plain);
	peer_kill(p, SIGTERM);
	free(plain);
	free(why);
}

/* ---- images --------------------------------------------------------------------------- */

static void send_options(struct fleet_run *r, struct peer *p)
{
	const char *refresh = dtx_option(r->d, "refresh");
	char text[80];

	peer_send(p, FRAME_OPTION, text,
		  snprintf(text, sizeof(text), "refresh=%.60s", refresh ? refresh : "1s"));
	if (r->destructive)
		peer_send(p, FRAME_OPTION, "destructive", strlen("destructive"));
}

static void send_load(struct peer *p)
{
	peer_send(p, FRAME_LOAD, NULL, 0);
	p->state = PEER_LOADS;
	p->step = fleet_now();
}

static void send_image(struct fleet_run *r, struct peer *p)
{
	const struct kernel *k = p->kernel;

	send_options(r, p);
	for (int i = 0; i < r->c->ngiven; i++)
		if (r->c->given[i].row->action == ACT_COMMAND)
			peer_send(p, FRAME_COMMAND, r->c->given[i].arg,
				  strlen(r->c->given[i].arg));
	frame_pieces(&p->put, FRAME_IMAGE, k->bytes, k->len);
	send_load(p);
}

static void send_words(struct fleet_run *r, struct peer *p)
{
	const char *why;

	send_options(r, p);
	why = words_send(r, p);
	if (why)
		talk_out(r, p, "%s", why);
	else
		send_load(p);
}

/* The next step of a host whose kernel is known. */
static void serve_peer(struct fleet_run *r, struct peer *p)
{
	struct kernel *k = p->kernel;

	switch (k->state) {
	case KERNEL_NEW:
		if (!k->by) {
			k->by = p;
			kernel_forget(k);
			peer_send(p, FRAME_DESCRIBE, r->programs.data, r->programs.len);
			p->state = PEER_DESCRIBES;
			p->step = fleet_now();
		}
		break;
	case KERNEL_COMPILED:
		send_image(r, p);
		break;
	case KERNEL_FAILED:
		talk_out(r, p, "the program does not compile for the kernel there, %s",
			 p->kernel_name);
		break;
	default:
		break;
	}
}

/* One that is described is compiled, unless as many are already as this machine has CPUs. */
void talk_compile(struct fleet_run *r)
{
	long most = sysconf(_SC_NPROCESSORS_ONLN);
	int err = 0;

	for (const struct kernel *k = r->kernels; k; k = k->next)
		most -= k->state == KERNEL_COMPILES;
	for (struct kernel *k = r->kernels; k && most > 0 && !err; k = k->next)
		if (k->state == KERNEL_DESCRIBED) {
			err = kernel_compile(k, r->tool, r->c);
			most--;
		}
	if (!err)
		return;
	fleet_clear(r);
	command_say("cannot compile: %s", strerror(-err));
	r->failed = true;
}

static void join_kernel(struct fleet_run *r, struct peer *p, bool own_boot)
{
	struct kernel *k = r->given ? r->given : kernels_find(&r->kernels, p, own_boot);

	p->kernel = k;
	p->state = PEER_KNOWN;
	if (k->state == KERNEL_NEW && !k->by && !r->programs.len)
		kernel_from_cache(k, p, &(struct peers){ r->peers, r->n });
	serve_peer(r, p);
}

#define NAMES_SHOWN 5

static void out_of_failed(struct fleet_run *r, const struct kernel *k)
{
	for (int i = 0; i < r->n; i++)
		if (r->peers[i].kernel == k) {
			over(r, &r->peers[i], "the program does not compile for its kernel");
			peer_kill(&r->peers[i], SIGTERM);
		}
}

/* "web1, web2 and 38 more: left out: …": those that wait for it.  Others come later, each alone. */
static void tell_failed(struct fleet_run *r, const struct kernel *k)
{
	struct bytes names = { 0 };
	char more[40], why[200] = "";
	int n = 0;

	for (int i = 0; i < r->n; i++) {
		if (r->peers[i].kernel != k)
			continue;
		snprintf(why, sizeof(why), "the program does not compile for the kernel there, %s",
			 r->peers[i].kernel_name);
		if (n++ >= NAMES_SHOWN)
			continue;
		bytes_add(&names, ", ", n > 1 ? 2 : 0);
		bytes_add(&names, r->peers[i].name, strlen(r->peers[i].name));
	}
	snprintf(more, sizeof(more), " and %d more", n - NAMES_SHOWN);
	if (n > NAMES_SHOWN)
		bytes_add(&names, more, strlen(more));
	if (n)
		tell_left_out(r, names.data, why);
	bytes_free(&names);
	out_of_failed(r, k);
}

/* The messages of a compilation are those of all its hosts: told once. */
void talk_compiled(struct fleet_run *r, struct kernel *k)
{
	if (bytes_left(&k->text)) {
		fleet_clear(r);
		fwrite(k->text.data + k->text.at, 1, bytes_left(&k->text), stderr);
	}
	if (k->state == KERNEL_FAILED)
		tell_failed(r, k);
	else if (dtx_fleet_program(r->merged, k->bytes, k->len))
		r->failed = true;
	for (int i = 0; i < r->n; i++)
		if (r->peers[i].kernel == k && r->peers[i].state == PEER_KNOWN)
			serve_peer(r, &r->peers[i]);
}

/* Another host of the kernel describes it, if the one that did is gone. */
void talk_describe(struct fleet_run *r, struct kernel *k)
{
	for (int i = 0; i < r->n && k->state == KERNEL_NEW && !k->by; i++)
		if (r->peers[i].kernel == k && r->peers[i].state == PEER_KNOWN)
			serve_peer(r, &r->peers[i]);
}

/* ---- frames --------------------------------------------------------------------------- */

/* Times of hosts are shown as they are. */
static void tell_clock(struct fleet_run *r, const struct peer *p)
{
	struct timespec t;
	char text[100];
	double ahead, took = (double)(p->heard - p->since) / 1e3;

	clock_gettime(CLOCK_REALTIME, &t);
	ahead = p->clock ? strtod(p->clock, NULL) / 1000 - (t.tv_sec + t.tv_nsec / 1e9) : 0;
	if (p->state == PEER_OVER || (ahead < CLOCK_OFF && ahead > -CLOCK_OFF - took))
		return;
	snprintf(text, sizeof(text), "its clock is %.0f s %s: times of its records are by it",
		 ahead < 0 ? -ahead : ahead, ahead < 0 ? "behind" : "ahead");
	fleet_line(r, p, text, strlen(text));
	dtx_fleet_note(r->merged, p->name, text);
}

static void hear_hello(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	struct utsname here;

	peer_hello(p, f);
	uname(&here);
	if (!p->version || !p->kernel_name || !p->machine || !p->rights)
		talk_out(r, p, "it does not say what it is");
	else if (strcmp(p->version, dtx_version()))
		talk_out(r, p, "its dtx-run is %s, and this is %s", p->version, dtx_version());
	else if (strcmp(p->machine, here.machine))
		talk_out(r, p, "it is %s, and this dtx compiles for %s: run dtx on a machine of "
			 "its kind", p->machine, here.machine);
	else if (strcmp(p->rights, "yes"))
		talk_out(r, p, "it may not trace there: %s", p->rights);
	else if (p->collects)
		send_words(r, p);
	else if (!r->given && (!p->build || !*p->build))
		talk_out(r, p, "its kernel, %s, has no build id, by which its description is known",
			 p->kernel_name);
	else
		join_kernel(r, p, false);
	tell_clock(r, p);
}

static void hear_machine(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	struct kernel *k = p->kernel;

	if (f->len) {
		if (kernel_add(k, f->body, f->len))
			talk_out(r, p, "its description is too long");
		return;
	}
	p->state = PEER_KNOWN;
	k->by = NULL;
	k->state = KERNEL_DESCRIBED;
	if (!r->programs.len)            /* they may be others in the same boot */
		kernel_keep(k, p);
}

/* "STATUS WHY" */
static void hear_end(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	char *text = strndup(f->body, f->len), *why = strchr(text, ' ');

	why = why ? why + 1 : "";
	if (p->state == PEER_AWAY) {
		talk_out(r, p, "the connection ended, and %s", why);
	} else if (p->state == PEER_LOADS && !strcmp(why, "stale") && !p->retried && !r->given) {
		p->retried = true;       /* the image is of one boot: it gets its own */
		free(p->error);
		p->error = NULL;
		join_kernel(r, p, true);
	} else if (p->begun && !*why) {
		over(r, p, NULL);
	} else {
		talk_out(r, p, "%s", p->error ? p->error
					      : *why ? why : "it ended before it traced");
	}
	free(text);
}

/* "EMESSAGE": errors are the reason if the host ends by one. */
static void hear_message(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	if (!f->len)
		return;
	if (*f->body == 'E') {
		free(p->error);
		p->error = strndup(f->body + 1, f->len - 1);
		return;
	}
	if (*f->body == SAID_MACHINE)
		peer_below(p, f->body + 1, f->len - 1);
	else
		fleet_line(r, p, f->body + 1, f->len - 1);
}

/* What is shown of it may wait for whoever reads the output. */
static void hear_stream(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	pthread_mutex_unlock(&r->held);
	int err = dtx_fleet_bytes(r->merged, p->number, f->body, f->len);

	pthread_mutex_lock(&r->held);
	if (!err)
		return;
	p->runs = false;                 /* it was told why */
	p->lost = true;
	over(r, p, "what it sent is no recording");
	peer_kill(p, SIGTERM);
}

static bool in_order(const struct peer *p, const struct frame *f)
{
	switch ((int)f->kind) {
	case FRAME_HELLO:
		return p->state == PEER_CALLED || (p->state == PEER_AWAY && p->got.frames == 1);
	case FRAME_BACK:
		return p->state == PEER_AWAY;
	case FRAME_MACHINE:
		return p->state == PEER_DESCRIBES && p->kernel && p->kernel->by == p;
	case FRAME_READY:
		return p->state == PEER_LOADS;
	case FRAME_BEGUN:
		return p->state == PEER_RUNS && !p->begun;
	case FRAME_STREAM:
		return p->state == PEER_RUNS;
	case FRAME_OUTPUT:
		return p->state == PEER_RUNS || (p->collects && p->state >= PEER_LOADS);
	case FRAME_END:
		return p->state >= PEER_DESCRIBES;
	case FRAME_SAID:
	case FRAME_ALIVE:
		return true;
	default:
		return false;
	}
}

static void hear_frame(struct fleet_run *r, struct peer *p, const struct frame *f)
{
	if (!in_order(p, f)) {
		talk_out(r, p, "it does not keep to the protocol");
		return;
	}
	switch ((int)f->kind) {
	case FRAME_HELLO:
		if (p->state == PEER_AWAY)
			again_ask(p);
		else
			hear_hello(r, p, f);
		break;
	case FRAME_BACK:
		again_back(r, p);
		break;
	case FRAME_MACHINE:
		hear_machine(r, p, f);
		break;
	case FRAME_READY:
		p->state = PEER_READY;
		break;
	case FRAME_BEGUN:
		p->begun = true;
		break;
	case FRAME_STREAM:
		hear_stream(r, p, f);
		break;
	case FRAME_OUTPUT:
		hear_output(r, p, f);
		break;
	case FRAME_SAID:
		hear_message(r, p, f);
		break;
	case FRAME_END:
		hear_end(r, p, f);
		break;
	default:
		break;
	}
}

/* ---- before the agent speaks -------------------------------------------------------------- */

static bool at_magic(struct peer *p, const char *magic, size_t len)
{
	char *at = memmem(p->got.data + p->got.at, bytes_left(&p->got), magic, len);

	if (at)
		bytes_skip(&p->got, at - (p->got.data + p->got.at) + len);
	return at;
}

/* A shell that asks for dtx-run says its machine, to the end of the line. */
static void hear_need(struct fleet_run *r, struct peer *p)
{
	const char *at = memmem(p->got.data + p->got.at, bytes_left(&p->got), NEEDS_MAGIC,
				NEEDS_MAGIC_LEN);
	const char *end = at ? memchr(at, '\n', p->got.data + p->got.len - at) : NULL;

	if (!end || r->reach.via)
		return;
	char *machine = strndup(at + NEEDS_MAGIC_LEN, end - at - NEEDS_MAGIC_LEN);
	const char *why = reach_send(&r->reach, p, machine);

	bytes_skip(&p->got, end + 1 - (p->got.data + p->got.at));
	if (why)
		talk_out(r, p, "%s", why);
	free(machine);
}

static void hear_first(struct fleet_run *r, struct peer *p)
{
	if (at_magic(p, AGENT_MAGIC, AGENT_MAGIC_LEN))
		p->speaks = true;
	else if (!p->needs)
		hear_need(r, p);
	if (p->speaks && p->state != PEER_AWAY)
		again_took(p, AGENT_MAGIC_LEN);
	if (!p->speaks && bytes_left(&p->got) > BEFORE_MOST)
		talk_out(r, p, "it writes what no agent does");
}

void talk_hear(struct fleet_run *r, struct peer *p)
{
	struct frame f;
	long n = bytes_read(&p->got, p->from, TURN_MOST);
	int err = 0;

	if (n <= 0) {
		fd_close(&p->from);
		if (p->state == PEER_AWAY)
			again_failed(p);
		else
			again_begin(r, p);
		return;
	}
	p->heard = fleet_now();
	if (p->state == PEER_OVER) {
		bytes_skip(&p->got, bytes_left(&p->got));
		return;
	}
	if (!p->speaks)
		hear_first(r, p);
	while (p->speaks && p->state != PEER_OVER && (err = frame_take(&p->got, &f)) > 0) {
		if (p->state != PEER_AWAY)
			again_took(p, FRAME_HEAD + f.len);
		hear_frame(r, p, &f);
	}
	if (err < 0 && !(err == -EILSEQ && again_begin(r, p)))
		talk_out(r, p, "what it sends is not of an agent");
}

void talk_words(struct peer *p)
{
	long n = bytes_read(&p->told, p->err, WORDS_KEPT);

	if (n <= 0) {
		fd_close(&p->err);
	} else if (bytes_left(&p->told) > WORDS_KEPT) {
		bytes_skip(&p->told, bytes_left(&p->told) - WORDS_KEPT);
	}
}

/* ---- the end of a host --------------------------------------------------------------------- */

static void ask_alone(struct peer *p)
{
	p->alone = true;
	p->state = PEER_WAITS;
	bytes_free(&p->told);
	bytes_free(&p->got);
	bytes_free(&p->put);
}

void talk_ended(struct fleet_run *r, struct peer *p)
{
	char *words;

	if (p->state == PEER_OVER)
		return;
	if (reach_may_ask(&r->reach, p)) {
		ask_alone(p);
		return;
	}
	words = peer_last_words(p);
	if (!p->speaks)
		talk_out(r, p, "%s", words ? words : "it ended without a word");
	else if (p->error)
		talk_out(r, p, "%s", p->error);  /* the agent has ended it */
	else
		talk_out(r, p, "the connection ended%s%s", words ? ": " : "", words ? words : "");
	free(words);
}
