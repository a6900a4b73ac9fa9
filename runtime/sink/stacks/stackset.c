/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackset.c - rows of aggregations that are keyed by stacks.  Functions and places are stored
 * once, rows are numbers.
 *
 * A row is read from the root: keys that are no stacks, the frames of the user stack, those of the
 * kernel stack, whatever the order of the keys in the program is.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/sink/stacks/stackset.h"

bool stackset_takes(const struct img_agg *agg)
{
	for (u32 k = 0; k < agg->nkeys; k++)
		if (agg->keys[k].type == IMG_STACK)
			return true;
	return false;
}

struct stackset *stackset_new(struct dtx_env *env, const struct img *img)
{
	struct stackset *s = xcalloc(1, sizeof(*s));

	s->env = env;
	s->img = img;
	s->arena = arena_new();
	s->tmp = arena_new();
	s->func_of = map_new();
	s->loc_of = keytab_new(sizeof(struct stack_loc), sizeof(u32));
	return s;
}

void stackset_free(struct stackset *s)
{
	if (!s)
		return;
	map_free(s->func_of);
	keytab_free(s->loc_of);
	VEC_FREE(&s->funcs);
	VEC_FREE(&s->locs);
	VEC_FREE(&s->locs_of);
	VEC_FREE(&s->rows);
	arena_free(s->tmp);
	arena_free(s->arena);
	free(s);
}

u32 stackset_naggs(const struct stackset *s)
{
	u64 *seen = xcalloc(s->img->naggs + 1, sizeof(*seen));
	u32 n = 0;

	for (u32 i = 0; i < s->rows.n; i++)
		n += !seen[s->rows.v[i].agg]++;
	free(seen);
	return n;
}

const char *stackset_key(const struct stackset *s, const struct stack_row *row)
{
	return row->nkeys ? s->funcs.v[s->locs.v[s->locs_of.v[row->first]].func].symbol : "";
}

/* ---- functions and places ---------------------------------------------- */

static u32 set_func(struct stackset *s, const char *key, const struct stack_func *f)
{
	size_t at = (size_t)map_get(s->func_of, key);
	struct stack_func to = *f;

	if (at)
		return at - 1;
	to.name = arena_strdup(s->arena, f->name);
	to.symbol = arena_strdup(s->arena, f->symbol);
	to.object = f->object ? arena_strdup(s->arena, f->object) : NULL;
	to.file = f->file ? arena_strdup(s->arena, f->file) : NULL;
	VEC_PUSH(&s->funcs, to);
	map_add(s->func_of, key, (void *)(size_t)s->funcs.n);
	return s->funcs.n - 1;
}

static u32 set_loc(struct stackset *s, u32 func, u32 line, u64 addr)
{
	struct stack_loc loc = { func, line, addr };
	u32 *at = keytab_put(s->loc_of, &loc);

	if (!*at) {
		*at = s->locs.n + 1;
		VEC_PUSH(&s->locs, loc);
	}
	return *at - 1;
}

/* Marks of folded stacks: _[k] is a function of the kernel, _[i] one that was inlined. */
static u32 set_frame(struct stackset *s, const struct frame *f, bool user)
{
	enum stack_kind kind = f->inlined ? STACK_INLINED : user ? STACK_USER : STACK_KERNEL;
	const char *mark = f->inlined ? "_[i]" : user ? "" : "_[k]";
	struct stack_func func = { .object = f->object, .file = f->file, .kind = kind };

	func.symbol = f->symbol ? f->symbol
		: arena_printf(s->tmp, "[%s]", f->object ? f->object : "unknown");
	func.name = arena_printf(s->tmp, "%s%s", func.symbol, mark);
	return set_loc(s, set_func(s, arena_printf(s->tmp, "%d%s`%s`%s", kind,
						   f->object ? f->object : "", func.name,
						   f->file ? f->file : ""), &func),
		       f->line, f->addr);
}

static void set_stack(struct stackset *s, const struct val *v)
{
	u32 n;
	const struct frame *f = sym_frames(s->env, s->tmp, v, &n);

	while (n--) {
		u32 loc = set_frame(s, &f[n], v->user);

		VEC_PUSH(&s->locs_of, loc);
	}
}

/* ---- keys ---------------------------------------------- */

