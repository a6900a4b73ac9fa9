/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosts.c - the names of --hosts, in the form that pdsh and ClusterShell know: names with commas
 * between them, ranges in brackets (db[01-40], rack[1-3]n[0-9/3,12]), @FILE for a file of such
 * lists, a line each, where # begins a comment.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtx-run.h>

#include "cmd/fleet/hosts.h"
#include "cmd/say.h"

#define FILES_DEEP 8             /* files that name files */
#define LINE_MOST  (64 << 10)

struct list {
	struct hosts *hosts;
	const char *text;        /* all of it, for messages */
	const char *where;       /* "--hosts", or a file */
	int line, deep;          /* line 0: no file */
};

/* Says what is wrong in `len` bytes at `at`, and shows them. */
static bool wrong(const struct list *l, const char *at, size_t len, const char *what)
{
	int shown = (int)strcspn(l->text, "\n"), column = (int)(at - l->text);
	char place[32] = "";

	if (l->line)
		snprintf(place, sizeof(place), ":%d", l->line);
	command_say("%s%s: %s", l->where, place, what);
	if (shown < 200) {
		char *plain = dtx_plain_text(l->text);

		fprintf(stderr, "  %.*s\n  %*s^", (int)strcspn(plain, "\n"), plain, column, "");
		for (size_t i = 1; i < len; i++)
			fputc('~', stderr);
		fputc('\n', stderr);
		free(plain);
	}
	return false;
}

static bool add_name(struct list *l, const char *at, size_t len, const char *name)
{
	struct hosts *h = l->hosts;

	if (!*name || strlen(name) > HOST_NAME_MOST)
		return wrong(l, at, len, "a name has 1 to 255 characters");
	if (*name == '-')
		return wrong(l, at, len, "no host has a name that begins with '-'");
	for (int i = 0; i < h->n; i++)
		if (!strcmp(h->name[i], name)) {
			command_say("%s is given twice: it is asked once", name);
			return true;
		}
	if (h->n == HOSTS_MOST)
		return wrong(l, at, len, "there are more than 10000 hosts: make several runs with "
					 "--record FILE, and merge them with --replay FILE…");
	if (h->n % 64 == 0)
		h->name = realloc(h->name, (h->n + 64) * sizeof(*h->name));
	if (!h->name || !(h->name[h->n] = strdup(name)))
		abort();
	h->n++;
	return true;
}

/* ---- ranges ------------------------------------------------------------------------------ */

struct range { unsigned long from, to, step; int width; };

/* "01-40", "0-9/3" or "7", which ends at a comma or at `end`. */
static bool read_range(const struct list *l, const char **at, const char *end, struct range *r)
{
	const char *p = *at;
	char *q;

	*r = (struct range){ .step = 1 };
	if (!isdigit((unsigned char)*p))
		return wrong(l, p, 1, "a range is a number, or two with '-' between them, as in "
				      "[1-3,7] or [01-40/2]");
	r->from = r->to = strtoul(p, &q, 10);
	r->width = *p == '0' ? (int)(q - p) : 0;
	if (*q == '-' && isdigit((unsigned char)q[1]))
		r->to = strtoul(q + 1, &q, 10);
	if (*q == '/' && isdigit((unsigned char)q[1]))
		r->step = strtoul(q + 1, &q, 10);
	if (q < end && *q != ',')
		return wrong(l, q, 1, "a range is a number, or two with '-' between them, as in "
				      "[1-3,7] or [01-40/2]");
	if (r->to < r->from)
		return wrong(l, p, q - p, "the range goes backwards");
	if (!r->step)
		return wrong(l, p, q - p, "the step is 0");
	if ((r->to - r->from) / r->step >= HOSTS_MOST || r->to > 1000000000 ||
	    r->step > 1000000000)
		return wrong(l, p, q - p, "the range has more than 10000 hosts");
	*at = q + (q < end);
	return true;
}

static bool expand(struct list *l, const char *word, size_t len, const char *front,
		   const char *rest);

