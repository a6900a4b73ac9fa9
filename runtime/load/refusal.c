/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * refusal.c - turns the log of a verifier's refusal into a diagnostic at the D line.
 *
 * The log quotes the source line of the instructions it walks, "; text @ file:line"
 * on newer kernels and "; text" on older ones.  The last quoted line of the D
 * program (not of the BPF library) is the place of the refusal.  The option bpflog
 * prints the whole log.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/opt.h>
#include <dtx/env.h>

#include "runtime/load/load.h"

/* The meaning of the verifier's words for the author of a D program; the first match is used. */
static const struct refusal_row {
	const char *words, *reason, *step;
	bool costly;
} refusal_rows[] = {
#define REFUSAL(words, reason, step) { words, reason, step, false },
#define COSTLY(words, reason, step)  { words, reason, step, true },
#include "runtime/load/refusals.def"
#undef REFUSAL
#undef COSTLY
};

struct refusal {
	const char *said;        /* the verifier's last words, in the arena */
	const struct refusal_row *why;
	const char *code;        /* text of the D line, or NULL */
	const char *file;        /* of the D line, or NULL */
	u32 line;
	struct range at;
	u32 steps, all_steps;    /* of the verifier: at this line, in the log; 0: not counted */
};

/* ---- the log, line by line from its end ------------------------------------------ */

static const char *refusal_line_before(const char *log, const char *end)
{
	while (end > log && end[-1] != '\n')
		end--;
	return end;
}

static bool refusal_is_summary(const char *line, size_t len)
{
	static const char *const starts[] = {
		"processed ", "verification time", "stack depth", "mark_precise", "-- END",
		"max_states", "insns processed",   "cur state:",  "old state:",
	};
	if (!len)
		return true;
	for (u32 i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(line, starts[i], MIN(len, strlen(starts[i]))))
			return true;
	return false;
}

/* "; text @ slow.d:3": splits off the place.  false: a line of the BPF library, or no line. */
static bool refusal_split(struct refusal *r, char *text)
{
	char *at = strrchr(text, '@');
	char *colon = at ? strrchr(at, ':') : NULL;

	r->code = text;
	r->file = NULL;
	r->line = 0;
	if (!colon || at == text || at[-1] != ' ' || at[1] != ' ')
		return true;
	at[-1] = *colon = '\0';
	r->file = at + 2;
	r->line = strtoul(colon + 1, NULL, 10);
	size_t len = strlen(r->file);
	return r->line && !(len > 2 && r->file[len - 2] == '.' && strchr("ch", r->file[len - 1]));
}

bool refusal_of_target(const char *log)
{
	static const char *const words[] = {
		"is not traceable",
		"not attachable",
		"is rejected",
		"is not a function",
		"attach_btf_id",
		"doesn't have exact",
		"address of",
		"return type",
		"LOG --\nprocessed 0 insns", /* no reason given, and no instruction checked */
	};

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(log, words[i]))
			return true;
	return false;
}

/* ---- from the quoted line to a range ----------------------------------------------- */

static struct range refusal_line_range(const struct source *src, u32 line)
{
	u32 from = src->line_start[line];
	u32 to = line + 1 < src->nlines ? src->line_start[line + 1] : src->len;

	while (from < to && strchr(" \t", src->text[from]))
		from++;
	while (to > from && strchr(" \t\r\n", src->text[to - 1]))
		to--;
	return (struct range){ src, from, to };
}

static bool refusal_same_text(const char *code, struct range at)
{
	while (*code == ' ' || *code == '\t')
		code++;
	return at.to > at.from && !strncmp(code, at.src->text + at.from, at.to - at.from);
}

/* The kernel quotes only the last part of a path. */
static const char *refusal_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The quoted line in one of the programs: by its text, and by file and line if known. */
static bool refusal_find_in(const struct source *src, struct refusal *r)
{
	u32 first = 0, end = src->nlines;

	if (r->file) {
		if (!r->line || r->line > src->nlines ||
		    strcmp(refusal_base_name(src->name), refusal_base_name(r->file)))
			return false;
		first = r->line - 1;
		end = r->line;
	}
	for (u32 n = first; n < end; n++) {
		struct range at = refusal_line_range(src, n);
		if (!refusal_same_text(r->code, at))
			continue;
		r->at = at;
		return true;
	}
	return false;
}

static bool refusal_find_range(const struct dtx_env *env, struct refusal *r)
{
	for (u32 i = 0; i < env->ntexts; i++)
		if (refusal_find_in(env->texts[i], r))
			return true;
	return false;
}

static void refusal_locate(struct loaded *ld, struct refusal *r, const char *log)
{
	for (const char *end = log + strlen(log); end > log;) {
		const char *line = refusal_line_before(log, end);
		if (!strncmp(line, "; ", 2)) {
			char *text = arena_strndup(ld->arena, line + 2, end - line - 2);
			bool in_d = refusal_split(r, text);
			if (in_d && (refusal_find_range(ld->env, r) || r->file))
				return;
		}
		end = line > log ? line - 1 : log;
	}
	r->code = r->file = NULL;
}

