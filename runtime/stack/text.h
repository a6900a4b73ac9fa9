/* SPDX-License-Identifier: BSD-2-Clause */
/* text.h - text of addresses and stacks, beyond dtx/value.h. */
#ifndef DTX_STACK_TEXT_H
#define DTX_STACK_TEXT_H

#include <dtx/value.h>

struct arena;
struct dtx_env;
struct frame;

/* What a kind of symbols (val->symkind) shows of an address. */
#define SYM_OF_USER     1        /* it is an address of a program */
#define SYM_OBJECT      2        /* only the module or file it is in */
#define SYM_EXACT       4        /* the offset in the function, too */
u32 sym_shows(const char *symkind);
/* stack/shown.c: text of numbers that are not addresses (user, error …), by val->symkind; false:
 * another kind. */
bool shown_text(const char *kind, u64 v, struct buf *out);
bool shown_is(const char *kind);
/* mount point of control groups of version 2, NULL: none */
const char *cgroup_root(struct arena *);

#endif
