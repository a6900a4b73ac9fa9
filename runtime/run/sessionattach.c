/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sessionattach.c - the probes of a program are attached, and taken off before the end.  Those that
 * come while tracing are attached by it, too (late.c), and overhead.c takes programs off.
 */
#include <errno.h>
#include <unistd.h>

#include "runtime/run/run.h"

struct session_group {
	const struct dtx_probe **probes;
	u64 *cookies;
	u32 n;
};

/* The provider attached nothing: its failure is the reason for every probe. */
static void session_refuse_group(struct dtx_session *s, const struct session_group *g, u32 before,
				 int err)
{
	const char *why = diags_take(&s->env->diags, strerror(-err));

	for (u32 i = 0; s->at.refused.n == before + i && i < g->n; i++)
		attach_refuse(&s->at, g->probes[i], "%s", why);
}

/* Records what was attached; the links from `link` on belong to the program. */
static void session_note_attached(struct dtx_session *s, u32 prog, int fd,
				  const struct session_group *g, u32 link)
{
	struct attached a = {
		.prog_fd = fd, .prog = prog, .nprobes = g->n, .link = link,
		.nlinks = s->at.links.n - link,
		.probes = ARENA_ARRAY(s->arena, u32, g->n),
	};

	for (u32 i = 0; i < g->n; i++)
		a.probes[i] = (u32)g->cookies[i];
	VEC_PUSH(&s->at.attached, a);
}

static void session_attach_group(struct dtx_session *s, u32 prog, const struct session_group *g)
{
	u32 before = s->at.refused.n, link = s->at.links.n, left = s->at.unattached;

	int fd = load_prog_fd(&s->ld, prog, g->cookies[0]);
	if (fd == -ENOENT)
		return;                  /* already refused and noted at loading */
	int err = fd < 0 ? dtx_env_fail(s->env, fd, "the kernel accepts no program for it (%s)",
					strerror(-fd))
			 : g->probes[0]->provider->attach(&s->at, g->probes, g->cookies, g->n, fd);
	if (err < 0 && s->at.unattached > left)
		diags_take(&s->env->diags, NULL);        /* the user ended it: no refusal */
	else if (err < 0)
		session_refuse_group(s, g, before, err);
	else
		session_note_attached(s, prog, fd, g, link);
}

void session_attach_more(struct dtx_session *s, u32 prog, const struct dtx_probe **probes,
			 u64 *cookies, u32 n)
{
	const struct session_group g = { probes, cookies, n };

	session_attach_group(s, prog, &g);
}

/* All probes of a program that belong to one provider; `done` marks the collected ones. */
static void session_collect(struct dtx_session *s, const struct img_prog *p, u32 first, bool *done,
			    struct session_group *g)
{
	const struct dtx_provider *prov = img_probe(s->img, p->probes[first])->provider;

	g->n = 0;
	for (u32 i = first; i < p->nprobes; i++) {
		const struct dtx_probe *probe = img_probe(s->img, p->probes[i]);
		if (done[i] || probe->provider != prov)
			continue;
		done[i] = true;
		g->probes[g->n] = probe;
		g->cookies[g->n++] = p->probes[i];
		if (p->ident == IDENT_ONE)
			break;
	}
}

void session_attach_prog(struct dtx_session *s, u32 prog)
{
	const struct img_prog *p = &s->img->progs[prog];
	struct arena *a = arena_new();
	u64 began = clock_ns(CLOCK_MONOTONIC);
	bool *done = ARENA_ARRAY(a, bool, p->nprobes);
	struct session_group g = {
		.probes = ARENA_ARRAY(a, const struct dtx_probe *, p->nprobes),
		.cookies = ARENA_ARRAY(a, u64, p->nprobes),
	};

	for (u32 i = 0; i < p->nprobes; i++) {
		if (done[i])
			continue;
		session_collect(s, p, i, done, &g);
		if (attach_interrupted(&s->at)) {
			s->at.unattached += g.n;
			continue;
		}
		session_attach_group(s, prog, &g);
		if (p->ident == IDENT_ONE)
			attach_estimate(&s->at, began, i + 1, p->nprobes,
					"programs of their own, as this kernel needs");
	}
	arena_free(a);
}

void session_detach_one(struct dtx_session *s, u32 attached)
{
	struct attached *a = &s->at.attached.v[attached];

	consumer_report_skips(s->con);   /* its counters end with its links */
	loss_end_samples(s->con, a->link, a->nlinks);
	for (u32 i = a->link; i < a->link + a->nlinks; i++) {
		close(s->at.links.v[i]);
		s->at.links.v[i] = -1;
	}
	a->off = true;
}
