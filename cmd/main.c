/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - the dtx command: arguments in, exit status out.  Signals, terminals and the
 * process's end are known here and nowhere else; everything else is behind dtx.h.
 *
 * Arguments are read once into `struct command`; then settings, targets and programs
 * are handed over in that order, whatever their order on the command line.
 */
#include <dtx.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* What an option does with its argument; the rows below say which. */
enum action {
	ACT_PROGRAM, ACT_SCRIPT, ACT_SETTING, ACT_OPTION, ACT_OUTPUT, ACT_COMMAND, ACT_PID,
	ACT_LIST, ACT_HEADER, ACT_OBJECT, ACT_CHECK, ACT_DUMP, ACT_VERBOSE, ACT_VERSION, ACT_HELP,
	ACT_ACCEPT, ACT_MODEL32, ACT_FEATURES, ACT_DOCTOR, ACT_IMAGE, ACT_RUN
};

/* Options without a letter. */
enum { HELP = 1, FOLLOW, CGROUP, COMM, FEATURES, DOCTOR, DURATION, MAX_EVENTS, IMAGE };

static const struct option_row {
	char letter;
	const char *arg;         /* name of its argument, NULL: none */
	enum action action;
	int kind;                /* ACT_PROGRAM: enum dtx_prog */
	const char *setting;     /* ACT_SETTING: name of the -x option */
	const char *help;        /* NULL: kept for compatibility, not shown */
} rows[] = {
	{ 'n', "PROGRAM", ACT_PROGRAM, DTX_PROG_NAME, NULL, "trace the probes PROVIDER:MODULE:FUNCTION:NAME [/PREDICATE/ { ACTIONS }]" },
	{ 's', "FILE",    ACT_SCRIPT,  0, NULL, "trace what the script FILE says (- is standard input)" },
	{ 'P', "PROGRAM", ACT_PROGRAM, DTX_PROG_PROVIDER, NULL, "as -n; a single word is a provider" },
	{ 'm', "PROGRAM", ACT_PROGRAM, DTX_PROG_MODULE, NULL, "as -n; the last word is a module" },
	{ 'f', "PROGRAM", ACT_PROGRAM, DTX_PROG_FUNCTION, NULL, "as -n; the last word is a function" },
	{ 'i', "ID",      ACT_PROGRAM, DTX_PROG_ID, NULL, "as -n; the probe with this number of -l" },
	{ 'c', "COMMAND", ACT_COMMAND, 0, NULL, "run COMMAND, trace until it ends; the first is $target" },
	{ 'p', "PID",     ACT_PID,     0, NULL, "trace this process only, until it ends; the first is $target" },
	{ FOLLOW, NULL,   ACT_SETTING, 0, "follow", "with -p or -c: trace that process and all it starts, no others" },
	{ CGROUP, "PATH", ACT_SETTING, 0, "cgroup", "trace only what runs in this control group (version 2) or below" },
	{ COMM, "NAME",   ACT_SETTING, 0, "comm", "trace only threads of this name (execname)" },
	{ 'l', NULL,      ACT_LIST,    0, NULL, "list the matching probes; with -v also their arguments" },
	{ 'h', NULL,      ACT_HEADER,  0, NULL, "write a C header for the provider declarations of a script" },
	{ 'G', NULL,      ACT_OBJECT,  0, NULL, "write an object file for the link step; probes need none, makefiles may" },
	{ IMAGE, "FILE",   ACT_IMAGE, 0, NULL, "compile into FILE, which -r runs; do not trace" },
	{ 'r', "FILE",    ACT_RUN, 0, NULL, "run what --image made, on the kernel it was made on" },
	{ 'e', NULL,      ACT_CHECK,   0, NULL, "compile and verify only" },
	{ 'S', NULL,      ACT_DUMP,    0, NULL, "print the code, then trace; -S ast,typed,plan,llvm,bpf: only print these stages" },
	{ 'q', NULL,      ACT_SETTING, 0, "quiet", "print only what the program prints" },
	{ 'v', NULL,      ACT_VERBOSE, 0, NULL, "tell what was attached, how, and why that way" },
	{ 'o', "FILE",    ACT_OUTPUT,  0, NULL, "append the output to FILE" },
	{ 'x', "OPT[=VAL]", ACT_OPTION, 0, NULL, "set an option" },
	{ 'b', "SIZE",    ACT_SETTING, 0, "bufsize", "size of the buffer per CPU (-x bufsize)" },
	{ 'w', NULL,      ACT_SETTING, 0, "destructive", "permit actions that change the system" },
	{ 'F', NULL,      ACT_SETTING, 0, "flowindent", "indent by function entry and return" },
	{ 'Z', NULL,      ACT_SETTING, 0, "zdefs", "descriptions may match no probe" },
	{ 'C', NULL,      ACT_SETTING, 0, "cpp", "run the C preprocessor over scripts" },
	{ 'D', "NAME[=VAL]", ACT_SETTING, 0, "define", "define NAME for the preprocessor" },
	{ 'U', "NAME",    ACT_SETTING, 0, "undef", "undefine NAME for the preprocessor" },
	{ 'I', "DIR",     ACT_SETTING, 0, "incdir", "look for included files in DIR" },
	{ 'L', "DIR",     ACT_SETTING, 0, "libdir", "look for D libraries in DIR" },
	{ 'H', NULL,      ACT_SETTING, 0, "cpphdrs", NULL },
	{ 'X', "a|c|s|t", ACT_SETTING, 0, "stdc", NULL },
	{ '6', NULL,      ACT_ACCEPT,  0, NULL, NULL },
	{ '4', NULL,      ACT_ACCEPT,  0, NULL, NULL },
	{ '3', NULL,      ACT_MODEL32, 0, NULL, NULL },
	{ '2', NULL,      ACT_ACCEPT,  0, NULL, NULL },
	{ 'a', NULL,      ACT_ACCEPT,  0, NULL, NULL },
	{ 'A', NULL,      ACT_ACCEPT,  0, NULL, NULL },
	{ 'B', NULL,      ACT_ACCEPT,  0, NULL, NULL },
	{ 'V', NULL,      ACT_VERSION, 0, NULL, "print the version of D" },
	{ DURATION, "TIME", ACT_SETTING, 0, "duration", "end after TIME: 10s, 500ms, 2m" },
	{ MAX_EVENTS, "N", ACT_SETTING, 0, "maxevents", "end after N firings that recorded something" },
	{ FEATURES, NULL, ACT_FEATURES, 0, NULL, "print what this kernel can do" },
	{ DOCTOR, NULL,   ACT_DOCTOR,  0, NULL, "print what can be traced here, why not, and what to do" },
	{ HELP, NULL,     ACT_HELP,    0, NULL, "print this" },
};
#define NROWS (sizeof(rows) / sizeof(rows[0]))

