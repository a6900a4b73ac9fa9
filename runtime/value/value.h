/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value.h - what others ask of values: aggregations are read, merged and ordered here, and the
 * columns of histograms made.  decode.h has those of records and keys.
 */
#ifndef DTX_RUNTIME_VALUE_H
#define DTX_RUNTIME_VALUE_H

#include "runtime/value/decode.h"

/* ---- agg.c: snapshot, merge, order ---------------------------------------------- */

struct aggs;                     /* all aggregations of a session */

struct aggs *aggs_new(struct loaded *);
void aggs_free(struct aggs *);
/* Reads the maps of `agg` and merges CPUs.  0 or -errno. */
int aggs_snapshot(struct aggs *, u32 agg);
/* The option aggtop does not cut: who adds the rows of several machines cuts them. */
void aggs_whole(struct aggs *);
bool aggs_are_whole(const struct aggs *);
/* Rows to print, sorted by the agg* options; in `a`.  Several aggregations are joined by key. */
int aggs_rows(struct aggs *, struct arena *a, const u32 *agg, u32 n, struct agg_print *out);
/*
 * All keys as they are now, in no order, without the option aggtop; the rows are valid until the
 * next sample.  The map is read in pieces, and `between` is called after each of them: it may do
 * anything with the aggregations.  0, or -errno; -EAGAIN: it has cleared this one.
 */
int aggs_sample(struct aggs *, struct arena *, u32 agg, void (*between)(void *), void *arg,
		struct agg_print *out);
void aggs_clear(struct aggs *, u32 agg);         /* sets the baseline; loses no update */
void aggs_trunc(struct aggs *, u32 agg, s64 n);
/* It was not printed yet.  Unless it keeps its values, as after clear(), which follows a snapshot;
 * but keys have no row before they get values again. */
void aggs_anew(struct aggs *, u32 agg, bool keeps);
void aggs_normalize(struct aggs *, u32 agg, s64 factor);
void aggs_mark_printed(struct aggs *, u32 agg);
bool aggs_printed(const struct aggs *, u32 agg);
/* Has clear() left rows of zero only, and printa() never shown the values before? */
bool aggs_left_zero(struct aggs *, u32 agg);

/* One entry of a snapshot, in the snapshot's memory. */
struct agg_entry {
	const u8 *key;                   /* key_size bytes, zeros if keyless */
	u64 *data;                       /* merged words, then the words of each CPU if
					  * aggpercpu is set; agg_data(st, key) */
};

/* Of an entry in samples. */
struct agg_mark {
	u32 seen;                        /* number of the last sample that has it */
	u32 next;                        /* the entry + 1 that was read after it, 0: none */
};

/* State of one aggregation. */
struct agg_state {
	const struct img_agg *def;
	const struct agg_ops *ops;
	u32 words, blocks;               /* words of one value; 1 + CPUs kept separately */
	struct arena *arena;             /* the snapshot */
	VEC(struct agg_entry) e;
	u32 key_bytes;                   /* of a tuple; 8 if keyless */
	struct keytab *index;            /* tuple -> index in e + 1 */
	struct keytab *base;             /* clear(): the values before it, by tuple */
	struct agg_taking *taking;       /* of all aggregations */
	struct rowstore *carry;          /* aggcarry.c: what was taken out of the maps */
	bool packed;                     /* all rows are there, none in e: agg_unpack() */
	s64 norm;
	bool printed;
	bool anew;                       /* aggs_anew(): rows of zero are those of before */
	u32 changes;                     /* how often a sample that is being read became void */
	u32 cleared;                     /* how often clear() or trunc() has acted */
	u32 resets;                      /* and all began at zero */
	/* Of a sample, whose entries stay from one to the next: */
	VEC(struct agg_mark) marks;      /* one for each entry */
	u32 first, last;                 /* the first entry read + 1, the last one so far + 1 */
	u32 sample;                      /* its number; 0: a snapshot */
	u32 live;                        /* how many entries it had */
};

