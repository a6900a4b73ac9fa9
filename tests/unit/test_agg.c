/* SPDX-License-Identifier: BSD-2-Clause */
/* test_agg.c - merging, clear, trunc, order, join, and the layout of aggregations. */
#include <time.h>

#include <dtx/opt.h>
#include <dtx/tables/maprole.h>

#include "runtime/value/value.h"
#include "tests/unit/synth.h"

static struct img_field str_key[] = { { .type = IMG_STR, .size = 16, .off = 0 } };
static struct img_field mixed_key[] = {
	{ .type = IMG_INT, .size = 4, .off = 0, .is_signed = true },
	{ .type = IMG_INT, .size = 2, .off = 4 }, { .type = IMG_INT, .size = 1, .off = 6 },
	{ .type = IMG_INT, .size = 8, .off = 8, .is_signed = true },
};

static struct img_agg count_agg(const char *name)
{
	return (struct img_agg){ .name = name, .func = "count", .map = "m", .keyed = true,
		.keys = str_key, .nkeys = 1, .key_size = 16, .val_size = 8 };
}

/* One entry, `v` has the value of each CPU. */
static void add_cpus(struct synth *w, u32 agg, const void *key, const u64 *v)
{
	for (u32 c = 0; c < agg_ncpus(consumer_aggs(w->con)); c++)
		agg_add(consumer_aggs(w->con), agg, key, c,
			v + c * (w->img.aggs[agg].val_size / 8));
}

/* One entry, the words on the first CPU. */
static void add(struct synth *w, u32 agg, const char *key, const u64 *words, u32 n)
{
	const struct img_agg *def = &w->img.aggs[agg];
	u64 *v = calloc(agg_ncpus(consumer_aggs(w->con)), def->val_size);
	char k[16] = "";

	strcpy(k, key);
	memcpy(v, words, n * 8);
	add_cpus(w, agg, k, v);
	free(v);
}

static void add1(struct synth *w, u32 agg, const char *key, u64 word)
{
	add(w, agg, key, &word, 1);
}

static void start(struct synth *w, struct img_agg *aggs, u32 n)
{
	w->img.aggs = aggs;
	w->img.naggs = n;
	synth_start(w);
	for (u32 i = 0; i < n; i++)
		agg_reset(consumer_aggs(w->con), i);
}

/* A key of one character in its column of 50, a number of 16. */
#define ROW(key, n)  "  " key "                                                  " n "\n"

static void test_auto_print(void **state)
{
	struct img_agg aggs[] = { count_agg("b"), count_agg("a"), count_agg("empty") };
	struct synth w;

	synth_open(&w);
	start(&w, aggs, 3);
	add1(&w, 0, "z", 3);
	add1(&w, 0, "y", 1);
	add1(&w, 0, "x", 3);
	add1(&w, 1, "q", 12345678901234567ull);
	consumer_finish(w.con);
	synth_expect(&w, "\n"
		     ROW("y", "               1") ROW("x", "               3")
		     ROW("z", "               3") ROW("q", "12345678901234567"));
	synth_close(&w);
}

static void test_sort_options(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	struct synth w;

	synth_open(&w);
	w.env.opts->v[OPT_aggsortrev].n = 1;
	start(&w, aggs, 1);
	add1(&w, 0, "b", 1);
	add1(&w, 0, "a", 2);
	add1(&w, 0, "c", 1);
	consumer_finish(w.con);
	synth_expect(&w, "\n" ROW("a", "               2") ROW("c", "               1")
		     ROW("b", "               1"));
	w.env.opts->v[OPT_aggsortrev].n = 0;
	w.env.opts->v[OPT_aggsortkey].n = 1;
	consumer_finish(w.con);
	synth_expect(&w, "\n" ROW("a", "               2") ROW("b", "               1")
		     ROW("c", "               1"));
	synth_close(&w);
}

static void scalar(const char *func, const u64 *words, u32 n, s64 norm, const char *want)
{
	struct img_agg agg = { .func = func, .keyed = true, .val_size = n * 8 };
	struct buf b = { 0 };

	agg_render(&agg, words, norm, &b);
	assert_string_equal(b.data, want);
	buf_free(&b);
}

#define W(...)  (const u64[]){ __VA_ARGS__ }