static const struct { const char *word; int letter; } words[] = {
	{ "help", HELP }, { "version", 'V' }, { "follow", FOLLOW }, { "cgroup", CGROUP },
	{ "comm", COMM }, { "features", FEATURES }, { "doctor", DOCTOR }, { "duration", DURATION },
	{ "max-events", MAX_EVENTS }, { "unsafe", 'w' }, { "image", IMAGE },
};
#define NWORDS (sizeof(words) / sizeof(words[0]))

struct given {
	const struct option_row *row;
	const char *arg;
};

struct command {
	const char *name;        /* $0 where there is no script */
	struct given *given;     /* options in their order */
	int ngiven, nprograms;
	char **operands;
	int noperands;
	const char *output, *stages, *image, *run;       /* run: an image */
	bool list, header, object, check, verbose, version, help, features, doctor, model32;
};

/* The handle the signal handler stops; NULL: there is nothing to end in order. */
static struct dtx *volatile running;

/* ---- help ------------------------------------------------------------------------- */

/* Messages begin with the name by which the command was called: a link may be called dtrace. */
__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
}

static void print_usage(FILE *out)
{
	fputs("usage: dtx [-n PROGRAM]... [-s FILE] [OPTION]... [ARGUMENT]...\n"
	      "       dtx [OPTION]... FILE [ARGUMENT]...\n", out);
}

static const char *word_of(int letter)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (words[i].letter == letter)
			return words[i].word;
	return "";
}

