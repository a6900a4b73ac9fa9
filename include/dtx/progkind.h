/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progkind.h - what is known of a kind of BPF program: progkinds.def as a table
 * (base/tables/progkinds.c).
 * Only those who choose a kind or attach it take kind.h and name one.
 */
#ifndef DTX_PROGKIND_H
#define DTX_PROGKIND_H

#include <dtx/base.h>

/* enum bpf_attach_type of include/uapi/linux/bpf.h, newer than the headers of Linux 6.1. */
enum {
	AT_KPROBE_MULTI = 42, AT_UPROBE_MULTI = 48, AT_KPROBE_SESSION = 56, AT_FENTRY_MULTI = 59,
	AT_FEXIT_MULTI = 60,
};

/* What `ctx` points to. */
enum kind_context { KIND_CTX_REGS, KIND_CTX_SLOTS, KIND_CTX_EVENT };

enum {
	KIND_ONCE = 1,           /* dtx itself runs it: BEGIN, END, ERROR */
	KIND_SAMPLE = 2,         /* by a perf event: how often it ran is counted */
	KIND_TYPED = 4,          /* the verifier knows the pointers in its slots */
	KIND_FUNCTION = 8,       /* by a trampoline: slots are the arguments of a function */
	KIND_WALK = 16,          /* once for each object of the kernel, and at their end */
	KIND_USER = 32,          /* in code of programs */
	KIND_RETURN = 64,        /* at the return of a function; else at its entry, or elsewhere */
	KIND_BOTH = 128,         /* at both */
	KIND_MANY = 256,         /* one link has many places */
	KIND_KERNEL = 512,       /* in functions of the kernel that are stopped for it */
	KIND_SHARED = 1024,      /* at an event that other tools count and record, too: it is theirs
				  * only if the program's result is not 0 (trace_call_bpf() of
				  * kernel/trace/bpf_trace.c) */
	KIND_TRACEPOINT = 2048,  /* called by a tracepoint, with functions of its own between */
	KIND_LAST_FIRST = 4096,  /* of several at one place the kernel calls first what was attached
				  * last */
};

struct progkind {
	const char *name;
	u32 type, attach;        /* enum bpf_prog_type; enum bpf_attach_type expected */
	enum kind_context context;
	u32 skip;
	u32 ability;             /* enum feature */
	u32 one, both;           /* kinds */
	u32 flags;               /* KIND_* */
};

extern const struct progkind progkinds[];                /* by kind */
extern const char *const progkind_names[];               /* the same; NULL-terminated */

static inline bool kind_is(u32 kind, u32 flag)
{
	return progkinds[kind].flags & flag;
}

/* In code of programs, at the return of functions or not. */
static inline bool kind_is_user(u32 kind, bool is_return)
{
	return kind_is(kind, KIND_USER) && kind_is(kind, KIND_RETURN) == is_return;
}

#endif
