/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * candidates.c - what may stand at the cursor: probes field by field, then names of expressions.
 * Only what begins with the word before the cursor is given, each candidate once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtx.h>

#include <dtx/optrow.h>
#include <dtx/provider.h>

#include "compiler/edit/edit.h"
#include "compiler/help/help.h"

extern const struct help_page dtx_d_lib[];

struct complete {
	struct dtx_env *env;
	const char *word;        /* before the cursor, NUL-terminated */
	size_t len;
	struct map *seen;
	candidate_fn *fn;
	void *arg;
};

static void offer(void *arg, const char *word, const char *about)
{
	struct complete *c = arg;

	if (strncmp(word, c->word, c->len) || map_count(c->seen) >= DTX_CANDIDATES ||
	    map_add(c->seen, word, c))
		return;
	c->fn(c->arg, word, about ? about : "");
}

/* ---- probes ---------------------------------------------------------------------------------- */

struct fields {
	struct complete *c;
	u32 field;               /* 1 module, 2 function, 3 name */
	bool last;               /* nothing follows it, as in kprobe:FUNCTION */
	const char *before;      /* the word up to the field, with its colon */
	const char *typed;       /* the rest of the word */
};

/* Of a function of C++ the mangled name, if its beginning was typed. */
static const char *field_function(const struct fields *f, const struct dtx_probe *p)
{
	size_t n = strlen(f->typed);

	return p->place.sym && !strncmp(f->typed, "_Z", 2) && strncmp(p->func, f->typed, n) &&
	       !strncmp(p->place.sym, f->typed, n) ? p->place.sym : p->func;
}

static int offer_field(void *arg, struct dtx_probe *p)
{
	struct fields *f = arg;
	const char *text = f->field == 1 ? p->mod : f->field == 2 ? field_function(f, p) : p->name;

	if (!*text && f->field == 3)
		return 0;
	char *word = xprintf("%s%s%s", f->before, text, f->field < 3 && !f->last ? ":" : "");
	offer(f->c, word, "");
	free(word);
	return map_count(f->c->seen) >= DTX_CANDIDATES;
}

static void offer_providers(struct complete *c)
{
	static const char *const more[] = {
		"BEGIN", "END", "ERROR", "tick-1s", "profile-97", "pid$target:", "kprobe:",
		"kretprobe:", "fentry:", "fexit:",
	};

	for (u32 i = 0; dtx_providers[i]; i++) {
		char *word = xprintf("%s:", dtx_providers[i]->name);

		offer(c, word, dtx_providers[i]->doc);
		free(word);
	}
	for (u32 i = 0; i < ARRAY_SIZE(more); i++)
		offer(c, more[i], "");
}

/* Providers whose descriptions have fewer fields, as Linux spells them. */
static const char functions[] = " kprobe kretprobe fentry fexit kfunc kretfunc ";
static const char events[] = " tracepoint rawtp rawtracepoint ";

static bool linux_spelling(const char *word, const char *providers)
{
	char name[40];

	snprintf(name, sizeof(name), " %.*s ", (int)strcspn(word, ":"), word);
	return strstr(providers, name);
}

/* Every function has an entry: its returns and the places inside it have no other names for its
 * object and itself, and there are hundreds of thousands of them. */
static bool entries_suffice(const char *prov)
{
	static const char *const rows[] = { "pid[0-9]*", "fbt", "rawfbt", "uprobe" };

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (glob_matches(rows[i], prov))
			return true;
	return false;
}

/* Where the last field begins, and its number; NULL: it is the first one.  In functions of programs
 * "::" is part of the name. */
static const char *last_field(const char *word, u32 *field)
{
	bool has_scopes = provider_has_scopes(word);
	const char *last = NULL;

	*field = 0;
	for (const char *p = strchr(word, ':'); p; p = strchr(p + 1, ':')) {
		if (has_scopes && *field == 2 && p > last && p[1] == ':') {
			p++;
			continue;
		}
		last = p + 1;
		(*field)++;
	}
	return last;
}

