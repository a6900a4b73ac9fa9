/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * complete.c - dtx --complete: what may stand at the end of a command line.  The functions in
 * completion/ call it and do the rest in the way of their shell.
 */
#include <dtx.h>

#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/complete.h"

struct answer {
	FILE *out;
	const char *word;        /* the whole word */
	size_t keep;             /* bytes of it that stay */
	size_t hidden;           /* of them, not part of the word: "#pragma D option " */
};

static void print_candidate(void *arg, const char *word, const char *about)
{
	struct answer *a = arg;

	fprintf(a->out, "%.*s%s\t%s\n", (int)(a->keep - a->hidden), a->word + a->hidden, word,
		about);
}


static void complete_program(struct dtx *d, const char *before, const char *word, FILE *out)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s", before, word) < 0)
		return;
	struct answer a = { .out = out, .word = text, .hidden = strlen(before) };
	a.keep = dtx_complete(d, text, strlen(text), NULL, NULL);
	dtx_complete(d, text, strlen(text), print_candidate, &a);
	free(text);
}

static void complete_options(const char *word, FILE *out)
{
	size_t n;
	const struct option_row *rows = command_rows(&n);

	for (size_t i = 0; i < n; i++) {
		char letter[3] = { '-', rows[i].letter };

		if (!rows[i].help)
			continue;
		if (rows[i].letter && !strncmp(letter, word, strlen(word)))
			fprintf(out, "%s\t%s\n", letter, rows[i].help);
		if (rows[i].word && !strncmp(word, "--", strlen(word) < 2 ? strlen(word) : 2) &&
		    (strlen(word) < 3 || !strncmp(rows[i].word, word + 2, strlen(word) - 2)))
			fprintf(out, "--%s\t%s\n", rows[i].word, rows[i].help);
	}
}

/* The option that the word before belongs to, if it takes an argument: "-n", "-qn", "--image". */
static const struct option_row *row_before(const char *word)
{
	size_t n;
	const struct option_row *rows = command_rows(&n);

	if (*word != '-' || !word[1])
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (rows[i].arg && (word[1] == '-' ? rows[i].word && !strcmp(rows[i].word, word + 2)
						   : rows[i].letter == word[strlen(word) - 1]))
			return &rows[i];
	return NULL;
}

int complete_line(struct dtx *d, int nwords, char **words, FILE *out)
{
	const char *word = nwords ? words[nwords - 1] : "";
	const struct option_row *row = nwords > 1 ? row_before(words[nwords - 2]) : NULL;
	bool program = row && row->action == ACT_PROGRAM && row->letter != 'i';
	bool option = row && row->action == ACT_OPTION;

	fputs(program || option || (!row && *word == '-') ? "words\n" : "files\n", out);
	if (program)
		complete_program(d, "", word, out);
	else if (option)
		complete_program(d, "#pragma D option ", word, out);
	else if (!row && *word == '-')
		complete_options(word, out);
	return STATUS_OK;
}
