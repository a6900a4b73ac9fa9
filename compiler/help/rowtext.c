/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rowtext.c - rows of the tables as Markdown: one name, or all of a list.  The tables are read here
 * as text only: what they mean is in the parts that use them.
 */
#include <stdio.h>
#include <string.h>

#include <dtx/aggs.h>
#include <dtx/env.h>
#include <dtx/optrow.h>

#include "compiler/help/help.h"

/* ---- built-in variables, subroutines and actions -------------------------------------------- */

struct help_builtin_row {
	const char *name, *kind, *signature, *alias, *flags, *doc, *example, *output;
};

#define BUILTIN(name, kind, sig, lower, target, flags, doc, example, output) \
	{ #name, #kind, sig, #target, #flags, doc, example, output },
static const struct help_builtin_row help_builtins[] = {
#include <dtx/tables/builtins.def>
};
#undef BUILTIN

/* What is internal begins with two underscores. */
static bool hidden(const char *name)
{
	return !strncmp(name, "__", 2);
}

static const struct help_builtin_row *builtin_row(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(help_builtins); i++)
		if (!strcmp(help_builtins[i].name, name))
			return &help_builtins[i];
	return NULL;
}

/* "string (memory, [size])" of strfn becomes "string strfn(memory, [size])". */
static void put_prototype(struct buf *b, const struct help_builtin_row *row)
{
	const struct help_builtin_row *of = row;

	if (!of->signature && builtin_row(of->alias))
		of = builtin_row(of->alias);
	const char *sig = of->signature ? of->signature : "";
	const char *args = strchr(sig, '(');
	if (!args)
		buf_printf(b, "%s%s%s", sig, *sig ? " " : "", row->name);
	else
		buf_printf(b, "%.*s%s%s", (int)(args - sig), sig, row->name, args);
}

/* A program in lines of code: its newlines are kept. */
static void put_code(struct buf *b, const char *text)
{
	buf_puts(b, "\n    ");
	for (; *text; text++) {
		buf_putc(b, *text);
		if (*text == '\n' && text[1])
			buf_puts(b, "    ");
	}
	buf_puts(b, "\n");
}

static const char *kind_words(const struct help_builtin_row *row)
{
	if (strstr(row->flags, "BF_DESTRUCTIVE"))
		return "A destructive action: it needs `-w`.";
	return !strcmp(row->kind, "BK_VAR")  ? "A built-in variable."
	       : !strcmp(row->kind, "BK_ACT") ? "An action: it stands alone, as a statement."
					      : "A subroutine: it is used in expressions.";
}

/* Documentation is a phrase; here it becomes a sentence. */
static void put_sentence(struct buf *b, const char *doc)
{
	size_t n = strlen(doc);

	buf_putc(b, *doc >= 'a' && *doc <= 'z' ? *doc - 32 : *doc);
	buf_puts(b, *doc ? doc + 1 : "");
	if (n && !strchr(".?!", doc[n - 1]))
		buf_putc(b, '.');
}

bool help_builtin(struct buf *b, const char *name)
{
	const struct help_builtin_row *row = builtin_row(name);

	if (!row)
		return false;
	buf_printf(b, "## %s\n\n    ", name);
	put_prototype(b, row);
	buf_puts(b, "\n\n");
	put_sentence(b, row->doc);
	buf_printf(b, " %s\n", kind_words(row));
	if (row->example) {
		buf_puts(b, "\nExample:\n");
		put_code(b, row->example);
	}
	if (row->output && *row->output) {
		buf_puts(b, "\nIt prints:\n");
		put_code(b, row->output);
	}
	return true;
}

static void list_builtins(struct buf *b, const char *kind, const char *ported)
{
	for (u32 i = 0; i < ARRAY_SIZE(help_builtins); i++) {
		const struct help_builtin_row *row = &help_builtins[i];

		if (hidden(row->name) || strcmp(row->kind, kind) ||
		    !strstr(row->flags, "BF_LINUX") != !ported)
			continue;
		buf_puts(b, "- `");
		put_prototype(b, row);
		buf_puts(b, "`: ");
		put_sentence(b, row->doc);
		buf_puts(b, "\n");
	}
}

/* ---- aggregating functions ------------------------------------------------------------------ */