/* The last field of the word is completed; those before it are as they are. */
static void complete_probe(struct complete *c)
{
	u32 field;
	const char *last = last_field(c->word, &field);
	const char *err = NULL;
	struct dtx_pattern pat = { "", "", "", "", 0, false };

	if (!last) {
		offer_providers(c);
		return;
	}
	char *before = arena_printf(c->env->arena, "%.*s", (int)(last - c->word), c->word);
	if (field == 2 && linux_spelling(c->word, events))
		field = 3;               /* tracepoint:GROUP:NAME */
	char *text = arena_printf(c->env->arena, "%s*%.*s", c->word,
				  linux_spelling(c->word, functions) ? 0 : 3 - (int)MIN(field, 3u),
				  ":::");
	if (provider_parse(c->env->arena, text, 4, &pat, &err))
		return;
	struct fields f = { c, MIN(field, 3u), false, before, last };
	if (field == 1 && linux_spelling(c->word, functions))
		f.field = 2, f.last = true;
	if (f.field < 3 && entries_suffice(pat.prov))
		pat.name = "entry";
	provider_list(c->env, &pat, offer_field, &f);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool offer_row(void *arg, const char *name, const char *about)
{
	offer(arg, name, about);
	return false;
}

/* The words of the text that have `mark` before them: @name, self->name. */
static void offer_marked(struct complete *c, const char *text, size_t skip, const char *mark)
{
	size_t n = strlen(mark);

	for (const char *p = text; (p = strstr(p, mark)); p += n) {
		size_t from = p + n - text, to = cursor_word_end(text, strlen(text), from);

		if (to == from || from == skip)
			continue;
		char *word = xprintf("%.*s", (int)(to - from), text + from);
		offer(c, word, "");
		free(word);
	}
}

static void offer_arguments(struct complete *c, struct dtx_probe *p)
{
	for (u32 i = 0; p && i < p->args.n; i++) {
		struct buf type = { 0 };

		if (!p->args.v[i].name)
			continue;
		if (p->args.v[i].type && !p->args.v[i].xlate)
			type_text(p->args.v[i].type, &type);
		const char *known = p->args.v[i].xlate ? p->args.v[i].xlate : p->args.v[i].ctype;
		offer(c, p->args.v[i].name, type.data ? type.data : known);
		buf_free(&type);
	}
}

static bool before_is(const char *text, size_t at, const char *mark)
{
	size_t n = strlen(mark);

	return at >= n && !memcmp(text + at - n, mark, n);
}

/* The names that the D library defines: "inline TYPE NAME = …", "inline TYPE NAME[…]". */
static void offer_library(struct complete *c)
{
	for (const struct help_page *file = dtx_d_lib; file->name; file++)
		for (const char *p = file->text; (p = strstr(p, "\ninline ")); p++) {
			const char *end = p + 1 + strcspn(p + 1, "=[;"), *from;

			while (end[-1] == ' ')
				end--;
			for (from = end; strchr(" *", from[-1]) == NULL; from--)
				;
			if (!strncmp(from, "__", 2))
				continue;
			char *word = xprintf("%.*s", (int)(end - from), from);
			char *type = xprintf("%.*s", (int)(from - p - 8), p + 8);
			offer(c, word, type);
			free(type);
			free(word);
		}
}

/* Names that the text itself defines, with this sigil; that at the cursor is being typed. */
static void offer_own(struct complete *c, const char *text, size_t at, const char *sigil)
{
	struct name name;

	for (size_t p = 0; name_next(text, &p, &name);) {
		char word[128];

		if (strcmp(name.sigil, sigil) || (name.from <= at && at <= name.to))
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)(name.to - name.from), text + name.from);
		if (!strncmp(word, c->word, c->len) && !map_get(c->seen, word) &&
		    name_is_own(text, &name))
			offer(c, word, "");
	}
}

