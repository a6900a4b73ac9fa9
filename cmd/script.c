/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * script.c - options that scripts declare: found on the command line, explained by --help.
 *
 * They follow the name of the script, as for any command: --limit 5, --limit=5, -n 5, -n5, flags
 * together (-tu), unambiguous beginnings (--lim 5), --no-NAME for a flag, and -- before operands
 * that begin with '-'.
 * Options of dtx itself that the script does not declare work there as well: -c, -p, -o …
 */
#include "cmd/script.h"
#include "cmd/say.h"

#include <dtx-run.h>
#include <stdlib.h>
#include <string.h>

/* Options of every tool, unless it declares one of that name: what they set. */
static const struct common {
	struct dtx_param param;
	const char *option;      /* of -x */
	bool of_end;             /* only if it prints when it ends */
} commons[] = {
	{ { "top", 't', "int", "0", "how many rows of a table to show" }, "aggtop" },
	{ { "name", 'n', "string", "", "only threads of this name" }, "comm" },
	{ { "every", 0, "time", "never", "how often it prints" },
	  "every", true },
};
#define NCOMMONS (sizeof(commons) / sizeof(commons[0]))

struct script *script_add(struct script *before, const char *path, bool named)
{
	struct script *s = calloc(1, sizeof(*s));

	if (s)
		*s = (struct script){ path, dtx_script_read(path), named, .next = before };
	return s ? s : before;
}

void script_free(struct script *s)
{
	for (struct script *next; s; s = next) {
		next = s->next;
		dtx_script_free(s->said);
		free(s->duration);
		free(s);
	}
}

bool script_is_tool(const struct script *s)
{
	for (; s; s = s->next)
		if (s->said && s->said->is_tool)
			return true;
	return false;
}

static bool takes_commons(const struct script *s)
{
	return s->named || (s->said && s->said->nparams);
}

static const char *name_of(const struct script *s)
{
	const char *slash = strrchr(s->path, '/');

	return slash ? slash + 1 : s->path;
}

/* ---- finding an option ------------------------------------------------------------------ */

struct found {
	const struct script *in;
	const struct dtx_param *param;
	char letter;             /* 0: none */
	const char *option;      /* what it sets, if it is one of every tool */
	bool several;            /* a beginning of several names */
};

/* In names '-' and '_' are the same. */
static bool begins(const char *name, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (name[i] != (word[i] == '-' ? '_' : word[i]))
			return false;
	return true;
}

/* An option of this name, or with this letter. */
static bool declares(const struct script *s, const char *name, char letter)
{
	for (unsigned i = 0; s->said && i < s->said->nparams; i++)
		if ((name && !strcmp(s->said->params[i].name, name)) ||
		    (letter && s->said->params[i].letter == letter))
			return true;
	return false;
}

/* The tables of a tool with an option `interval` are its own. */
static bool prints_at_end(const struct script *s)
{
	return s->said && s->said->has_end && !s->said->is_image &&
	       !declares(s, "interval", 0) && !declares(s, "every", 0);
}

/* Number `i` of the options of a script: those that it declares, then those of every tool. */
static bool option_at(const struct script *s, unsigned i, struct found *f)
{
	unsigned declared = s->said ? s->said->nparams : 0;

	*f = (struct found){ s };
	if (i < declared) {
		f->param = &s->said->params[i];
		f->letter = f->param->letter;
		return true;
	}
	for (unsigned k = 0; k < NCOMMONS && takes_commons(s); k++) {
		const struct dtx_param *p = &commons[k].param;

		if (declares(s, p->name, 0) || (commons[k].of_end && !prints_at_end(s)) ||
		    i-- > declared)
			continue;
		f->param = p;
		f->option = commons[k].option;
		f->letter = declares(s, NULL, p->letter) ? 0 : p->letter;
		return true;
	}
	return false;
}

static struct found find_name(const struct script *s, const char *word, size_t len, bool exact)
{
	struct found best = { 0 }, f = { 0 };

