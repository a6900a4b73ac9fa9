/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.h - the format of --record FILE, shared by its writer (record.c) and its reader
 * (runtime/read/replay.c).
 *
 *   file    "DTXREC2\n", then blocks
 *   block   u32 bytes of the compressed text, u32 bytes of the text, the compressed text (zstd
 *           with its checksum); numbers are little endian
 *   text    whole parts: a letter of enum rec_part, number of bytes, the bytes
 *   number  7 bits a byte, the lowest first, bit 7: more follow; signed ones with the sign in bit 0
 *   word    number 0, length, bytes: a new text, which gets the next index; or its index (from 1)
 *   state   aggregation, flags, how often it began at zero, factor, then rows to the end: twice its
 *           number, + 1 if its key follows, words
 *
 * The first part is the manifest, the second what struct run_info has; the last is the end.  A host
 * is a word: what follows is of it, until the next; none: of all.
 */
#ifndef DTX_OUT_RECORD_H
#define DTX_OUT_RECORD_H

#include <dtx/value.h>

#define REC_MAGIC      "DTXREC2\n"
#define REC_MAGIC_OLD  "DTXREC1\n"      /* without what 2 has: how often rows began at zero */
#define REC_HEAD       8         /* bytes before the compressed text of a block */
#define REC_BLOCK      (256u << 10)      /* bytes of text in a block, unless one part has more */
#define REC_BLOCK_MAX  (512u << 20)
#define REC_WORDS_MAX  (1u << 20)        /* further texts get no index */

enum rec_part {
	REC_MANIFEST = 'M', REC_RUN = 'R', REC_EVENT = 'E', REC_AGGS = 'A', REC_SAMPLE = 'S',
	REC_STATE = 'G', REC_MESSAGE = 'T', REC_OPTION = 'O', REC_PROBE = 'P', REC_HOST = 'H',
	REC_END = 'X',
};

/* ---- recstate.c: which rows of an aggregation have changed ------------------------------ */

#define REC_ALL  1               /* flag of a state: what was told before is forgotten */

struct recstate;
struct recstate *recstate_new(void);
void recstate_free(struct recstate *);           /* NULL is fine */
/* Begins a sample.  How often the aggregation began at zero; *all: numbers begin anew. */
u32 recstate_begin(struct recstate *, const struct agg_print *, u32 key_bytes, bool *all);
/* false: it is as it was.  *first: it has no number yet, and gets this one. */
bool recstate_row(struct recstate *, const u8 *key, const u64 *words, u32 *number, bool *first);

#endif
