/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.c - the common part of dtx and dtx-run: from arguments to the exit status.  Only
 * this file and signals.c handle signals, terminals and the end of the process.
 *
 * Arguments are read once into `struct command`; settings are applied before everything
 * else, in any order on the command line.
 */
#include "cmd/command.h"
#include "cmd/fleet/agent.h"
#include "cmd/machines.h"
#include "cmd/say.h"
#include "cmd/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const struct option_row rows[] = {
#define ARG(letter, word, ...) { letter, word, __VA_ARGS__ },
#include <dtx/tables/args.def>
#undef ARG
};
#define NROWS (sizeof(rows) / sizeof(rows[0]))

/* What getopt returns: OPERAND for a word that is no option; for options without a letter, BY_WORD
 * and the number of the row. */
enum { OPERAND = 1, BY_WORD = 256 };
#define LINE_LETTERS 64          /* options of a script's first line, at most */

/* ---- help ------------------------------------------------------------------------- */

/* Prints a text of the tool; {} is the name by which it was called. */
static void print_text(const char *text, FILE *out)
{
	for (const char *name; (name = strstr(text, "{}")); text = name + 2)
		fprintf(out, "%.*s%s", (int)(name - text), text, program_invocation_short_name);
	fputs(text, out);
}

const struct option_row *command_rows(size_t *n)
{
	*n = NROWS;
	return rows;
}

void command_usage(const struct tool *tool, FILE *out)
{
	print_text(tool->usage, out);
}

int command_nothing(const struct tool *tool)
{
	command_usage(tool, stderr);
	fprintf(stderr, "%s --help explains the options\n", program_invocation_short_name);
	return STATUS_USAGE;
}

static void put_help(const void *arg, FILE *out)
{
	const struct tool *tool = arg;

	command_usage(tool, out);
	fputc('\n', out);
	for (size_t i = 0; i < NROWS; i++) {
		if (!rows[i].help || (rows[i].compiles && !tool->compiles))
			continue;
		if (rows[i].letter)
			fprintf(out, "  -%c %-11s", rows[i].letter, rows[i].arg ? rows[i].arg : "");
		else
			fprintf(out, "  --%s %-*s", rows[i].word, 11 - (int)strlen(rows[i].word),
				rows[i].arg ? rows[i].arg : "");
		fprintf(out, " %s\n", rows[i].help);
	}
	print_text(tool->examples, out);
}

static void print_help(const struct tool *tool)
{
	say_at_end();
	say_text(stdout, put_help, tool);
}

static int screen_width(void)
{
	unsigned int columns = screen_columns(1);

	return columns >= 40 ? (int)columns : 80;
}

/* The exit status. */
static int print_topic(const struct tool *tool, const char *topic)
{
	bool colour = isatty(1) && !getenv("NO_COLOR"), loud = isatty(2) && !getenv("NO_COLOR");
	struct dtx *d = dtx_open();

	say_at_end();
	dtx_set_name(d, program_invocation_short_name);
	dtx_on_message(d, show_message, &loud);
	int err = tool->help(d, topic, screen_width(), colour, stdout);
	dtx_close(d);
	return command_close(stdout, NULL, err ? STATUS_USAGE : STATUS_OK);
}

/* "-x help", or what follows --help: an operand, or an option "-x NAME".  NULL: none.  The caller
 * frees it. */
static char *help_topic_of(const struct command *c)
{
	char *topic = NULL;

	for (int i = 0; i < c->ngiven && !topic; i++) {
		const struct given *g = &c->given[i];
		bool asks = g->row->action == ACT_OPTION && !strcmp(g->arg, "help");

		if (g->row->action == ACT_OPTION && (c->help || asks) &&
		    asprintf(&topic, "-x %s", g->arg) < 0)
			topic = NULL;
	}
	return topic || !c->help || !c->noperands ? topic : strdup(c->operands[0]);
}

/* ---- arguments -------------------------------------------------------------------- */

static const struct option_row *find_row(int letter)
{
	if (letter >= BY_WORD)
		return &rows[letter - BY_WORD];
	for (size_t i = 0; i < NROWS; i++)
		if (letter && rows[i].letter == letter)
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
	case ACT_IMAGE:
		c->image = arg;
		break;
	case ACT_RUN:
		c->run = arg;
		break;
	case ACT_INSPECT:
		c->inspect = arg;
		break;
	case ACT_REPLAY:
		c->replay = arg;
		break;
	case ACT_TRUST:
		c->trust = arg;
		break;
	case ACT_DESCRIBE:
		c->describe = arg;
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
	case ACT_COMPLETE:
		c->complete = true;
		break;
	case ACT_FORMAT:
		c->fmt = true;
		break;
	case ACT_LSP:
		c->lsp = true;
		break;
	case ACT_HOSTS:
		c->hosts = arg;
		break;
	case ACT_VIA:
		c->via = arg;
		break;
	case ACT_AGENT:
		c->agent = true;
		break;
	default:
		break;
	}
}

