/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * complete.c - dtx --complete: what may stand at the end of a command line.  The functions in
 * completion/ call it and do the rest in the way of their shell.
 */
#include <dtx.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/complete.h"
#include "cmd/tools.h"

struct answer {
	FILE *out;
	const char *before;      /* of the word, what stays */
	size_t skip;             /* bytes of a candidate that are not in the word: "format=" */
	bool any;
};

static void print_candidate(void *arg, const char *word, const char *about)
{
	struct answer *a = arg;

	a->any = true;
	if (a->out)
		fprintf(a->out, "%s%s\t%s\n", a->before, word + a->skip, about);
}

/* The first line.  `typed`: the end of the word that the candidates continue. */
static void print_kind(FILE *out, const char *kind, const char *typed)
{
	fprintf(out, *typed ? "%s\t%s\n" : "%s\n", kind, typed);
}

/* A program that is being written.  `kept`: what is before it in the same word ("-n"). */
static void complete_program(struct dtx *d, const char *kept, const char *word, FILE *out)
{
	size_t at = dtx_complete(d, word, strlen(word), NULL, NULL);
	char *before = NULL;

	if (asprintf(&before, "%s%.*s", kept, (int)at, word) < 0)
		return;
	struct answer a = { .out = out, .before = before };
	print_kind(out, "words", word + at);
	dtx_complete(d, word, strlen(word), print_candidate, &a);
	free(before);
}

/* NAME=VALUE as in "#pragma D option"; of a candidate, `skip` bytes are not in the word. */
static bool complete_setting(struct dtx *d, const char *setting, struct answer *a)
{
	char *text = NULL;

	if (asprintf(&text, "#pragma D option %s", setting) < 0)
		return false;
	dtx_complete(d, text, strlen(text), print_candidate, a);
	free(text);
	return a->any;
}

/* The script that a line runs, from its first word; NULL: there is none. */
static struct script *script_of(const char *word, char **path)
{
	*path = access(word, R_OK) ? tools_find(word) : strdup(word);
	return *word != '-' && *path ? script_add(NULL, *path, access(word, R_OK)) : NULL;
}

/* Options of the script and of the command; where both have one, it is the script's. */
static void complete_options(const char *first, const char *word, FILE *out)
{
	size_t n;
	const struct option_row *rows = command_rows(&n);
	char *path = NULL;
	struct script *script = script_of(first, &path);

	print_kind(out, "whole", word);
	if (script)
		script_begun(script, word, out);
	for (size_t i = 0; i < n; i++) {
		char letter[3] = { '-', rows[i].letter };

		if (!rows[i].help || (script && script_takes(script, rows[i].letter, rows[i].word)))
			continue;
		if (rows[i].letter && !strncmp(letter, word, strlen(word)))
			fprintf(out, "%s\t%s\n", letter, rows[i].help);
		if (rows[i].word && !strncmp(word, "--", strlen(word) < 2 ? strlen(word) : 2) &&
		    (strlen(word) < 3 || !strncmp(rows[i].word, word + 2, strlen(word) - 2)))
			fprintf(out, "--%s\t%s\n", rows[i].word, rows[i].help);
	}
	script_free(script);
	free(path);
}

/* A name that acts on terminals is only shown, escaped: nobody can type it. */
static void complete_process(const char *word, const char *pid, const char *name, bool by_name,
			     FILE *out)
{
	char *plain = dtx_plain_text(name);

	if (!by_name)
		fprintf(out, "%s\t%s\n", pid, plain);
	else if (!strncmp(name, word, strlen(word)) && !strcmp(plain, name))
		fprintf(out, "%s\t%s\n", name, pid);
	free(plain);
}

/* The processes whose number begins so, or whose name does. */
static void complete_processes(const char *word, bool by_name, FILE *out)
{
	DIR *proc = opendir("/proc");

	print_kind(out, "whole", word);
	for (struct dirent *e; proc && (e = readdir(proc));) {
		char path[300], name[64] = "";
		FILE *f;

		if (strspn(e->d_name, "0123456789") != strlen(e->d_name) ||
		    (!by_name && strncmp(e->d_name, word, strlen(word))))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		f = fopen(path, "r");
		if (f && fgets(name, sizeof(name), f))
			name[strcspn(name, "\n")] = '\0';
		if (f)
			fclose(f);
		complete_process(word, e->d_name, name, by_name, out);
	}
	if (proc)
		closedir(proc);
}

/* FORMAT=FILE */
static void complete_stacks(const char *word, FILE *out)
{
	static const char *const formats[][2] = {
		{ "folded=", "a line for each stack, for other tools" },
		{ "pprof=", "a profile that pprof reads" },
		{ "svg=", "a flame graph" },
	};

	if (strchr(word, '=')) {
		print_kind(out, "files", strchr(word, '=') + 1);
		return;
	}
	print_kind(out, "words", word);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strncmp(formats[i][0], word, strlen(word)))
			fprintf(out, "%s\t%s\n", formats[i][0], formats[i][1]);
}