	for (; s; s = s->next)
		for (unsigned i = 0; option_at(s, i, &f); i++) {
			const char *name = f.param->name;

			if (!begins(name, word, len) || (exact && name[len]))
				continue;
			if (!name[len])
				return f;
			f.several = best.param;
			best = best.param ? best : f;
			best.several = f.several;
		}
	return best;
}

static struct found find_letter(const struct script *s, char letter)
{
	struct found f = { 0 };

	for (; s; s = s->next)
		for (unsigned i = 0; option_at(s, i, &f); i++)
			if (f.letter == letter)
				return f;
	return (struct found){ 0 };
}

/* ---- messages ------------------------------------------------------------------------- */

/* "--limit N, --name TEXT" of all scripts; malloc'd, or NULL. */
static char *list_options(const struct script *s)
{
	size_t len;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);
	const char *sep = "";

	for (struct found o = { 0 }; f && s; s = s->next)
		for (unsigned i = 0; option_at(s, i, &o); i++) {
			fprintf(f, o.letter ? "%s--%s (-%c)" : "%s--%s", sep, o.param->name,
				o.letter);
			sep = ", ";
		}
	if (f)
		fclose(f);
	return text;
}

static enum taken unknown(const struct script *s, const char *word, int len)
{
	char *options = list_options(s);

	if (options && *options)
		command_say("%s has no option '%.*s': its options are %s, and those of dtx "
			    "(--duration 10s); --help explains them",
			    name_of(s), len, word, options);
	else
		command_say("%s has no option '%.*s', it declares none: --help explains its use",
			    name_of(s), len, word);
	free(options);
	if (word && word[1] == '-')          /* a letter is of the tool, if of anything */
		command_instead(word);
	return TAKEN_BADLY;
}

bool script_alone(const struct script *s, const char *word)
{
	if (!s || !s->named)
		return true;
	unknown(s, word, 2);
	return false;
}

static bool add_setting(struct settings *set, struct setting one)
{
	struct setting *v = realloc(set->v, (set->n + 1) * sizeof(*v));

	if (!v)
		return false;
	v[set->n] = one;
	set->v = v;
	set->n++;
	return true;
}

static enum taken settings_add(const struct found *f, const char *value, struct settings *set)
{
	const char *takes = dtx_param_wrong(f->param, value);

	if (!f->option && f->in->said->is_image) {
		command_say("--%s was set to '%s' when the image was compiled, and cannot be "
			    "changed: compile the script again with --image", f->param->name,
			    f->param->value);
		return TAKEN_BADLY;
	}
	if (takes) {
		command_say("%s: --%s takes %s, not '%s'", name_of(f->in), f->param->name, takes,
			    value);
		return TAKEN_BADLY;
	}
	return add_setting(set, (struct setting){ f->option ? f->option : f->param->name, value,
						  f->option }) ? TAKEN : TAKEN_BADLY;
}

/* ---- arguments ------------------------------------------------------------------------ */

/* The value that follows in the next word; NULL: there is none. */
static const char *next_word(const struct found *f, int argc, char **argv, int *at)
{
	if (*at < argc)
		return argv[(*at)++];
	command_say("%s: --%s needs a value: %s", name_of(f->in), f->param->name, f->param->help);
	return NULL;
}

static bool is_flag(const struct found *f)
{
	return !strcmp(f->param->type, "flag");
}

static enum taken take_long(struct script *s, int argc, char **argv, int *at,
			    struct settings *set, bool is_own)
{
	const char *word = argv[*at] + 2, *value;
	size_t len = strcspn(word, "=");
	bool no = false;
	struct found f = find_name(s, word, len, is_own);

