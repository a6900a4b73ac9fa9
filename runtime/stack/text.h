/* SPDX-License-Identifier: BSD-2-Clause */
/* text.h - text of addresses and stacks. */
#ifndef DTX_STACK_TEXT_H
#define DTX_STACK_TEXT_H

#include <dtx/value.h>

struct arena;
struct dtx_env;
struct frame;

/* symtext.c: DTrace's text of addresses (DTrace guide "User Process Tracing"). */
void sym_kaddr(struct dtx_env *, u64 addr, struct buf *out);              /* module`f+0x1 */
void sym_uaddr(struct dtx_env *, u32 pid, u64 addr, struct buf *out);
/* stack/stacktext.c: a stack as in the DTrace guide, "User Process Tracing": a newline, then one
 * indented line per frame. */
void sym_stack(struct dtx_env *, const struct val *, int indent, struct buf *out);
/* Why a stack with this val.end is not whole; NULL: it is, or nobody knows.  A static text. */
const char *sym_stack_end(u32 end);
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
