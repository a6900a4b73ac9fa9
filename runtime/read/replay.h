/* SPDX-License-Identifier: BSD-2-Clause */
/* replay.h - shared by replay.c and replayval.c: a recording that is being read. */
#ifndef DTX_READ_REPLAY_H
#define DTX_READ_REPLAY_H

#include "runtime/sink/record.h"
#include "runtime/read/read.h"

struct replay {
	struct dtx_env *env;
	const char *path;
	FILE *out;
	struct arena *arena;     /* all of the run */
	struct arena *part;      /* one part */
	struct arena *row;       /* one row of an aggregation */
	struct img *img;
	u32 room;                /* probes that were found while tracing have memory up to here */
	struct outs outs;
	struct run_info info;
	VEC(const char *) words;
	const u8 *at, *end;      /* the part that is being read */
	const char *bad;         /* why it cannot be read; NULL: so far it can */
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
/* A value that the field records. */
void take_val(struct replay *r, struct arena *a, const struct img_field *f, struct val *v);
/* Aggregations and their rows, in r->part; never NULL. */
struct agg_print *take_print(struct replay *r, const struct img_action *act);

#endif
