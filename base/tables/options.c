/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.c - values of -x, #pragma D option and setopt(): flags, integers, sizes,
 * rates, texts (options.def has the rows).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include <dtx/env.h>
#include <dtx/opt.h>

static const char opt_formats[] =
#define SINK(name, times, doc) #name " "
#define SINK_BESIDE(name, times, doc)
#include <dtx/tables/sinks.def>
#undef SINK
#undef SINK_BESIDE
	;

static const char opt_features[] =
#define FEATURE(id, name, doc) name " "
#include <dtx/tables/features.def>
#undef FEATURE
	;

#define OPT_FORMATS   opt_formats
#define OPT_FEATURES  opt_features

const u32 opt_nrows = OPT_N;
const struct opt_row opt_rows[] = {
#define OPTION(name, kind, when, dflt, min, max, ...) \
	[OPT_##name] = { #name, kind, when, dflt, min, max, __VA_ARGS__ },
#include <dtx/tables/options.def>
#undef OPTION
};

bool options_want_times(const struct options *o, const char *format)
{
#define SINK(name, times, doc)                                                \
	if (times && !strcmp(format, #name))                                  \
		return true;
#define SINK_BESIDE(name, times, doc)                                         \
	if (times && o->v[OPT_##name].set && o->v[OPT_##name].n)              \
		return true;
#include <dtx/tables/sinks.def>
#undef SINK
#undef SINK_BESIDE
	return o->v[OPT_timestamps].n;
}

/* Reads a C integer without sign; *end is the text after it.  false: there was none. */
static bool opt_number(const char *s, s64 *n, const char **end)
{
	char *e;
	unsigned long long v;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	v = strtoull(s, &e, 0);
	*end = e;
	*n = (s64)v;
	return !errno && v <= INT64_MAX;
}

static bool opt_int(const char *s, s64 *n)
{
	const char *end;

	return opt_number(s, n, &end) && !*end;
}

static bool opt_size(const char *s, s64 *n)
{
	static const char units[] = "kmgt";
	const char *end, *unit;
	int shift;

	if (!opt_number(s, n, &end))
		return false;
	if (!*end)
		return true;
	unit = strchr(units, *end | 0x20);
	if (!unit || end[1])
		return false;
	shift = 10 * (int)(unit - units + 1);
	if (*n > INT64_MAX >> shift)
		return false;
	*n <<= shift;
	return true;
}

/* Nanoseconds; a frequency becomes its period, 0 hz is 0. */
static bool opt_rate(const char *s, s64 *n)
{
	static const struct { const char *name; s64 ns; } units[] = {
		{ "", 1 }, { "ns", 1 }, { "nsec", 1 },
		{ "us", 1000 }, { "usec", 1000 },
		{ "ms", 1000000 }, { "msec", 1000000 },
		{ "s", 1000000000 }, { "sec", 1000000000 },
		{ "m", 60000000000 }, { "min", 60000000000 },
		{ "h", 3600000000000 }, { "hour", 3600000000000 },
		{ "d", 86400000000000 }, { "day", 86400000000000 },
	};
	const char *end;

	if (!opt_number(s, n, &end))
		return false;
	if (!strcasecmp(end, "hz")) {
		*n = *n ? 1000000000 / *n : 0;
		return true;
	}
	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcasecmp(end, units[i].name))
			return !__builtin_mul_overflow(*n, units[i].ns, n);
	}
	return false;
}

/* Nanoseconds; a number without a unit counts seconds, and a frequency is not a time. */
static bool opt_time(const char *s, s64 *n)
{
	size_t len = strlen(s);

	if (len && isdigit((unsigned char)s[len - 1]))
		return opt_int(s, n) && !__builtin_mul_overflow(*n, 1000000000, n);
	return (!len || (s[len - 1] | 0x20) != 'z') && opt_rate(s, n);
}

/* "2.5%" in hundredths of a percent: smaller shares cannot be measured. */
static bool opt_share(const char *s, s64 *n)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || (*end && strcmp(end, "%")) || !(v > 0 && v <= 100))
		return false;
	*n = MAX((s64)(v * 100 + 0.5), (s64)1);
	return true;
}

/* Any number, even 0, turns a flag on: D's rule. */
static bool opt_flag(const char *s, s64 *n)
{
	static const char *const on[] = { "yes", "enable", "enabled", "true", "on", "set" };
	static const char *const off[] = {
		"", "no", "disable", "disabled", "false", "off", "unset",
	};

	for (u32 i = 0; i < ARRAY_SIZE(on); i++) {
		if (!strcasecmp(s, on[i])) {
			*n = 1;
			return true;
		}
	}
	for (u32 i = 0; i < ARRAY_SIZE(off); i++) {
		if (!strcasecmp(s, off[i])) {
			*n = 0;
			return true;
		}
	}
	if (!opt_int(s, n))
		return false;
	*n = 1;
	return true;
}

bool options_read(enum opt_kind kind, const char *text, s64 *n)
{
	switch (kind) {
	case OPTK_INT:
		return opt_int(text, n);
	case OPTK_SIZE:
		return opt_size(text, n);
	case OPTK_RATE:
		return opt_rate(text, n);
	case OPTK_TIME:
		return opt_time(text, n);
	case OPTK_SHARE:
		return opt_share(text, n);
	default:
		return false;
	}
}

/* For OPTK_STR `n` counts the texts given; options with `adds` join them with newlines. */
static bool opt_parse(const struct opt_row *row, const char *value, s64 *n)
{
	switch (row->kind) {
	case OPTK_FLAG:
		return opt_flag(value ? value : "on", n);
	case OPTK_STR:
		*n = 1;
		return value;
	default:
		return value && options_read(row->kind, value, n);
	}
}

/* The next of the words separated by blanks, from *at on; NULL: no more. */
static const char *opt_next_word(const char **at, size_t *len)
{
	const char *word = *at + strspn(*at, " ");

	*len = strcspn(word, " ");
	*at = word + *len;
	return *len ? word : NULL;
}

static bool opt_keyword(const struct opt_row *row, const char *value)
{
	const char *at = row->words, *word;
	size_t len;

	if (!at)
		return true;
	while ((word = opt_next_word(&at, &len)))
		if (len == strlen(value) && !memcmp(word, value, len))
			return true;
	return false;
}

static bool opt_word(const struct opt_row *row, const char *value, s64 *n)
{
	*n = row->word_is;
	return row->word && value && !strcasecmp(value, row->word);
}

u32 options_find(const char *name)
{
	u32 i;

	for (i = 0; i < OPT_N && strcmp(opt_rows[i].name, name); i++)
		;
	return i;
}

const char *options_nearest(const char *name)
{
	const char *near = NULL;
	unsigned best = strlen(name) / 3 + 1;

	for (u32 i = 0; i < OPT_N; i++) {
		unsigned d = edit_distance(name, opt_rows[i].name, best);

		if (d < best || (d == best && !near)) {
			best = d;
			near = opt_rows[i].name;
		}
	}
	return near;
}

/* `noX` options are stored as the opposite of `X`. */
static void opt_opposite(struct options *o, enum opt_id id)
{
	static const enum opt_id pairs[][2] = {
		{ OPT_kdefs, OPT_knodefs }, { OPT_udefs, OPT_unodefs },
	};

	for (u32 i = 0; i < ARRAY_SIZE(pairs); i++) {
		for (u32 k = 0; k < 2; k++) {
			if (pairs[i][k] == id)
				o->v[pairs[i][!k]].n = !o->v[id].n;
		}
	}
}

int options_set(struct options *o, struct arena *a, const char *name, const char *value,
		const char **near)
{
	enum opt_id id = options_find(name);
	const struct opt_row *row = &opt_rows[id];
	struct opt_value *v = &o->v[id];
	s64 n;

	if (id == OPT_N) {
		if (near)
			*near = options_nearest(name);
		return -ENOENT;
	}
	if (!opt_word(row, value, &n)) {
		if (!opt_parse(row, value, &n) ||
		    (row->kind == OPTK_STR && !opt_keyword(row, value)))
			return -EINVAL;
		if (row->kind != OPTK_FLAG && row->kind != OPTK_STR &&
		    (n < row->min || n > row->max))
			return -EINVAL;
	}
	if (row->step)
		n = ALIGN_UP(n, row->step);
	if (row->adds && v->set && v->s)
		v->s = arena_printf(a, "%s\n%s", v->s, value);
	else
		v->s = value ? arena_strdup(a, value) : NULL;
	v->n = n;
	v->set = true;
	v->usual = false;
	opt_opposite(o, id);
	return 0;
}

void options_are_usual(struct options *o)
{
	for (u32 i = 0; i < OPT_N; i++)
		o->v[i].usual = o->v[i].set;
}

/* "a, b or c": the texts that the option allows; NULL: any text, or the option has no text. */
static const char *opt_words(struct arena *a, enum opt_id id)
{
	const char *at = opt_rows[id].words, *word, *text = "";
	size_t len;

	if (!at)
		return NULL;
	while ((word = opt_next_word(&at, &len)))
		text = arena_printf(a, "%s%s%.*s", text,
				    !*text                ? ""
				    : at[strspn(at, " ")] ? ", "
							  : " or ",
				    (int)len, word);
	return text;
}

/* "; the least is 2, the most 65536": the limits of a number; of times only "1ms" and the like. */
static const char *opt_limits(struct arena *a, const struct opt_row *row)
{
	bool counts = row->kind == OPTK_INT || row->kind == OPTK_SIZE;
	const char *least = "", *most = "";

	if (counts && row->min > 0)
		least = arena_printf(a, "; the least is %lld", (long long)row->min);
	if (row->kind == OPTK_TIME && row->min > 0)
		least = arena_printf(a, row->min % 1000000000 ? "; the least is %lldms"
							      : "; the least is %llds",
				     (long long)(row->min % 1000000000 ? row->min / 1000000
								       : row->min / 1000000000));
	if (counts && row->max != INT64_MAX)
		most = arena_printf(a, "%s the most %s%lld", *least ? "," : ";",
				    *least ? "" : "is ", (long long)row->max);
	return arena_printf(a, "%s%s", least, most);
}

const char *options_form(struct arena *a, const char *name)
{
	static const char *const forms[] = {
		[OPTK_FLAG] = "on or off",
		[OPTK_INT] = "a number",
		[OPTK_SIZE] = "bytes, as in 512, 64k, 4m or 1g",
		[OPTK_TIME] = "a time, as in 500ms, 10s, 2m or 1h; a number counts seconds",
		[OPTK_RATE] = "a time or a frequency, as in 500us, 10ms, 5s, 2m, 1h or 99hz",
		[OPTK_SHARE] = "a share of the processors' time, as in 5%",
		[OPTK_STR] = NULL,
	};
	enum opt_id id = options_find(name);
	const struct opt_row *row = &opt_rows[id];
	const char *words;

	if (id == OPT_N)
		return NULL;
	words = opt_words(a, id);
	if (words && row->other)
		return arena_printf(a, "%s; %s", words, row->other);
	if (words || !forms[row->kind])
		return words;
	return arena_printf(a, "%s%s%s%s", row->word ? row->word : "", row->word ? ", or " : "",
			    forms[row->kind], opt_limits(a, row));
}

void options_tell_idle(struct dtx_env *env, struct range at)
{
	for (u32 i = 0; i < OPT_N; i++) {
		const struct opt_row *row = &opt_rows[i];
		struct opt_value *v = &env->opts->v[i];

		if (!row->idle || !v->set || v->told)
			continue;
		v->told = true;
		if (!env_is_quiet(env))
			diag_warn(&env->diags, DIAG_NONE, at, "option %s does nothing here: %s",
				  row->name, row->idle);
	}
}

s64 opt_num(const struct dtx_env *env, u32 opt)
{
	return env->opts->v[opt].n;
}

const char *opt_text(const struct dtx_env *env, u32 opt)
{
	return env->opts->v[opt].s;
}

bool opt_is_set(const struct dtx_env *env, u32 opt)
{
	return env->opts->v[opt].set;
}

s64 env_cpu(const struct dtx_env *env)
{
	return opt_num(env, OPT_cpu);
}

bool env_is_quiet(const struct dtx_env *env)
{
	return opt_num(env, OPT_quiet);
}

bool env_is_strict(const struct dtx_env *env)
{
	return opt_num(env, OPT_strict);
}

bool env_is_raw(const struct dtx_env *env)
{
	return opt_num(env, OPT_raw);
}

bool env_is_limited(const struct dtx_env *env)
{
	return opt_num(env, OPT_maxoverhead);
}

struct options *options_copy(struct arena *a, const struct options *from)
{
	struct options *o = ARENA_NEW(a, struct options);

	*o = *from;
	return o;
}

void options_restore(struct options *o, const struct options *copy)
{
	*o = *copy;
}

static bool opt_same(const struct opt_value *a, const struct opt_value *b)
{
	return a->set == b->set && a->usual == b->usual && a->told == b->told && a->n == b->n &&
	       !a->s == !b->s && (!a->s || !strcmp(a->s, b->s));
}

void options_changes(const struct options *before, const struct options *now, struct buf *out)
{
	for (u32 i = 0; i < OPT_N; i++) {
		const struct opt_value *v = &now->v[i];

		if (opt_same(&before->v[i], v))
			continue;
		buf_printf(out, "%u %d %d %d %lld %lld\n", i, v->set, v->usual, v->told,
			   (long long)v->n, v->s ? (long long)strlen(v->s) : -1);
		buf_puts(out, v->s ? v->s : "");
	}
}

bool options_change(struct options *o, struct arena *a, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		u32 id;
		int set, usual, told, n = 0;
		long long value, room;

		if (sscanf(text, "%u %d %d %d %lld %lld%n", &id, &set, &usual, &told, &value, &room,
			   &n) < 6 ||
		    id >= OPT_N || text[n] != '\n' || room < -1 || room > end - text - n - 1)
			return false;
		text += n + 1;
		o->v[id] = (struct opt_value){
			.set = set, .usual = usual, .told = told, .n = value,
			.s = room < 0 ? NULL : arena_strndup(a, text, (size_t)room),
		};
		text += MAX(room, 0ll);
	}
	return true;
}

struct options *options_new(struct arena *a)
{
	struct options *o = ARENA_NEW(a, struct options);

	for (u32 i = 0; i < OPT_N; i++) {
		struct opt_value *v = &o->v[i];

		v->s = opt_rows[i].dflt;
		if (!v->s || !opt_word(&opt_rows[i], v->s, &v->n))
			if (!v->s || !opt_parse(&opt_rows[i], v->s, &v->n))
				v->n = 0;
		if (opt_rows[i].kind == OPTK_STR && !v->s)
			v->s = "";
	}
	return o;
}