	if (!f.param && !is_own && !strncmp(word, "no-", 3)) {
		f = find_name(s, word + 3, len - 3, true);
		no = f.param && is_flag(&f);
		f.param = no ? f.param : NULL;
	}
	if (!f.param)
		return is_own ? NOT_TAKEN : unknown(s, argv[*at], (int)len + 2);
	if (f.several) {
		command_say("%s: '--%.*s' may be several of its options: write more of the name",
			    name_of(f.in), (int)len, word);
		return TAKEN_BADLY;
	}
	++*at;
	if (is_flag(&f) && word[len]) {
		command_say("%s: --%s takes no value", name_of(f.in), f.param->name);
		return TAKEN_BADLY;
	}
	if (is_flag(&f))
		return settings_add(&f, no ? "0" : "1", set);
	value = word[len] ? word + len + 1 : next_word(&f, argc, argv, at);
	return value ? settings_add(&f, value, set) : TAKEN_BADLY;
}

/* -n5, -n 5, -tu; the first letter is an option of the script. */
static enum taken take_letters(struct script *s, int argc, char **argv, int *at,
			       struct settings *set)
{
	const char *letter = argv[(*at)++] + 1, *value;
	enum taken taken = TAKEN;

	for (; *letter && taken == TAKEN; letter++) {
		struct found f = find_letter(s, *letter);
		char word[3] = { '-', *letter };

		if (!f.param)
			return unknown(s, word, 2);
		if (is_flag(&f)) {
			taken = settings_add(&f, "1", set);
			continue;
		}
		value = letter[1] ? letter + 1 : next_word(&f, argc, argv, at);
		return value ? settings_add(&f, value, set) : TAKEN_BADLY;
	}
	return taken;
}

enum taken script_option(struct script *s, int argc, char **argv, int *at, struct settings *set,
			 bool is_own)
{
	const char *word = argv[*at];

	if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
		return NOT_TAKEN;
	if (!strcmp(word, "--help") || (!strcmp(word, "-h") && script_is_tool(s))) {
		s->help = true;
		++*at;
		return TAKEN;
	}
	if (!script_is_tool(s))
		return NOT_TAKEN;
	if (word[1] == '-')
		return take_long(s, argc, argv, at, set, is_own);
	if (find_letter(s, word[1]).param)
		return take_letters(s, argc, argv, at, set);
	return is_own ? NOT_TAKEN : unknown(s, word, 2);
}

/* ---- operands ------------------------------------------------------------------------- */

static bool is_time(const char *text)
{
	static const struct dtx_param time = { .name = "duration", .type = "time", .value = "" };

	return !dtx_param_wrong(&time, text);
}

/* The value of an option that the script declares, if it can be one. */
static bool take_operand_as(const struct script *s, const char *name, const char *text,
			    struct settings *set)
{
	struct found f = find_name(s, name, strlen(name), true);

	return f.param && !f.option && !dtx_param_wrong(f.param, text) &&
	       add_setting(set, (struct setting){ f.param->name, text, false });
}

/* One after the other; how many were taken. */
static int take_both(const struct script *s, const char *first, char **v, int n,
		     struct settings *set)
{
	if (!n || !take_operand_as(s, first, v[0], set))
		return 0;
	return 1 + (n > 1 && take_operand_as(s, "count", v[1], set));
}

/* How many tables; 0: it is no number of them. */
static long long table_count(const char *text)
{
	char *end;
	long long n = strtoll(text, &end, 10);

	return *text >= '0' && *text <= '9' && !*end && n > 0 ? n : 0;
}

/* "5s" and 3: "15s". */
static bool take_tables(struct script *s, const char *time, long long count, struct settings *set)
{
	unsigned long long number, all;
	char *unit;

	number = strtoull(time, &unit, 0);
	if (__builtin_mul_overflow(number, (unsigned long long)count, &all) ||
	    asprintf(&s->duration, "%llu%s", all, unit) < 0) {
		s->duration = NULL;
		return false;
	}
	return add_setting(set, (struct setting){ "every", time, true }) &&
	       add_setting(set, (struct setting){ "duration", s->duration, true });
}

/* A script may make its tables itself. */
static bool has_tables(const struct script *s)
{
	return declares(s, "every", 0) && declares(s, "count", 0);
}