/* -S may be followed by stages; other words after it are not its argument. */
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

static void tell_compiler(const struct option_row *row)
{
	char letter[3] = { '-', row->letter };

	command_say(
		"%s%s needs the compiler: %s runs compiled images; compile with dtx --image FILE",
		row->letter ? letter : "--", row->letter ? "" : row->word,
		program_invocation_short_name);
}

/* Is the word an option of the command itself, written in full? */
static bool is_own(const char *word)
{
	size_t len = strcspn(word, "=");

	if (word[0] != '-' || word[1] != '-')
		return word[0] == '-' && word[1] >= ' ' && find_row(word[1]);
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].word && strlen(rows[i].word) == len - 2 &&
		    !memcmp(rows[i].word, word + 2, len - 2))
			return true;
	return false;
}

void command_first_line(struct command *c)
{
	const char *at = c->line ? c->line + 1 : "";

	for (int i = 0; *at && *at != 's' && i < LINE_LETTERS; i++, at++) {
		const struct option_row *row = find_row(*at);

		if (row)
			note_option(c, row, row->arg ? at + 1 : NULL);
		if (!row || row->arg)
			break;
	}
}

/* The first operand is a script, or an image, if there is no other program; those of --replay are
 * recordings. */
static void take_operand(const struct tool *tool, struct command *c, char *word)
{
	if (!c->noperands && !c->nprograms && !c->run && !c->replay && !c->help && !c->trust) {
		if (tool->find && access(word, F_OK))
			c->tool = tool->find(word);
		c->scripts = script_add(c->scripts, c->tool ? c->tool : word, c->tool);
	}
	c->operands[c->noperands++] = word;
}

/* What getopt refused, and said so: an option without its argument, or a word of others. */
static void tell_refused(const struct command *c, const char *word)
{
	const struct option_row *row = optopt ? find_row(optopt) : NULL;
	char letter[3] = { '-', optopt, '\0' };

	if (row && row->arg && row->help)
		command_say("%s%s %s: %s", row->word ? "--" : letter, row->word ? row->word : "",
			    row->arg, row->help);
	else
		command_instead(word);
	if (c->tool)
		command_say("dtx %s --help lists the options of this tool", c->operands[0]);
}

/* Is the first operand neither a script nor a tool? */
static bool is_foreign(const struct command *c)
{
	return c->scripts && c->noperands && !c->tool && access(c->operands[0], F_OK);
}

/* `-o "$file"` where the variable of the shell is not set. */
static bool names_nothing(const struct option_row *row, const char *arg)
{
	char letter[3] = { '-', row->letter, '\0' };

	if (!arg || *arg || !row->arg || (strcmp(row->arg, "FILE") && strcmp(row->arg, "OLD")))
		return false;
	command_say("%s%s '' names no file: give a name, or leave this option out",
		    row->letter ? letter : "--", row->letter ? "" : row->word);
	return true;
}

static bool take_option(const struct tool *tool, struct command *c, int argc, char **argv,
			int letter, const char *word)
{
	const struct option_row *row = find_row(letter);

	if (!row) {
		tell_refused(c, word);
		return false;
	}
	if (row->compiles && !tool->compiles) {
		tell_compiler(row);
		return false;
	}
	if (row->action == ACT_PROGRAM || row->action == ACT_SCRIPT) {
		/* "strace -f ls"; an operand may come before -n. */
		c->told = letter != 'n' && is_foreign(c) && tool->told &&
			  tool->told(c->operands[0], true);
		if (c->told || !script_alone(c->scripts, word))
			return false;
	}
	if (row->action == ACT_DUMP && optind < argc)
		optarg = (char *)stages_of(argv[optind]);
	optind += row->action == ACT_DUMP && optarg;
	if (names_nothing(row, optarg)) {
		c->told = true;
		return false;
	}
	note_option(c, row, optarg);
	if (!c->trust && (row->action == ACT_SCRIPT || row->action == ACT_RUN))
		c->scripts = script_add(c->scripts, optarg, false);
	return true;
}