/* ---- the line that costs most ---------------------------------------------------------- */

/* A line of the D program that the log quotes. */
struct refusal_cost {
	struct refusal where;
	u32 steps;
};

/* "123: (07) r0 += 1": the verifier followed an instruction. */
static bool refusal_is_step(const char *line, const char *end)
{
	const char *p = line;

	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p > line && end - p > 3 && p[0] == ':' && p[1] == ' ' && p[2] == '(';
}

/* The entry of a quoted line.  A line of the BPF library: `last`, the D line that uses it. */
static struct refusal_cost *refusal_quoted(struct loaded *ld, struct map *seen, const char *line,
					   size_t len, struct refusal_cost *last)
{
	char *text = arena_strndup(ld->arena, line + 2, len - 2);
	const char *key = arena_strdup(ld->arena, text);
	struct refusal_cost *cost = map_get(seen, key);

	if (cost)
		return cost;
	cost = ARENA_NEW(ld->arena, struct refusal_cost);
	if (!refusal_split(&cost->where, text) || !refusal_find_range(ld->env, &cost->where))
		return last;
	map_set(seen, key, cost);
	return cost;
}

/* The D line with most of the steps in the log; false: none is quoted. */
static bool refusal_costliest(struct loaded *ld, struct refusal *r, const char *log)
{
	struct refusal_cost *now = NULL, *most = NULL;
	struct map *seen = map_new();
	u32 all = 0;

	for (const char *line = log, *end; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (!strncmp(line, "; ", 2))
			now = refusal_quoted(ld, seen, line, end - line, now);
		if (!refusal_is_step(line, end))
			continue;
		all++;
		if (now && ++now->steps && (!most || now->steps > most->steps))
			most = now;
	}
	map_free(seen);
	if (!most)
		return false;
	r->at = most->where.at;
	r->steps = most->steps;
	r->all_steps = all;
	return true;
}

static const struct refusal_row *refusal_meaning(const char *words)
{
	for (u32 i = 0; i < ARRAY_SIZE(refusal_rows); i++)
		if (strstr(words, refusal_rows[i].words))
			return &refusal_rows[i];
	return NULL;
}

/* The last message, or a better one shortly before it: after a bad access, the verifier prints the
 * bound. */
static void refusal_reason(struct loaded *ld, struct refusal *r, const char *log)
{
	u32 nsaid = 0;

	r->said = "";
	for (const char *end = log + strlen(log); end > log && nsaid < 3 && !r->why;) {
		const char *line = refusal_line_before(log, end);
		if (!refusal_is_summary(line, end - line)) {
			char *words = arena_strndup(ld->arena, line, end - line);
			char *glued = strstr(words, "processed 0 insns");
			if (glued)       /* where the kernel forgot the end of the line */
				*glued = '\0';
			if (nsaid && strchr(";0123456789",
					    *words)) /* an instruction: no more messages */
				break;
			r->why = refusal_meaning(words);
			if (!nsaid++ || r->why)
				r->said = words;
		}
		end = line > log ? line - 1 : log;
	}
}

const char *refusal_said(struct loaded *ld, const char *log)
{
	struct refusal r = { 0 };

	refusal_reason(ld, &r, log);
	return r.said;
}

/* ---- the diagnostic ---------------------------------------------------------------------- */

static const char *refusal_probe_name(struct loaded *ld, const struct dtx_probe *p)
{
	return arena_printf(ld->arena, PROBE_NAME, PROBE_PARTS(p));
}

int refusal_explain(struct loaded *ld, const struct dtx_probe *probe, const char *log)
{
	struct refusal r = { 0 };
	const char *place = "";

	refusal_reason(ld, &r, log);
	if (!r.why || !r.why->costly || !refusal_costliest(ld, &r, log))
		refusal_locate(ld, &r, log);
	if (!r.at.src && r.file)
		place = arena_printf(ld->arena, "%s:%u: ", r.file, r.line);
	struct diag *d =
		diag_error(&ld->env->diags, DIAG_NONE, r.at,
			   "%sthe kernel refuses the program for %s here: %s", place,
			   refusal_probe_name(ld, probe),
			   r.why ? r.why->reason : "it cannot prove that the program is safe");
	struct range nowhere = { 0 };
	if (*r.said)
		diag_note(&ld->env->diags, d, nowhere, "the verifier says: %s", r.said);
	if (r.steps)
		diag_note(&ld->env->diags, d, nowhere,
			  "this line takes most of the verifier's steps: %u of the %u that it "
			  "reported",
			  r.steps, r.all_steps);
	if (opt_num(ld->env, OPT_bpflog))
		buf_puts(&ld->log, log);
	diag_hint(
		&ld->env->diags, d, "%s",
		r.why && r.why->step
			? r.why->step
			: "dtx should not make such a program: please report it with the "
			  "verifier's log, which -x bpflog prints");
	return -EACCES;
}