/* Begins a snapshot; adds the data of one CPU for a tuple (NULL: keyless), val_size bytes. */
void agg_reset(struct aggs *, u32 agg);
void agg_add(struct aggs *, u32 agg, const void *key, u32 cpu, const void *value);
/* The slots of a keyless aggregation, mapped; 0 or -errno. */
struct agg_slots {
	u8 *at;
	size_t stride, bytes;
};
int agg_slots_map(const struct aggs *, const struct agg_state *, int fd, struct agg_slots *);

/* ---- aggstate.c: what their files ask of them and of their entries ------------------ */

struct agg_state *agg_state(struct aggs *, u32 agg);
/* Has it no value since aggs_anew()?  Sums without keys always have one. */
bool agg_is_idle(const struct agg_state *, const struct agg_entry *);
/* An entry without data yet.  The key and its data are adjacent in memory. */
struct agg_entry agg_entry_new(const struct agg_state *, struct arena *, const u8 *key);
static inline u64 *agg_data(const struct agg_state *st, const u8 *key)   /* that of an entry */
{
	return (u64 *)(key + ALIGN_UP(st->key_bytes, 8));
}
static inline size_t agg_row_bytes(const struct agg_state *st)           /* of both */
{
	return ALIGN_UP(st->key_bytes, 8) + (size_t)st->words * st->blocks * 8;
}
u32 agg_ncpus(const struct aggs *);
bool agg_limited(const struct aggs *);   /* has the user said how many keys there may be? */
struct loaded *agg_loaded(struct aggs *);
/*
 * A thread takes rows out of the maps at any time (aggcarry.c).  What reads or changes maps or
 * carries holds the lock, which its owner may take again.
 */
struct agg_taking {
	pthread_mutex_t lock;
	u32 made;                        /* rows that programs had made when they were taken out */
	struct periodic thread;
};
struct agg_taking *agg_taking(struct aggs *);
void agg_lock(struct agg_taking *);
void agg_unlock(struct agg_taking *);

/* ---- aggcarry.c: rows that are taken out of the maps while the program runs ------- */

#define AGG_MAPS  4              /* the map and its reserve, and the second pair of both */
void agg_maps(struct aggs *, const struct agg_state *, int fds[AGG_MAPS]); /* < 0: not there */
/*
 * From now on the rows of aggregations with two pairs of maps are taken, by a thread, when there
 * are many; no update is lost.  Not with the option aggsize: then the maps have what it says.
 * 0 or -errno.
 */
int aggs_take(struct aggs *);
void aggs_take_init(struct aggs *);
void aggs_take_end(struct aggs *);
size_t aggs_carry_bytes(struct aggs *);  /* of what was taken */
u32 aggs_full(struct aggs *);            /* the MB that one has filled; 0: there is room */
void agg_carry_clear(struct agg_state *);        /* zeros: its rows stay */
void agg_carry_keep(struct agg_state *, u32 n);  /* only the rows of the first n entries */
u32 agg_carry_rows(const struct agg_state *);    /* how many; some may be twice */
void agg_carry_read(struct agg_state *, u64 *(*data)(struct agg_state *, const void *key));
/* Only those of the snapshot that was packed. */
void agg_carry_unpack(struct agg_state *, u64 *(*data)(struct agg_state *, const void *key));
/*
 * A snapshot of many rows is what was taken: the rest is taken, too, and rows are read when they
 * are printed.  They keep their numbers until the next one; what is taken meanwhile is no part of
 * it.  What needs all rows at once (clear(), joins) unpacks them.  false: nothing was taken.
 */
bool agg_pack(struct aggs *, u32 agg);
u32 agg_packed_rows(const struct agg_state *);   /* how many */
void agg_unpack(struct agg_state *);
/* The i-th row: its key, and its data beside it. */
void agg_packed_row(const struct agg_state *, u32 i, u8 *key);