void stack_key_text(struct dtx_env *env, const struct val *v, struct buf *out)
{
	switch (v->kind) {
	case VAL_INT:
		if (v->names)
			print_names(v->names, v->u, out);
		else if (v->is_ptr)
			buf_printf(out, "0x%" PRIx64, v->u);
		else if (v->is_signed)
			buf_num(out, (s64)v->u);
		else
			buf_printf(out, "%" PRIu64, v->u);
		break;
	case VAL_STR:
		buf_add(out, v->p, v->len);
		break;
	case VAL_BYTES:
		for (u32 i = 0; i < v->len; i++)
			buf_printf(out, "%02x", (u8)v->p[i]);
		break;
	case VAL_SYM:
		sym_val(env, v, out);
		break;
	case VAL_STACK:
		break;
	}
}

static void set_key(struct stackset *s, const struct val *v)
{
	struct buf text = { 0 };

	buf_add(&text, "", 0);
	stack_key_text(s->env, v, &text);
	if (!text.len)
		buf_puts(&text, "(empty)");
	bool fits = v->is_signed || (s64)v->u >= 0;      /* formats have a signed number */
	struct stack_func func = { .name = text.data, .symbol = text.data, .kind = STACK_KEY,
				   .is_num = v->kind == VAL_INT && !v->names && fits,
				   .num = (s64)v->u };
	u32 loc = set_loc(s, set_func(s, arena_printf(s->tmp, "%d%d%s", STACK_KEY, func.is_num,
						      text.data), &func), 0, 0);
	VEC_PUSH(&s->locs_of, loc);
	buf_free(&text);
}

/* ---- rows ---------------------------------------------- */

/*
 * The number by which a row is as wide: the value; of avg(), stats() and stddev() the sum, of
 * histograms the count.
 */
static s64 set_value(const struct agg_print *p, const struct agg_row *row, u32 i)
{
	struct agg_value v = agg_value(p, row, i, NULL);

	if (v.kind == AGG_HISTOGRAM)
		return v.beyond ? INT64_MAX : agg_s64(agg_div(v.sum, row[i].norm));
	return agg_s64(v.kind == AGG_MEAN ? v.sum : v.number);
}

void stackset_add(struct stackset *s, u32 agg, const struct val *keys, s64 value)
{
	const struct img_agg *def = &s->img->aggs[agg];
	struct stack_row to = { .agg = agg, .first = s->locs_of.n, .value = value };

	if (to.value <= 0) {
		s->left_out++;
		return;
	}
	for (u32 k = 0; k < def->nkeys; k++)
		if (keys[k].kind != VAL_STACK)
			set_key(s, &keys[k]);
	to.nkeys = s->locs_of.n - to.first;
	for (int user = 1; user >= 0; user--)
		for (u32 k = 0; k < def->nkeys; k++)
			if (keys[k].kind == VAL_STACK && keys[k].user == user)
				set_stack(s, &keys[k]);
	to.n = s->locs_of.n - to.first - to.nkeys;
	VEC_PUSH(&s->rows, to);
	if (arena_size(s->tmp) > 1 << 20)
		arena_clear(s->tmp);
}

void stackset_drop(struct stackset *s)
{
	if (s->rows.n)
		s->locs_of.n = s->rows.v[--s->rows.n].first;
}

/* Functions and places stay: they come again. */
static void set_forget(struct stackset *s, u32 agg)
{
	u32 n = 0, ids = 0;

	for (u32 i = 0; i < s->rows.n; i++) {
		struct stack_row *r = &s->rows.v[i];

		if (r->agg == agg)
			continue;
		memmove(s->locs_of.v + ids, s->locs_of.v + r->first,
			(r->nkeys + r->n) * sizeof(u32));
		r->first = ids;
		ids += r->nkeys + r->n;
		s->rows.v[n++] = *r;
	}
	s->rows.n = n;
	s->locs_of.n = ids;
}

void stackset_put(struct stackset *s, const struct agg_print *p)
{
	const struct img_agg *def;
	u32 agg;

	if (!p->naggs || !stackset_takes(p->aggs[0]))
		return;
	def = p->aggs[0];
	for (agg = 0; agg < s->img->naggs && strcmp(s->img->aggs[agg].name, def->name); agg++)
		;
	if (agg == s->img->naggs)
		return;
	set_forget(s, agg);
	for (u32 i = 0; i < p->nrows; i++) {
		const struct agg_row *row = agg_print_row(p, i);

		stackset_add(s, agg, row->keys, set_value(p, row, 0));
	}
}
