/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * similar.c - descriptions similar to one that matched nothing: "did you mean".
 *
 * A wrong provider is compared with the providers' names.  Else one field at a time (function,
 * name, module) is left open, and the matches are compared with the given field; then the words are
 * tried in other fields, and the first one is compared with the Linux spellings ("kprobe").
 */
#include <stdlib.h>

#include <dtx/env.h>

#include "runtime/provider/provider.h"

#define MAX_NEAR 16

enum { MOD, FUNC, NAME, NFIELDS };

struct near { const char *text; unsigned distance; };

struct search {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	int field;                       /* the one left open */
	u32 max, n;
	struct near best[MAX_NEAR];
};

static const char *field_of(const struct dtx_pattern *p, int field)
{
	return field == MOD ? p->mod : field == FUNC ? p->func : p->name;
}

/* Differences worth a suggestion grow with the length. */
static unsigned tolerance(const char *text)
{
	size_t len = strlen(text);

	return len <= 3 ? 1 : len <= 6 ? 2 : 3;
}

static void keep(struct search *s, const char *text, unsigned distance)
{
	u32 at = s->n;

	if (!text[strspn(text, ":")])
		return;                  /* near to a name of one letter is no name at all */
	for (u32 i = 0; i < s->n; i++)
		if (!strcmp(s->best[i].text, text))
			return;
	while (at && s->best[at - 1].distance > distance)
		at--;
	if (at == s->max)
		return;
	if (s->n < s->max)
		s->n++;
	memmove(&s->best[at + 1], &s->best[at], (s->n - at - 1) * sizeof(*s->best));
	s->best[at] = (struct near){ text, distance };
}

/* The description with `value` in the open field, without leading empty fields. */
static const char *describe(struct search *s, const char *value)
{
	const struct dtx_pattern *p = s->pat;
	const char *text;

	text = arena_printf(s->env->arena, "%s:%s:%s:%s", p->prov, s->field == MOD ? value : p->mod,
			    s->field == FUNC ? value : p->func, s->field == NAME ? value : p->name);
	while (*text == ':')
		text++;
	return text;
}

/* Of ns::f, f. */
static const char *last_name(const char *name)
{
	size_t len = strcspn(name, "<");

	for (const char *s = name; *s && s < name + len; s++)
		if (!strncmp(s, "::", 2))
			name = s + 2;
	return name;
}

static int candidate(void *arg, struct dtx_probe *probe)
{
	struct search *s = arg;
	const char *has = s->field == MOD    ? probe->mod
			  : s->field == FUNC ? probe->func
					     : probe->name;
	const char *want = field_of(s->pat, s->field);
	unsigned max = tolerance(want), d = edit_distance(want, has, max);

	if (d > max && s->field == FUNC && strstr(has, "::"))
		d = edit_distance(want, last_name(has), max);
	if (d <= max && (s->n < s->max || d < s->best[s->n - 1].distance))
		keep(s, describe(s, has), d);
	return 0;
}

static void near_field(struct search *s, int field)
{
	struct dtx_pattern open = *s->pat;

	if (glob_is_pattern(field_of(s->pat, field)))
		return;
	*(field == MOD ? &open.mod : field == FUNC ? &open.func : &open.name) = "";
	s->field = field;
	provider_list(s->env, &open, candidate, s);
}

static bool known_provider(const char *pattern)
{
	for (u32 i = 0; dtx_providers[i]; i++)
		if (glob_matches(pattern, dtx_providers[i]->name))
			return true;
	return provider_by_name(pattern) != NULL;
}

static void near_provider(struct search *s)
{
	const struct dtx_pattern *p = s->pat;
	unsigned max = tolerance(p->prov);

	for (u32 i = 0; dtx_providers[i]; i++) {
		const char *name = dtx_providers[i]->name;
		unsigned d = edit_distance(p->prov, name, max);

		if (!strncmp(name, p->prov, strlen(p->prov)))
			d = 1;                   /* the beginning of a name */
		if (d <= max)
			keep(s, arena_printf(s->env->arena, "%s:%s:%s:%s", name, p->mod, p->func,
					     p->name), d);
	}
}