/* ---- rowstore.c: many rows in few bytes --------------------------------------------- */

struct rowstore;
struct rowstore *rowstore_new(u32 key_bytes, u32 words,
			      void (*add)(void *arg, u64 *into, const u64 *from), void *arg);
void rowstore_free(struct rowstore *);           /* NULL is fine */
u64 *rowstore_put(struct rowstore *, const void *key);   /* words to add to; until the next */
u32 rowstore_count(const struct rowstore *);     /* a key that came late may be there twice */
size_t rowstore_bytes(const struct rowstore *);
void rowstore_each(struct rowstore *, void (*row)(void *arg, const void *key, u64 *words),
		   void *arg);
/*
 * What is there now is in one list, each key once: its rows keep their numbers, until this is
 * called again.
 */
void rowstore_settle(struct rowstore *);
u32 rowstore_settled(const struct rowstore *);           /* how many rows it has */
void rowstore_row(struct rowstore *, u32 i, void *key, u64 *words);
void rowstore_each_settled(struct rowstore *,
			   void (*row)(void *arg, const void *key, u64 *words), void *arg);
/* Of its rows only these remain, whose numbers ascend: they are 0 … n - 1 now. */
void rowstore_keep(struct rowstore *, const u32 *rows, u32 n);

/* ---- aggorder.c: the order of entries ----------------------------------------------- */

/* How to compare keys and values: the agg* options. */
struct agg_order {
	const struct img_agg *def;
	bool by_key, reverse;
	u32 key_first;                   /* key that is compared first */
	u32 n, first;                    /* ranks per row, and the primary one */
};
/* The field compared first, as a number; its order never contradicts that of the keys. */
u64 agg_key_lead(const struct agg_order *, const u8 *key);
/* Compares integers as unsigned numbers, everything else bytewise. */
int agg_key_compare(const struct agg_order *, const u8 *a, const u8 *b);

/* The sort key of an entry; in a join each row has several, with the same key. */
struct agg_rank {
	s128 value;              /* of a histogram: may exceed 64 bits */
	s64 zero;                /* histograms: count of the zero bucket */
	u64 lead;                /* the part of the key that is compared first */
	const u8 *key;           /* key of the entry, for agg_data() */
	bool none;               /* of a join: the aggregation does not have it */
};
struct agg_rank agg_rank(const struct agg_state *, const struct agg_order *,
			 const struct agg_entry *);
int agg_rank_compare(const void *, const void *, void *order);   /* for qsort_r() */
void agg_sort_entries(struct agg_state *, bool largest_first);

/* ---- aggrow.c: rows (aggs_rows above) ------------------------------------------------ */

struct agg_keys {                /* dtx/value.h */
	struct loaded *ld;
};
const struct agg_keys *agg_keys_of(const struct aggs *);
/* Its rows, in the order of the entries. */
void agg_rows_of(struct aggs *, struct arena *, u32 agg, struct agg_state *, struct agg_print *);

/* ---- aggpack.c: the order of packed rows ---------------------------------------------- */

/* The numbers of n rows, in order. */
u32 *agg_packed_order(const struct agg_state *, const struct agg_order *, struct arena *, u32 n);
/* The n largest or smallest remain.  false: it is not packed, or that needs all rows at once. */
bool agg_packed_trunc(struct agg_state *, u64 n, bool largest);

/* ---- aggfold.c: keys that are symbols ----------------------------------------------- */

bool agg_folds(const struct img_agg *);
struct agg_state *agg_folded(struct aggs *, struct arena *, struct agg_state *);
u32 agg_fold_keep(struct aggs *, struct agg_state *, u32 n, bool largest_first);

/* ---- aggkeys.c: one layout for the tuples of several aggregations -------------------- */

/* Replaces tuples of another layout by copies in the arena; 0, or -EINVAL: the keys are
 * incompatible. */
