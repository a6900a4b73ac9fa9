/* SPDX-License-Identifier: BSD-2-Clause */
/* say.c - prints messages of the library and of the command on standard error. */
#include <dtx-run.h>
#include <errno.h>
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

bool say_is_plain(const char *word)
{
	char *plain = dtx_plain_text(word ? word : "");
	bool same = !word || !strcmp(plain, word);

	free(plain);
	return same;
}
