/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * description.c - splits the text of a probe description into its four fields.
 *
 * D's descriptions are right-aligned: "read:entry" is function and name.  If the first field is
 * one of the reserved words below, with the right number of fields, it is a Linux spelling and
 * is rewritten; a text with all four fields is always read as D.
 *
 *     kprobe:vfs_read               fbt::vfs_read:entry
 *     kprobe:vfs_read+0x1d          fbt::vfs_read:1d
 *     tracepoint:sched:sched_switch tracepoint:sched::sched_switch
 *     interval:ms:100               profile:::tick-100ms
 *     uprobe:/bin/bash:readline     uprobe:/bin/bash:readline:entry
 *     usdt:/bin/python3:gc__start   usdt:/bin/python3::gc__start
 *
 * A line of the source may stand where the function stands:
 *
 *     uprobe:/opt/bin/x:shop.c:42   uprobe:/opt/bin/x::shop.c@42
 *     pid123:x:shop.c@42            pid123:x::shop.c@42
 *     kprobe:tcp.c:1180             fbt::tcp.c@1180
 *
 * or a number of lines from where a function of the kernel is declared:
 *
 *     kprobe:schedule:12            fbt::schedule:12
 */
#include <ctype.h>
#include <stdlib.h>

#include "runtime/provider/provider.h"

#define MAX_FIELDS 16

struct spelling {
	const char *word;
	u32 min, max;            /* fields, with the word */
	/* NULL, or a sentence that says what is wrong. */
	const char *(*rewrite)(struct arena *, const struct spelling *, const char **f, u32 n,
			       struct dtx_pattern *);
	const char *arg;
};

/* FUNC+OFFSET; the offset is a C number. */
static const char *at_offset(struct arena *a, const char *func, const char *plus,
			     struct dtx_pattern *out)
{
	char *end;

	out->func = arena_strndup(a, func, plus - func);
	out->name = arena_printf(a, "%llx", strtoull(plus + 1, &end, 0));
	if (*end || end == plus + 1 || !*out->func)
		return arena_printf(a, "'%s' is not an offset: write a number, as in 'main+0x1c'",
				    plus + 1);
	return NULL;
}

/* The return probe of FUNC+0 is that of FUNC. */
static const char *at_beginning(struct dtx_pattern *out)
{
	if (strcmp(out->name, "0"))
		return "a return probe is set where a function begins: leave out the offset";
	out->name = "return";
	return NULL;
}

/* FILE.c:LINE, FUNCTION:LINES, FILE.c@LINE, FUNCTION:FILE.c@LINE; a module may come first. */
static bool kernel_line(struct arena *a, const char **f, u32 n, struct dtx_pattern *out)
{
	const char *last = f[n - 1], *where = n > 2 ? f[n - 2] : "";

	out->prov = "fbt";
	out->mod = n == 4 ? f[1] : "";
	if (n > 2 && line_fields(a, where, last, out))
		return true;
	out->name = last;
	out->func = where;
	return line_is(last) || (n > 2 && is_digits(last));
}

static const char *kernel_func(struct arena *a, const struct spelling *sp, const char **f, u32 n,
			       struct dtx_pattern *out)
{
	const char *func = f[n - 1], *plus = strchr(func, '+'), *err;

	if (kernel_line(a, f, n, out))
		return strcmp(sp->arg, "entry") ? "a line has no return probe" : NULL;
	if (n == 4)
		return "a function of the kernel is 'kprobe:MODULE:FUNCTION', a line of one "
		       "'kprobe:MODULE:FUNCTION:LINE'";
	if (n == 3 && !strcmp(f[1], "bpf"))
		return "the functions of BPF programs have no probes here; "
		       "'bpftool prog' counts their runs and times";
	out->prov = "fbt";
	out->mod = n == 3 ? f[1] : "";
	out->func = func;
	out->name = sp->arg;
	if (!strncmp(func, "0x", 2) && func[2 + strspn(func + 2, "0123456789abcdefABCDEF")])
		return arena_printf(a, "'%s' is not an address", func);
	if (!plus)
		return NULL;             /* an address: fbt.c */
	err = at_offset(a, func, plus, out);
	if (err || strcmp(sp->arg, "entry"))
		return err ? err : at_beginning(out);
	out->name = arena_printf(a, "0x%s", out->name);
	return NULL;
}

