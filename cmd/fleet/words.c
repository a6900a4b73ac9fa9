/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words.c - a host may be a collector itself (dtx --hosts LIST --agent), whose hosts have kernels
 * of their own.  It gets no image: it gets the program and what belongs to it, as words of a
 * command line, and compiles for its hosts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/fleet/fleet-private.h"
#include "cmd/say.h"

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
	const char *why = NULL;
	char *text = NULL;
	size_t room = 0;
	FILE *f;

	errno = 0;
	f = dtx_input(path);
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
	    row->action != ACT_DESCRIBE_PROGRAM &&
	    ((row->action != ACT_SETTING && row->action != ACT_OPTION) || given_is_collectors(g)))
		return NULL;
	if (row->letter)
		snprintf(word, sizeof(word), "-%c", row->letter);
	else
		snprintf(word, sizeof(word), "--%s", row->word);
	send_word(p, word);
	return g->arg ? send_word(p, g->arg) : NULL;
}

/* ---- a script that can be read only once -------------------------------------------- */

/* Its descriptor, if the path is one of this process; else -1. */
static int script_fd(const char *path)
{
	int fd;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdin"))
		return 0;
	return sscanf(path, "/dev/fd/%d", &fd) == 1 || sscanf(path, "/proc/self/fd/%d", &fd) == 1
		       ? fd : -1;
}

/* The same bytes in memory: each who opens it begins at the first. */
static bool keep_fd(int fd)
{
	int kept = memfd_create("dtx-script", MFD_CLOEXEC);
	char piece[FRAME_PIECE];
	ssize_t n = kept < 0 ? -1 : 0;

	while (kept >= 0 && (n = read(fd, piece, sizeof(piece))) > 0)
		if (write(kept, piece, n) != n) {
			n = -1;
			break;
		}
	if (!n)
		n = dup2(kept, fd) < 0 ? -1 : 0;
	if (kept >= 0)
		close(kept);
	return !n;
}

/* The path is one that can be opened again, now. */
static bool keep_script(const char **path)
{
	bool shared = !strcmp(*path, "-");       /* a file is read from where others read, too */
	int fd = script_fd(*path);
	struct stat st;

	if (shared)
		*path = "/dev/stdin";
	if (fd < 0 || fstat(fd, &st) || (!shared && S_ISREG(st.st_mode)) || keep_fd(fd))
		return true;
	command_say("cannot read the script %s: %s", *path, strerror(errno));
	return false;
}

bool words_keep(struct command *c)
{
	bool alone = !c->nprograms && c->noperands && !c->tool;
	const char *script = alone ? c->operands[0] : "";

	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_SCRIPT && !keep_script(&c->given[i].arg))
			return false;
	return keep_script(&script);
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
