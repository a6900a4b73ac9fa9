/* SPDX-License-Identifier: BSD-2-Clause */
/* jit.h - names of code that a process made at run time. */
#ifndef DTX_JIT_NAMES_H
#define DTX_JIT_NAMES_H

#include "runtime/code/safe/budget.h"

struct proc_map;

/* ---- jitsyms.c, perfmap.c, jitdump.c, jitcode.c: names of code a process made at run time ---- */

#define JIT_NAME_MOST 1024       /* bytes of a name; the rest is cut off */

struct jit;
struct jitsym {
	u64 addr, size;
	const char *name;
	u32 order;               /* of telling: the last one is valid */
};
struct jit *jit_new(const char *kind, u32 pid);  /* kind, pid: whose it is, for messages */
void jit_free(struct jit *);                     /* NULL is fine */
bool jit_room(struct jit *, u64 bytes);          /* of memory; false: the budget is spent */
const char *jit_name(struct jit *, const char *name);    /* a copy, cut; NULL: no room */
bool jit_add(struct jit *, u64 addr, u64 size, const char *name);        /* false: no room */
const struct jitsym *jit_at(struct jit *, u64 addr);     /* NULL: not found */
u32 jit_count(const struct jit *);               /* how many were told */

#define PERFMAP_KIND "the perf map"

struct perfmap;
struct perfmap *perfmap_open(int fd, u32 pid);   /* takes fd */
void perfmap_close(struct perfmap *);            /* NULL is fine */
bool perfmap_read(struct perfmap *);     /* what is new; false: there is more, for later */
const struct jitsym *perfmap_at(struct perfmap *, u64 addr);

struct jitdump;
struct jitdump *jitdump_open(int fd, u32 pid, bool want_lines);  /* takes fd; NULL: it is none */
void jitdump_close(struct jitdump *);            /* NULL is fine */
bool jitdump_read(struct jitdump *);             /* as perfmap_read() */
const struct jitsym *jitdump_at(struct jitdump *, u64 addr);
/* The line of the source, and its file, which lives as long as the dump; 0: unknown. */
u32 jitdump_line(struct jitdump *, u64 addr, const char **file);

struct jitcode;
struct jitcode *jitcode_new(u32 pid, bool want_lines);
void jitcode_free(struct jitcode *);             /* NULL is fine */
/* A mapping of the process: perhaps its jit-PID.dump. */
void jitcode_mapped(struct jitcode *, const struct proc_map *);
void jitcode_read(struct jitcode *);             /* the files as they are now */
const struct jitsym *jitcode_at(struct jitcode *, u64 addr);     /* NULL: not found */
u32 jitcode_line(struct jitcode *, u64 addr, const char **file); /* as jitdump_line() */

#endif