static void test_scalars(void **state)
{
	scalar("count", W(5), 1, 1, "                5");
	scalar("sum", W((u64)-10, 0), 2, 3, "               -3");
	scalar("avg", W(3, (u64)-10, 0), 3, 1, "               -3");
	scalar("avg", W(0, 0, 0), 3, 1, "                0");
	scalar("min", W(INT64_MAX - 7), 1, 1, "                7");
	scalar("min", W((u64)INT64_MAX + 7), 1, 1, "               -7");
	scalar("min", W(0), 1, 1, " 9223372036854775807");
	scalar("max", W((1ull << 63) - 7), 1, 1, "               -7");
	scalar("max", W(0), 1, 1, " -9223372036854775808");
	/* 2 4 4 4 5 5 7 9: mean 5, deviation 2 */
	scalar("stddev", W(8, 40, 0, 232, 0, 0), 6, 1, "                2");
	/* two values of 2^40: mean of squares 2^80, no deviation */
	scalar("stddev", W(2, 1ull << 41, 0, 0, 1ull << 17, 0), 6, 1, "                0");
	/* -3e9 and 3e9 */
	scalar("stddev", W(2, 0, 0, 18000000000000000000ull, 0, 0), 6, 1, "       3000000000");
	/* sums that went beyond 64 bits, up and down; squares beyond 128 */
	scalar("sum", W((u64)-2, 1), 2, 1, " 18446744073709551614");
	scalar("sum", W(0, (u64)-1), 2, 10, " -1844674407370955161");
	scalar("avg", W(2, (u64)-2, 1), 3, 1, " 9223372036854775807");
	scalar("stats", W(2, 0, (u64)-1), 3, 1,
	       " count 2, average -9223372036854775808, total -18446744073709551616");
	scalar("stddev", W(8, 0, 0, 0, 0, 2), 6, 1, " 9223372036854775808");
}

static void test_merge_cpus(void **state)
{
	struct img_agg aggs[] = { count_agg("c"), count_agg("m"), count_agg("s") };
	struct synth w;
	struct arena *a = arena_new();
	struct agg_print p;

	aggs[1].func = "max";
	aggs[2].func = "stddev";
	aggs[2].val_size = 48;
	synth_open(&w);
	start(&w, aggs, 3);
	u32 ncpus = agg_ncpus(consumer_aggs(w.con));
	u64 *v = calloc(ncpus, 48);
	char key[16] = "k";

	for (u32 c = 0; c < ncpus; c++)
		v[c] = c + 1;
	add_cpus(&w, 0, key, v);
	add_cpus(&w, 1, key, v);
	assert_int_equal(aggs_rows(consumer_aggs(w.con), a, (u32[]){ 0 }, 1, &p), 0);
	assert_int_equal(p.nrows, 1);
	assert_int_equal(agg_print_row(&p, 0)->data[0], ncpus * (ncpus + 1) / 2);
	assert_int_equal(aggs_rows(consumer_aggs(w.con), a, (u32[]){ 1 }, 1, &p), 0);
	assert_int_equal(agg_print_row(&p, 0)->data[0], ncpus);
	/* The low halves of the squares carry into the high one. */
	for (u32 c = 0; c < ncpus; c++)
		v[c * 6 + 3] = ~0ull;
	add_cpus(&w, 2, key, v);
	assert_int_equal(aggs_rows(consumer_aggs(w.con), a, (u32[]){ 2 }, 1, &p), 0);
	assert_int_equal(agg_print_row(&p, 0)->data[4], ncpus - 1);
	free(v);
	arena_free(a);
	synth_close(&w);
}

static void test_clear(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	struct synth w;

	synth_open(&w);
	start(&w, aggs, 1);
	add1(&w, 0, "x", 5);
	aggs_clear(consumer_aggs(w.con), 0);
	consumer_finish(w.con);
	synth_expect(&w, "\n" ROW("x", "               0"));
	/* The map still counts up; only what is new shows. */
	agg_reset(consumer_aggs(w.con), 0);
	add1(&w, 0, "x", 7);
	add1(&w, 0, "y", 1);
	aggs_clear(consumer_aggs(w.con), 0);
	agg_reset(consumer_aggs(w.con), 0);
	add1(&w, 0, "x", 10);
	add1(&w, 0, "y", 1);
	consumer_finish(w.con);
	synth_expect(&w, "\n" ROW("y", "               0") ROW("x", "               3"));
	synth_close(&w);
}