/* A time alone is how long the script runs, and a count of 1 says no more.  A larger one is how
 * often that which is printed at the end comes. */
static int take_time(struct script *s, char **v, int n, struct settings *set)
{
	long long count = n > 1 ? table_count(v[1]) : 0;

	if (declares(s, "interval", 0) || !is_time(v[0]))
		return 0;
	if (count != 1 && n > 1 && has_tables(s))
		return take_both(s, "every", v, n, set);
	if (count > 1 && prints_at_end(s))
		return take_tables(s, v[0], count, set) ? 2 : 0;
	return add_setting(set, (struct setting){ "duration", v[0], true }) + (count == 1);
}

void script_operands(struct script *s, char **operands, int *n, int first, struct settings *set)
{
	int at = s && s->said ? first + (int)s->said->noperands : *n, used = 0;

	if (at >= *n || s->next || s->said->is_image || !takes_commons(s))
		return;
	used = take_both(s, "interval", operands + at, *n - at, set);
	if (!used)
		used = take_time(s, operands + at, *n - at, set);
	memmove(operands + at, operands + at + used, (*n - at - used) * sizeof(*operands));
	*n -= used;
}

/* ---- what it needs --------------------------------------------------------------------- */

/* The next word of a line, without those in brackets; false: there is none. */
static bool usage_word(const char **at, const char *end, const char **word, size_t *len)
{
	const char *s = *at;

	for (int depth = 0; s < end && (depth || *s == ' ' || *s == '[' || *s == '.'); s++)
		depth += (*s == '[') - (*s == ']');
	*word = s;
	while (s < end && *s != ' ')
		s++;
	*len = s - *word;
	*at = s;
	return *len;
}

/* "; for example dtx trace syscall:::entry", after the first of a tool's examples; malloc'd. */
static char *first_example(const struct script *s)
{
	const char *at = s->said->comment ? strstr(s->said->comment, "EXAMPLES\n") : NULL, *end;
	char *text = NULL;

	at = at ? at + strlen("EXAMPLES\n") : "";
	at += strspn(at, " ");
	end = strstr(at, ".d ");
	if (!end || memchr(at, '\n', end - at))
		return strdup("");
	int len = strcspn(end + 3, "\n");
	const char *gap = memmem(end + 3, len, "    ", 4);

	len = gap ? gap - end - 3 : len;
	if (asprintf(&text, "; for example: dtx %.*s %.*s", (int)(end - at), at, len, end + 3) < 0)
		return NULL;
	return text;
}

/* The tool was started without what it needs. */
static void tell_need(const struct script *s, const char *what, int len, const char *usage)
{
	char *example = first_example(s);

	command_say("%s needs %.*s: %.*s; --help explains it%s", name_of(s), len, what,
		    (int)strcspn(usage, "\n"), usage, example ? example : "");
	free(example);
}

bool script_suits(const struct script *s, char **operands, unsigned n, bool process)
{
	const char *comment = s->said ? s->said->comment : NULL;
	const char *usage = comment ? strstr(comment, "USAGE: ") : NULL;
	const char *at = usage ? usage + strlen("USAGE: ") : "", *end = strchrnul(at, '\n'), *word;
	size_t len;

	for (unsigned i = 0; usage_word(&at, end, &word, &len); i++) {
		if (len == 2 && !strncmp(word, "-p", 2)) {
			if (process)
				return true;
			command_say("%s needs a process: -p PID or -c COMMAND; --help explains it",
				    name_of(s));
			return false;
		}
		if (i > n && i <= s->said->noperands) {  /* the first word is the script */
			tell_need(s, word, (int)len, usage);
			return false;
		}
	}
	if (!usage || n <= s->said->noperands)
		return true;
	if (!s->said->has_end && table_count(operands[s->said->noperands])) {
		command_say("%s shows each event when it happens, and makes no tables: there is no "
			    "use for the COUNT '%s'", name_of(s), operands[s->said->noperands]);
		return false;
	}
	command_say("%s has no use for '%s': %.*s; --help explains it", name_of(s),
		    operands[s->said->noperands], (int)(end - usage), usage);
	return false;
}

