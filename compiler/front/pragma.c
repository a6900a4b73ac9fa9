/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pragma.c - control lines: #pragma, #line, #error, #ident, #!.
 *
 * To add a pragma: a row in `pragmas` with a function that reads the words after its name.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <dtx/optrow.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"

#define WORDS_MAX 8

/* A control line cut at blanks; "quoted text" is one word, quotes kept. */
struct words {
	struct lexer *lx;
	const char *v[WORDS_MAX];
	struct range at[WORDS_MAX];
	u32 n;
	bool more;               /* there are more than WORDS_MAX words */
	const char *rest;        /* text from the second word on */
};

static void words_split(struct words *w, struct lexer *lx, const char *text, u32 len)
{
	u32 i = 0, start;

	while (i < len) {
		while (i < len && isspace((unsigned char)text[i]))
			i++;
		start = i;
		if (i < len && text[i] == '"')
			for (i++; i < len && text[i] != '"'; i++)
				i += text[i] == '\\' && i + 1 < len;
		while (i < len && !isspace((unsigned char)text[i]))
			i++;
		if (i == start)
			break;
		if (w->n == WORDS_MAX) {
			w->more = true;
			break;
		}
		w->at[w->n] = (struct range){ lx->src, lx->from + start, lx->from + i };
		w->v[w->n++] = arena_strndup(lx->comp->arena, text + start, i - start);
	}
}

static void words_hint(struct words *w, struct diag *d, const char *text)
{
	if (d)
		diag_hint(&w->lx->comp->env->diags, d, "%s", text);
}

static void malformed(struct words *w, const char *form)
{
	words_hint(w, lex_error(w->lx, D_PRAGMA_MALFORM, "malformed #pragma D %s", w->v[2]), form);
}

/* ---- #pragma D ------------------------------------------------------------------------- */

/* Run-time options are stored in the image. */
static void option_record(struct comp *c, const char *name, const char *value)
{
	u32 id = options_find(name);
	struct img *img = c->img;

	if (!img || id == opt_nrows || opt_rows[id].when == OPTW_COMPILE)
		return;
	ARENA_PUSH(c->arena, img->options, img->noptions, ((struct img_option){ name, value }));
}

/* Values whose syntax is D's own. */
static bool option_value_ok(const char *name, const char *value)
{
	if (!strcmp(name, "version"))
		return value && version_known(value);
	return strcmp(name, "amin") || (value && stability_valid(value));
}

/* The message is about the name, not about the line and its value: an editor replaces it. */
static void option_unknown(struct words *w, const char *name, const char *near)
{
	struct diags *ds = &w->lx->comp->env->diags;
	struct range at = w->at[3];
	struct diag *d;

	at.to = at.from + (u32)strcspn(w->v[3], "=");
	if (w->lx->recover)
		return;
	d = diag_error(ds, D_PRAGMA_OPTSET, at, "there is no option '%s'", name);
	if (near)
		diag_hint(ds, d, "did you mean '%s'?", near);
}

static void option_refused(struct words *w, const char *name, const char *value)
{
	struct arena *a = w->lx->comp->env->arena;
	const char *form = options_form(a, name);
	struct diag *d;

	if (value)
		d = lex_error(w->lx, D_PRAGMA_OPTSET, "'%s' is not a value of option '%s'", value,
			      name);
	else
		d = lex_error(w->lx, D_PRAGMA_OPTSET, "option '%s' needs a value", name);
	if (form)
		words_hint(w, d, arena_printf(a, "use %s", form));
	else if (!value)
		words_hint(w, d, arena_printf(a, "write %s=VALUE", name));
}

static void pragma_option(struct words *w)
{
	struct comp *c = w->lx->comp;
	char *name, *value;
	const char *near = NULL, *words;
	struct diag *d;
	int err;

	if (w->n != 4 || w->more) {
		malformed(w, "write '#pragma D option NAME' or 'NAME=VALUE', without blanks");
		return;
	}
	words = lex_spec_macros(w->lx, w->v[3], strlen(w->v[3]));
	if (!words)
		return;
	name = arena_strdup(c->env->arena, words);
	value = strchr(name, '=');
	if (value)
		*value++ = 0;
	if (options_find(name) < opt_nrows && opt_rows[options_find(name)].outside) {
		d = lex_error(w->lx, D_PRAGMA_OPTSET, "a program cannot set the option '%s'", name);
		words_hint(w, d, arena_printf(c->env->arena, "use -x %s%s%s", name,
					      value ? "=" : "", value ? value : ""));
		return;
	}
	err = option_value_ok(name, value) ?
	      options_set(c->env->opts, c->env->arena, name, value, &near) : -EINVAL;
	if (!err) {
		option_record(c, name, value);
		options_tell_idle(c->env, lex_range(w->lx));
	} else if (err == -EINVAL) {
		option_refused(w, name, value);
	} else {
		option_unknown(w, name, near);
	}
}