static const struct { const char *name, *signature, *doc; } help_aggs[] = {
#define AGG(name, signature, words, flags, merge, value, rule, doc) { #name, signature, doc },
#include <dtx/tables/aggs.def>
#undef AGG
};
static const struct { const char *name, *row; } help_agg_aliases[] = {
#define AGG_ALIAS(name, row, rewrite) { #name, #row },
#include <dtx/tables/aggs.def>
#undef AGG_ALIAS
};
static const struct { const char *row, *what; s64 min, max; } help_agg_consts[] = {
#define AGG_CONST(row, what, min, max, ...) { #row, what, min, max },
#include <dtx/tables/aggs.def>
#undef AGG_CONST
};

static const struct { const char *name, *program, *output; } help_samples[] = {
#define SAMPLE(name, program, output) { #name, program, output },
#include "compiler/help/samples.def"
#undef SAMPLE
};

static void put_sample(struct buf *b, const char *agg)
{
	for (u32 i = 0; i < ARRAY_SIZE(help_samples); i++) {
		if (strcmp(help_samples[i].name, agg))
			continue;
		buf_puts(b, "\nExample:\n");
		put_code(b, help_samples[i].program);
		buf_puts(b, "\nIt prints:\n");
		put_code(b, help_samples[i].output);
	}
}

bool help_aggregation(struct buf *b, const char *name)
{
	u32 i, n = 0;

	for (i = 0; i < ARRAY_SIZE(help_agg_aliases); i++)
		if (!strcmp(help_agg_aliases[i].name, name)) {
			buf_printf(b, "## %s\n\nThe same as `%s()`.\n\n", name,
				   help_agg_aliases[i].row);
			return help_aggregation(b, help_agg_aliases[i].row);
		}
	for (i = 0; i < ARRAY_SIZE(help_aggs) && strcmp(help_aggs[i].name, name); i++)
		;
	if (i == ARRAY_SIZE(help_aggs))
		return false;
	buf_printf(b, "## %s\n\n    @[keys] = %s(%s)\n\n", name, name, help_aggs[i].signature);
	put_sentence(b, help_aggs[i].doc);
	buf_puts(b, " An aggregating function: each call adds a value to the row of its keys, in "
		    "the kernel.\n\n");
	for (u32 k = 0; k < ARRAY_SIZE(help_agg_consts); k++)
		if (!strcmp(help_agg_consts[k].row, name))
			buf_printf(b, "- `constant %u`: %s, %lld to %lld\n", ++n,
				   help_agg_consts[k].what, (long long)help_agg_consts[k].min,
				   (long long)help_agg_consts[k].max);
	if (strstr(help_aggs[i].signature, "[scalar]"))
		buf_puts(b, "- `last scalar`: how often the value counts, 1 without it\n");
	put_sample(b, name);
	return true;
}

static void list_aggregations(struct buf *b)
{
	for (u32 i = 0; i < ARRAY_SIZE(help_aggs); i++) {
		buf_printf(b, "- `%s(%s)`: ", help_aggs[i].name, help_aggs[i].signature);
		put_sentence(b, help_aggs[i].doc);
		buf_puts(b, "\n");
	}
	for (u32 i = 0; i < ARRAY_SIZE(help_agg_aliases); i++)
		buf_printf(b, "- `%s()`: The same as `%s()`.\n", help_agg_aliases[i].name,
			   help_agg_aliases[i].row);
}

/* ---- options -------------------------------------------------------------------------------- */

static const char *option_values(const struct opt_row *row)
{
	if (row->words)
		return row->words;
	switch (row->kind) {
	case OPTK_FLAG:
		return "on or off; without a value: on";
	case OPTK_INT:
		return "a number";
	case OPTK_SIZE:
		return "bytes, with k, m, g or t";
	case OPTK_TIME:
		return "a time with ns, us, ms, s, m, h or d; a number counts seconds";
	case OPTK_RATE:
		return "a time with ns, us, ms, s, m, h or d, or a rate with hz";
	case OPTK_SHARE:
		return "a share in percent";
	default:
		return "text";
	}
}