static void test_trunc(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	struct synth w;

	synth_open(&w);
	start(&w, aggs, 1);
	for (char k[2] = "a"; *k <= 'e'; ++*k)
		add1(&w, 0, k, *k - 'a' + 1);
	aggs_trunc(consumer_aggs(w.con), 0, 3);
	aggs_trunc(consumer_aggs(w.con), 0, -2);
	consumer_finish(w.con);
	synth_expect(&w, "\n" ROW("c", "               3") ROW("d", "               4"));
	aggs_trunc(consumer_aggs(w.con), 0, 0);
	consumer_finish(w.con);
	synth_expect(&w, "\n");
	synth_close(&w);
}

static void test_keyless(void **state)
{
	struct img_agg aggs[] = {
		{ .name = "_", .func = "count", .map = "m", .val_size = 16 },
		{ .name = "q", .func = "quantize", .map = "n", .val_size = 128 * 8 },
	};
	struct synth w;
	u64 q[128] = { [0] = 1, [1 + 64] = 2 };

	synth_open(&w);
	start(&w, aggs, 2);
	add(&w, 0, "", W(0, 0), 2);
	consumer_finish(w.con);
	synth_expect(&w, "\n");
	add(&w, 0, "", W(0, 9), 2);              /* count() leaves no mark */
	add(&w, 1, "", q, 128);
	consumer_finish(w.con);
	synth_expect(&w, "\n                9\n\n"
"           value  ------------- Distribution ------------- count    \n"
"               0 |                                         0        \n"
"               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
"               2 |                                         0        \n"
"\n");
	synth_close(&w);
}

static void test_int_keys(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	struct synth w;
	u64 *v;
	struct { s32 a; u16 b; u8 c, pad; s64 d; } key = { -1, 0xffff, 0xff, 0, -1 };

	aggs[0].keys = mixed_key;
	aggs[0].nkeys = 4;
	synth_open(&w);
	start(&w, aggs, 1);
	v = calloc(agg_ncpus(consumer_aggs(w.con)), 8);
	v[0] = 1;
	add_cpus(&w, 0, &key, v);
	key.a = 2;
	add_cpus(&w, 0, &key, v);
	free(v);
	consumer_finish(w.con);
	synth_expect(&w, "\n"
"        2 65535 255               -1                1\n"
"       -1 65535 255               -1                1\n");
	synth_close(&w);
}

/* ---- printa --------------------------------------------------------------------------- */

static struct dtx_probe probes[] = {
	{ .id = 1, .prov = "dtrace", .mod = "", .func = "", .name = "BEGIN" },
};

static void fire(struct synth *w, u32 site)
{
	struct dtx_rec rec = { .site = site };

	consumer_record(w->con, &rec, sizeof(rec));
}

static void test_printa(void **state)
{
	struct img_agg aggs[] = { count_agg("a"), count_agg("b") };
	u32 both[] = { 0, 1 };
	struct img_conv convs[] = {
		{ .text = "[", .conv = "s", .flags = "", .width = 3, .prec = -1 },
		{ .text = "] ", .conv = "d", .flags = "@", .width = -1, .prec = -1 },
		{ .text = "\n" },
	};
	struct img_action acts[] = {
		{ .name = "printa", .aggs = both, .naggs = 1 },
		{ .name = "printa", .aggs = both, .naggs = 2 },
		{ .name = "printa", .aggs = both, .naggs = 1, .convs = convs, .nconvs = 3,
		  .has_format = true },
		{ .name = "normalize", .aggs = both, .naggs = 1, .num = 2, .has_num = true },
		{ .name = "printa", .aggs = both, .naggs = 1 },
		{ .name = "denormalize", .aggs = both, .naggs = 1 },
		{ .name = "clear", .aggs = both, .naggs = 1 },
	};
	struct img_site site = { .actions = acts, .nactions = 7, .rec_size = 16, .record = true };
	struct synth w;

	synth_open(&w);
	w.env.opts->v[OPT_quiet].n = 1;
	w.img.sites = &site;
	w.img.nsites = 1;
	w.img.probes = probes;
	w.img.nprobes = 1;
	start(&w, aggs, 2);
	add1(&w, 0, "x", 4);
	add1(&w, 1, "y", 1);
	add1(&w, 1, "x", 2);
	fire(&w, 0);
	synth_expect(&w, "\n" ROW("x", "               4") "\n"
		     "  y                                                                 0"
		     "                1\n"
		     "  x                                                                 4"
		     "                2\n"
		     "[  x] 4\n"
		     "\n" ROW("x", "               2"));
	/* printed by printa: not again at the end */
	consumer_finish(w.con);
	synth_expect(&w, "\n");
	synth_close(&w);
}

