/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind.h - tables for unwinding the stacks of programs. */
#ifndef DTX_UNWIND_TABLES_H
#define DTX_UNWIND_TABLES_H

#include <dtx/base.h>

/* unwind/unwind.c: tables for unwinding the stacks of programs; their layout is in dtx/unwind.h. */
struct unwind_table {
	u32 *words;              /* heap; zeros after nwords, to the end of the last chunk */
	u32 nwords, nchunks;     /* used words; chunks of DTX_UW_CHUNK_WORDS */
	u32 nrows, nrules;
	u64 cfi_bytes;           /* size of the call frame information it was made of */
};
struct dtx_uw_rule;
/*
 * Makes the table of the object in an open file, which stays open; `path` (may be NULL) is for its
 * debug file.  NULL: there is none, *why is a static text ("no call frame information").
 */
struct unwind_table *unwind_read(int fd, const char *path, const char **why);
/* The same of a file of code, its part CODE_RULES: made once, and not to be freed. */
struct codefile;
const struct unwind_table *unwind_of(struct codefile *, const char *path);
/* The same of an object in memory (the vDSO); places count from its beginning. */
struct unwind_table *unwind_memory(void *image, size_t len, const char **why);
/*
 * unwind/memcfi.c: the table of code without a file, from call frame information in the memory of
 * the process; places count from the start of the code.  The words of *out, whose end is set, are
 * those by which the code is known again.
 */
struct dtx_jit;
struct unwind_table *unwind_process(u32 pid, u64 start, struct dtx_jit *out, const char **why);
/* The same out of these bytes, which were at addr, for the code from start to end. */
struct unwind_table *unwind_bytes(const void *data, size_t len, u64 addr, u64 start, u64 end,
				  const char **why);
u64 unwind_size(const struct unwind_table *);    /* bytes in the kernel */
/*
 * unwind/unwindpart.c: the table of a large file, which is made by parts, where programs read it:
 * in room of the caller, which is zeroed.  more() gives room for `words` or more, *room, with what
 * it gave before copied to its begin; NULL: there is no more.
 */
struct unwind_room {
	u32 *(*more)(void *arg, u32 words, u32 *room);
	void *arg;
	u64 least;               /* bytes of call frame information from which a file is large */
};
struct unwind_parts;
/* As unwind_read(); the descriptor is not needed later.  NULL: a small file, or one of whose
 * functions there is no sorted list: its whole table is made at once. */
struct unwind_parts *unwind_parts_open(int fd, const char *path, const struct unwind_room *);
/* The part with this page of the file; false: it is there, or there is no such page. */
bool unwind_part(struct unwind_parts *, u64 page);
bool unwind_part_any(struct unwind_parts *);     /* one that is not there; false: all are */
void unwind_parts_moved(struct unwind_parts *, u32 *words);      /* the room, with what is in it */
/* What was read of the file takes no memory until the next part. */
void unwind_parts_rest(struct unwind_parts *);
void unwind_parts_free(struct unwind_parts *);   /* NULL is fine; the room is left to the caller */
void unwind_free(struct unwind_table *);         /* NULL is fine */
/* The rule for a place of the file; NULL: there is no row.  As bpf/ searches it. */
const struct dtx_uw_rule *unwind_find(const struct unwind_table *, u64 file_off);

#endif
