/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words.c - a host may be a collector itself (dtx --hosts LIST --agent), whose hosts have kernels
 * of their own.  It gets no image: it gets the program and what belongs to it, as words of a
 * command line, and compiles for its hosts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/fleet/run.h"

/* execve(2): MAX_ARG_STRLEN of include/uapi/linux/binfmts.h, with the NUL. */
#define WORD_MOST (128u << 10)

static const char *send_word(struct peer *p, const char *word)
{
	if (strlen(word) >= WORD_MOST)
		return "it is a collector, which takes programs of less than 128 KB";
	peer_send(p, FRAME_WORD, word, strlen(word));
	return NULL;
}

/* The text of a script, whose file is not there: messages name it.  -C takes no -n without a
 * directive. */
static const char *send_text(const struct command *c, struct peer *p, const char *path,
			     const char *text)
{
	const char *directive = command_times(c, "cpp") ? "#if 1\n#endif\n" : "";
	const char *why;
	char *word;

	if (strpbrk(path, "\"\\\n"))
		path = "script";
	if (asprintf(&word, "%s#line 1 \"%s\"\n%s", directive, path, text) < 0)
		return strerror(ENOMEM);
	send_word(p, "-n");
	why = send_word(p, word);
	free(word);
	return why;
}

static const char *send_script(const struct command *c, struct peer *p, const char *path)
{
	FILE *f = dtx_input(path);
	const char *why = NULL;
	char *text = NULL;
	size_t room = 0;

	errno = 0;
	if (!f || (getdelim(&text, &room, '\0', f) < 0 && ferror(f)))
		why = strerror(errno);
	else if (!feof(f))
		why = "the script has a NUL";
	if (!why)
		why = send_text(c, p, path, text ? text : "");
	if (f)
		fclose(f);
	free(text);
	return why;
}

static const char *send_given(const struct command *c, struct peer *p, const struct given *g)
{
	const struct option_row *row = g->row;
	char word[40];

	if (row->action == ACT_SCRIPT)
		return send_script(c, p, g->arg);
	if (row->action != ACT_PROGRAM && row->action != ACT_COMMAND &&
	    ((row->action != ACT_SETTING && row->action != ACT_OPTION) || given_is_collectors(g)))
		return NULL;
	if (row->letter)
		snprintf(word, sizeof(word), "-%c", row->letter);
	else
		snprintf(word, sizeof(word), "--%s", row->word);
	send_word(p, word);
	return g->arg ? send_word(p, g->arg) : NULL;
}

const char *words_send(const struct fleet_run *r, struct peer *p)
{
	const struct command *c = r->c;
	const char *why = c->run ? "it is a collector, which compiles: give it the program, and "
				   "not an image" : NULL;
	int first = 0;

	for (int i = 0; i < c->settings.n; i++)
		if (!c->settings.v[i].is_option)
			why = "it is a collector, which takes no options of scripts";
	for (int i = 0; i < c->ngiven && !why; i++)
		why = send_given(c, p, &c->given[i]);
	if (!why && c->noperands && !c->nprograms) {
		why = send_script(c, p, c->tool ? c->tool : c->operands[0]);
		first = 1;
	}
	send_word(p, "--");
	for (int i = first; i < c->noperands && !why; i++)
		why = send_word(p, c->operands[i]);
	return why;
}