static void test_printa_columns(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	u32 one[] = { 0 };
	struct img_action acts[] = {
		{ .name = "printa", .aggs = one, .naggs = 1 },
		{ .name = "trunc", .aggs = one, .naggs = 1 },
		{ .name = "printa", .aggs = one, .naggs = 1 },
	};
	struct img_site site = { .actions = acts, .nactions = 3, .rec_size = 16, .record = true };
	struct synth w;

	synth_open(&w);
	w.img.sites = &site;
	w.img.nsites = 1;
	w.img.probes = probes;
	w.img.nprobes = 1;
	start(&w, aggs, 1);
	add1(&w, 0, "x", 4);
	fire(&w, 0);
	synth_expect(&w, "CPU     ID                    FUNCTION:NAME\n"
		     "  0      1                           :BEGIN \n"
		     ROW("x", "               4") "\n\n");
	synth_close(&w);
}

/* A million keys: read, ordered and printed in a few seconds. */
static void test_many(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	struct synth w;
	struct timespec from, to;
	u64 *v;

	synth_open(&w);
	start(&w, aggs, 1);
	v = calloc(agg_ncpus(consumer_aggs(w.con)), 8);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (u32 i = 0; i < 1000000; i++) {
		char key[16] = "";

		snprintf(key, sizeof(key), "%u", i * 2654435761u);
		v[0] = i % 7;
		add_cpus(&w, 0, key, v);
	}
	consumer_finish(w.con);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	print_message("%ld ms\n", (to.tv_sec - from.tv_sec) * 1000 +
		      (to.tv_nsec - from.tv_nsec) / 1000000);
	assert_true(w.len > 1000000 * 60);
	assert_true(to.tv_sec - from.tv_sec < 20);
	free(v);
	synth_close(&w);
}

/* ---- samples --------------------------------------------------------------------------- */

static void expect_changes(struct synth *w, u32 changes, u32 resets)
{
	struct arena *a = arena_new();
	struct agg_print p;
	u32 r;

	assert_int_equal(aggs_sample(consumer_aggs(w->con), a, 0, NULL, NULL, &p), 0);
	assert_int_equal(agg_print_changes(&p, &r), changes);
	assert_int_equal(r, resets);
	arena_free(a);
}

/* Each sample knows what the program has cleared; rows that dtx itself takes out stay. */
static void test_sample_changes(void **state)
{
	struct img_agg aggs[] = { count_agg("a") };
	struct dtx_ctl ctl = { 0 };
	struct synth w;

	synth_open(&w);
	w.ld.ctl = &ctl;
	start(&w, aggs, 1);
	add1(&w, 0, "x", 5);
	add1(&w, 0, "y", 6);
	expect_changes(&w, 0, 0);
	aggs_clear(consumer_aggs(w.con), 0);
	expect_changes(&w, 1, 1);
	agg_state(consumer_aggs(w.con), 0)->changes++;    /* as a drain does */
	expect_changes(&w, 1, 1);
	aggs_trunc(consumer_aggs(w.con), 0, 1);
	expect_changes(&w, 2, 1);
	aggs_trunc(consumer_aggs(w.con), 0, 0);
	expect_changes(&w, 3, 2);
	synth_close(&w);
}

/* ---- rows in few bytes ------------------------------------------------------------- */

static void add_word(void *arg, u64 *into, const u64 *from)
{
	into[0] += from[0];
}

static void compare_row(void *arg, const void *key, u64 *words)
{
	u64 *want = keytab_get(arg, key);

	assert_non_null(want);
	want[1] += words[0];
}