static const char *trace_event(struct arena *a, const struct spelling *sp, const char **f, u32 n,
			       struct dtx_pattern *out)
{
	out->prov = sp->arg;
	out->mod = n == 3 && strcmp(f[1], "vmlinux") ? f[1] : "";
	out->name = f[n - 1];
	return NULL;
}

static const char *timer(struct arena *a, const struct spelling *sp, const char **f, u32 n,
			 struct dtx_pattern *out)
{
	const char *num = f[n - 1], *unit = n == 3 ? f[1] : "ns";
	size_t digits = strspn(num, "0123456789");
	static const char *const units[] = { "hz", "s", "ms", "us", "ns" };
	bool known = false;

	if (n == 2 && num[digits]) {
		unit = num + digits;
		num = arena_strndup(a, num, digits);
	}
	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		known |= !strcmp(unit, units[i]);
	if (!digits || num[digits] || !known)
		return arena_printf(
			a,
			"a timer is '%s:UNIT:NUMBER' with the unit hz, s, ms, us or ns, "
			"as in '%s:ms:100'",
			sp->word, sp->word);
	out->prov = "profile";
	out->name = arena_printf(a, "%s-%s%s", sp->arg, num, strcmp(unit, "hz") ? unit : "");
	return NULL;
}

/* EVENT or EVENT:COUNT */
static const char *counter(struct arena *a, const struct spelling *sp, const char **f, u32 n,
			   struct dtx_pattern *out)
{
	out->prov = sp->arg;
	out->name = n == 3 && *f[2] ? arena_printf(a, "%s-%s", f[1], f[2]) : f[1];
	return NULL;
}

/* The '+' of FUNC+OFFSET; NULL: none.  Operators of C++ have one, too: operator+, operator+=. */
static const char *offset_at(const char *func)
{
	const char *plus = strrchr(func, '+');
	bool is_name = plus && (strstr(func, "operator+") || strchr(func, '('));

	return is_name && !isdigit((unsigned char)plus[1]) ? NULL : plus;
}

/* FUNC, FUNC+OFFSET or 0xADDRESS after the path. */
static const char *user_func(struct arena *a, const struct spelling *sp, const char **f, u32 n,
			     struct dtx_pattern *out)
{
	const char *plus = offset_at(f[2]), *err;
	char *end;

	out->prov = "uprobe";
	out->mod = f[1];
	out->func = f[2];
	out->name = sp->arg;
	if (line_is(f[2])) {
		out->func = "";
		out->name = f[2];
		return strcmp(sp->arg, "entry") ? "a line has no return probe" : NULL;
	}
	if (!*f[1] || !*f[2])
		return arena_printf(a, "'%s' needs a program or library and a function, as in "
				    "'%s:libc:malloc'", sp->word, sp->word);
	if (!plus && strncmp(f[2], "0x", 2))
		return NULL;
	err = plus ? at_offset(a, f[2], plus, out) : NULL;
	if (plus)
		return err || !strcmp(sp->arg, "entry") ? err : at_beginning(out);
	if (!strcmp(sp->arg, "entry")) {
		out->name = arena_printf(a, "%llx", strtoull(f[2], &end, 0));
		out->func = "-";
	} else {
		strtoull(f[2], &end, 0);         /* the function: user_list() */
	}
	return *end ? arena_printf(a, "'%s' is not an address", f[2]) : NULL;
}

/* usdt:PATH:NAME and usdt:PATH:PROVIDER:NAME; the provider takes the place of the function. */
static const char *user_probe_note(struct arena *a, const struct spelling *sp, const char **f,
				   u32 n, struct dtx_pattern *out)
{
	out->prov = "usdt";
	out->mod = f[1];
	out->func = n == 4 ? f[2] : "";
	out->name = f[n - 1];
	return NULL;
}

