/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pprof.c - the stacks as a profile of pprof: a message of pprof.proto, compressed by gzip.
 *
 * Each aggregation is a type of sample, with its name; keys that are no stacks are labels.  Numbers
 * of functions, places and objects are their indices + 1, because 0 means none.  Objects have no
 * addresses: places of all processes stand beside each other, and dtx has found their names.
 */
#include <stdlib.h>
#include <zlib.h>

#include "runtime/sink/stacks/pprof.pb-c.h"
#include "runtime/sink/stacks/stackset.h"

struct pprof {
	const struct stackset *s;
	struct arena *a;
	Pprof__Profile p;
	struct map *text_of;
	VEC(char *) texts;
	struct map *object_of;           /* number of its mapping */
	u32 *type_of;                    /* of each aggregation */
};

/* A string of a message is UTF-8; and readers of the file print it on terminals. */
static s64 pprof_text(struct pprof *w, const char *text)
{
	struct buf b = { 0 };
	size_t at;

	buf_add(&b, "", 0);
	buf_plain(&b, text ? text : "", text ? strlen(text) : 0, 0);
	at = (size_t)map_get(w->text_of, b.data);
	if (!at) {
		VEC_PUSH(&w->texts, arena_strdup(w->a, b.data));
		at = w->texts.n;
		map_add(w->text_of, b.data, (void *)at);
	}
	buf_free(&b);
	return at - 1;
}

/* n messages of one type in an array of pointers. */
#define PPROF_MESSAGES(a, to, n, type, init) ({                               \
	type *_v = ARENA_ARRAY((a), type, (n) + 1);                           \
	(to) = ARENA_ARRAY((a), type *, (n) + 1);                             \
	for (u32 _i = 0; _i < (n); _i++) {                                    \
		init(&_v[_i]);                                                \
		(to)[_i] = &_v[_i];                                           \
	}                                                                     \
	_v; })

/* ---- the parts ---------------------------------------------- */

static const char *pprof_unit(const struct img_agg *agg)
{
	static const struct { const char *unit, *word; } words[] = {
		{ "ns", "nanoseconds" }, { "us", "microseconds" }, { "ms", "milliseconds" },
		{ "s", "seconds" }, { "bytes", "bytes" },
	};

	for (u32 i = 0; agg->unit && agg_kind(agg) != AGG_HISTOGRAM && i < ARRAY_SIZE(words); i++)
		if (!strcmp(agg->unit, words[i].unit))
			return words[i].word;
	return "count";
}

static void pprof_types(struct pprof *w)
{
	const struct img *img = w->s->img;
	Pprof__ValueType *v = PPROF_MESSAGES(w->a, w->p.sample_type, img->naggs, Pprof__ValueType,
					     pprof__value_type__init);

	w->type_of = ARENA_ARRAY(w->a, u32, img->naggs + 1);
	for (u32 i = 0; i < img->naggs; i++) {
		if (!stackset_takes(&img->aggs[i]))
			continue;
		w->type_of[i] = w->p.n_sample_type++;
		v[w->type_of[i]].type = pprof_text(w, arena_printf(w->a, "@%s",
								   img->aggs[i].name));
		v[w->type_of[i]].unit = pprof_text(w, pprof_unit(&img->aggs[i]));
	}
	w->p.default_sample_type = w->p.n_sample_type ? v[0].type : 0;
}

static u64 pprof_object(struct pprof *w, const char *object)
{
	size_t at = object ? (size_t)map_get(w->object_of, object) : 0;

	if (!object || at)
		return at;
	at = map_count(w->object_of) + 1;
	map_add(w->object_of, object, (void *)at);
	return at;
}

static void pprof_functions(struct pprof *w)
{
	const struct stackset *s = w->s;
	Pprof__Function *v = PPROF_MESSAGES(w->a, w->p.function, s->funcs.n, Pprof__Function,
					    pprof__function__init);

	for (u32 i = 0; i < s->funcs.n; i++) {
		v[i].id = i + 1;
		v[i].name = v[i].system_name = pprof_text(w, s->funcs.v[i].symbol);
		v[i].filename = pprof_text(w, s->funcs.v[i].file);
	}
	w->p.n_function = s->funcs.n;
}

static void pprof_locations(struct pprof *w)
{
	const struct stackset *s = w->s;
	Pprof__Location *v = PPROF_MESSAGES(w->a, w->p.location, s->locs.n, Pprof__Location,
					    pprof__location__init);
	Pprof__Line **lines;
	Pprof__Line *line = PPROF_MESSAGES(w->a, lines, s->locs.n, Pprof__Line,
					   pprof__line__init);

	for (u32 i = 0; i < s->locs.n; i++) {
		const struct stack_loc *loc = &s->locs.v[i];

		v[i].id = i + 1;
		v[i].address = loc->addr;
		v[i].mapping_id = pprof_object(w, s->funcs.v[loc->func].object);
		v[i].n_line = 1;
		v[i].line = &lines[i];
		line[i].function_id = loc->func + 1;
		line[i].line = loc->line;
	}
	w->p.n_location = s->locs.n;
}