static void put_option(struct buf *b, const struct opt_row *row)
{
	static const char *const when[] = {
		[OPTW_COMPILE] = "until the program is compiled",
		[OPTW_RUN] = "until tracing starts",
		[OPTW_DYNAMIC] = "also while tracing, by `setopt()`",
	};

	put_sentence(b, row->doc);
	buf_puts(b, " Value: ");
	if (row->word)
		buf_printf(b, "%s, or ", row->word);
	buf_printf(b, "%s.", option_values(row));
	if (row->dflt)
		buf_printf(b, " Default: %s.", row->dflt);
	buf_printf(b, " It can be set %s.", when[row->when]);
	if (row->idle)
		buf_printf(b, " It has no effect: %s.", row->idle);
	buf_puts(b, "\n");
}

bool help_option(struct buf *b, const char *name)
{
	u32 id = options_find(name);

	if (id == opt_nrows)
		return false;
	buf_printf(b, "## -x %s\n\n", name);
	put_option(b, &opt_rows[id]);
	buf_printf(b, "\nIn a script: `#pragma D option %s%s`.\n", name,
		   opt_rows[id].kind == OPTK_FLAG ? "" : "=VALUE");
	return true;
}

/* Options without effect stand for scripts that set them: they are listed last. */
static void list_options(struct buf *b, bool idle)
{
	for (u32 i = 0; i < opt_nrows; i++)
		if (!opt_rows[i].idle == !idle) {
			buf_printf(b, "- `%s`: ", opt_rows[i].name);
			put_option(b, &opt_rows[i]);
		}
}

/* ---- arguments of the command line ---------------------------------------------------------- */

static const struct {
	char letter;
	const char *word, *arg;
	bool compiles;
	const char *doc;
} help_args[] = {
#define ARG(letter, word, arg, action, compiles, setting, doc) \
	{ letter, word, arg, compiles, doc },
#include <dtx/tables/args.def>
#undef ARG
};

static void put_argument(struct buf *b, u32 i)
{
	buf_puts(b, "- `");
	if (help_args[i].letter)
		buf_printf(b, "-%c", help_args[i].letter);
	if (help_args[i].word)
		buf_printf(b, "%s--%s", help_args[i].letter ? ", " : "", help_args[i].word);
	buf_printf(b, "%s%s`: ", help_args[i].arg ? " " : "",
		   help_args[i].arg ? help_args[i].arg : "");
	put_sentence(b, help_args[i].doc ? help_args[i].doc : "accepted, as other systems have it");
	buf_puts(b, "\n");
}

bool help_argument(struct buf *b, const char *name)
{
	bool letter = *name == '-' && name[1] != '-';
	const char *word = strncmp(name, "--", 2) ? name : name + 2;

	for (u32 i = 0; i < ARRAY_SIZE(help_args); i++)
		if ((!letter && help_args[i].word && !strcmp(help_args[i].word, word)) ||
		    (letter && help_args[i].letter == name[1] && !name[2])) {
			put_argument(b, i);
			return true;
		}
	return false;
}

static void list_arguments(struct buf *b, bool compiler)
{
	for (u32 i = 0; i < ARRAY_SIZE(help_args); i++)
		if (help_args[i].doc && (compiler || !help_args[i].compiles))
			put_argument(b, i);
}

/* ---- diagnostics ---------------------------------------------------------------------------- */

static const struct { const char *tag, *doc; } help_diags[] = {
#define DIAG(tag, doc) { #tag, doc },
#include <dtx/tables/diags.def>
#undef DIAG
};

/* Rows of explain.def. */
static const struct { const char *tag, *wrong, *right, *args, *advice; } help_examples[] = {
#define EXPLAIN(tag, wrong, right, args, advice) { #tag, wrong, right, args, advice },
#include "compiler/help/explain.def"
#undef EXPLAIN
};

bool help_diagnostic(struct buf *b, const char *tag)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(help_diags) && strcmp(help_diags[i].tag, tag); i++)
		;
	if (i == ARRAY_SIZE(help_diags))
		return false;
	buf_printf(b, "## %s\n\n", tag);
	put_sentence(b, help_diags[i].doc);
	buf_puts(b, "\n");
	for (i = 0; i < ARRAY_SIZE(help_examples); i++) {
		if (strcmp(help_examples[i].tag, tag))
			continue;
		buf_printf(b, "%s\n\nWrong%s%s%s:\n", help_examples[i].advice,
			   *help_examples[i].args ? ", with `" : "", help_examples[i].args,
			   *help_examples[i].args ? "`" : "");
		put_code(b, help_examples[i].wrong);
		buf_puts(b, "\nRight:\n");
		put_code(b, help_examples[i].right);
	}
	return true;
}

