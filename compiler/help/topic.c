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

#include "compiler/help/help.h"

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

/* Is this line, of n bytes, a heading whose text is the name? */
static bool is_heading_of(const char *line, size_t n, const char *name)
{
	size_t level = strspn(line, "#");

	if (level < 2 || level + 1 > n)
		return false;
	return n - level - 1 == strlen(name) && !strncasecmp(line + level + 1, name, n - level - 1);
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

static bool help_section(struct buf *b, const char *name)
{
	bool found = false;

	for (const struct help_page *page = dtx_man_pages; page->name && !found; page++) {
		char *text = page_text(page);

		found = section_of(b, text ? text : "", name);
		if (found)
			buf_printf(b, "\nSee `man %.*s`.\n", (int)strcspn(page->name, "."),
				   page->name);
		free(text);
	}
	return found;
}

/* ---- topics --------------------------------------------------------------------------------- */

struct nearest {
	const char *topic;
	char *best;              /* of 64 bytes */
	unsigned distance;
};

static bool nearest_try(void *arg, const char *name)
{
	struct nearest *n = arg;
	unsigned distance = edit_distance(n->topic, name, 3);

	if (distance >= n->distance || distance * 2 > strlen(n->topic))
		return false;
	n->distance = distance;
	snprintf(n->best, 64, "%s", name);
	return false;
}

static void topic_nearest(const char *topic, char *near)
{
	struct nearest n = { .topic = topic, .best = near, .distance = 4 };

	*near = '\0';
	help_names(nearest_try, &n);
	for (const struct help_page *page = dtx_man_pages; page->name; page++) {
		char name[64];
		const char *from = strncmp(page->name, "dtx-", 4) ? page->name : page->name + 4;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(from, "."), from);
		nearest_try(&n, name);
	}
}

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

/* What there is about a topic; false: nothing, and `near` gets a similar topic, or "". */
static bool help_topic(struct buf *b, const char *topic, char near[64])
{
	char *page = help_page(topic);

	*near = '\0';
	if (page) {
		buf_puts(b, page);
		free(page);
		return true;
	}
	if (!strcmp(topic, "-x help"))
		return help_list(b, "options");
	if (!strncmp(topic, "-x ", 3))
		return help_option(b, topic + 3);

	bool found = help_aggregation(b, topic);
	found |= help_builtin(b, topic);
	found |= help_option(b, topic);
	found |= help_diagnostic(b, topic);
	found |= help_conversion(b, topic);
	found |= help_argument(b, topic);
	found = found || help_probe_topic(b, topic) || help_section(b, topic);
	if (!found)
		topic_nearest(topic, near);
	return found;
}

/* ---- the public function -------------------------------------------------------------------- */

int dtx_help(struct dtx *d, const char *topic, int width, bool colour, FILE *out)
{
	struct dtx_env *env = handle_env(d);
	struct buf text = { 0 }, shown = { 0 };
	char near[64];
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
				   "option of -x or the tag of a message", topic);
	}
	buf_free(&text);
	buf_free(&shown);
	return diags_told(&env->diags, err);
}