/* Keys of which some come again; more than one run, joined and not. */
static void test_rows_kept(void **state)
{
	struct rowstore *rs = rowstore_new(20, 1, add_word, NULL);
	struct keytab *want = keytab_new(20, 16);
	u64 seed = 1, words[1];
	u8 key[20] = { 0 };

	for (u32 i = 0; i < 300000; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		memcpy(key, &(u64){ (seed >> 33) * 0x9e3779b97f4a7c15ull % 150001 }, 8);
		key[8] = key[0] & 3;
		memcpy(key + 16, &(u32){ key[1] * 77777 }, 4);
		rowstore_put(rs, key)[0] += i % 7 ? 1 : 1ull << 60;
		((u64 *)keytab_put(want, key))[0] += i % 7 ? 1 : 1ull << 60;
	}
	rowstore_each(rs, compare_row, want);
	for (u32 i = 0; i < keytab_count(want); i++)
		assert_int_equal(((u64 *)keytab_val(want, i))[0], ((u64 *)keytab_val(want, i))[1]);
	rowstore_settle(rs);
	assert_int_equal(rowstore_count(rs), keytab_count(want));
	assert_true(rowstore_bytes(rs) < 14 * keytab_count(want));
	for (u32 i = 0; i < rowstore_count(rs); i += 101) {
		rowstore_row(rs, i, key, words);
		assert_int_equal(((u64 *)keytab_get(want, key))[0], words[0]);
	}
	keytab_free(want);
	rowstore_free(rs);
}

struct looks { u32 next; bool looking; };

/* Before a row is made, others may be read: the row is itself all the same. */
static void look_around(void *arg, const struct agg_print *p, u32 row)
{
	struct looks *l = arg;

	if (l->looking)
		return;
	assert_int_equal(row, l->next++);
	l->looking = true;
	if (row % 64 == 0)
		agg_print_row(p, (row + 1) % p->nrows);
	l->looking = false;
}

static void print_rows(struct synth *w, struct buf *b)
{
	struct looks looks = { 0 };
	struct arena *a = arena_new();
	struct agg_print p;

	assert_int_equal(aggs_rows(consumer_aggs(w->con), a, (u32[]){ 0 }, 1, &p), 0);
	agg_print_before(&p, look_around, &looks);
	for (u32 i = 0; i < p.nrows; i++) {
		const struct agg_row *r = agg_print_row(&p, i);

		buf_printf(b, "%.*s %llu\n", (int)r->keys[0].len, r->keys[0].p,
			   (unsigned long long)r->data[0]);
	}
	assert_int_equal(looks.next, p.nrows);
	arena_free(a);
}

/* Rows of which many are alike in value and in the first bytes of their keys. */
static void pack_rows(struct agg_state *st, u32 n)
{
	char key[16];

	st->carry = rowstore_new(st->key_bytes, 1, add_word, NULL);
	for (u32 i = 0; i < n; i++) {
		memset(key, 0, sizeof(key));
		snprintf(key, sizeof(key), "%s %u", i % 3 ? "same key" : "else key", i * 7919 % n);
		rowstore_put(st->carry, key)[0] += i % 5;
	}
	rowstore_settle(st->carry);
	st->packed = true;
}

/* The order of rows is the same, however they are kept; trunc: n of trunc(), 0: none. */
static void compare_packed(u32 rows, u32 options, s64 trunc)
{
	struct img_agg agg = count_agg("p");
	struct buf packed = { 0 }, plain = { 0 };
	struct dtx_ctl ctl = { 0 };
	struct agg_state *st;
	struct synth w;

	synth_open(&w);
	w.ld.ctl = &ctl;
	w.env.opts->v[OPT_aggsortrev].n = options & 1;
	w.env.opts->v[OPT_aggsortkey].n = options >> 1;
	start(&w, &agg, 1);
	st = agg_state(consumer_aggs(w.con), 0);
	pack_rows(st, rows);
	if (trunc)
		aggs_trunc(consumer_aggs(w.con), 0, trunc);
	assert_true(st->packed && !st->e.n);
	print_rows(&w, &packed);
	rowstore_free(st->carry);
	agg_reset(consumer_aggs(w.con), 0);
	pack_rows(st, rows);
	agg_unpack(st);
	if (trunc)
		aggs_trunc(consumer_aggs(w.con), 0, trunc);
	assert_false(st->packed);
	print_rows(&w, &plain);
	assert_true(packed.len > (trunc ? 14 : rows * 11));
	assert_string_equal(packed.data, plain.data);
	buf_free(&packed);
	buf_free(&plain);
	synth_close(&w);
}

