/* SPDX-License-Identifier: BSD-2-Clause */
/* say.c - prints messages of the library and of the command on standard error. */
#include <dtx-run.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/say.h"

/* Messages begin with the name by which the command was called: a link may be called dtrace. */
void command_say(const char *fmt, ...)
{
	char *text = NULL, *plain;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	plain = dtx_plain_text(text ? text : fmt);       /* file names may be of others */
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, plain);
	free(plain);
	free(text);
}

unsigned int screen_columns(int fd)
{
	struct winsize size;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

void keep_message(void *file, const struct dtx_message *m)
{
	char *text = dtx_message_text(m, false);

	if (text)
		fputs(text, file);
	free(text);
}

/* The only place where messages of the library are printed. */
void show_message(void *colour, const struct dtx_message *m)
{
	char *text = m->kind == DTX_PROGRESS && !isatty(2)
			     ? NULL
			     : dtx_message_within(m, *(const bool *)colour, screen_columns(2));

	if (text)
		fputs(text, stderr);
	free(text);
}

/* Prints where nothing can be allocated: in a signal handler, or out of memory. */
void say_at_once(const char *text)
{
	const struct iovec parts[] = {
		{ program_invocation_short_name, strlen(program_invocation_short_name) },
		{ ": ", 2 }, { (char *)text, strlen(text) }, { "\n", 1 },
	};
	ssize_t n = writev(2, parts, sizeof(parts) / sizeof(parts[0]));

	(void)n;
}

static void end_without_memory(size_t wanted)
{
	char text[60];

	dtx_leave_screen();
	snprintf(text, sizeof(text), "out of memory (%zu bytes wanted)", wanted);
	say_at_once(text);
	_exit(STATUS_FAILED);
}

/* Tables of LLVM are made before main(), and may not find memory. */
__attribute__((constructor(101))) static void begin(void)
{
	dtx_on_out_of_memory(end_without_memory);
}

/* A word that getopt refused may be an option of bpftrace. */
void command_instead(const char *word)
{
	static const struct {
		const char *word, *instead;
	} rows_of_bpftrace[] = {
		{ "--dry-run", "-e compiles and verifies only" },
		{ "--info",
		  "--features tells what the kernel can do, --doctor what to do about it" },
		{ "-d", "-S prints the code; -S ast,typed,plan,llvm,bpf those stages" },
		{ "--no-warnings", "what cannot be traced is always reported; -q suppresses other "
				   "messages" },
		{ "--include", "#include in a script, with -C" },
		{ "-k", "errors while tracing are always reported; ERROR clauses see them" },
		{ "--test", "-e compiles and verifies only" },
		{ "--pid", "-p PID" },
		{ "--explain", "--help MESSAGE, as in --help D_SYNTAX" },
		{ "--list", "-l, as in -ln 'syscall:::'" },
		{ "--json", "-x format=json" },
		{ "--csv", "-x format=csv; -x csvdir=FOLDER writes a file for each table" },
		{ "--text", "-x format=text, which it is without" },
		{ "--svg", "--stacks svg=FILE" },
		{ "--flame", "--stacks svg=FILE draws a flame graph" },
		{ "--pprof", "--stacks pprof=FILE" },
		{ "--folded", "--stacks folded=FILE" },
		{ "--html", "--report FILE" },
		{ "--output", "-o FILE" },
		{ "--command", "-c 'COMMAND'" },
		{ "--verbose", "-v" },
		{ "--quiet", "-q" },
		{ "--uid", "a predicate: /uid == 1000/" },
		{ "--timeout", "--duration 10s" },
		{ "--time", "--duration 10s" },
		{ "--interval", "a clause tick-1s { … }, or --live" },
		{ "--filter", "a predicate: /pid == 1/" },
		{ "--event", "-n 'PROBE { … }'; --help providers has the probes" },
		{ "--expr", "-n 'PROBE { … }'" },
		{ "--no-feature", "what the kernel can do is found out; --features lists it" },
		{ "--usdt-file-activation",
		  "it is not needed: NAME*:::PROBE also finds programs that start later" },
	};

	for (size_t i = 0; i < sizeof(rows_of_bpftrace) / sizeof(*rows_of_bpftrace); i++)
		if (word &&
		    !strncmp(word, rows_of_bpftrace[i].word, strlen(rows_of_bpftrace[i].word)))
			command_say("instead of %s: %s", rows_of_bpftrace[i].word,
				    rows_of_bpftrace[i].instead);
}

bool say_is_near(const char *word, const char *name)
{
	while (*word && *word == *name)
		word++, name++;
	if (!*word && !*name)
		return false;
	return (*word && *name && (!strcmp(word + 1, name + 1) ||
	       (word[1] == *name && name[1] == *word && !strcmp(word + 2, name + 2)))) ||
	       (*word && !strcmp(word + 1, name)) || (*name && !strcmp(word, name + 1));
}

bool say_near_option(const char *word, const struct option *longs)
{
	size_t len = word ? strcspn(word, "=") : 0;
	char *name = len > 3 && !strncmp(word, "--", 2) ? strndup(word + 2, len - 2) : NULL;

	while (name && longs->name && !say_is_near(name, longs->name))
		longs++;
	if (name && longs->name)
		command_say("did you mean --%s?", longs->name);
	free(name);
	return name && longs->name;
}

bool say_is_plain(const char *word)
{
	char *plain = dtx_plain_text(word ? word : "");
	bool same = !word || !strcmp(plain, word);

	free(plain);
	return same;
}

/* ---- texts on a narrow screen -------------------------------------------------------------- */

#define TEXT_MOST    (256 << 10) /* bytes of a text that is written at the end */
#define NARROWEST    40          /* columns below which nothing is wrapped */
#define WRITTEN      80          /* columns that a paragraph fills at least, where it was written */
#define OPTION_TEXT  15          /* columns of an option in a list, with the blanks after it */

static unsigned columns_of(const char *s, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;       /* not a later byte of UTF-8 */
	return n;
}

/* Where the next line of a table begins: after the last two blanks of its first half. */
static unsigned hanging(const char *line, size_t len, unsigned width)
{
	unsigned indent = (unsigned)strspn(line, " "), begin = indent;

	indent += line[indent] == '-' ? OPTION_TEXT : 0;
	for (size_t i = begin; i + 2 < len; i++)
		if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ' &&
		    columns_of(line, i + 2) <= width / 2)
			indent = columns_of(line, i + 2);
	return indent;
}

