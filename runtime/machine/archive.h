/* SPDX-License-Identifier: BSD-2-Clause */
/* archive.h - the description of a machine, and the archive that it is. */
#ifndef DTX_ARCHIVE_H
#define DTX_ARCHIVE_H

#include <sys/utsname.h>

#include "runtime/machine/machine.h"

/* Files of the archive that are none of the machine's: answers and what is missing, a line each. */
#define MACH_FILE_ANSWERS "/dtx/answers"
#define MACH_FILE_LACKS   "/dtx/lacks"
#define MACH_FILE_PROGRAMS "/dtx/programs"
#define MACH_FOLDER_PROGRAMS "/program/"
#define MACH_FORMAT       "2"        /* the answer to "format"; another one is refused */
#define MACH_FORMAT_WHOLE "1"        /* but for this one: whole symbols */

/* No more is kept of a hostile description; Debian's 6.12 has 5000 files and 90 KB of answers. */
#define MACH_MEMBERS_MOST 200000
#define MACH_ANSWERS_MOST (16u << 20)
#define MACH_SYMBOLS_MOST (256u << 20)  /* bytes unfolded; Debian's 7.2 has 8 MB */

enum mach_row {
#define MACHINE(id, path, part, who, what) id,
#include <dtx/tables/machine.def>
#undef MACHINE
	MACH_N
};

enum mach_part { MACH_PART_ALL, MACH_PART_NAMES, MACH_PART_FIELDS, MACH_PART_SYMBOLS };

struct mach_def {
	const char *path;
	enum mach_part part;
	const char *who, *what;
};
extern const struct mach_def mach_defs[MACH_N];

/* ---- machine.c ------------------------------------------------------------------------------ */

struct archive_member { const char *path, *data; size_t len; };

struct machine {
	const char *path;                /* of the description; NULL: this machine is described */
	const char *name;
	bool preset;                     /* machine_open() */
	const char *why;                 /* it is no description; NULL: it is one */
	char *tar;
	struct map *files, *folders, *answers;
	VEC(struct archive_member) members;
	size_t told;                     /* bytes of answers */
	bool whole;                      /* it has MACH_FORMAT_WHOLE */
	u64 lacks, asked;                /* bits of rows: not recorded; of those, asked for */
	const char *unsaid;              /* the first question that it does not answer */
	struct utsname uts;
	struct file_view *programs;      /* programs.c; NULL: it has none */
	struct buf notes;                /* answers, while this machine is described */
};
_Static_assert(MACH_N <= 64, "rows are bits");

struct machine *machine_new(void);

/* ---- archive.c: POSIX tar, compressed by zstd --------------------------------------------- */

/* A member as the machine names it: "/proc/modules"; folders end with '/'.  0, or -EINVAL: the
 * name is too long for the format. */
int archive_add(struct buf *tar, const char *path, const void *data, size_t len);
/* Ends the archive and compresses it, in `room` bytes of memory at most: malloc'd.  0 or -errno. */
int archive_pack(struct buf *tar, u64 room, char **data, size_t *len);
/* The other way: NULL, or why it is no archive, as a sentence. */
const char *archive_unpack(const void *data, size_t len, char **tar, size_t *tar_len);
/* The member at *at, which is moved on; false: no more.  *bad: the archive is damaged.  The path
 * is in `a`. */
bool archive_next(struct arena *a, const char *tar, size_t len, size_t *at,
		  struct archive_member *m, bool *bad);

/* ---- programs.c --------------------------------------------------------------------------- */

struct programs_record {
	struct buf table;                /* MACH_FILE_PROGRAMS */
	u32 n;
	const char *member;              /* name of the last one in the archive */
};
/* false: a path that cannot be recorded. */
bool programs_add(struct programs_record *, struct arena *, const char *path, s64 mtime);
bool programs_link(struct programs_record *, const char *path, const char *to);
/* Those of a description are taken.  NULL, or why not, as a sentence. */
const char *programs_take(struct machine *, struct arena *);

/* ---- parts.c ------------------------------------------------------------------------------ */

/* What is kept of a file.  false: nothing useful is in it (symbols without addresses). */
bool part_keep(enum mach_part, const char *text, size_t len, struct buf *out);
/* The symbols that part_keep() made, as the kernel lists them.  false: they are not of its making,
 * or become more than `most` bytes. */
bool part_unfold(const char *text, size_t len, size_t most, struct buf *out);

#endif
