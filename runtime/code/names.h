/* SPDX-License-Identifier: BSD-2-Clause */
/* names.h - names of functions: of the kernel by address, readable ones, of libraries. */
#ifndef DTX_NAMES_H
#define DTX_NAMES_H

#include <dtx/base.h>

struct dtx_env;

/* code/ksyms.c: /proc/kallsyms, read once on first use, sorted. */
struct ksyms;
struct ksyms *ksyms_get(struct dtx_env *);               /* cached in env; never NULL */
/* Symbol that covers addr: name, module ("vmlinux"), offset.  false: unknown. */
void ksyms_outdated(struct dtx_env *);  /* the kernel has made code: read again, on next use */
bool ksyms_find(struct ksyms *, u64 addr, const char **name, const char **module, u64 *off);
u64 ksyms_addr(struct ksyms *, const char *module, const char *name);   /* 0: unknown */
/* Functions of this name in the module (NULL: in any), by address: fills up to `max` of addrs,
 * returns how many there are. */
u32 ksyms_functions(struct ksyms *, const char *module, const char *name, u64 *addrs, u32 max);
u64 ksyms_next(struct ksyms *, u64 addr);        /* address of the next symbol above, 0: none */
/* Text symbols in address order (type t/T/w/W). */
int ksyms_each(struct ksyms *, int (*fn)(void *arg, const char *module, const char *name, u64 addr),
	       void *arg);

/* code/demangle.c: readable C++, Rust, D or Ada name without parameters; else the name, and
 * false. */
bool sym_demangle(const char *name, struct buf *out);
/* Are both mangled, and of two functions?  A constructor has several names, and gcc's copies of a
 * name are "NAME.localalias". */
bool sym_are_two(const char *a, const char *b);
/* the same in two parts: the function, and what compiler and linker add (.part.0.cold, @plt) */
bool sym_function(const char *name, struct buf *out);
void sym_suffix(const char *name, struct buf *out);
/* the same with the types of its parameters: ns::f(int) */
bool sym_signature(const char *name, struct buf *out);


/* How well an object matches a name: 3 equal, 2 and 1 begins with it ("libc"), 0 not. */
int object_fits(const char *path, const char *name);
/* Finds a library by name for `uprobe:libc:malloc`: in the cache of ld.so and the usual folders.
 * NULL: not found. */
const char *sym_library(struct arena *, const char *name);

#endif