static void test_rows_packed(void **state)
{
	for (u32 options = 0; options < 4; options++)
		compare_packed(2000, options, 0);
	compare_packed(200000, 0, 0);            /* more than one part */
	compare_packed(200000, 3, 0);
	compare_packed(20000, 0, 5);
	compare_packed(20000, 0, -7);
	compare_packed(20000, 1, 9000);
	compare_packed(2000, 0, 3000);
}

/* Rows of what is packed keep their numbers, whatever is taken or packed meanwhile. */
static void test_packed_stays(void **state)
{
	struct img_agg aggs[] = { count_agg("a"), count_agg("b") };
	struct dtx_ctl ctl = { 0 };
	struct agg_state *st[2];
	u8 row[24] = { 0 };
	struct synth w;

	synth_open(&w);
	w.ld.ctl = &ctl;
	start(&w, aggs, 2);
	for (u32 i = 0; i < 2; i++) {
		st[i] = agg_state(consumer_aggs(w.con), i);
		st[i]->carry = rowstore_new(16, 1, add_word, NULL);
		rowstore_put(st[i]->carry, "sixteen bytes...")[0] = 7;
	}
	assert_true(agg_pack(consumer_aggs(w.con), 0));
	assert_true(agg_pack(consumer_aggs(w.con), 1));
	for (u64 i = 0; i < 100000; i++)
		rowstore_put(st[0]->carry, (u64[]){ i, i })[0] = 1;
	assert_int_equal(agg_packed_rows(st[0]), 1);
	agg_packed_row(st[0], 0, row);
	assert_memory_equal(row, "sixteen bytes...", 16);
	assert_true(agg_packed_trunc(st[0], 1, true));
	assert_int_equal(agg_carry_rows(st[0]), 100001);         /* what came since stays */
	assert_true(agg_pack(consumer_aggs(w.con), 0));   /* for the next record */
	assert_int_equal(agg_packed_rows(st[0]), 100001);
	synth_close(&w);
}

/* What is full takes no more rows, also when they are printed. */
static void test_packed_full(void **state)
{
	static struct dtx_ctl ctl;
	struct img_agg agg = count_agg("f");
	struct img_map map = { .role = ROLE_agg, .key_size = 24, .val_size = 8 };
	struct agg_state *st;
	struct synth w;

	synth_open(&w);
	w.ld.ctl = &ctl;
	map.name = img_agg_turn(w.env.arena, &agg, false);
	w.img.maps = &map;
	w.img.nmaps = 1;
	start(&w, &agg, 1);
	st = agg_state(consumer_aggs(w.con), 0);
	st->carry = rowstore_new(16, 8192, add_word, NULL);      /* 64 KB a row */
	rowstore_put(st->carry, (u64[]){ 7, 7 });
	assert_true(agg_pack(consumer_aggs(w.con), 0));
	assert_int_equal(ctl.turn, 1);
	for (u64 i = 0; !aggs_full(consumer_aggs(w.con)); i++) {
		assert_true(i < 1024);
		rowstore_put(st->carry, (u64[]){ i, 0 });
	}
	assert_false(agg_pack(consumer_aggs(w.con), 0));
	assert_int_equal(ctl.turn, 1);
	ctl.state = DTX_STATE_DRAINING;          /* what comes now has an end */
	assert_true(agg_pack(consumer_aggs(w.con), 0));
	synth_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_auto_print),
		cmocka_unit_test(test_sort_options),
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_merge_cpus),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_trunc),
		cmocka_unit_test(test_keyless),
		cmocka_unit_test(test_int_keys),
		cmocka_unit_test(test_printa),
		cmocka_unit_test(test_printa_columns),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_sample_changes),
		cmocka_unit_test(test_rows_kept),
		cmocka_unit_test(test_rows_packed),
		cmocka_unit_test(test_packed_stays),
		cmocka_unit_test(test_packed_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
