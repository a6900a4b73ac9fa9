/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggfold.c - entries whose keys are addresses in the same function or module become one row.
 *
 * Programs record the plain address; func(), sym(), usym() … as keys mean the start of the
 * symbol, mod() and umod() the object it is in (DTrace guide "Actions and Subroutines"). The
 * map is not changed: rows are made of folded copies.
 */
#include <stdlib.h>

#include "runtime/code/names.h"
#include "runtime/load/load.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/text.h"
#include "runtime/value/value.h"

struct fold {
	struct agg_state *st;
	struct dtx_env *env;
	struct arena *a;
	struct map *objects;     /* "pid object" -> the address that stands for it */
};

static bool fold_wanted(const struct img_field *f)
{
	return f->type == IMG_SYM && f->symkind && !(sym_shows(f->symkind) & SYM_EXACT) &&
	       !shown_is(f->symkind);
}

bool agg_folds(const struct img_agg *def)
{
	for (u32 k = 0; k < def->nkeys; k++)
		if (fold_wanted(&def->keys[k]))
			return true;
	return false;
}

/* The first address that was seen in the object. */
static u64 fold_object(struct fold *f, u64 pid, const char *object, u64 addr)
{
	char *name = arena_printf(f->a, "%llu %s", (unsigned long long)pid, object);
	u64 *first = map_get(f->objects, name);

	if (!first) {
		first = arena_memdup(f->a, &addr, sizeof(addr));
		map_set(f->objects, name, first);
	}
	return *first;
}

static u64 fold_kernel(struct fold *f, const char *kind, u64 addr)
{
	const char *name, *module;
	u64 off;

	if (!ksyms_find(ksyms_get(f->env), addr, &name, &module, &off))
		return addr;
	return sym_shows(kind) & SYM_OBJECT ? fold_object(f, 0, module, addr) : addr - off;
}

static u64 fold_user(struct fold *f, const char *kind, const struct dtx_symref *sym)
{
	const char *object;
	u64 start;

	if (!usyms_find(usyms_get(f->env), sym, &object, &start))
		return sym->addr;
	if (sym_shows(kind) & SYM_OBJECT)
		return fold_object(f, sym->pid, object, sym->addr);
	return start;
}

static u8 *fold_key(struct fold *f, const u8 *key)
{
	const struct img_agg *def = f->st->def;
	u8 *folded = arena_memdup(f->a, key, def->key_size);

	for (u32 k = 0; k < def->nkeys; k++) {
		const struct img_field *field = &def->keys[k];
		struct dtx_symref sym;

		if (!fold_wanted(field) || field->off + sizeof(sym) > def->key_size)
			continue;
		memcpy(&sym, key + field->off, sizeof(sym));
		sym.addr = sym_shows(field->symkind) & SYM_OF_USER ?
			fold_user(f, field->symkind, &sym) :
			fold_kernel(f, field->symkind, sym.addr);
		memcpy(folded + field->off, &sym, sizeof(sym));
	}
	return folded;
}

static void fold_merge(struct fold *f, struct agg_entry *into, const struct agg_entry *from)
{
	struct agg_state *st = f->st;

	for (u32 b = 0; b < st->blocks; b++)
		st->ops->merge->add(st->def, into->data + b * st->words,
				    from->data + b * st->words);
}

static void fold_begin(struct fold *f, struct agg_state *st, struct dtx_env *env, struct arena *a)
{
	*f = (struct fold){ st, env, a, map_new() };
}

/* The same aggregation with folded entries, in the arena; itself when nothing folds. */
struct agg_state *agg_folded(struct aggs *as, struct arena *a, struct agg_state *st)
{
	struct keytab *rows;
	struct agg_state *to;
	struct fold f;

	if (!agg_folds(st->def))
		return st;
	fold_begin(&f, st, agg_loaded(as)->env, a);
	rows = keytab_new(st->def->key_size, sizeof(u32));
	to = arena_memdup(a, st, sizeof(*st));
	to->e.v = ARENA_ARRAY(a, struct agg_entry, MAX(st->e.n, 1u));
	to->e.n = 0;
	for (u32 i = 0; i < st->e.n; i++) {
		u8 *key = fold_key(&f, st->e.v[i].key);
		u32 *row = keytab_put(rows, key);
		struct agg_entry *e = &to->e.v[*row ? *row - 1 : to->e.n];

		if (!*row) {
			*row = ++to->e.n;
			*e = agg_entry_new(st, a, key);
		}
		fold_merge(&f, e, &st->e.v[i]);
	}
	keytab_free(rows);
	map_free(f.objects);
	return to;
}

/* trunc(): moves the entries of the first n folded ones (see agg_sort_entries) to the
 * front; returns their number. */
u32 agg_fold_keep(struct aggs *as, struct agg_state *st, u32 n, bool largest_first)
{
	struct arena *a = arena_new();
	struct agg_state *folded = agg_folded(as, a, st);
	struct keytab *kept = keytab_new(st->def->key_size, sizeof(u32));
	struct fold f;
	u32 front = 0;

	agg_sort_entries(folded, largest_first);
	for (u32 i = 0; i < n && i < folded->e.n; i++)
		keytab_put(kept, folded->e.v[i].key);
	fold_begin(&f, st, agg_loaded(as)->env, a);
	for (u32 i = 0; i < st->e.n; i++) {
		struct agg_entry e = st->e.v[i];

		if (!keytab_get(kept, fold_key(&f, e.key)))
			continue;
		st->e.v[i] = st->e.v[front];
		st->e.v[front++] = e;
	}
	map_free(f.objects);
	keytab_free(kept);
	arena_free(a);
	return front;
}