static void list_diagnostics(struct buf *b)
{
	for (u32 i = 0; i < ARRAY_SIZE(help_diags); i++) {
		buf_puts(b, "\n");
		help_diagnostic(b, help_diags[i].tag);
	}
}

/* ---- formats -------------------------------------------------------------------------------- */

static const struct { const char *conv, *sizes, *accept, *doc; } help_convs[] = {
#define CONV(conv, sizes, accept, doc) { conv, sizes, #accept, doc },
#include <dtx/tables/convs.def>
#undef CONV
};
static const struct { const char *name, *doc; } help_sinks[] = {
#define SINK(name, times, doc) { #name, doc },
#define SINK_BESIDE(name, times, doc)    /* an option of its own */
#include <dtx/tables/sinks.def>
#undef SINK
#undef SINK_BESIDE
};

static const char *accept_words(const char *accept)
{
	static const struct { const char *accept, *words; } rows[] = {
		{ "INT", "an integer, an enumeration, or a value of an aggregation" },
		{ "CHAR", "an integer of at most 4 bytes" },
		{ "STRING", "a string or an array of char" },
		{ "WSTR", "an array of 32-bit characters" },
		{ "PTR", "a pointer or an integer" },
		{ "TIME", "nanoseconds since 1970" },
		{ "STACK", "stack(), ustack(), jstack()" },
		{ "SYM", "a kernel address" },
		{ "USYM", "an address of the program" },
		{ "RAW", "buf(), an array of bytes or a string" },
		{ "FLOAT", "a floating-point object" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].accept, accept))
			return rows[i].words;
	return accept;
}

static void put_conversion(struct buf *b, u32 i)
{
	buf_printf(b, "- `%%%s`: ", help_convs[i].conv);
	put_sentence(b, help_convs[i].doc);
	buf_printf(b, " Takes %s.", accept_words(help_convs[i].accept));

	const char *sizes = help_convs[i].sizes;
	if (strcmp(sizes, "-"))
		buf_printf(b, " Sizes: %s.", sizes + (strncmp(sizes, "- ", 2) ? 0 : 2));
	buf_puts(b, "\n");
}

bool help_conversion(struct buf *b, const char *conv)
{
	size_t before = b->len;

	for (u32 i = 0; *conv == '%' && i < ARRAY_SIZE(help_convs); i++)
		if (!strcmp(help_convs[i].conv, conv + 1))
			put_conversion(b, i);
	return b->len > before;
}

/* ---- stable probes -------------------------------------------------------------------------- */

static const struct { const char *provider, *name, *args, *doc; } help_probes[] = {
#define PROBE(provider, name, args, doc) { provider, name, args, doc },
#define FROM(...)
#define OR(...)
#include <dtx/tables/stable.def>
#undef PROBE
#undef FROM
#undef OR
};

static void put_probe(struct buf *b, u32 i)
{
	buf_printf(b, "- `%s(%s)`: ", help_probes[i].name, help_probes[i].args);
	put_sentence(b, help_probes[i].doc);
	buf_puts(b, "\n");
}

/* name: NULL for all of the provider */
bool help_probe(struct buf *b, const char *provider, const char *name)
{
	size_t before = b->len;

	for (u32 i = 0; i < ARRAY_SIZE(help_probes); i++)
		if (!strcmp(help_probes[i].provider, provider) &&
		    (!name || !strcmp(help_probes[i].name, name)))
			put_probe(b, i);
	return b->len > before;
}

static void list_providers(struct buf *b)
{
	static const struct { const char *name, *doc; } rows[] = {
#define PROVIDER(name, base)
#define STABLE(name, base, doc) { #name, doc },
#include <dtx/tables/providers.def>
#undef PROVIDER
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		buf_printf(b, "- `%s`: ", rows[i].name);
		put_sentence(b, rows[i].doc);
		buf_printf(b, " dtx-%s(7)\n", rows[i].name);
	}
}

/* ---- types of the D library ----------------------------------------------------------------- */

extern const struct help_page dtx_d_lib[];