/* Is the next line of the same paragraph?  Its first word did not fit where it was written. */
static bool continues(const char *line, size_t len, const char *next)
{
	return len && *line != ' ' && *next != ' ' && *next != '\n' && *next &&
	       columns_of(line, len) + 1 + columns_of(next, strcspn(next, " \n")) > WRITTEN;
}

struct wrap {
	FILE *out;
	unsigned width, at, hang;        /* columns; hang: where a line that is too long goes on */
};

static void wrap_word(struct wrap *w, size_t blanks, const char *word, size_t len)
{
	unsigned n = columns_of(word, len);

	if (w->at > w->hang && w->at + blanks + n > w->width) {
		fprintf(w->out, "\n%*s", (int)w->hang, "");
		w->at = w->hang;
		blanks = 0;
	}
	fprintf(w->out, "%*s%.*s", (int)blanks, "", (int)len, word);
	w->at += (unsigned)blanks + n;
}

static void wrap_line(struct wrap *w, const char *line, size_t len)
{
	size_t blanks = w->at > 0, n;

	for (const char *s = line, *end = line + len; s < end; s += n, blanks = 0) {
		blanks += strspn(s, " ");
		s += strspn(s, " ");
		n = strcspn(s, " \n");
		if (n)
			wrap_word(w, blanks, s, n);
	}
}

static void wrap_text(FILE *out, const char *text)
{
	struct wrap w = { out, screen_columns(fileno(out)) };

	if (w.width < NARROWEST) {
		fputs(text, out);
		return;
	}
	for (const char *line = text, *next; *line; line = next) {
		size_t len = strcspn(line, "\n");

		next = line + len + (line[len] == '\n');
		if (!w.at)
			w.hang = hanging(line, len, w.width);
		wrap_line(&w, line, len);
		if (continues(line, len, next))
			continue;
		fputc('\n', out);
		w.at = 0;
	}
}

void say_text(FILE *out, void (*put)(const void *arg, FILE *), const void *arg)
{
	size_t len;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return;
	put(arg, f);
	fclose(f);
	if (text)
		wrap_text(out, text);
	free(text);
}

void say_at_end(void)
{
	static char text[TEXT_MOST];

	setvbuf(stdout, text, _IOFBF, sizeof(text));
}