/* ---- the right words in the wrong fields ----------------------------------------------------- */

static int is_there(void *arg, struct dtx_probe *p)
{
	(void)arg;
	(void)p;
	return 1;
}

bool provider_has_probes(struct dtx_env *env, const char *provider)
{
	const struct dtx_pattern all = { provider, "", "", "", 0, false };

	return !glob_is_pattern(provider) && provider_list(env, &all, is_there, NULL) == 1;
}

static void near_other(struct search *s, const char *prov, const char *func, const char *name)
{
	const struct dtx_pattern p = { prov, "", func, name, 0, false };

	if (!glob_is_pattern(prov) && provider_list(s->env, &p, is_there, NULL) == 1)
		keep(s, arena_printf(s->env->arena, "%s::%s:%s", prov, func, name), 0);
}

/* Fields are counted from the right: syscall::read, proc::exec-success.  A module of another
 * system. */
static void near_misplaced(struct search *s)
{
	const struct dtx_pattern *p = s->pat;

	if (*p->prov && *p->mod) {
		near_other(s, p->prov, p->func, p->name);
		if (!s->n && !provider_has_scopes(p->prov))
			near_other(s, p->prov, "", p->name);
	} else if (!*p->prov && *p->mod) {
		near_other(s, p->mod, p->func, p->name);
		if (!*p->func)
			near_other(s, p->mod, p->name, "");
	} else if (!*p->prov && *p->func) {
		near_other(s, p->func, "", p->name);
		near_other(s, p->func, p->name, "");
	}
}

/* "kprob:tcp_sendmsg" reads as a function and a name. */
static void near_spelling(struct search *s)
{
	const char *f[] = { s->pat->prov, s->pat->mod, s->pat->func, s->pat->name }, *word;
	struct buf text = { 0 };
	u32 first = 0;

	while (first < ARRAY_SIZE(f) - 1 && !*f[first])
		first++;
	word = spelling_near(f[first], ARRAY_SIZE(f) - first, tolerance(f[first]));
	if (!word)
		return;
	buf_puts(&text, word);
	for (u32 i = first + 1; i < ARRAY_SIZE(f); i++)
		buf_printf(&text, ":%s", f[i]);
	keep(s, arena_strdup(s->env->arena, text.data), 1);
	buf_free(&text);
}

/* A rate that is not allowed: suggesting another rate does not help. */
static bool is_timer(const char *name)
{
	return !strncmp(name, "profile-", 8) || !strncmp(name, "tick-", 5);
}

#define WORD_DISTANCE 2          /* of a word alone: more is another word */

/* A word alone is a name; people whose tools take functions mean one. */
static void near_word(struct search *s)
{
	near_other(s, "syscall", s->pat->name, "entry");
	near_other(s, "fbt", s->pat->name, "entry");
	if (s->n)
		return;
	near_field(s, NFIELDS - 1);
	while (s->n && s->best[s->n - 1].distance > WORD_DISTANCE)
		s->n--;
}

u32 provider_nearest(struct dtx_env *env, const struct dtx_pattern *pat, const char **out, u32 max)
{
	struct search s = { .env = env, .pat = pat, .max = MIN(max, MAX_NEAR) };
	bool listing = env->listing;

	if (!s.max || pat->id || is_timer(pat->name) || !strcmp(pat->func, "-"))
		return 0;
	env->listing = true;             /* nothing is told of what is only looked through */
	if (!known_provider(pat->prov))
		near_provider(&s);
	else if (!*pat->prov && !*pat->mod && !*pat->func)
		near_word(&s);
	else
		for (int field = NFIELDS - 1; field >= 0; field--)
			near_field(&s, field);
	if (!s.n)
		near_misplaced(&s);
	if (!s.n && !(*pat->prov && known_provider(pat->prov)))
		near_spelling(&s);
	env->listing = listing;
	for (u32 i = 0; i < s.n; i++)
		out[i] = s.best[i].text;
	return s.n;
}
