/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * label.c - names and units of what is recorded: the program's own text of an argument or key
 * ("execname", "args[0]->pr_pid"), "ns" of a difference of timestamps, "bytes" of a size_t.
 */
#include <dtx/aggs.h>
#include <dtx/progkind.h>

#include "compiler/front/builtin.h"
#include "compiler/plan/plan.h"

#define LABEL_MAX  120           /* bytes of a name; longer ones are cut, with "..." */

/* ---- names --------------------------------------------------------------------- */

/* Comments and runs of white space become one blank. */
static void label_text(const char *p, const char *end, struct buf *out)
{
	bool gap = false, quoted = false;

	for (; p < end; p++) {
		bool comment = !quoted && p[0] == '/' && p + 1 < end && p[1] == '*';

		if (comment) {
			const char *close = memmem(p + 2, end - p - 2, "*/", 2);

			p = close ? close + 1 : end - 1;
		}
		if (comment || (!quoted && strchr(" \t\r\n\v\f", *p))) {
			gap = out->len;
			continue;
		}
		if (*p == '"' && (!quoted || p[-1] != '\\'))
			quoted = !quoted;
		if (gap)
			buf_putc(out, ' ');
		gap = false;
		buf_putc(out, *p);
	}
}

/* Library text is not what the user wrote: then the type's word for it, or nothing. */
static void label_node(const struct node *n, struct buf *out)
{
	const struct range *at = &n->at;
	bool own = at->src && !at->src->is_library && at->to > at->from && at->to <= at->src->len;

	if (own)
		label_text(at->src->text + at->from, at->src->text + at->to, out);
	else if (n->row)
		buf_puts(out, n->row->name);
	else
		buf_puts(out, n->name ? n->name : "value");
}

const char *label_of(struct comp *c, const struct node *n)
{
	struct buf b = { 0 };
	const char *name;

	label_node(n, &b);
	if (b.len > LABEL_MAX) {
		b.len = utf8_begin(b.data, LABEL_MAX);
		b.data[b.len] = '\0';
		buf_puts(&b, "...");
	}
	name = arena_strdup(c->img->arena, b.data ? b.data : "");
	buf_free(&b);
	return name;
}

void label_unique(struct comp *c, struct img_field *fields, u32 n)
{
	const char *base = fields[n].name;

	for (u32 times = 2, i = 0; i < n; i++)
		if (!strcmp(fields[i].name, fields[n].name)) {
			fields[n].name = arena_printf(c->img->arena, "%s#%u", base, times++);
			i = (u32)-1;     /* the new name may also be taken */
		}
}

/* What actions add to the arguments, or record without one. */
static const struct label_row {
	enum builtin_id id;
	const char *names[6];
} label_rows[] = {
	{ BI_pcap, { "packet", "length", "captured", "time", "protocol" } },
	{ BI_print, { "address", "object" } },
	{ BI_exit, { "status" } },
};

const char *label_of_field(struct comp *c, const struct builtin *action, u32 i,
			   const struct node *n)
{
	for (u32 k = 0; k < ARRAY_SIZE(label_rows); k++)
		if (builtin_is(action, label_rows[k].id) && i < 5 && label_rows[k].names[i])
			return label_rows[k].names[i];
	return label_of(c, n);
}

/* ---- units ----------------------------------------------------------------------- */

static const char ns[] = "ns", us[] = "us", ms[] = "ms", seconds[] = "s", bytes[] = "bytes";

static const char *unit_of_type(const struct type *t)
{
	static const char *const names[] = { "size_t", "ssize_t", "off_t", "loff_t" };

	for (; t && t->kind == T_TYPEDEF; t = t->to)
		for (u32 i = 0; i < ARRAY_SIZE(names); i++)
			if (!strcmp(t->name, names[i]))
				return bytes;
	return NULL;
}

static const char *unit_of_builtin(const struct builtin *row)
{
	return row && row->flags & BF_NS ? ns : NULL;
}

/* `unit` divided by a constant: ns / 1000 is us. */
static const char *unit_divided(const char *unit, const struct node *by)
{
	static const char *const times[] = { ns, us, ms, seconds };
	u32 at = 0, steps = 0;
	u64 v = by->value;

	while (at < ARRAY_SIZE(times) && times[at] != unit)
		at++;
	if (by->kind != N_INT || at == ARRAY_SIZE(times))
		return NULL;
	for (; v > 1 && v % 1000 == 0; v /= 1000)
		steps++;
	return v == 1 && at + steps < ARRAY_SIZE(times) ? times[at + steps] : NULL;
}

/* A sum or difference: of two of the same unit, or of one and what has none. */
static const char *unit_joined(const char *a, const char *b)
{
	return !a ? b : !b || a == b ? a : NULL;
}

static const char *unit_of_binary(const struct node *n)
{
	const char *a = unit_of(n->a), *b = unit_of(n->b);

	switch (n->op) {
	case '+':
	case '-':
		return unit_joined(a, b);
	case '%':
		return a;
	case '/':
		return a ? unit_divided(a, n->b) : NULL;
	default:
		return NULL;
	}
}

const char *unit_of(const struct node *n)
{
	const char *own = unit_of_type(n->type);

	switch (n->kind) {
	case N_BUILTIN:
		return unit_of_builtin(n->row);
	case N_VAR:
	case N_ASSOC:
		return n->sym->unit ? n->sym->unit : own;
	case N_CAST:
		return n->a ? unit_joined(unit_of(n->a), own) : own;
	case N_BINARY:
		return unit_of_binary(n);
	case N_COND:
		return unit_joined(unit_of(n->b), unit_of(n->c));
	case N_ASSIGN:
		return unit_of(n->b);
	default:
		return own;
	}
}

/* A variable has the unit of what is assigned to it; none, if that differs. */
static bool unit_assigned(struct node *n, void *arg)
{
	const char *unit;

	if (n->kind != N_ASSIGN || n->op != '=' || !n->a->sym || n->b->kind == N_INT)
		return true;
	unit = unit_of(n->b);
	if (!n->a->sym->unit && !n->a->sym->units_differ)
		n->a->sym->unit = unit;
	n->a->sym->units_differ |= unit != n->a->sym->unit;
	if (n->a->sym->units_differ)
		n->a->sym->unit = NULL;
	return true;
}

void label_units(struct comp *c)
{
	for (struct inst *i = c->insts; i; i = i->next)
		clause_walk(NULL, i->body, unit_assigned, NULL);
}

/* ---- samples --------------------------------------------------------------------- */

/* The period of the samples by which a clause runs, ns; 0: other events, or several periods. */
static u64 samples_of(const struct inst *i)
{
	u64 each = 0;

	for (u32 k = 0; k < i->nprobes; k++) {
		const struct dtx_probe *p = i->probes[k];
		u64 period = strcmp(p->prov, "profile") || !kind_is(p->prog.kind, KIND_SAMPLE)
			     ? 0 : p->place.num;

		if (!period || (k && period != each))
			return 0;
		each = period;
	}
	return each;
}

static bool samples_counted(struct node *n, void *arg)
{
	const u32 counts = AGGF_COUNTS | AGGF_TOTAL;
	u64 each = *(u64 *)arg;

	if (n->kind != N_AGG || (n->aggrow->flags & counts) != counts)
		return true;
	n->sym->each = n->sym->counted && n->sym->each != each ? 0 : each;
	n->sym->counted = true;
	return true;
}

void label_samples(struct comp *c)
{
	for (struct inst *i = c->insts; i; i = i->next) {
		u64 each = samples_of(i);

		clause_walk(NULL, i->body, samples_counted, &each);
	}
}