struct topics {
	const char *word;
	FILE *out;
};

static void print_topic(void *arg, const char *topic)
{
	struct topics *t = arg;

	if (!strncmp(topic, t->word, strlen(t->word)))
		fprintf(t->out, "%s\t\n", topic);
}

static void complete_topic(const char *word, FILE *out)
{
	print_kind(out, "whole", word);
	dtx_help_topics(print_topic, &(struct topics){ word, out });
}

static void note_any(void *any, const char *name, const char *path)
{
	*(bool *)any = true;
}

static void print_name(void *out, const char *name, const char *path)
{
	fprintf(out, "%s\ttool\n", name);
}

/* The first word: a script, of which the shell knows the names, or a tool. */
static void complete_first(const char *word, FILE *out)
{
	DIR *here = *word && !strchr(word, '/') ? opendir(".") : NULL;

	print_kind(out, "whole", word);
	tools_each(word, print_name, out);
	for (struct dirent *e; here && (e = readdir(here));)
		if (!strncmp(e->d_name, word, strlen(word)))
			fprintf(out, "%s\t\n", e->d_name);
	if (here)
		closedir(here);
}

static bool begins_tool(const char *word)
{
	bool any = false;

	tools_each(word, note_any, &any);
	return any;
}

/* The option of this word that has an argument: "-n", "-qn", "-xstrsize=9", "--format=csv".
 * *value: the argument, NULL: it is the next word.  NULL: there is no such option. */
static const struct option_row *row_of(const char *word, const char **value)
{
	size_t n, len = strcspn(word, "=");
	const struct option_row *rows = command_rows(&n);

	*value = NULL;
	if (*word != '-')
		return NULL;
	if (word[1] == '-') {
		for (size_t i = 0; i < n; i++)
			if (rows[i].word && rows[i].arg && strlen(rows[i].word) == len - 2 &&
			    !strncmp(rows[i].word, word + 2, len - 2)) {
				*value = word[len] ? word + len + 1 : NULL;
				return &rows[i];
			}
		return NULL;
	}
	for (word++; *word; word++)
		for (size_t i = 0; i < n; i++)
			if (rows[i].letter == *word && rows[i].arg) {
				*value = word[1] ? word + 1 : NULL;
				return &rows[i];
			}
	return NULL;
}

/* What a shell completes itself: "files", "commands", or NULL. */
static const char *shell_kind(const struct option_row *row)
{
	static const char *const kinds[][2] = {
		{ "FILE", "files" }, { "OLD", "files" }, { "DIR", "files" }, { "PATH", "files" },
		{ "COMMAND", "commands" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(row->arg, kinds[i][0]))
			return kinds[i][1];
	return NULL;
}

/* The argument of an option.  `kept`: what is before it in the same word. */
static void complete_argument(struct dtx *d, const struct option_row *row, const char *kept,
			      const char *word, FILE *out)
{
	struct answer a = { .out = out, .before = kept };
	char *setting = NULL;

	if (row->action == ACT_PROGRAM && row->letter != 'i') {
		complete_program(d, kept, word, out);
	} else if (row->action == ACT_OPTION) {
		print_kind(out, "words", word);
		complete_setting(d, word, &a);
	} else if (row->action == ACT_PID) {
		complete_processes(word, false, out);
	} else if (row->setting && !strcmp(row->setting, "comm")) {
		complete_processes(word, true, out);
	} else if (row->setting && !strcmp(row->setting, "stacks")) {
		complete_stacks(word, out);
	} else if (shell_kind(row)) {
		print_kind(out, shell_kind(row), word);
	} else {
		print_kind(out, "whole", word);
		a.skip = row->setting ? strlen(row->setting) + 1 : 0;
		if (row->setting && asprintf(&setting, "%s=%s", row->setting, word) >= 0)
			complete_setting(d, setting, &a);
		free(setting);
	}
}

int complete_line(struct dtx *d, int nwords, char **words, FILE *out)
{
	const char *word = nwords ? words[nwords - 1] : "";
	const char *previous = nwords > 1 ? words[nwords - 2] : "", *value;
	const struct option_row *row = row_of(previous, &value);
	char *kept = NULL;

	if (row && !value) {
		complete_argument(d, row, "", word, out);
	} else if ((row = row_of(word, &value)) && value) {
		kept = strndup(word, value - word);
		complete_argument(d, row, kept ? kept : "", value, out);
	} else if (!strcmp(previous, "--help")) {
		complete_topic(word, out);
	} else if (*word == '-') {
		complete_options(words[0], word, out);
	} else if (nwords == 1 && *word && begins_tool(word)) {
		complete_first(word, out);
	} else {
		print_kind(out, "files", word);
	}
	free(kept);
	return STATUS_OK;
}