static int pprof_put_mapping(const char *object, void *number, void *arg)
{
	struct pprof *w = arg;
	Pprof__Mapping *m = w->p.mapping[(size_t)number - 1];

	m->id = (size_t)number;
	m->memory_limit = UINT64_MAX;
	m->filename = pprof_text(w, object);
	m->has_functions = true;
	return 0;
}

static void pprof_mappings(struct pprof *w)
{
	u32 n = map_count(w->object_of);

	(void)PPROF_MESSAGES(w->a, w->p.mapping, n, Pprof__Mapping, pprof__mapping__init);
	map_each(w->object_of, pprof_put_mapping, w);
	w->p.n_mapping = n;
}

/* ---- samples ---------------------------------------------- */

static void pprof_labels(struct pprof *w, Pprof__Sample *to, const struct stack_row *r)
{
	const struct img_agg *agg = &w->s->img->aggs[r->agg];
	Pprof__Label *v = PPROF_MESSAGES(w->a, to->label, r->nkeys, Pprof__Label,
					 pprof__label__init);
	u32 key = 0;

	for (u32 i = 0; i < r->nkeys; i++, key++) {
		const struct stack_func *f =
			&w->s->funcs.v[w->s->locs.v[w->s->locs_of.v[r->first + i]].func];

		while (key < agg->nkeys && agg->keys[key].type == IMG_STACK)
			key++;
		const char *name = key < agg->nkeys ? agg->keys[key].name : NULL;
		v[i].key = pprof_text(w, name ? name : arena_printf(w->a, "key%u", key + 1));
		if (f->is_num && f->num)
			v[i].num = f->num;
		else
			v[i].str = pprof_text(w, f->symbol);
	}
	to->n_label = r->nkeys;
}

static void pprof_samples(struct pprof *w)
{
	const struct stackset *s = w->s;
	Pprof__Sample *v = PPROF_MESSAGES(w->a, w->p.sample, s->rows.n, Pprof__Sample,
					  pprof__sample__init);

	for (u32 i = 0; i < s->rows.n; i++) {
		const struct stack_row *r = &s->rows.v[i];
		const u32 *loc = s->locs_of.v + r->first + r->nkeys;

		v[i].value = ARENA_ARRAY(w->a, s64, w->p.n_sample_type);
		v[i].n_value = w->p.n_sample_type;
		v[i].value[w->type_of[r->agg]] = r->value;
		v[i].location_id = ARENA_ARRAY(w->a, u64, r->n + 1);
		v[i].n_location_id = r->n;
		for (u32 k = 0; k < r->n; k++)
			v[i].location_id[k] = loc[r->n - 1 - k] + 1;
		pprof_labels(w, &v[i], r);
	}
	w->p.n_sample = s->rows.n;
}

static void pprof_comments(struct pprof *w, const struct run_info *run)
{
	w->p.comment = ARENA_ARRAY(w->a, s64, run->nprograms + 1);
	for (u32 i = 0; i < run->nprograms; i++)
		w->p.comment[w->p.n_comment++] = pprof_text(w, run->programs[i]);
}

/* ---- gzip ---------------------------------------------- */

#define GZIP_WINDOW  (15 + 16)           /* zlib.h, deflateInit2(): 16 more is a gzip header */

static void pprof_gzip(const u8 *data, size_t len, struct buf *out)
{
	z_stream z = { .next_in = (u8 *)data, .avail_in = len };
	u8 part[16384];
	int err;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory(len);
	do {
		z.next_out = part;
		z.avail_out = sizeof(part);
		err = deflate(&z, Z_FINISH);
		buf_add(out, part, sizeof(part) - z.avail_out);
	} while (err == Z_OK);
	deflateEnd(&z);
}

void pprof_write(const struct stackset *s, const struct run_info *run, s64 now, struct buf *out)
{
	struct pprof w = { .s = s, .a = arena_new(), .text_of = map_new(),
			   .object_of = map_new() };

	pprof__profile__init(&w.p);
	pprof_text(&w, "");              /* the first text is empty */
	pprof_types(&w);
	pprof_functions(&w);
	pprof_locations(&w);
	pprof_mappings(&w);
	pprof_samples(&w);
	pprof_comments(&w, run);
	w.p.time_nanos = run->wall;
	w.p.duration_nanos = run->replayed ? 0 : now - run->time;
	w.p.string_table = w.texts.v;
	w.p.n_string_table = w.texts.n;

	size_t len = pprof__profile__get_packed_size(&w.p);
	u8 *packed = xmalloc(len + 1);
	pprof__profile__pack(&w.p, packed);
	pprof_gzip(packed, len, out);
	free(packed);
	VEC_FREE(&w.texts);
	map_free(w.text_of);
	map_free(w.object_of);
	arena_free(w.a);
}