static const char *own_signal(struct arena *a, const struct spelling *sp, const char **f, u32 n,
			      struct dtx_pattern *out)
{
	return "signals to the tracer are no probes here; proc:::signal-send /args[1]->pr_pid == "
	       "$pid/ fires when one is sent to it";
}

static const struct spelling spellings[] = {
	{ "kprobe",        2, 4, kernel_func, "entry" },
	{ "kretprobe",     2, 4, kernel_func, "return" },
	{ "fentry",        2, 4, kernel_func, "entry" },
	{ "fexit",         2, 4, kernel_func, "return" },
	{ "kfunc",         2, 4, kernel_func, "entry" },
	{ "kretfunc",      2, 4, kernel_func, "return" },
	{ "k",             2, 2, kernel_func, "entry" },
	{ "kr",            2, 2, kernel_func, "return" },
	{ "f",             2, 2, kernel_func, "entry" },
	{ "fr",            2, 2, kernel_func, "return" },
	{ "self",          3, 3, own_signal,  NULL },
	{ "tracepoint",    3, 3, trace_event, "tracepoint" },
	{ "t",             3, 3, trace_event, "tracepoint" },
	{ "rawtracepoint", 2, 3, trace_event, "rawtp" },
	{ "rawtp",         2, 3, trace_event, "rawtp" },
	{ "rt",            2, 2, trace_event, "rawtp" },
	{ "profile",       2, 3, timer,       "profile" },
	{ "p",             3, 3, timer,       "profile" },
	{ "interval",      2, 3, timer,       "tick" },
	{ "i",             3, 3, timer,       "tick" },
	{ "iter",          2, 2, counter,     "iter" },
	{ "it",            2, 2, counter,     "iter" },
	{ "software",      2, 3, counter,     "software" },
	{ "s",             3, 3, counter,     "software" },
	{ "hardware",      2, 3, counter,     "hardware" },
	{ "h",             3, 3, counter,     "hardware" },
	{ "uprobe",        3, 3, user_func,   "entry" },
	{ "u",             3, 3, user_func,   "entry" },
	{ "uretprobe",     3, 3, user_func,   "return" },
	{ "ur",            3, 3, user_func,   "return" },
	{ "usdt",          3, 4, user_probe_note, NULL },
	{ "U",             3, 4, user_probe_note, NULL },
};

bool provider_has_scopes(const char *word)
{
	size_t len = strcspn(word, ":");

	if (!strncmp(word, "pid", 3) && (isdigit((unsigned char)word[3]) || word[3] == '$'))
		return true;
	for (u32 i = 0; i < ARRAY_SIZE(spellings); i++)
		if (spellings[i].rewrite == user_func && strlen(spellings[i].word) == len &&
		    !memcmp(spellings[i].word, word, len))
			return true;
	return false;
}

const char *spelling_near(const char *word, u32 nfields, unsigned max)
{
	const char *best = NULL;
	unsigned least = max + 1;

	for (u32 i = 0; i < ARRAY_SIZE(spellings); i++) {
		const struct spelling *sp = &spellings[i];
		unsigned d = edit_distance(word, sp->word, max);

		if (strlen(sp->word) <= 2 || nfields < sp->min || nfields > sp->max || d >= least)
			continue;
		best = sp->word;
		least = d;
	}
	return best;
}

/* Words that look reserved but are read as D: "t:entry" is function t; a name never has only
 * digits. */
static bool is_d_name(const char *word, const char *last)
{
	return !strncmp(last, "tick-", 5) || !strncmp(last, "profile-", 8) ||
	       (strlen(word) <= 2 && (!strcmp(last, "entry") || !strcmp(last, "return")));
}

/*
 * One field up to ':' or the end, in the arena.  "quoted" text and a character after a
 * backslash are literal (also for glob_matches).
 */
static const char *field(struct arena *a, const char **text, const char *end, const char **err)
{
	struct buf b = { 0 };
	bool quoted = false;
	const char *s = *text, *out;

	for (; s < end && (quoted || *s != ':'); s++) {
		if (*s == '"') {
			quoted = !quoted;
			continue;
		}
		if (*s == '\\' && s + 1 < end)
			buf_putc(&b, *s++);
		else if (quoted && strchr("*?[\\", *s))
			buf_putc(&b, '\\');
		buf_putc(&b, *s);
	}
	if (quoted)
		*err = "a quoted field does not end: a '\"' is missing";
	*text = s;
	out = arena_strndup(a, b.len ? b.data : "", b.len);
	buf_free(&b);
	return out;
}