/* Each number of the brackets at `open`, between what is before and what is after. */
static bool expand_brackets(struct list *l, const char *word, size_t len, const char *front,
			    const char *open)
{
	const char *close = memchr(open, ']', word + len - open), *at = open + 1;
	char name[2 * HOST_NAME_MOST];
	struct range r;

	if (!close)
		return wrong(l, open, 1, "this bracket is not closed");
	do {
		if (!read_range(l, &at, close, &r))
			return false;
		for (unsigned long i = r.from; i <= r.to; i += r.step) {
			snprintf(name, sizeof(name), "%s%0*lu", front, r.width, i);
			if (!expand(l, word, len, name, close + 1))
				return false;
		}
	} while (at < close);
	return true;
}

/* A word from `rest` on; `front`: what is made of the part before it. */
static bool expand(struct list *l, const char *word, size_t len, const char *front,
		   const char *rest)
{
	size_t left = word + len - rest, plain = 0;
	char name[HOST_NAME_MOST + 2];

	while (plain < left && rest[plain] != '[' && rest[plain] != ']')
		plain++;
	if (plain < left && rest[plain] == ']')
		return wrong(l, rest + plain, 1, "no bracket is open here");
	if (strlen(front) + plain > HOST_NAME_MOST)
		return wrong(l, word, len, "a name has 1 to 255 characters");
	snprintf(name, sizeof(name), "%s%.*s", front, (int)plain, rest);
	if (plain == left)
		return add_name(l, word, len, name);
	return expand_brackets(l, word, len, name, rest + plain);
}

/* ---- lists --------------------------------------------------------------------------------- */

static bool add_file(struct list *from, const char *at, size_t len);

/* Names become words of a command, which may have them in quotes of its own ("%h"): what means
 * something to a shell there is in no name, whoever wrote the file of names. */
static const char for_shells[] = "\"'`$\\;|<>(){}*?#~\177";

static bool add_word(struct list *l, const char *word, size_t len)
{
	if (*word == '@')
		return add_file(l, word, len);
	for (size_t i = 0; i < len; i++) {
		if (strchr("!&^", word[i]))
			return wrong(l, word + i, 1, "sets of hosts are not combined "
				     "here: give the names, as of nodeset -e");
		if ((unsigned char)word[i] <= ' ' || strchr(for_shells, word[i]))
			return wrong(l, word + i, 1, "no host has such a character in its name");
	}
	return expand(l, word, len, "", word);
}

/* Words end at commas and spaces that are in no bracket. */
static bool add_list(struct list *l)
{
	const char *p = l->text;

	for (;;) {
		p += strspn(p, ", \t\r\n");
		size_t len = 0, open = 0;

		if (!*p || (l->line && *p == '#'))
			return true;
		for (; p[len] && (open || !strchr(", \t\r\n", p[len])); len++)
			open = p[len] == '[' ? 1 : p[len] == ']' ? 0 : open;
		if (!add_word(l, p, len))
			return false;
		p += len;
	}
}

static bool add_file(struct list *from, const char *at, size_t len)
{
	char path[4096], *text = NULL;
	struct list l = { from->hosts, NULL, path, 0, from->deep + 1 };
	bool good = true;
	size_t room = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "%.*s", (int)len - 1, at + 1);
	if (l.deep > FILES_DEEP)
		return wrong(from, at, len, "files name each other too deep");
	FILE *f = dtx_input(path);
	if (!f) {
		command_say("cannot read the hosts in %s: %s", path, dtx_file_why(errno));
		return false;
	}
	while (good && (n = getline(&text, &room, f)) >= 0) {
		l.text = text;
		l.line++;
		good = strlen(text) == (size_t)n ? add_list(&l) :
		       wrong(&l, text, 1, "this is no file of names");
	}
	if (good && ferror(f)) {
		command_say("cannot read the hosts in %s: %s", path, dtx_file_why(errno));
		good = false;
	}
	fclose(f);
	free(text);
	return good;
}

bool hosts_add(struct hosts *h, const char *list)
{
	struct list l = { h, list, "--hosts", 0, 0 };

	return add_list(&l);
}

void hosts_free(struct hosts *h)
{
	for (int i = 0; i < h->n; i++)
		free(h->name[i]);
	free(h->name);
	*h = (struct hosts){ 0 };
}
