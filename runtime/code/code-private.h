/* SPDX-License-Identifier: BSD-2-Clause */
/* code-private.h - a file of code, for codefile.c and codelimit.c; others include code.h. */
#ifndef DTX_CODE_PRIVATE_H
#define DTX_CODE_PRIVATE_H

#include <sys/types.h>

#include "runtime/code/code.h"
#include "runtime/code/tables.h"
#include "runtime/proc/proc.h"

/* Bytes of all symbols, and of the debugging information for frames.  With what the rest of a run
 * needs, a profile of the whole machine stays below 200 MB. */
#define CODEFILES_MOST (84ull << 20)
#define PIECE_SIZE 16384                 /* of a file, for codefile_read() */

struct piece {
	u64 from;                        /* place in the file */
	size_t n;
	u8 bytes[PIECE_SIZE];
};

struct codefile {
	struct codefiles *all;
	struct file_id id;
	const char *path;                /* leads to it, as long as that file has this id */
	int fd;                          /* -1: not open */
	struct piece *piece;             /* while it is open; NULL: nothing was read */
	struct elfsyms *syms;            /* NULL: none, or not read */
	struct extents *extents;
	struct keytab *slots;
	void *part[CODE_PARTS];
	const struct codefile_part *ops[CODE_PARTS];
	bool kept[CODE_PARTS];           /* the part stays */
	u64 used;                        /* when, as a number of the clock */
	bool was_read;
	bool held;                       /* as long as the environment */
	bool pinned;                     /* until codefiles_unpin() */
	bool awaits;                     /* it stays open until its symbols are read */
	bool is_only;                    /* nothing but the open file leads to it */
	bool was_out;                    /* its symbols were thrown out */
	u8 build_id[BUILD_ID_MOST];
	u32 id_len;
};

struct codefiles {
	struct dtx_env *env;
	struct arena *arena;
	VEC(struct codefile *) v;
	VEC(struct codefile *) pinned;
	VEC(struct codefile *) awaiting; /* and some that were read since */
	u32 looked;                      /* at which of them, last */
	struct keytab *by_id;            /* struct file_id → struct codefile * */
	struct map *missing;             /* path → struct codefile *, of no file */
	struct codefile *vdso;
	struct map *paths;               /* → struct file_id *: the file that each named first */
	u64 limit, clock, most;          /* most: bytes at once, so far */
	u32 read, thrown, again, lost;   /* how often */
	bool grown;                      /* since codefiles_trim() */
	VEC(dev_t) silent;               /* devices whose files were not opened in time */
};

struct codefiles *codefiles_get(struct dtx_env *);
void codefile_drop_part(struct codefile *, u32 kind);
void codefile_forget_symbols(struct codefile *);

#endif