/* In their order: what follows a script may be an option that it declares. */
static bool take_arguments(const struct tool *tool, struct command *c, int argc, char **argv,
			   const char *letters, const struct option *longs)
{
	bool within = false;     /* a word of several letters, after the first one */

	for (;;) {
		int before = optind, letter;
		char *word = argv[optind];
		enum taken taken = NOT_TAKEN;

		if (!within && c->scripts && word)
			taken = script_option(c->scripts, argc, argv, &optind, &c->settings,
					      is_own(word));
		if (taken == TAKEN_BADLY)
			return false;
		if (taken == TAKEN)
			continue;
		opterr = say_is_plain(word) && !is_foreign(c);
		letter = getopt_long(argc, argv, letters, longs, NULL);
		if (letter == '?' && is_foreign(c))      /* "record -g", "ls -la" */
			c->told = tool->told && tool->told(c->operands[0], false);
		else if (letter == '?' && opterr)
			c->told = say_near_option(word, optind < argc ? argv[optind] : NULL,
						  longs);
		if (c->told)
			return false;
		if (letter == '?' && !opterr && !(optopt && find_row(optopt)))
			command_say("this option is not known: '%s'", word);
		within = optind == before;
		if (letter == -1)
			return true;
		if (letter == OPERAND)
			take_operand(tool, c, optarg);
		else if (!take_option(tool, c, argc, argv, letter, word))
			return false;
	}
}

/* false: bad usage, already reported. */
static bool read_arguments(const struct tool *tool, struct command *c, int argc, char **argv)
{
	struct option longs[NROWS + 1] = { 0 }, *word_at = longs;
	char letters[2 * NROWS + 2], *to = letters;
	int most = argc + LINE_LETTERS;

	for (int i = 1; i < argc; i++)   /* "-qZ" is one word and several options */
		most += strlen(argv[i]);
	*to++ = '-';                     /* operands in their order: OPERAND */
	for (size_t i = 0; i < NROWS; i++) {
		if (rows[i].word)
			*word_at++ = (struct option){ rows[i].word,
						      rows[i].arg ? required_argument : no_argument,
						      NULL, BY_WORD + i };
		if (!rows[i].letter)
			continue;
		*to++ = rows[i].letter;
		if (rows[i].arg)
			*to++ = ':';
	}
	*to = '\0';
	c->given = calloc(most, sizeof(*c->given));
	c->operands = calloc(argc + 1, sizeof(*c->operands));
	if (!c->given || !c->operands || !take_arguments(tool, c, argc, argv, letters, longs))
		return false;
	while (optind < argc)            /* after -- */
		c->operands[c->noperands++] = argv[optind++];
	return true;
}

/* If one of these were closed, dtx would write its text to the next file it opens. */
static void fill_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/* ---- doing --------------------------------------------------------------------------------- */

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

int command_times(const struct command *c, const char *setting)
{
	int n = 0;

	for (int i = 0; i < c->ngiven; i++)
		n += c->given[i].row->setting && !strcmp(c->given[i].row->setting, setting);
	return n;
}

/* The first of two would be dropped without a word. */
static int refuse_second(const struct command *c)
{
	static const char *const once[] = { "stacks", "record", "trace", "perfetto", "serve",
					  "diff" };

	for (size_t k = 0; k < sizeof(once) / sizeof(*once); k++) {
		if (command_times(c, once[k]) < 2)
			continue;
		command_say("--%s is given twice: a run has one; keep it with --record FILE, and "
			    "--replay FILE gives the others", once[k]);
		return -EINVAL;
	}
	return 0;
}

/* The recording of --replay, and those that follow as operands. */
static int replay(struct dtx *d, const struct command *c, FILE *out)
{
	const char **paths = calloc(c->noperands + 1, sizeof(*paths));
	int err = 1;

	if (paths) {
		paths[0] = c->replay;
		memcpy(paths + 1, c->operands, c->noperands * sizeof(*paths));
		err = dtx_replay_all(d, paths, c->noperands + 1, out);
	}
	free(paths);
	return err ? STATUS_FAILED : STATUS_OK;
}

static int apply_settings(struct dtx *d, const struct command *c)
{
	int err = refuse_second(c);
	for (int i = 0; i < c->ngiven && !err; i++) {
		const struct given *g = &c->given[i];
		if (c->machine && machines_is_one(g))
			continue;
		if (g->row->action == ACT_SETTING)
			err = dtx_set_option(d, g->row->setting, g->arg);
		else if (g->row->action == ACT_OPTION)
			err = set_option(d, g->arg);
		else if (g->row->action == ACT_DUMP && !g->arg)
			err = dtx_set_option(d, "verbose", NULL);
	}
	for (int i = 0; i < c->settings.n && !err; i++)
		if (c->settings.v[i].is_option)
			err = dtx_set_option(d, c->settings.v[i].name, c->settings.v[i].value);
	return err;
}