/* May a pragma refer to the name?  Not to names that every program has. */
static bool pragma_own(struct words *w, const char *name)
{
	if (!builtin_exact(name) && !type_builtin(name))
		return true;
	words_hint(w, lex_error(w->lx, D_PRAGMA_SCOPE, "'%s' is not declared by this program",
				name),
		   "pragmas apply only to what the program itself declares");
	return false;
}

static void pragma_attributes(struct words *w)
{
	static const char *const parts[] = { "provider", "module", "function", "name", "args" };
	bool provider = w->n == 7 && !strcmp(w->v[4], "provider"), ok = !provider;

	for (u32 i = 0; provider && i < ARRAY_SIZE(parts); i++)
		ok |= !strcmp(w->v[6], parts[i]);
	if (w->more || (w->n != 5 && !provider))
		malformed(w, "write '#pragma D attributes NAME/DATA/CLASS IDENTIFIER'");
	else if (!stability_valid(w->v[3]))
		words_hint(w,
			   lex_error(w->lx, D_PRAGMA_INVAL, "'%s' is not a list of attributes",
				     w->v[3]),
			   "write NAME/DATA/CLASS, as in Stable/Stable/Common");
	else if (!ok)
		words_hint(w,
			   lex_error(w->lx, D_PRAGMA_INVAL, "a provider has no part '%s'", w->v[6]),
			   "its parts are provider, module, function, name and args");
	else if (provider)
		pragma_keep(w->lx->comp, w->v[5], w->v[3], NULL, true, w->at[5]);
	else if (pragma_own(w, w->v[4]))
		pragma_keep(w->lx->comp, w->v[4], w->v[3], NULL, false, w->at[4]);
}

static void pragma_binding(struct words *w)
{
	size_t n = w->n > 3 ? strlen(w->v[3]) : 0;
	const char *version;

	if (w->n != 5 || n < 3 || w->v[3][0] != '"' || w->v[3][n - 1] != '"') {
		malformed(w, "write '#pragma D binding \"1.0\" IDENTIFIER'");
		return;
	}
	version = arena_strndup(w->lx->comp->arena, w->v[3] + 1, n - 2);
	if (!version_known(version))
		lex_error(w->lx, D_PRAGMA_INVAL, "'%s' is not a version of D", version);
	else if (pragma_own(w, w->v[4]))
		pragma_keep(w->lx->comp, w->v[4], NULL, version, false, w->at[4]);
}

static void pragma_depends_on(struct words *w)
{
	const char *what = w->n > 3 ? w->v[3] : "";

	if (w->n != 5) {
		malformed(w, "write '#pragma D depends_on provider NAME', or module or library");
		return;
	}
	if (strcmp(what, "provider") && strcmp(what, "module") && strcmp(what, "library")) {
		words_hint(w, lex_error(w->lx, D_PRAGMA_INVAL, "a program cannot depend on a "
							       "'%s'", what),
			   "write provider, module or library");
		return;
	}
	if (w->lx->comp->front->in_lib)         /* already handled by lib.c */
		return;
	if (!strcmp(what, "library"))
		words_hint(w, lex_error(w->lx, D_PRAGMA_DEPEND,
					"only D library files depend on libraries"),
			   "remove the line: libraries are loaded as they are needed");
	else if (!strcmp(what, "module") && !lib_has_module(w->lx->comp, w->v[4]))
		words_hint(w, lex_error(w->lx, D_PRAGMA_DEPEND,
					"the program needs the module '%s', which is not loaded",
					w->v[4]), "load it with modprobe");
	else if (!strcmp(what, "provider") && !lib_has_provider(w->lx->comp, w->v[4]))
		words_hint(w,
			   lex_error(w->lx, D_PRAGMA_DEPEND,
				     "this program needs the provider '%s', which does not exist",
				     w->v[4]),
			   TOOL " -l lists the probes");
}

static void pragma_param(struct words *w)
{
	param_declare(w->lx, w->v + 3, w->n > 3 ? w->n - 3 + w->more : 0);
}

static const struct pragma {
	const char *name;
	void (*run)(struct words *);
} pragmas[] = {
	{ "attributes", pragma_attributes },
	{ "binding",    pragma_binding },
	{ "depends_on", pragma_depends_on },
	{ "option",     pragma_option },
	{ "param",      pragma_param },
};

