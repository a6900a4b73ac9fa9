/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fmt.c - dtx --fmt: scripts in the usual style, printed, written to another file or in their own
 * place, or only compared with it.  What is written replaces a file when it is complete; a program
 * that is no D is left as it is.
 */
#include "cmd/fmt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx.h>

#include "cmd/say.h"

/* The file as a string; NULL: reported. */
static char *read_script(const char *path)
{
	FILE *in = strcmp(path, "-") ? dtx_input(path) : stdin;
	char *text = NULL;
	size_t size = 0;

	if (in && getdelim(&text, &size, '\0', in) < 0 && !ferror(in)) {
		free(text);
		text = strdup("");
	}
	if (!in || ferror(in)) {
		command_say("cannot read the script %s: %s", path, dtx_file_why(errno));
		free(text);
		text = NULL;
	}
	if (in && in != stdin)
		fclose(in);
	return text;
}

/* Does it need operands, or the preprocessor?  Without them nobody knows whether it is right. */
static bool is_unfinished(const char *text)
{
	static const char *const words[] = { "define", "include", "if", "undef" };

	for (const char *p = text; (p = strchr(p, '$')); p++)
		if (p[1] >= '1' && p[1] <= '9')
			return true;
	for (const char *p = text; p && *p; p = strchr(p, '\n')) {
		p += strspn(p, "\n \t");
		if (*p != '#')
			continue;
		const char *word = p + 1 + strspn(p + 1, " \t");

		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (!strncmp(word, words[i], strlen(words[i])))
				return true;
	}
	return false;
}

struct judged {
	bool colour;
	bool bad;
};

/* Only mistakes of grammar count: names and types may be known elsewhere, as those of a program
 * that will be traced. */
static void judge(void *arg, const struct dtx_message *m)
{
	static const char *const grammar[] = { "D_SYNTAX", "D_STR_NL", "D_CHR_NL" };
	struct judged *j = arg;

	if (m->hint && strstr(m->hint, "is not a known type"))
		return;
	for (size_t i = 0; m->tag && i < sizeof(grammar) / sizeof(*grammar); i++)
		if (!strcmp(m->tag, grammar[i])) {
			show_message(&j->colour, m);
			j->bad = true;
		}
}

/* Is it D, as far as the grammar says?  Mistakes are reported. */
static bool is_program(const char *path, const char *text)
{
	struct judged j = { .colour = isatty(2) && !getenv("NO_COLOR") };
	FILE *nowhere = is_unfinished(text) ? NULL : fopen("/dev/null", "w");

	if (!nowhere)
		return true;
	struct dtx *d = dtx_open();
	dtx_set_name(d, program_invocation_short_name);
	dtx_on_message(d, judge, &j);
	if (!dtx_set_option(d, "zdefs", NULL) &&
	    !dtx_program_add(d, DTX_PROG_SCRIPT, path, text, strlen(text)))
		dtx_dump(d, "ast", nowhere);
	dtx_close(d);
	fclose(nowhere);
	return !j.bad;
}

static int cannot_write(const char *path, int err)
{
	command_say("cannot write %s: %s", path, dtx_file_why(err));
	return STATUS_FAILED;
}

/* A new file of that text takes the place, the rights and, as far as possible, the owner of the
 * old one: a full disk does not cost the script. */
static int replace(const char *path, const char *text, const struct stat *old)
{
	char *real = realpath(path, NULL), *name = NULL;
	int fd = -1, err = 0;

	if (!real || asprintf(&name, "%s.XXXXXX", real) < 0 || (fd = mkstemp(name)) < 0)
		err = errno;
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	if (out) {
		if (fchown(fd, old->st_uid, old->st_gid))
			errno = 0;       /* not everybody may do that */
		if (fputs(text, out) < 0 || fflush(out) || fchmod(fd, old->st_mode & 07777) ||
		    fsync(fd))
			err = errno;
		if (fclose(out) && !err)
			err = errno;
		if (!err && rename(name, real))
			err = errno;
		if (err)
			unlink(name);
	}
	free(name);
	free(real);
	return err ? cannot_write(path, err) : STATUS_OK;
}

static int write_script(const char *path, const char *text)
{
	FILE *out = dtx_output(path, true);      /* what may not be written is refused here */
	struct stat st;
	int err = 0;

	if (!out)
		return cannot_write(path, errno);
	if (!fstat(fileno(out), &st) && S_ISREG(st.st_mode) && st.st_size) {
		fclose(out);
		return replace(path, text, &st);
	}
	if (fputs(text, out) < 0)
		err = errno;
	if (fclose(out))
		err = errno;
	return err ? cannot_write(path, err) : STATUS_OK;
}

static int format_one(const struct command *c, const char *path, bool in_place, FILE *out)
{
	char *text = read_script(path), *formatted = NULL;
	int status = STATUS_FAILED;

	if (text && is_program(path, text)) {
		formatted = dtx_format(text);
		status = STATUS_OK;
		if (c->check && strcmp(text, formatted)) {
			command_say("%s is not in the usual style: %s --fmt -i %s changes it", path,
				    program_invocation_short_name, path);
			status = STATUS_FAILED;
		} else if (in_place && !c->check && strcmp(text, formatted)) {
			status = write_script(path, formatted);
		} else if (c->output && !in_place && !c->check) {
			status = write_script(c->output, formatted);
		} else if (!in_place && !c->check) {
			fputs(formatted, out);
		}
	}
	free(formatted);
	free(text);
	return status;
}

int format_scripts(const struct command *c, FILE *out)
{
	bool in_place = false;
	int status = STATUS_OK, n = 0;

	for (int i = 0; i < c->ngiven; i++)
		in_place |= c->given[i].row->letter == 'i';
	for (int i = 0; i < c->ngiven; i++)
		n += c->given[i].row->action == ACT_SCRIPT || c->given[i].row->letter == 'i';
	if (c->output && (in_place || n + c->noperands > 1)) {
		command_say("--fmt -o FILE takes one script, and not -i");
		return STATUS_USAGE;
	}
	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_SCRIPT || c->given[i].row->letter == 'i')
			status |= format_one(c, c->given[i].arg, in_place, out);
	for (int i = 0; i < c->noperands; i++)
		status |= format_one(c, c->operands[i], in_place, out);
	return n + c->noperands ? status : format_one(c, "-", false, out);
}
