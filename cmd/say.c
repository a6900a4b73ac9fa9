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

/* Options of bpftrace and of other programs. */
static const struct instead {
	const char *word, *instead;
} instead[] = {
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

/* The row of this very word, of `len` bytes; NULL: there is none. */
static const struct instead *instead_of(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++)
		if (strlen(instead[i].word) == len && !strncmp(word, instead[i].word, len))
			return &instead[i];
	return NULL;
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

/* The options of -x, which people write as words of their own. */
static const struct setting_name {
	const char *name, *kind;
} settings[] = {
#define OPTION(name, kind, ...) { #name, #kind },
#include <dtx/tables/options.def>
#undef OPTION
};

/* --max-overhead is maxoverhead: the word without such marks, in 32 bytes. */
static void setting_word(char *name, const char *word, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n < 31; i++)
		if (word[i] != '-' && word[i] != '_')
			name[n++] = word[i];
	name[n] = '\0';
}

/* near: one that is written nearly so will do. */
static const struct setting_name *setting_of(const char *word, size_t len, bool near)
{
	char name[32];

	setting_word(name, word, len);
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (near ? say_is_near(name, settings[i].name) : !strcmp(name, settings[i].name))
			return &settings[i];
	return NULL;
}

static void say_setting(const struct setting_name *s, const char *value, const char *next)
{
	bool flag = !strcmp(s->kind, "OPTK_FLAG");

	if (!*value && !flag)
		value = next && *next && *next != '-' ? next : "VALUE";
	command_say("did you mean -x %s%s%s?", s->name, *value ? "=" : "", value);
}

/* A word that was refused: also if it only begins like one of another program (--flamegraph). */
void command_instead(const char *word)
{
	size_t len = word ? strcspn(word, "=") : 0;
	const struct instead *row = word ? instead_of(word, len) : NULL;
	const struct setting_name *setting =
		row || len < 3 ? NULL : setting_of(word + 2, len - 2, false);

	for (size_t i = 0; word && !row && i < sizeof(instead) / sizeof(*instead); i++)
		if (!strncmp(word, instead[i].word, strlen(instead[i].word)))
			row = &instead[i];
	if (setting)
		say_setting(setting, word + len + (word[len] == '='), NULL);
	else if (row)
		command_say("instead of %s: %s", row->word, row->instead);
}

bool say_near_option(const char *word, const char *next, const struct option *longs)
{
	size_t len = word ? strcspn(word, "=") : 0;
	char *name = len > 3 && !strncmp(word, "--", 2) ? strndup(word + 2, len - 2) : NULL;
	const struct setting_name *setting = name ? setting_of(name, len - 2, false) : NULL;

	if (!name || instead_of(word, len)) {
		free(name);
		return false;
	}
	while (!setting && longs->name && !say_is_near(name, longs->name))
		longs++;
	if (!setting && !longs->name)
		setting = setting_of(name, len - 2, true);
	if (setting)
		say_setting(setting, word + len + (word[len] == '='), next);
	else if (longs->name)
		command_say("did you mean --%s?", longs->name);
	free(name);
	return setting || longs->name;
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