/* ---- completion ----------------------------------------------------------------------- */

bool script_takes(const struct script *s, char letter, const char *name)
{
	return (letter && find_letter(s, letter).param) ||
	       (name && find_name(s, name, strlen(name), true).param);
}

void script_begun(const struct script *s, const char *word, FILE *out)
{
	struct found f = { 0 };

	for (unsigned i = 0; option_at(s, i, &f); i++) {
		char name[80];

		snprintf(name, sizeof(name), "--%s", f.param->name);
		for (char *c = name; *c; c++)
			*c = *c == '_' ? '-' : *c;
		if (!strncmp(name, word, strlen(word)))
			fprintf(out, "%s\t%s\n", name, f.param->help);
	}
}

/* ---- help ----------------------------------------------------------------------------- */

static void show_option(const struct found *f, FILE *out)
{
	const struct dtx_param *p = f->param;
	bool is_image = f->in->said && f->in->said->is_image && !f->option;
	static const char *const values[][2] = {
		{ "int", " N" }, { "string", " TEXT" }, { "time", " TIME" }, { "size", " SIZE" },
		{ "flag", "" },
	};
	const char *value = "";
	bool flag = !strcmp(p->type, "flag");
	char names[80];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!strcmp(values[i][0], p->type))
			value = values[i][1];
	snprintf(names, sizeof(names), "%c%c%c --%s", f->letter ? '-' : ' ',
		 f->letter ? f->letter : ' ', f->letter ? ',' : ' ', p->name);
	for (char *c = names + 3; *c; c++)
		*c = *c == '_' ? '-' : *c;
	strncat(names, value, sizeof(names) - strlen(names) - 1);
	fprintf(out, "  %-24s %s", names, p->help);
	if (is_image)
		fprintf(out, " (set: %s)", p->value);
	else if (flag && *p->value == '1')
		fprintf(out, " (default; --no-%s)", p->name);
	else if (*p->value && strcmp(p->value, "0") && strcmp(p->value, "0s"))
		fprintf(out, " (default: %s)", p->value);
	fputc('\n', out);
}

static const char *operands_help(const struct script *s)
{
	if (!takes_commons(s) || (s->said && s->said->is_image))
		return "";
	if (declares(s, "interval", 0))
		return declares(s, "count", 0)
			       ? "operands INTERVAL and COUNT are --interval and --count\n"
			       : "an operand is the interval\n";
	if (prints_at_end(s) || has_tables(s))
		return "operands: TIME is how long it runs; with COUNT, how long each of so many "
		       "tables takes\n";
	return "an operand TIME is how long it runs: 10 is 10 seconds\n";
}

static void put_help(const void *arg, FILE *out)
{
	const struct script *s = arg;
	const struct dtx_script *said = s->said;
	struct found f = { 0 };
	bool image = said && said->is_image;
	unsigned shown = 0;

	if (!said || !said->comment || !strstr(said->comment, "USAGE"))
		fprintf(out, "usage: %s [OPTION]... [ARGUMENT]...\n\n", name_of(s));
	if (said && said->comment)
		fprintf(out, "%s\n\n", said->comment);
	for (unsigned i = 0; option_at(s, i, &f); i++) {
		if (!shown++)
			fprintf(out, "%s:\n", image ? "options, set when the image was compiled"
						    : "options");
		show_option(&f, out);
	}
	fprintf(out, "%s%s", shown ? "\n" : "", operands_help(s));
	fprintf(out, "options of dtx, such as %s-o FILE, --duration TIME and -x OPT=VAL, can "
		"follow as well\n", image ? "" : "-c COMMAND, -p PID, --container ID, ");
}

void script_help(const struct script *s, FILE *out)
{
	say_text(out, put_help, s);
}