static void print_help(void)
{
	print_usage(stdout);
	putchar('\n');
	for (size_t i = 0; i < NROWS; i++) {
		if (!rows[i].help)
			continue;
		if (rows[i].letter >= ' ')
			printf("  -%c %-11s", rows[i].letter, rows[i].arg ? rows[i].arg : "");
		else
			printf("  --%s %-*s", word_of(rows[i].letter),
			       11 - (int)strlen(word_of(rows[i].letter)), rows[i].arg ? rows[i].arg : "");
		printf(" %s\n", rows[i].help);
	}
	fputs("\nexamples:\n"
	      "  dtx -n 'syscall::read:entry { @[execname] = quantize(arg2); }'\n"
	      "  dtx -n 'kprobe:tcp_sendmsg /size > 100/ { @[comm] = count(); }'\n"
	      "  dtx -n 'syscall:::entry { @[probefunc] = count(); }' -c 'ls -l'\n"
	      "  dtx -ln 'tracepoint:sched:*'\n", stdout);
}

/* ---- arguments -------------------------------------------------------------------- */

static const struct option_row *find_row(int letter)
{
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].letter == letter)
			return &rows[i];
	return NULL;
}

static void note_option(struct command *c, const struct option_row *row, const char *arg)
{
	c->given[c->ngiven++] = (struct given){ row, arg };
	switch (row->action) {
	case ACT_PROGRAM:
	case ACT_SCRIPT:
		c->nprograms++;
		break;
	case ACT_OUTPUT:
		c->output = arg;
		break;
	case ACT_DUMP:
		c->stages = arg ? arg : c->stages;
		break;
	case ACT_MODEL32:
		c->model32 = true;
		break;
	case ACT_IMAGE:
		c->image = arg;
		break;
	case ACT_RUN:
		c->run = arg;
		break;
	case ACT_LIST:
		c->list = true;
		break;
	case ACT_HEADER:
		c->header = true;
		break;
	case ACT_OBJECT:
		c->object = true;
		break;
	case ACT_CHECK:
		c->check = true;
		break;
	case ACT_VERBOSE:
		c->verbose = true;
		break;
	case ACT_VERSION:
		c->version = true;
		break;
	case ACT_FEATURES:
		c->features = true;
		break;
	case ACT_DOCTOR:
		c->doctor = true;
		break;
	case ACT_HELP:
		c->help = true;
		break;
	default:
		break;
	}
}

/* -S may be followed by stages; anything else there is not for it. */
static const char *stages_of(const char *word)
{
	static const char *const stages[] = { "ast", "typed", "plan", "llvm", "bpf" };
	const char *p = word;

	while (p && *p) {
		size_t n = strcspn(p, ","), i = 0;

		while (i < sizeof(stages) / sizeof(stages[0]) &&
		       (strlen(stages[i]) != n || strncmp(stages[i], p, n)))
			i++;
		if (i == sizeof(stages) / sizeof(stages[0]))
			return NULL;
		p += n + (p[n] == ',');
	}
	return word;
}

/* What getopt refused may be an option of bpftrace. */
static void tell_instead(const char *word)
{
	static const struct { const char *word, *instead; } rows_of_bpftrace[] = {
		{ "--dry-run", "-e compiles and verifies only" },
		{ "--info", "--features tells what the kernel can do, --doctor what to do about it" },
		{ "-d", "-S prints the code; -S ast,typed,plan,llvm,bpf those stages" },
		{ "--no-warnings", "what cannot be traced is always told; -q keeps other messages back" },
		{ "--include", "#include in a script, with -C" },
		{ "-k", "errors while tracing are always told; ERROR clauses see them" },
		{ "--usdt-file-activation", "it is not needed: NAME*:::PROBE also finds programs that start later" },
	};

	for (size_t i = 0; i < sizeof(rows_of_bpftrace) / sizeof(*rows_of_bpftrace); i++)
		if (word && !strncmp(word, rows_of_bpftrace[i].word, strlen(rows_of_bpftrace[i].word)))
			say("instead of %s: %s", rows_of_bpftrace[i].word, rows_of_bpftrace[i].instead);
}

