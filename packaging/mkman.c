// SPDX-License-Identifier: BSD-2-Clause
/*
 * mkman FOLDER DATE VERSION SCRIPT…: write the man pages into FOLDER: those of docs/man, and one
 * for each tool, made of the comment at the head of its script and of the output beside it
 * (NAME.txt).
 */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/help/help.h"

static const char *folder, *date, *version;

static void fail(const char *what)
{
	fprintf(stderr, "mkman: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* name: "dtx-io.7" */
static void write_page(const char *name, const char *markdown)
{
	struct buf man = { 0 };
	char *path = xprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");

	help_man(&man, markdown, date, version);
	if (!f || fwrite(man.data, 1, man.len, f) != man.len || fclose(f))
		fail(path);
	buf_free(&man);
	free(path);
}

static void write_manual(void)
{
	for (const struct help_page *p = dtx_man_pages; p->name; p++) {
		char *name = strndup(p->name, strlen(p->name) - 3), *text = help_page(name);

		write_page(name, text);
		free(text);
		free(name);
	}
}

/* ---- tools ---------------------------------------------------------------------------------- */

/* Adds a line in which NAME.d, the script, becomes NAME-dtx, the command. */
static void add_renamed(struct buf *b, const char *line, const char *name)
{
	char *script = xprintf("%s.d", name);

	for (const char *at; (at = strstr(line, script)); line = at + strlen(script)) {
		buf_add(b, line, at - line);
		buf_printf(b, "%s-dtx", name);
	}
	buf_printf(b, "%s\n", line);
	free(script);
}

/* A line of the comment: "USAGE: …" is a synopsis, "WORDS" a heading, an indented line is code. */
static void add_comment_line(struct buf *b, const char *line, const char *name)
{
	size_t capitals = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ ");
	bool heading = *line != ' ' && capitals > 3 && !line[capitals + (line[capitals] == ':')];

	if (!strncmp(line, "USAGE:", 6)) {
		buf_puts(b, "## SYNOPSIS\n\n    ");
		add_renamed(b, line + 6 + strspn(line + 6, " "), name);
		buf_puts(b, "\n## DESCRIPTION\n\n");
	} else if (heading) {
		buf_printf(b, "\n## %.*s\n\n", (int)capitals, line);
	} else if (*line == ' ') {
		buf_puts(b, "    ");
		add_renamed(b, line + strspn(line, " "), name);
	} else {
		add_renamed(b, line, name);
	}
}

/* The first comment that says "NAME.d - what"; false: there is none. */
static bool add_comment(struct buf *b, char *text, const char *name)
{
	char *save = NULL, *title = xprintf(" * %s.d - ", name), *at = strstr(text, title);

	if (!at)
		return false;
	at += strlen(title);
	buf_printf(b, "# %s-dtx(1) - %.*s\n\n", name, (int)strcspn(at, "\n"), at);
	char *end = strstr(at, "*/");
	if (end)
		*end = '\0';
	at += strcspn(at, "\n");
	bool begun = false;              /* the title has ended */
	at += *at == '\n';
	for (char *line; (line = strtok_r(at, "\n", &save)); at = NULL) {
		line += strspn(line, " ");
		line += *line == '*';
		line += *line == ' ';
		if (!begun && *line && strncmp(line, "USAGE", 5))
			b->len -= 2, buf_puts(b, " "), buf_printf(b, "%s\n\n", line);
		else
			begun = true, add_comment_line(b, line, name);
	}
	free(title);
	return true;
}

static void add_output(struct buf *b, const char *script)
{
	char *path = xprintf("%.*stxt", (int)strlen(script) - 1, script);
	char *text = NULL, *line = NULL, *save = NULL;
	size_t n;

	if (!file_read(path, &text, &n)) {
		buf_puts(b, "\n## OUTPUT\n\n");
		for (char *at = text; (line = strtok_r(at, "\n", &save)); at = NULL)
			buf_printf(b, "    %s\n", line);
	}
	free(text);
	free(path);
}

static void write_tool(const char *script)
{
	struct buf b = { 0 };
	char *text, *copy = xstrdup(script), *name = basename(copy);
	size_t n;

	name[strlen(name) - 2] = '\0';
	errno = -file_read(script, &text, &n);
	if (errno)
		fail(script);
	if (!add_comment(&b, text, name))
		buf_printf(&b, "# %s-dtx(1) - a tool of dtx\n", name);
	add_output(&b, script);
	buf_puts(&b, "\n## SEE ALSO\n\ndtx(1), dtx-tools(7)\n");
	char *page = xprintf("%s-dtx.1", name);
	write_page(page, b.data);
	free(page);
	free(copy);
	free(text);
	buf_free(&b);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	folder = argv[1];
	date = argv[2];
	version = argv[3];
	write_manual();
	for (int i = 4; i < argc; i++)
		write_tool(argv[i]);
	return 0;
}