static void complete_expression(struct complete *c, const char *text, const struct cursor *at)
{
	static const char *const macros[] = {
		"target", "pid", "ppid", "uid", "euid", "gid", "egid", "pgid", "sid", "projid",
		"taskid", "tid",
	};
	static const char *const words[] = {
		"args", "self->", "this->", "if", "else", "for", "while", "return", "break",
		"continue", "sizeof", "offsetof", "stringof", "xlate",
	};
	struct dtx_probe *p = NULL;
	struct shape s;

	if (before_is(text, at->from, "@")) {
		offer_marked(c, text, at->from, "@");
		return;
	}
	if (before_is(text, at->from, "$")) {
		for (u32 i = 0; i < ARRAY_SIZE(macros); i++)
			offer(c, macros[i], "");
		offer_own(c, text, at->from, "$");
		return;
	}
	if (before_is(text, at->from, "`"))
		return;                  /* a symbol of the kernel */
	bool self = before_is(text, at->from, "self->");
	if (self || before_is(text, at->from, "this->")) {
		offer_marked(c, text, at->from, self ? "self->" : "this->");
		return;
	}
	p = shape_probe(c->env, text, at->probe, at->probe_end);
	if (before_is(text, at->from, "args.") || before_is(text, at->from, "args->"))
		offer_arguments(c, p);
	else if (at->path < at->from && shape_of(c->env, p, text, at->path, at->from, &s))
		shape_members(&s, offer, c);
	if (at->path < at->from)
		return;
	offer_arguments(c, p);
	offer_own(c, text, at->from, "");
	help_rows(offer_row, c);
	offer_library(c);
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		offer(c, words[i], "");
}

/* "NAME", or with "NAME=" before the cursor the values that the option can have. */
static void complete_option(struct complete *c)
{
	const char *equals = strchr(c->word, '=');

	for (u32 i = 0; i < opt_nrows; i++) {
		const struct opt_row *row = &opt_rows[i];
		size_t n = strlen(row->name);

		if (!equals) {
			offer(c, row->name, row->doc);
			continue;
		}
		if ((size_t)(equals - c->word) != n || memcmp(row->name, c->word, n))
			continue;
		const char *v = row->words ? row->words : row->kind == OPTK_FLAG ? "on off" :
				row->word ? row->word : "";
		for (size_t len; (len = strcspn(v, " ")); v += len + (v[len] == ' ')) {
			char *word = xprintf("%s=%.*s", row->name, (int)len, v);

			offer(c, word, "");
			free(word);
		}
	}
}

void complete_text(struct dtx_env *env, const char *text, size_t at, candidate_fn *fn, void *arg)
{
	struct cursor cur = cursor_find(text, at);
	struct complete c = { .env = env, .fn = fn, .arg = arg, .seen = map_new() };

	c.word = arena_printf(env->arena, "%.*s", (int)(at - cur.from), text + cur.from);
	c.len = strlen(c.word);
	provider_look_anew(env);
	if (cur.where == AT_PROBE)
		complete_probe(&c);
	else if (cur.where == AT_EXPRESSION)
		complete_expression(&c, text, &cur);
	else if (cur.where == AT_OPTION)
		complete_option(&c);
	map_free(c.seen);
}

/* ---- hover ----------------------------------------------------------------------------------- */

struct look {
	const char *word;
	struct buf *to;
	bool found;
};

static void look_member(void *arg, const char *word, const char *about)
{
	struct look *l = arg;

	if (strcmp(word, l->word) || l->found)
		return;
	buf_printf(l->to, "    %s%s%s\n", about, about[strlen(about) - 1] == '*' ? "" : " ", word);
	l->found = true;
}

static bool explain_probe(struct dtx_env *env, const char *text, size_t from, size_t to,
			  struct buf *b)
{
	struct dtx_probe *p = shape_probe(env, text, from, to);