static int whole_words(const char *text, size_t len, u32 nalign, struct dtx_pattern *out)
{
	static const struct { const char *word, *name; } words[] = {
		{ "begin", "BEGIN" }, { "end", "END" },
	};

	if (nalign != 4)
		return 0;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].word) != len || strncmp(words[i].word, text, len))
			continue;
		out->prov = "dtrace";
		out->name = words[i].name;
		return 1;
	}
	if (len && len <= 9 && strspn(text, "0123456789") == len) {
		out->id = strtoul(text, NULL, 10);
		return out->id != 0;
	}
	return 0;
}

static bool is_user(const char *prov)
{
	return !strcmp(prov, "uprobe") || !strcmp(prov, "u") || prov_is_pid(prov);
}

/* A line of the source; false: something else. */
static bool d_line(struct arena *a, const char **f, u32 n, struct dtx_pattern *out)
{
	bool has_lines = is_user(f[0]) || !strcmp(f[0], "fbt");
	bool is_line = n == 3 && has_lines && line_is(f[2]);

	if (n == 4 && has_lines)
		is_line = line_fields(a, f[2], f[3], out);
	else if (is_line)
		out->name = f[2];
	if (!is_line)
		return false;
	out->prov = f[0][0] == 'u' ? "uprobe" : f[0];
	out->mod = f[1];
	return true;
}

/* In functions of programs, "::" is part of a name: ns::f.  Returns the number of fields. */
static u32 join_scopes(struct arena *a, const char **f, u32 n, u32 nalign)
{
	bool has_scopes = n > nalign && nalign == 4 && provider_has_scopes(f[0]);
	u32 to = 2;

	for (u32 i = 2; i < n && has_scopes; i++) {
		const char *name = f[i];

		while (*name && i + 2 < n && !*f[i + 1] && *f[i + 2]) {
			name = arena_printf(a, "%s::%s", name, f[i + 2]);
			i += 2;
		}
		f[to++] = name;
	}
	return has_scopes ? to : n;
}

static int align(struct arena *a, const char **f, u32 n, u32 nalign, struct dtx_pattern *out,
		 const char **err)
{
	static const char *const kinds[] = { "", "provider", "module", "function", "name" };
	const char **to[] = { &out->prov, &out->mod, &out->func, &out->name };

	if (n > nalign) {
		*err = arena_printf(
			a, "a description up to the %s has at most %u field%s, this has %u",
			kinds[nalign], nalign, nalign == 1 ? "" : "s", n);
		return -1;
	}
	for (u32 i = 0; i < n; i++)
		*to[nalign - n + i] = f[i];
	return 0;
}

int provider_parse(struct arena *a, const char *text, u32 nalign, struct dtx_pattern *out,
		   const char **err)
{
	const char *f[MAX_FIELDS], *end = text + strlen(text);
	u32 n = 0;

	*err = NULL;
	*out = (struct dtx_pattern){ .prov = "", .mod = "", .func = "", .name = "" };
	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (whole_words(text, end - text, nalign, out))
		return 0;
	for (;; text++) {
		f[n++] = field(a, &text, end, err);
		if (*err)
			return -1;
		if (text == end || n == MAX_FIELDS)
			break;
	}
	n = join_scopes(a, f, n, nalign);
	if (nalign == 4 && d_line(a, f, n, out))
		return 0;
	for (u32 i = 0; nalign == 4 && i < ARRAY_SIZE(spellings); i++) {
		const struct spelling *sp = &spellings[i];

		if (n < sp->min || n > sp->max || strcmp(sp->word, f[0]) ||
		    is_d_name(f[0], f[n - 1]))
			continue;
		*err = sp->rewrite(a, sp, f, n, out);
		return *err ? -1 : 0;
	}
	return align(a, f, n, nalign, out, err);
}
