/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackset.h - the stacks of a run, as option stacks writes them and the page shows them; private
 * to runtime/sink/.
 *
 *   stackset.c   rows of aggregations keyed by stacks; functions and places stored once
 *   stacktree.c  rows joined to a tree of functions
 *   folded.c, pprof.c, flame.c   the formats; flameword.c: the words at a flame graph
 */
#ifndef DTX_STACKSET_H
#define DTX_STACKSET_H

#include "runtime/sink/sink.h"

enum stack_kind { STACK_USER, STACK_KERNEL, STACK_INLINED, STACK_KEY };

/* A function, or the text of a key that is no stack. */
struct stack_func {
	const char *name;        /* as shown: "malloc", "vfs_read_[k]", "[libc.so.6]" */
	const char *symbol;      /* without marks; of a key its text */
	const char *object, *file;       /* NULL: not known */
	enum stack_kind kind;
	bool is_num;             /* a key that is a number: */
	s64 num;
};

/* A place in a function. */
struct stack_loc {
	u32 func;
	u32 line;                /* 0: not known */
	u64 addr;
};

/* A row of an aggregation: keys that are no stacks, then the frames from the root to the leaf. */
struct stack_row {
	u32 agg;                 /* index in img.aggs */
	u32 first, nkeys, n;     /* in locs_of: nkeys keys, then n frames */
	s64 value;
};

struct stackset {
	struct dtx_env *env;
	const struct img *img;
	struct arena *arena, *tmp;
	struct map *func_of;             /* text of the function -> its number + 1 */
	struct keytab *loc_of;
	VEC(struct stack_func) funcs;
	VEC(struct stack_loc) locs;
	VEC(u32) locs_of;
	VEC(struct stack_row) rows;
	u64 left_out;                    /* rows whose value is not above 0 */
};

bool stackset_takes(const struct img_agg *);     /* is a stack among its keys? */
struct stackset *stackset_new(struct dtx_env *, const struct img *);
void stackset_free(struct stackset *);           /* NULL is fine */
/* Takes all rows of an aggregation in place of those it has; only the first of several joined
 * aggregations is taken. */
void stackset_put(struct stackset *, const struct agg_print *);
/* Adds a row; one whose value is not above 0 is counted, not added. */
void stackset_add(struct stackset *, u32 agg, const struct val *keys, s64 value);
void stackset_drop(struct stackset *);           /* its last row, again */
/* How many aggregations have rows? */
u32 stackset_naggs(const struct stackset *);
/* The first key of a row that is no stack; "": it has none. */
const char *stackset_key(const struct stackset *, const struct stack_row *);

/* ---- stacktree.c ---------------------------------------------- */

struct stack_name {
	const char *text;
	const char *object;      /* NULL: not known */
	enum stack_kind kind;
	const char *file;        /* of the source; NULL: not known */
};

struct stack_node {
	u32 parent, name;
	u32 child, next;         /* 0: none; in the order of names */
	u64 self, total;
	u64 old_self, old_total; /* of the run that this one is compared with */
};

/* nodes[0] is the root, whose name is empty. */
struct stacktree {
	struct arena *arena;
	struct map *name_of;             /* text -> number + 1 */
	struct keytab *node_of;          /* parent and name -> number */
	VEC(struct stack_name) names;
	VEC(struct stack_node) nodes;
	bool has_old;
	const struct stackset *set;      /* whose functions name_of_func has */
	VEC(u32) name_of_func;           /* function of the set -> name here */
};

struct stacktree *stacktree_new(void);
void stacktree_free(struct stacktree *);         /* NULL is fine */
/* With several aggregations, the first function of each row is "@NAME".  scale[i], unless it is
 * NULL: by what the values of aggregation i are multiplied. */
void stacktree_add_set(struct stacktree *, const struct stackset *, const u64 *scale);
/* "web1,web2:web3": rows whose first key is one of the first names are the old values of those
 * whose first key is one of the others.  How many rows are neither. */
u32 stacktree_compare(struct stacktree *, const struct stackset *, const char *groups);
/* The node of a row of the set, without its value; `several`: below "@NAME". */
u32 stacktree_leaf(struct stacktree *, const struct stackset *, const struct stack_row *,
		   bool several);
u32 stacktree_step(struct stacktree *, u32 parent, const struct stack_name *);
/* Sorts and sums; nothing is added after it. */
void stacktree_finish(struct stacktree *);
/* A copy of about `most` nodes, the widest; what is narrower is joined, in each node, to one that
 * says how many functions it stands for.  So all sums stay.  It is not finished.  at[i], unless it
 * is NULL: the node that has node i, as it is or joined. */
struct stacktree *stacktree_cut(struct stacktree *, u32 most, u32 *at);
/* Of a finished tree: the places of the nodes in a walk from the root on, as flame_data() has them;
 * the caller frees it. */
u32 *stacktree_walk(const struct stacktree *);

/* ---- formats: text or bytes appended to `out` ---------------------------------------------- */

void folded_write(const struct stacktree *, struct buf *out);
/* Adds the lines of a file made by folded_write() as the old values.  0 or -errno; -EINVAL: line
 * *line is no folded stack. */
int folded_read_old(struct stacktree *, const char *path, u32 *line);
void pprof_write(const struct stackset *, const struct run_info *, s64 now, struct buf *out);
/* What is said of a graph.  Samples and times are one graph, in ns: a sample stands for the period
 * of its timer.  Other aggregations of different units have no common sum: then each is a part of
 * the graph of its own, as wide as the others. */
struct flame_words {
	const char *title, *about;       /* about: where, when, how long, by which program */
	const char *unit;                /* of the widths: "ns", "events"; NULL: there are parts */
	u32 later;                       /* stacks that are still to come: their names are not
					  * looked up yet */
	u32 nparts;                      /* 0, or the aggregations, by name "@NAME": */
	const struct flame_part { const char *name, *unit; } *parts;
	const u64 *scale;                /* to ns, for each aggregation of the image; NULL: values
					  * as they are */
};
/* Of one aggregation, or with UINT32_MAX of all that have stacks; `now` as run_info.time;
 * `may_scale`: samples may be shown as times, which old values cannot. */
struct flame_words flame_words(struct arena *, const struct run_info *, u32 agg, s64 now,
			       bool may_scale);
/* The tree as JSON, for the script of the graph (flame.js). */
void flame_data(const struct stacktree *, const struct flame_words *, struct buf *out);
void flame_write(const struct stacktree *, const struct flame_words *, struct buf *out);   /* SVG */

#endif
