/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * topic.c - finds what the manual says about a name: a page, a section of a page, a row of a table.
 */
#include <dtx.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <dtx/handle.h>
#include <dtx/optrow.h>

#include "compiler/help/help.h"

#define NEAR_MOST  64            /* bytes of a name that is near */

/* ---- pages ---------------------------------------------------------------------------------- */

/* The text of a page, with its lists. */
static char *page_text(const struct help_page *page)
{
	struct buf b = { 0 };

	for (const char *p = page->text; p < page->end;) {
		const char *nl = memchr(p, '\n', page->end - p), *line_end = nl ? nl : page->end;
		size_t n = line_end - p;

		if (n > 9 && !memcmp(p, "<!-- ", 5) && !memcmp(line_end - 4, " -->", 4)) {
			char *name = strndup(p + 5, n - 9);

			help_list(&b, name ? name : "");
			free(name);
		} else {
			buf_add(&b, p, n);
			buf_putc(&b, '\n');
		}
		p = line_end + 1;
	}
	return b.data;
}

/* The page of dtx-io(7) is called dtx-io.7, dtx-io or io. */
static bool page_is(const char *file, const char *name)
{
	size_t n = strlen(name);

	for (int brief = 0; brief < 2; brief++) {
		const char *at = !brief ? file : !strncmp(file, "dtx-", 4) ? file + 4 : "";

		if (strncasecmp(at, name, n))
			continue;
		if (!strcmp(at + n, ".md") ||
		    (at[n] == '.' && strchr("137", at[n + 1]) && !strcmp(at + n + 2, ".md")))
			return true;
	}
	return false;
}

char *help_page(const char *name)
{
	for (const struct help_page *page = dtx_man_pages; page->name; page++)
		if (*name && page_is(page->name, name))
			return page_text(page);
	return NULL;
}

/* ---- sections of pages ---------------------------------------------------------------------- */

/* Is this line, of n bytes, a heading whose text is the name, or its plural? */
static bool is_heading_of(const char *line, size_t n, const char *name)
{
	size_t level = strspn(line, "#"), len = strlen(name);

	if (level < 2 || level + 1 > n)
		return false;
	const char *text = line + level + 1;
	size_t left = n - level - 1;
	bool plural = left == len + 1 && strchr("sS", text[len]);
	return (left == len || plural) && !strncasecmp(text, name, len);
}

/* The section of that heading, up to the next one of its level. */
static bool section_of(struct buf *b, const char *text, const char *name)
{
	size_t level = 0;

	while (*text) {
		size_t n = strcspn(text, "\n"), at = strspn(text, "#");

		if (!level && is_heading_of(text, n, name))
			level = at;
		else if (level && at && at <= level)
			return true;
		if (level) {
			buf_add(b, text, n);
			buf_putc(b, '\n');
		}
		text += n + (text[n] == '\n');
	}
	return level;
}

/* Headings that several pages have ("EXAMPLES") name no topic, except in the pages of the command
 * and of the language. */
static bool help_section(struct buf *b, const char *name)
{
	const struct help_page *of = NULL;
	struct buf found = { 0 };
	bool several = false;

	for (const struct help_page *page = dtx_man_pages; page->name; page++) {
		bool is_main = page_is(page->name, "dtx") || page_is(page->name, "language");
		char *text = page_text(page);
		struct buf section = { 0 };

		if (section_of(&section, text ? text : "", name) && (!of || is_main)) {
			several = of && !is_main;
			of = page;
			buf_free(&found);
			found = section;
		} else {
			several |= section.len;
			buf_free(&section);
		}
		free(text);
	}
	bool fine = of && (!several || page_is(of->name, "dtx") || page_is(of->name, "language"));
	if (fine)
		buf_printf(b, "%s\nSee `man %.*s`.\n", found.data,
			   (int)strcspn(of->name, "."), of->name);
	buf_free(&found);
	return fine;
}

/* ---- rows of lists in pages ------------------------------------------------------------------ */

/* Is one of the terms of "- `struct, union`: …" the name: its first word, without marks? */
static bool is_row_of(const char *line, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(line, "- `", 3))
		return false;
	for (const char *term = line + 3; *term != '`' && *term != '\n' && *term;) {
		term += strspn(term, "#, ");
		size_t word = name_span(term, "$@");

		if (word == n && !memcmp(term, name, n))
			return true;
		term += strcspn(term + 1, ",`\n") + 1;
	}
	return false;
}