/* "bufinfo_t": its declaration, as the library has it. */
static void list_type(struct buf *b, const char *name)
{
	char end[80];

	snprintf(end, sizeof(end), "\n} %s;", name);
	for (const struct help_page *file = dtx_d_lib; file->name; file++) {
		const char *found = memmem(file->text, file->end - file->text, end, strlen(end));
		const char *from = found;

		while (from && from > file->text && strncmp(from, "\ntypedef struct", 15))
			from--;
		for (const char *p = from; p && p < found + strlen(end);) {
			p += *p == '\n';
			bool member = *p == '\t';
			p += member;
			size_t n = strcspn(p, "\n");
			buf_printf(b, "    %s%.*s\n", member ? "    " : "", (int)n, p);
			p += n;
		}
	}
}

/* ---- all ------------------------------------------------------------------------------------ */

bool help_list(struct buf *b, const char *name)
{
	size_t before = b->len;

	if (!strncmp(name, "probes ", 7))
		return help_probe(b, name + 7, NULL);
	if (!strncmp(name, "type ", 5))
		list_type(b, name + 5);
	else if (!strcmp(name, "arguments"))
		list_arguments(b, true);
	else if (!strcmp(name, "arguments of dtx-run"))
		list_arguments(b, false);
	else if (!strcmp(name, "options"))
		list_options(b, false);
	else if (!strcmp(name, "options without effect"))
		list_options(b, true);
	else if (!strcmp(name, "variables"))
		list_builtins(b, "BK_VAR", NULL);
	else if (!strcmp(name, "variables of Linux"))
		list_builtins(b, "BK_VAR", "");
	else if (!strcmp(name, "subroutines"))
		list_builtins(b, "BK_FUNC", NULL);
	else if (!strcmp(name, "subroutines of Linux"))
		list_builtins(b, "BK_FUNC", "");
	else if (!strcmp(name, "actions"))
		list_builtins(b, "BK_ACT", NULL);
	else if (!strcmp(name, "actions of Linux"))
		list_builtins(b, "BK_ACT", "");
	else if (!strcmp(name, "aggregations"))
		list_aggregations(b);
	else if (!strcmp(name, "diagnostics"))
		list_diagnostics(b);
	else if (!strcmp(name, "providers"))
		list_providers(b);
	for (u32 i = 0; !strcmp(name, "conversions") && i < ARRAY_SIZE(help_convs); i++)
		put_conversion(b, i);
	for (u32 i = 0; !strcmp(name, "formats") && i < ARRAY_SIZE(help_sinks); i++) {
		buf_printf(b, "- `%s`: ", help_sinks[i].name);
		put_sentence(b, help_sinks[i].doc);
		buf_puts(b, "\n");
	}
	return b->len > before;
}

bool help_names(enum help_kind kind, bool (*fn)(void *arg, const char *name), void *arg)
{
	bool done = false;

	switch (kind) {
	case HELP_BUILTINS:
		for (u32 i = 0; !done && i < ARRAY_SIZE(help_builtins); i++)
			done = !hidden(help_builtins[i].name) && fn(arg, help_builtins[i].name);
		for (u32 i = 0; !done && i < ARRAY_SIZE(help_aggs); i++)
			done = fn(arg, help_aggs[i].name);
		break;
	case HELP_OPTIONS:
		for (u32 i = 0; !done && i < opt_nrows; i++)
			done = fn(arg, opt_rows[i].name);
		break;
	case HELP_ARGUMENTS:
		for (u32 i = 0; !done && i < ARRAY_SIZE(help_args); i++)
			done = help_args[i].word && help_args[i].doc && fn(arg, help_args[i].word);
		break;
	case HELP_TAGS:
		for (u32 i = 0; !done && i < ARRAY_SIZE(help_diags); i++)
			done = fn(arg, help_diags[i].tag);
		break;
	case HELP_KINDS:
		break;
	}
	return done;
}

void help_rows(bool (*fn)(void *arg, const char *name, const char *prototype), void *arg)
{
	bool done = false;

	for (u32 i = 0; !done && i < ARRAY_SIZE(help_builtins); i++) {
		struct buf text = { 0 };

		put_prototype(&text, &help_builtins[i]);
		done = !hidden(help_builtins[i].name) &&
		       fn(arg, help_builtins[i].name, text.data ? text.data : "");
		buf_free(&text);
	}
	for (u32 i = 0; !done && i < ARRAY_SIZE(help_aggs); i++)
		done = fn(arg, help_aggs[i].name, help_aggs[i].doc);
}