/* false: bad usage, already told. */
static bool read_arguments(struct command *c, int argc, char **argv)
{
	struct option longs[NWORDS + 1] = { 0 };
	char letters[2 * NROWS + 1], *to = letters;
	int letter, most = argc;

	for (int i = 1; i < argc; i++)   /* "-qZ" is one word and several options */
		most += strlen(argv[i]);
	for (size_t i = 0; i < NROWS; i++) {
		if (rows[i].letter < ' ')
			continue;
		*to++ = rows[i].letter;
		if (rows[i].arg)
			*to++ = ':';
	}
	*to = '\0';
	for (size_t i = 0; i < NWORDS; i++)
		longs[i] = (struct option){ words[i].word, find_row(words[i].letter)->arg ? required_argument
					    : no_argument, NULL, words[i].letter };
	c->given = calloc(most, sizeof(*c->given));
	if (!c->given)
		return false;
	for (const char *word; word = argv[optind], (letter = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
		const struct option_row *row = find_row(letter);
		if (!row) {
			tell_instead(word);
			return false;
		}
		if (row->action == ACT_DUMP && optind < argc)
			optarg = (char *)stages_of(argv[optind]);
		optind += row->action == ACT_DUMP && optarg;
		note_option(c, row, optarg);
	}
	c->operands = argv + optind;
	c->noperands = argc - optind;
	return true;
}

/* ---- messages and signals ------------------------------------------------------------ */

/* What was not shown yet of the handle's messages. */
static void show_messages(struct dtx *d)
{
	static size_t shown;
	bool colour = isatty(2) && !getenv("NO_COLOR");
	const char *text = dtx_errors(d, colour);
	size_t len = strlen(text);

	if (len > shown) {
		fputs(text + shown, stderr);
		shown = len;
	}
}

/* The first ends in order, the second without waiting for what is still to be read, the third at once, whatever dtx waits for. */
static void on_signal(int sig)
{
	static const char told[] = "dtx: interrupted for the third time: ended at once\n";
	static volatile sig_atomic_t before;
	struct dtx *d = running;

	if (!d)
		_exit(128 + sig);        /* nothing is traced: nothing to end in order */
	if (before == 2) {
		ssize_t n = write(2, told, sizeof(told) - 1);
		(void)n;
		_exit(128 + sig);
	}
	before = before + 1;
	dtx_interrupt(d, sig == SIGINT);
}

static void on_failed_write(int sig)
{
}

/* A write to a closed pipe or beyond the limit of a file's size fails, and is told. Commands dtx starts have the default again. */
static void survive_writes(void)
{
	struct sigaction act = { .sa_handler = on_failed_write, .sa_flags = SA_RESTART };

	sigaction(SIGPIPE, &act, NULL);
	sigaction(SIGXFSZ, &act, NULL);
}

/* Whoever closed one of these would have dtx write its text to what it opens first. */
static void fill_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/* Signals that were ignored when dtx began stay so. */
static void catch_signals(void)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		sigaction(stops[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(stops[i], &act, NULL);
	}
}

/* ---- handing over ----------------------------------------------------------------------- */

static int set_option(struct dtx *d, const char *text)
{
	const char *value = strchr(text, '=');
	if (!value)
		return dtx_set_option(d, text, NULL);

	char *name = strndup(text, value - text);
	int err = name ? dtx_set_option(d, name, value + 1) : -ENOMEM;
	free(name);
	return err;
}

static int apply_settings(struct dtx *d, const struct command *c)
{
	int err = 0;

	for (int i = 0; i < c->ngiven && !err; i++) {
		const struct given *g = &c->given[i];
		if (g->row->action == ACT_SETTING)
			err = dtx_set_option(d, g->row->setting, g->arg);
		else if (g->row->action == ACT_OPTION)
			err = set_option(d, g->arg);
		else if (g->row->action == ACT_DUMP && !g->arg)
			err = dtx_set_option(d, "verbose", NULL);
	}
	return err;
}

static int grab(struct dtx *d, const char *text)
{
	char *end;
	long pid = strtol(text, &end, 10);

	if (end == text || *end || pid <= 0 || pid > 0x7fffffff) {
		say("-p needs the number of a process, not '%s'", text);
		return -EINVAL;
	}
	return dtx_target_grab(d, pid);
}

static int apply_targets(struct dtx *d, const struct command *c)
{
	int err = 0;

	for (int i = 0; i < c->ngiven && !err; i++) {
		const struct given *g = &c->given[i];
		if (g->row->action == ACT_COMMAND)
			err = dtx_target_run(d, g->arg);
		else if (g->row->action == ACT_PID)
			err = grab(d, g->arg);
	}
	return err;
}

/* The objects that -G is given must be there; nothing in them has to be changed. */
static int check_objects(const struct command *c)
{
	for (int i = 0; i < c->noperands; i++) {
		if (!access(c->operands[i], R_OK))
			continue;
		say("cannot read the object %s: %s", c->operands[i], strerror(errno));
		return -ENOENT;
	}
	return 0;
}

/* Without a program the first operand is a script; the operands left are $1, $2 … */
static int apply_programs(struct dtx *d, struct command *c)
{
	const char *script = NULL;
	int err = 0;

	for (int i = 0; i < c->ngiven && !err; i++) {
		const struct given *g = &c->given[i];
		char name[3] = { '-', g->row->letter, '\0' };
		if (g->row->action == ACT_PROGRAM)
			err = dtx_program_add(d, g->row->kind, name, g->arg, strlen(g->arg));
		else if (g->row->action == ACT_SCRIPT)
			err = dtx_program_file(d, g->arg);
	}
	if (!c->nprograms && c->noperands) {
		script = c->operands[0];
		err = dtx_program_file(d, script);
		c->nprograms++;
	}
	if (c->object && !err) {         /* the operands are objects, not arguments */
		err = check_objects(c);
		c->noperands = script ? 1 : 0;
	}
	char **args = calloc(c->noperands + 2, sizeof(*args));
	if (err || !args) {
		free(args);
		return err ? err : -ENOMEM;
	}
	int skip = script ? 1 : 0;
	args[0] = (char *)(script ? script : c->name);
	memcpy(args + 1, c->operands + skip, (c->noperands - skip) * sizeof(*args));
	err = dtx_set_args(d, c->noperands - skip + 1, (const char *const *)args);
	free(args);
	return err;
}

/* ---- doing --------------------------------------------------------------------------------- */

static int trace(struct dtx *d, const struct command *c, FILE *out)
{
	int err = c->run ? dtx_image_open(d, c->run) : dtx_compile(d);

	if (!err && !c->check)                   /* -e enables nothing */
		err = dtx_enable(d);
	show_messages(d);
	if (err)
		return STATUS_FAILED;
	if (c->verbose)
		dtx_stability(d, out);
	if (c->check && dtx_rights(d))
		return STATUS_USAGE;             /* what can be told without rights has been */
	if (c->check)
		return dtx_check(d) ? STATUS_FAILED : STATUS_OK;
	running = d;
	err = dtx_start(d, out);
	show_messages(d);
	if (c->verbose && !err)
		dtx_explain(d, stderr);
	if (!err)
		err = dtx_drop_rights(d);
	if (!err)
		err = dtx_run(d);
	running = NULL;
	return err ? STATUS_FAILED : dtx_exit_status(d) & 0xff;
}

static int work(struct dtx *d, struct command *c, FILE *out)
{
	bool rights_needed = !c->stages && !c->check && !c->header && !c->object && !c->image;

	if (apply_settings(d, c))
		return STATUS_FAILED;
	if (c->features)
		return dtx_features(d, out) ? STATUS_FAILED : STATUS_OK;
	if (c->doctor)
		return dtx_doctor(d, out) ? STATUS_FAILED : STATUS_OK;
	if (rights_needed && dtx_rights(d))
		return STATUS_USAGE;
	if (apply_targets(d, c) || apply_programs(d, c))
		return STATUS_FAILED;
	if (c->header)
		return dtx_header(d, out) ? STATUS_FAILED : STATUS_OK;
	if (c->object)
		return dtx_object(d, out) ? STATUS_FAILED : STATUS_OK;
	if (c->stages)
		return dtx_dump(d, c->stages, out) ? STATUS_FAILED : STATUS_OK;
	if (c->image)
		return dtx_image_write(d, c->image) ? STATUS_FAILED : STATUS_OK;
	if (c->list)
		return dtx_list(d, c->verbose, out) ? STATUS_FAILED : STATUS_OK;
	return trace(d, c, out);
}

/* Output that never reached its file is an error, unless its reader had enough. */
static int close_output(FILE *out, int status)
{
	bool bad = ferror(out);

	errno = 0;                       /* a failed write before is told by ferror() alone */
	if (fclose(out))
		bad = true;
	if (!bad || errno == EPIPE || status != STATUS_OK)
		return status;
	say("cannot write the output: %s", strerror(errno ? errno : EIO));
	return STATUS_FAILED;
}

/* What -h and -G write to without -o: app.h for app.d, here; NULL when there is no such script. */
static char *name_by_script(const struct command *c)
{
	const char *script = c->noperands && !c->nprograms ? c->operands[0] : NULL;

	for (int i = 0; i < c->ngiven; i++)
		if (c->given[i].row->action == ACT_SCRIPT)
			script = c->given[i].arg;
	if (!script || c->nprograms > 1)
		return NULL;
	const char *base = strrchr(script, '/') ? strrchr(script, '/') + 1 : script;
	size_t len = strlen(base);
	if (len < 3 || strcmp(base + len - 2, ".d"))
		return NULL;
	char *name = strdup(base);
	if (name)
		name[len - 1] = c->header ? 'h' : 'o';
	return name;
}

/* A header or an object takes the place of the old one; everything else is added to the file. */
static FILE *open_output(const struct command *c)
{
	bool anew = c->header || c->object;
	char *name = anew && !c->output ? name_by_script(c) : NULL;
	const char *path = c->output ? c->output : !name && c->object ? "d.out" : name;
	FILE *out = NULL;

	if (c->header && !path)
		say("-h needs an output file: -o FILE, or one script whose name ends in .d");
	else if (c->header && !strcmp(path, "-"))
		out = stdout;
	else
		out = path ? dtx_output(path, !c->header) : stdout;
	if (!out && path)
		say("cannot open %s: %s", path,
		    errno == ELOOP ? "it is a symbolic link of another user" : strerror(errno));
	free(name);
	return out;
}

static int run_command(struct command *c)
{
	FILE *out = open_output(c);
	if (!out)
		return STATUS_FAILED;
	catch_signals();
	struct dtx *d = dtx_open();
	dtx_set_name(d, program_invocation_short_name);
	int status = work(d, c, out);
	show_messages(d);
	dtx_close(d);
	clearerr(out);                   /* the library has told of writes that failed */
	return close_output(out, status);
}

int main(int argc, char **argv)
{
	struct command c = { .name = program_invocation_short_name };
	int status;

	if (argc)
		argv[0] = program_invocation_short_name;         /* getopt's messages begin with it */
	fill_standard_files();
	survive_writes();
	if (!read_arguments(&c, argc, argv)) {
		print_usage(stderr);
		status = STATUS_USAGE;
	} else if (c.help) {
		print_help();
		status = close_output(stdout, STATUS_OK);
	} else if (c.version + c.list + c.header + c.object + !!c.image > 1) {
		say("only one of -G, -h, -l, -V and --image can be given");
		print_usage(stderr);
		status = STATUS_USAGE;
	} else if (c.run && (c.nprograms || c.noperands || c.list || c.header || c.object || c.image || c.stages)) {
		say("-r runs an image: its programs and operands are those it was compiled from");
		status = STATUS_USAGE;
	} else if (c.model32) {
		say("-32: there are 64-bit programs only");
		status = STATUS_FAILED;
	} else if (c.version) {
		printf("%s: %s\n", program_invocation_short_name, dtx_version());
		status = close_output(stdout, STATUS_OK);
	} else if (!c.nprograms && !c.noperands && (argc < 2 || c.header || c.object)) {
		print_usage(stderr);
		fprintf(stderr, "%s --help explains the options\n", program_invocation_short_name);
		status = STATUS_USAGE;
	} else {
		status = run_command(&c);
	}
	free(c.given);
	return status;
}
