/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - the machine that a program is compiled for: this one, or one that was recorded
 * (env.h has what the compiler asks).  What is asked of a machine by trying is an answer: who asks
 * looks for it in a description, or tries it here and notes the result, which is kept only while
 * this machine is described.
 */
#ifndef DTX_MACHINE_H
#define DTX_MACHINE_H

#include <dtx/env.h>

/* What a description says to a question; NULL: it does not, which is told (machine_tell()). */
const char *machine_answer(struct dtx_env *, const char *question);
bool machine_has_answer(const struct dtx_env *, const char *question);
bool machine_says_yes(struct dtx_env *, const char *question);
void machine_note(struct dtx_env *, const char *question, const char *answer);
void machine_note_yes(struct dtx_env *, const char *question, bool yes);

bool machine_records(const char *path);  /* has machine.def a row for it? */
bool machine_has_programs(const struct dtx_env *);       /* any at all, in a description */

/* -x machine=FILE: takes the description.  0 or -errno, with a failure.  `preset`: of
 * DTX_OPT_MACHINE, which another one may replace. */
int machine_open(struct dtx_env *, const char *path, bool preset);
void machine_close(struct dtx_env *);

/* ---- keepfiles.c: this machine is described -------------------------------------------------- */

struct machine_record;
struct machine_record *machine_record_begin(struct dtx_env *);
/* Files of all rows; `tracefs`: where it is, or NULL.  `all`: this process has all rights, and what
 * it cannot read (lockdown) no program that is compiled here can. */
void machine_record_files(struct machine_record *, const char *tracefs, bool all);
/* A file of code, whole, at its path without symbolic links, and such a link; false: the path
 * cannot be recorded.  `mtime` in ns since the epoch. */
bool machine_record_program(struct machine_record *, const char *path, const void *data,
			    size_t len, s64 mtime);
bool machine_record_link(struct machine_record *, const char *path, const char *to);
/* The abilities cannot be tried without rights. */
void machine_record_lack_answers(struct machine_record *);
/* Calls fn for each row that could not be read. */
void machine_record_lacks(const struct machine_record *,
			  void (*fn)(void *arg, const char *what, const char *who), void *arg);
/* The description, compressed in `room` bytes, in malloc'd memory; 0 or -errno (-ENOMEM: it takes
 * more).  Frees the record. */
int machine_record_end(struct machine_record *, u64 room, char **data, size_t *len);

#endif