static void pragma_d(struct words *w)
{
	struct diag *d;

	for (u32 i = 0; w->n > 2 && i < ARRAY_SIZE(pragmas); i++) {
		if (!strcmp(w->v[2], pragmas[i].name)) {
			pragmas[i].run(w);
			return;
		}
	}
	if (w->n < 3) {
		lex_error(w->lx, D_PRAGMA_MALFORM, "#pragma D needs a name");
		return;
	}
	d = lex_error(w->lx, D_PRAGMA_INVAL, "there is no '#pragma D %s'", w->v[2]);
	words_hint(w, d, "the pragmas are option, param, attributes, binding and depends_on");
}

/* ---- control lines ---------------------------------------------------------------------- */

static void line_error(struct words *w, const char *after)
{
	while (isspace((unsigned char)*after))
		after++;
	lex_error(w->lx, D_PRAGERR, "#error: %s", *after ? after : "(no text)");
}

/* # N "file": the next line is line N of the file. */
static void control_line_number(struct words *w, u32 i)
{
	struct source *src = (struct source *)w->lx->src;
	const char *name = w->n > i + 1 ? w->v[i + 1] : NULL, *file;
	u32 line, as, col;

	if (w->n <= i || strspn(w->v[i], "0123456789") != strlen(w->v[i]) ||
	    (name && name[0] != '"')) {
		lex_error(w->lx, D_PRAGMA_MALFORM, "malformed line number");
		return;
	}
	source_place(src, w->lx->from, &file, &as, &col);
	if (name)
		file = arena_strndup(w->lx->comp->env->arena, name + 1,
				     MAX(strlen(name), 2u) - 2);
	source_pos(src, w->lx->from, &line, &col);
	source_mark(w->lx->comp->env->arena, src, line + 1, strtoul(w->v[i], NULL, 10), file);
}

/* Copies the words of "# word" and "#word". */
static void control_pragma(struct words *w)
{
	bool is_d = w->n > 1 && !strcmp(w->v[1], "D");
	u32 i = is_d ? 2 : 1;
	const char *what = w->n > i ? w->v[i] : "";

	if (!strcmp(what, "error"))
		line_error(w, strstr(w->rest, what) + strlen(what));
	else if (!strcmp(what, "line"))
		control_line_number(w, i + 1);
	else if (is_d && strcmp(what, "ident"))
		pragma_d(w);
	else if (!strncmp(what, "pack", 4) && !isalnum((unsigned char)what[4]))
		attr_pack(w->lx, w->rest + 4);
}

static void control_word(struct words *w)
{
	const char *word = w->v[0];
	struct diag *d;

	if (!strcmp(word, "pragma")) {
		control_pragma(w);
	} else if (!strcmp(word, "error")) {
		line_error(w, w->rest);
	} else if (!strcmp(word, "line") || isdigit((unsigned char)*word)) {
		control_line_number(w, !strcmp(word, "line"));
	} else if (strcmp(word, "ident")) {
		d = lex_error(w->lx, D_PRAGCTL_INVAL, "unknown control line '#%s'", word);
		words_hint(w, d, "#define, #include and #if are for the C preprocessor: use -C");
	}
}

/* A file that ends within a pragma was cut. */
static bool control_ends(struct words *w)
{
	const struct source *src = w->lx->src;

	if (!src->is_file || strcmp(w->v[0], "pragma") || w->lx->to < src->len)
		return true;
	words_hint(w, lex_error(w->lx, D_SYNTAX, "the file ends in this line"),
		   "a line ends with a newline: the rest may be missing");
	return false;
}

/* One line whose first visible character is '#'. */
void control_line(struct lexer *lx, const char *text, u32 len)
{
	const char *hash = memchr(text, '#', len);
	u32 skip = hash + 1 - text, first;
	struct words w = { .lx = lx };
	struct lexer line = *lx;         /* ranges count from after the '#' */

	if (skip < len && text[skip] == '!')
		return;
	while (len > skip && isspace((unsigned char)text[len - 1]))
		len--;
	line.from += skip;
	words_split(&w, &line, text + skip, len - skip);
	w.lx = lx;
	if (!w.n)
		return;
	first = w.at[0].to - line.from;
	text += skip + first;
	w.rest = arena_strndup(lx->comp->arena, text, len - skip - first);
	while (!strcmp(w.v[0], "pragma") && isspace((unsigned char)*w.rest))
		w.rest++;
	if (control_ends(&w))
		control_word(&w);
}