/* The rows of a page about the name, each with the lines that go on. */
static bool rows_of(struct buf *b, const struct help_page *page, const char *name)
{
	size_t before = b->len;
	bool in = false;

	for (const char *p = page->text, *nl; p < page->end; p = nl + 1) {
		nl = memchr(p, '\n', page->end - p);
		if (!nl)
			break;
		in = is_row_of(p, name) || (in && *p == ' ');
		if (in)
			buf_add(b, p, nl + 1 - p);
	}
	return b->len > before;
}

/* "inline", "struct", "self": rows of the page of the language. */
static bool help_row(struct buf *b, const char *name)
{
	for (const struct help_page *page = dtx_man_pages; page->name; page++)
		if (page_is(page->name, "language") && rows_of(b, page, name)) {
			buf_puts(b, "\nSee `man dtx-language`.\n");
			return true;
		}
	return false;
}

/* ---- topics --------------------------------------------------------------------------------- */

struct nearest {
	const char *topic;
	char *best;              /* of 64 bytes */
	unsigned distance;
};

/* A beginning (D_PROTO) is as near as a name with one wrong letter. */
static bool nearest_try(void *arg, const char *name)
{
	struct nearest *n = arg;
	size_t len = strlen(n->topic);
	bool begins = len > 2 && !strncmp(name, n->topic, len);
	unsigned distance = begins ? 1 : edit_distance(n->topic, name, 3);

	if (distance >= n->distance || distance * 2 > strlen(n->topic))
		return false;
	n->distance = distance;
	snprintf(n->best, NEAR_MOST, "%s", name);
	return false;
}

static bool each_page(bool (*fn)(void *arg, const char *name), void *arg)
{
	bool done = false;

	for (const struct help_page *page = dtx_man_pages; page->name && !done; page++) {
		char name[64];
		const char *from = strncmp(page->name, "dtx-", 4) ? page->name : page->name + 4;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(from, "."), from);
		done = fn(arg, name);
	}
	return done;
}

/* Calls fn for each topic, until it returns true. */
static void each_topic(bool (*fn)(void *arg, const char *name), void *arg)
{
	bool done = false;

	for (u32 kind = 0; kind < HELP_KINDS && !done; kind++)
		done = help_names(kind, fn, arg);
	if (!done)
		each_page(fn, arg);
}

static void topic_nearest(const char *topic, char *near)
{
	struct nearest n = { .topic = topic, .best = near, .distance = 4 };

	*near = '\0';
	each_topic(nearest_try, &n);
}

