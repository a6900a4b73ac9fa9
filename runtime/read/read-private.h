/* SPDX-License-Identifier: BSD-2-Clause */
/* read-private.h - shared by replay.c and replayval.c: a recording that is being read. */
#ifndef DTX_READ_PRIVATE_H
#define DTX_READ_PRIVATE_H

#include "runtime/sink/record.h"
#include "runtime/read/read.h"

struct replay {
	struct dtx_env *env;
	const struct replay_to *to;
	void *arg;
	struct arena *arena;     /* all of the run */
	struct arena *part;      /* one part */
	struct arena *row;       /* one row of an aggregation */
	const struct img *img;
	u32 nprobes;             /* with those that were found while tracing */
	struct run_info info;
	VEC(const char *) words;
	struct buf in;           /* bytes that came, of the head or the block that comes next */
	struct replay_head { u32 packed, size; } head;   /* packed 0: it comes next */
	bool magic;              /* the head of the file was read */
	bool resets;             /* of prints are there */
	u32 most;                /* bytes of a block's text */
	u32 *nrows;              /* by aggregation: rows of states that have a number */
	const u8 *at, *end;      /* the part that is being read */
	const char *bad;         /* why it cannot be read; NULL: so far it can */
	bool within;             /* in a run of several hosts: what comes is of one of them */
	bool again;              /* read before: its words are known */
	bool begun, ended;
	u64 records;
};

/* Why the file cannot be read: nothing more is read. */
void replay_bad(struct replay *r, const char *why);
u64 take_num(struct replay *r);
/* A number that must be below `limit`, else the file is bad for that reason. */
u32 take_below(struct replay *r, u64 limit, const char *why);
s64 take_signed(struct replay *r);
/* A text in `a`, with `room` bytes at least, the rest zeros; NULL: there is none. */
const char *take_text(struct replay *r, struct arena *a, size_t room, u32 *len);
/* NULL: none. */
const char *take_str(struct replay *r, struct arena *a);
/* never NULL */
const char *take_name(struct replay *r, struct arena *a);
/* A text that gets a number when it comes first; NULL: none. */
const char *take_word(struct replay *r);
/* A value that the field records. */
void take_val(struct replay *r, struct arena *a, const struct img_field *f, struct val *v);
void take_state(struct replay *r);
void replay_sampled(struct replay *r, const struct img_agg *);
/* Aggregations and their rows, in r->part; never NULL. */
struct agg_print *take_print(struct replay *r, const struct img_action *act);

#endif