int agg_same_layout(struct aggs *, struct arena *, struct agg_state **, u32 n);
/* Gives widened integers the size of the first aggregation again, if their value fits. */
void agg_narrow_keys(const struct img_agg *, struct val *keys);

/*
 * The operations of an aggregating function: the columns `merge` and `value` of its row in
 * aggs.def, named agg_merge_X and agg_value_X.
 */
struct agg_merge {
	void (*add)(const struct img_agg *, u64 *into, const u64 *from);
	/* For clear(): into -= base, if that is exact; NULL: values are reset in the map. */
	void (*subtract)(const struct img_agg *, u64 *into, const u64 *base);
};
struct hist_shape;
struct agg_reader {
	/* The number a %@d conversion prints; NULL: a histogram. */
	s128 (*number)(const struct img_agg *, const u64 *data, s64 norm);
	/* DTrace's text of the value, no newline (" %16d" …); NULL: the number. */
	void (*render)(const struct img_agg *, const u64 *data, s64 norm, struct buf *out);
	u64 none;                        /* the first word of a value that prints as 0 */
	const struct hist_shape *hist;   /* its buckets, or NULL */
	bool counted;                    /* the first words are a count and a sum */
};
struct agg_ops {
	const struct agg_merge *merge;
	const struct agg_reader *value;
};
const struct agg_ops *agg_ops(const char *func);         /* NULL: no such function */
bool agg_is_hist(const struct img_agg *);
/* The same as agg_value(), of words; the numbers only. */
struct agg_value agg_numbers(const struct img_agg *, const u64 *data, s64 norm);
void agg_render(const struct img_agg *, const u64 *data, s64 norm, struct buf *out);

/* ---- hist.c: quantize, lquantize, llquantize ---------------------------- */

/* One histogram: its shape, and values computed from the constants. */
struct hist {
	const struct hist_shape *shape;
	u32 n;                           /* buckets */
	u32 mid;                         /* the bucket that an empty histogram shows */
	s64 low, step;                   /* lquantize */
	u64 factor, steps;               /* llquantize */
	u32 lmag, mags, per;
	u64 min, max;                    /* llquantize: factor^lmag, factor^(hmag+1) */
};
struct hist_shape {
	void (*init)(struct hist *, const s64 *consts);
	s128 (*weight)(const struct hist *,
		       u32 bucket); /* the value in its label */
	s64 (*bound)(const struct hist *, u32 bucket);           /* the lower bound, inclusive */
	/* Label of its row; any_neg: rows of negative values are shown.  NULL: the weight is the
	 * label. */
	void (*label)(const struct hist *, u32 bucket, bool any_neg, char *out, size_t size);
	bool (*hidden)(const struct hist *, u32 bucket);         /* is it never shown?  NULL: all
								  * are shown */
	bool empty_above;                /* without data: shows the middle row and two above it */
	u8 low_cols, high_cols;          /* width of the first and last labels, with aggpack */
};

void hist_render(const struct img_agg *, const u64 *data, s64 norm, struct buf *out);
/* The order of histograms: the sum of bucket value × count, in more than 64 bits, then the
 * count of zeros. */
void hist_order(const struct img_agg *, const u64 *data, s128 *value, s64 *zero);
void hist_render_as(const struct img_agg *, const u64 *data, s64 norm, const struct hist_style *,
		    struct buf *out);
/* The buckets with a count other than 0, from the lowest on; both bounds belong to the bucket, the
 * ends are those of 64 bits. */
struct hist_bucket {
	s64 low, high;
	s64 count;               /* not normalized */
	u32 index;
};
struct hist_walk {
	struct hist h;
	const u64 *data;
	u32 at;
};
void hist_walk(struct hist_walk *, const struct img_agg *, const u64 *data);
bool hist_next(struct hist_walk *, struct hist_bucket *);

#endif