/* What people call a page or a section whose name is another. */
static const char *topic_name(const char *topic)
{
	static const char *const names[][2] = {
		{ "probes", "providers" }, { "probe", "providers" },
		{ "built-ins", "built-in variables" }, { "builtins", "built-in variables" },
		{ "functions", "subroutines" }, { "types", "declarations" },
		{ "operators", "statements" }, { "loops", "statements" },
		{ "filters", "predicates" }, { "tags", "errors" }, { "messages", "errors" },
		{ "rawtp", "tracepoint" }, { "sdt", "tracepoint" },
		{ "hardware", "cpc" }, { "software", "cpc" }, { "interval", "profile" },
		{ "uprobe", "pid" }, { "uretprobe", "pid" }, { "usdt", "pid" },
		{ "rawfbt", "fbt" }, { "kprobe", "fbt" }, { "kretprobe", "fbt" },
		{ "fentry", "fbt" }, { "fexit", "fbt" }, { "diagnostics", "errors" },
		{ "output", "formats" }, { "scripts", "tools" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcasecmp(topic, names[i][0]))
			return names[i][1];
	return topic;
}

/* ---- the list of all topics ------------------------------------------------------------------ */

struct topic_list {
	char **names;
	size_t n;
};

static bool list_one(void *arg, const char *name)
{
	struct topic_list *l = arg;

	l->names = xrealloc(l->names, (l->n + 1) * sizeof(*l->names));
	l->names[l->n++] = xstrdup(name);
	return false;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Calls fn for each name of the list once, in the order of the alphabet; the list is freed. */
static void list_tell(struct topic_list *l, void (*fn)(void *arg, const char *topic), void *arg)
{
	qsort(l->names, l->n, sizeof(*l->names), compare_names);
	for (size_t i = 0; i < l->n; i++)
		if (!i || strcmp(l->names[i], l->names[i - 1]))
			fn(arg, l->names[i]);
	for (size_t i = 0; i < l->n; i++)
		free(l->names[i]);
	free(l->names);
}

void dtx_help_topics(void (*fn)(void *arg, const char *topic), void *arg)
{
	struct topic_list l = { 0 };

	each_topic(list_one, &l);
	list_tell(&l, fn, arg);
}

static void add_name(void *arg, const char *topic)
{
	buf_printf(arg, "%s\n", topic);
}

/* What a person reads first is first; the tags stand in messages, where they are copied from. */
static void help_topics(struct buf *b)
{
	static const char *const titles[HELP_KINDS] = {
		[HELP_BUILTINS] = "Variables, subroutines, actions, aggregating functions",
		[HELP_OPTIONS] = "Options that -x sets",
		[HELP_ARGUMENTS] = "Options of the command (--NAME)",
		[HELP_TAGS] = "Tags of messages",
	};
	struct topic_list pages = { 0 };

	buf_puts(b, "## Topics of dtx --help\n\n### Pages\n\n");
	each_page(list_one, &pages);
	list_tell(&pages, add_name, b);
	buf_puts(b, "\nA heading of such a page (predicates), a word of the language (struct), a "
		    "conversion (%d) and a probe (io:::start) are topics, too.\n");
	for (u32 kind = 0; kind < HELP_KINDS; kind++) {
		struct topic_list l = { 0 };

		buf_printf(b, "\n### %s\n\n", titles[kind]);
		help_names(kind, list_one, &l);
		list_tell(&l, add_name, b);
	}
}

/* ---- finding a topic ------------------------------------------------------------------------- */

/* "io:::start": a stable probe */
static bool help_probe_topic(struct buf *b, const char *topic)
{
	char provider[64];
	const char *colon = strchr(topic, ':'), *name = strrchr(topic, ':');
	size_t n = colon ? colon - topic : 0;

	if (!n || n >= sizeof(provider) || !name[1])
		return false;
	snprintf(provider, sizeof(provider), "%.*s", (int)n, topic);
	if (!help_probe(b, provider, name + 1))
		return false;
	buf_printf(b, "\nSee `dtx --help %s`; `dtx -lvn %s` prints the types here.\n", provider,
		   topic);
	return true;
}

/* false: there is no such option. */
static bool option_near(const char *name, char near[NEAR_MOST])
{
	const char *meant = options_nearest(name);

	if (meant)
		snprintf(near, NEAR_MOST, "-x %s", meant);
	return false;
}

/* What there is about a topic; false: nothing, and `near` gets a similar topic, or "". */
static bool help_topic(struct buf *b, const char *asked, char near[NEAR_MOST])
{
	const char *topic = topic_name(asked);
	char *page = help_page(topic);

	*near = '\0';
	if (page) {
		buf_puts(b, page);
		free(page);
		return true;
	}
	if (!strcmp(topic, "topics")) {
		help_topics(b);
		return true;
	}
	if (!strcmp(topic, "-x help"))
		return help_list(b, "options");
	if (!strncmp(topic, "-x ", 3))
		return help_option(b, topic + 3) || option_near(topic + 3, near);

	bool found = help_aggregation(b, topic);
	found |= help_builtin(b, topic);
	found |= help_option(b, topic);
	found |= help_diagnostic(b, topic);
	found |= help_conversion(b, topic);
	found |= help_argument(b, topic);
	found = found || help_probe_topic(b, topic) || help_section(b, topic) ||
		help_row(b, topic);
	if (!found)
		topic_nearest(topic, near);
	return found;
}

/* ---- the public function -------------------------------------------------------------------- */

int dtx_help(struct dtx *d, const char *topic, int width, bool colour, FILE *out)
{
	struct dtx_env *env = handle_env(d);
	struct buf text = { 0 }, shown = { 0 };
	char near[NEAR_MOST];
	int err = 0;

	if (help_topic(&text, topic, near)) {
		help_show(&shown, text.data, width, colour);
		fwrite(shown.data, 1, shown.len, out);
	} else if (*near) {
		err = dtx_env_fail(env, -ENOENT, "the manual has no topic '%s'; did you mean '%s'?",
				   topic, near);
	} else {
		err = dtx_env_fail(env, -ENOENT,
				   "the manual has no topic '%s': give a page (language, options, "
				   "formats, providers, tools, errors), a provider, a built-in, an "
				   "option, or the tag of a message; --help topics lists all",
				   topic);
	}
	buf_free(&text);
	buf_free(&shown);
	return diags_told(&env->diags, err);
}
