/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.h - bytes of records and keys to values; aggregations (value.h).
 *
 * runtime/value/ includes this; load.h, names.h and stack.h where a file uses them; and base.
 */
#ifndef DTX_DECODE_H
#define DTX_DECODE_H

#include <dtx/value.h>

#include <dtx/image.h>

struct loaded;                   /* runtime/load/load.h */

/* ---- decode.c ----------------------------------------------------------------- */

/*
 * Bytes of a record to an event, in the arena.  false: malformed (never trusted).
 * `out` is zeroed, or an earlier event of the same site, whose memory is reused.
 * Text and bytes point into the record.
 */
bool decode_event(struct loaded *, struct arena *, const void *data, size_t size,
		  struct event *out);
/* The bytes that a field is in: of a record, which may have tails, or of a key. */
struct decode_from {
	const u8 *base;
	size_t size;
	bool in_key;
};
bool decode_field(struct loaded *, struct arena *, const struct img_field *,
		  const struct decode_from *, struct val *out);

/* ---- mapempty.c: taking all rows out of a hash map ---- */

struct map_rows {
	int fd;
	u32 kbytes, vbytes;              /* of a row in the map */
	u32 many, most;                  /* rows at once: at first, and where chains are long */
};
/* Removes each row and gives it to `row`; what programs put there meanwhile may stay. */
void map_empty(const struct map_rows *, void (*row)(void *arg, void *key, void *val), void *arg);

/* ---- stacktake.c: the program's tables of stacks, and what was taken out of them ---- */

struct dtx_stack;
int stacktake_start(struct loaded *);    /* 0 or -errno */
void stacktake_end(struct loaded *);
size_t stacktake_bytes(struct loaded *); /* of memory */
u32 stacktake_full(const struct loaded *);       /* the MB that are full; 0: there is room */
/* The stack `id` of `depth` frames; `s` has room for them. */
bool stacktake_find(struct loaded *, u64 id, u32 depth, struct dtx_stack *s);

/* ---- stackstore.c: stacks as they are kept; what was put is there when it is written ---- */

struct stackstore;
struct stackstore *stackstore_new(void);
void stackstore_free(struct stackstore *);               /* NULL is fine */
void stackstore_put(struct stackstore *, u64 id, u32 depth, const struct dtx_stack *);
void stackstore_write(struct stackstore *);
bool stackstore_get(struct stackstore *, u64 id, u32 depth, struct dtx_stack *);
size_t stackstore_bytes(const struct stackstore *);      /* of memory */

#endif