	if (!p)
		return false;
	buf_printf(b, "    " PROBE_NAME "\n", PROBE_PARTS(p));
	u32 n = p->stable ? p->stable->nargs : p->args.n;
	for (u32 i = 0; i < n; i++) {
		struct buf type = { 0 };

		if (p->args.v[i].type && !p->args.v[i].xlate)
			type_text(p->args.v[i].type, &type);
		const char *shown = p->args.v[i].xlate ? p->args.v[i].xlate
				    : type.data      ? type.data
						     : p->args.v[i].ctype;
		const char *name = p->args.v[i].name ? p->args.v[i].name : "";
		if (shown && !p->args.untyped)
			buf_printf(b, "    args[%u]: %s %s\n", i, shown, name);
		else if (shown && *name)
			buf_printf(b, "    args.%s: %s\n", name, shown);
		buf_free(&type);
	}
	return true;
}

/* An inline of the D library: its declaration as code; false: there is none. */
static bool explain_library(struct buf *b, const char *word)
{
	size_t n = strlen(word);

	for (const struct help_page *file = dtx_d_lib; file->name; file++)
		for (const char *p = file->text; (p = strstr(p, "\ninline ")); p++) {
			size_t len = strcspn(p + 1, "\n"), head = strcspn(p + 1, "=[;");
			const char *end = p + 1 + head;

			while (end[-1] == ' ')
				end--;
			const char *name = (size_t)(end - p) > n ? end - n : NULL;
			if (!name || memcmp(name, word, n) || !strchr(" *", name[-1]))
				continue;
			buf_printf(b, "    %.*s\n", (int)len, p + 1);
			return true;
		}
	return false;
}

bool explain_of_d(struct dtx_env *env, const char *text, const struct cursor *cur,
		  const char *word, struct buf *b)
{
	struct look l = { word, b, false };
	struct complete c = { .env = env, .word = word, .len = strlen(word), .seen = map_new(),
			      .fn = look_member, .arg = &l };

	offer_arguments(&c, shape_probe(env, text, cur->probe, cur->probe_end));
	map_free(c.seen);
	return l.found || help_aggregation(b, word) || help_builtin(b, word) ||
	       explain_library(b, word);
}

/* The name of an option in "#pragma D option NAME=VALUE". */
static bool explain_option(const char *text, size_t from, struct buf *b)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text + from, "= \t\r\n"), text + from);
	return help_option(b, name);
}

bool explain_word(struct dtx_env *env, const char *text, size_t len, size_t at, struct buf *b)
{
	size_t end = cursor_word_end(text, len, at);
	struct cursor cur = cursor_find(text, end);
	struct shape s;

	if (cur.where == AT_PROBE) {
		while (end < len && !strchr(" \t\n,{}/;", text[end]))
			end++;
		return explain_probe(env, text, cur.from, end, b);
	}
	if (cur.where == AT_OPTION)
		return explain_option(text, cur.from, b);
	if (cur.where != AT_EXPRESSION || cur.from == end)
		return false;
	if (cur.from && strchr("$`", text[cur.from - 1]))
		return false;
	if (before_is(text, cur.from, "self->") || before_is(text, cur.from, "this->") ||
	    before_is(text, cur.from, "@"))
		return false;            /* a name of the program */

	char *word = arena_printf(env->arena, "%.*s", (int)(end - cur.from), text + cur.from);
	struct look l = { word, b, false };
	struct dtx_probe *p = shape_probe(env, text, cur.probe, cur.probe_end);
	bool of_args = before_is(text, cur.from, "args.") || before_is(text, cur.from, "args->");
	if (cur.path < cur.from && !of_args) {
		if (shape_of(env, p, text, cur.path, cur.from, &s))
			shape_members(&s, look_member, &l);
		return l.found;
	}
	return explain_of_d(env, text, &cur, word, b);
}