int command_run(struct dtx *d, const struct command *c, FILE *out)
{
	int err = c->check ? 0 : dtx_enable(d);  /* -e enables nothing */

	if (err)
		return STATUS_FAILED;
	if (c->verbose)
		dtx_stability(d, out);
	if (c->check && dtx_rights(d))
		return STATUS_USAGE;             /* everything that needs no rights was reported */
	if (c->check)
		return dtx_check(d) ? STATUS_FAILED : STATUS_OK;
	signals_stop(d);
	err = dtx_start(d, out);
	if (c->verbose && !err)
		dtx_explain(d);
	if (!err)
		err = dtx_drop_rights(d);
	if (!err)
		err = dtx_run(d);
	signals_stop(NULL);
	return err ? STATUS_FAILED : dtx_exit_status(d) & 0xff;
}

int command_work(const struct tool *tool, struct dtx *d, struct command *c, FILE *out)
{
	if (apply_settings(d, c))
		return STATUS_FAILED;
	if (c->verbose)
		dtx_name_all(d);
	if (machines_refuse(c))
		return STATUS_USAGE;
	if (c->describe)
		return machines_describe(d, c, out);
	if (c->features)
		return dtx_features(d, out) ? STATUS_FAILED : STATUS_OK;
	if (c->doctor)
		return dtx_doctor(d, out) ? STATUS_FAILED : STATUS_OK;
	if (c->replay)
		return replay(d, c, out);
	if (c->inspect)
		return dtx_image_inspect(d, c->inspect, out) ? STATUS_FAILED : STATUS_OK;
	return tool->work(d, c, out);
}

static int work_with_output(const struct tool *tool, struct command *c)
{
	bool colour = isatty(2) && !getenv("NO_COLOR");
	const char *made = c->output && access(c->output, F_OK) ? c->output : NULL;
	FILE *out = tool->open_output(c);
	if (!out)
		return STATUS_FAILED;
	signals_catch();
	if (c->check && machines_given(c) > 1)
		return command_close(out, c->output, machines_check(tool, c, out));
	struct dtx *d = dtx_open();
	dtx_set_name(d, program_invocation_short_name);
	dtx_on_message(d, show_message, &colour);
	int status = command_work(tool, d, c, out);
	dtx_close(d);
	clearerr(out);                   /* the library has reported failed writes */
	return command_left(made, command_close(out, c->output, status));
}

/* Capabilities of the file are made for this: dtx reads what the user names with the user's rights.
 * Another user's identity is not: each file would be written and read as that user. */
static bool refuse_setuid(void)
{
	if (!getauxval(AT_SECURE) || (getuid() == geteuid() && getgid() == getegid()))
		return false;
	command_say("it does not run as a set-user-ID or set-group-ID program: its user could read "
		    "and write files as another one; give the file capabilities instead, as "
		    "%s --doctor says", program_invocation_short_name);
	return true;
}

/*
 * Runs may take hours.  What was freed goes back to the system: large blocks each have a mapping,
 * which is what malloc() begins with, until it is changed by the first one that is freed; and the
 * threads that read files have no heaps of their own.
 */
#define OWN_MAPPING  (256 << 10)

static void keep_memory_small(void)
{
	mallopt(M_MMAP_THRESHOLD, OWN_MAPPING);
	mallopt(M_ARENA_MAX, 1);
}

int command_main(const struct tool *tool, int argc, char **argv)
{
	struct command c = { .name = program_invocation_short_name };
	char *topic = NULL;
	int status;

	c.first = argc > 1 ? argv[1] : NULL;
	if (refuse_setuid())
		return STATUS_USAGE;
	if (argc)
		argv[0] = program_invocation_short_name; /* getopt's messages begin with it */
	fill_standard_files();
	keep_memory_small();
	signals_survive_writes();
	if (!read_arguments(tool, &c, argc, argv)) {
		if (!script_is_tool(c.scripts) && !c.told)
			command_usage(tool, stderr);
		status = STATUS_USAGE;
	} else if (c.scripts && c.scripts->help) {
		script_help(c.scripts, stdout);
		status = command_close(stdout, NULL, STATUS_OK);
	} else if (tool->help && (topic = help_topic_of(&c))) {
		status = print_topic(tool, topic);
	} else if (c.help) {
		print_help(tool);
		status = command_close(stdout, NULL, STATUS_OK);
	} else if ((status = tool->check(&c)) != STATUS_OK) {
		;                        /* it has reported why */
	} else if (c.agent) {
		status = agent_serve(c.trust, c.hosts ? argv : NULL);
	} else if (c.version) {
		printf("%s: %s\n", program_invocation_short_name, dtx_version());
		status = command_close(stdout, NULL, STATUS_OK);
	} else {
		status = work_with_output(tool, &c);
	}
	script_free(c.scripts);
	free(c.settings.v);
	free(c.operands);
	free(c.tool);
	free(c.line);
	free(topic);
	free(c.given);
	return status;
}
