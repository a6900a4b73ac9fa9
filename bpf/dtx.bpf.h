/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * dtx.bpf.h - private header of bpf/, the library linked with generated programs.
 *
 * Three kinds of functions:
 *   DTX_FN   called by generated code (compiler/emit_*.c), always inlined, so that the
 *            machine state stays in registers; arguments of strings and buffers are
 *            addresses the verifier knows, with their capacity beside them;
 *   DTX_SUB  large ones: BPF subprograms private to their file.  They never see the
 *            machine state (an escaping pointer would force it to the stack);
 *   DTX_GLOBAL  dtx_g_NAME: subprograms of numbers alone, up to five of 64 bits.  The
 *            verifier looks at each once, not at each place where it is called.
 *
 * The generated module defines dtx_opt_* and the extern maps below.
 * Why: docs/decisions/01-preemption.md
 */
#ifndef DTX_BPF_H
#define DTX_BPF_H

#include <linux/bpf.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
#define true   1
#define false  0
#define NULL ((void *)0)

#include <bpf/bpf_helpers.h>
#include <dtx/abi.h>

#define DTX_FN   __attribute__((always_inline))
#define DTX_SUB  static __attribute__((noinline))
#define DTX_GLOBAL  __attribute__((noinline))
#define DTX_ANYWHERE /* a word at any address; if the compiler knew, it would load bytes */

/* ---- decided at compile time by the generated module, folded away ------------ */

/*
 * Files in which all functions are DTX_GLOBAL are compiled when dtx is built (bpf/rules.mk): so
 * programs start sooner.  The numbers are put into them later, by
 * compiler/emit/target/precompiled.c: `off` is a place in the constant `name` of the module.
 */
#define DECIDED(name, off) ({                                           \
	u64 v_;                                                         \
	asm("%0 = " name "+%1 ll" : "=r"(v_) : "i"(off));               \
	v_; })

/* Those below; work: where a slot has the work areas (strfn.h), walk: where it has the state of a
 * walk (walk.h), tables: ustackunwind=auto. */
#define OPT(name)     DECIDED("dtx_opt_" #name, 0)
/* When the program makes paths. */
#define KOFF(member)  DECIDED("dtx_koff", __builtin_offsetof(struct dtx_koff, member))

extern const u32 dtx_opt_atomics;    /* the kernel has atomic fetch instructions */
extern const u32 dtx_opt_scratch;    /* bytes of a scratch slot; its level follows them */
extern const u32 dtx_opt_strmax;     /* strsize and the NUL */
extern const u32 dtx_opt_drops;      /* losses are counted by probe, not by program */
extern const u32 dtx_opt_storage;    /* dtx_self is task-local storage, not a hash */
extern const u32 dtx_opt_kends;      /* return probes end the kernel's walk */
extern const u32 dtx_opt_blind;      /* it is not known where trampolines are */
extern const u32 dtx_opt_pidns;      /* dtx runs in a pid namespace of its own */
extern const struct dtx_taskoff dtx_taskoff;   /* for numbers of processes */

/* proc.bpf.c */
DTX_GLOBAL u64 dtx_g_number(u64 task, u64 which);

/* ---- maps ---------------------------------------------------------------------- */

/* Made for each program by compiler/emit/emit_map.c. */
extern char dtx_ring[], dtx_self[], dtx_scratch[], dtx_drops[], dtx_specs[], dtx_runs[];
extern volatile struct dtx_ctl dtx_ctl;          /* written by the loader and by exit() */

/* maps.bpf.c */
extern u64 dtx_nest[DTX_MAX_CPUS][8];    /* levels in use, one cache line a CPU */

extern u64 dtx_gates[DTX_GATES_MAX];

#define DTX_KEPT 1024                    /* a power of two */
extern u64 dtx_kept[DTX_KEPT];

/* ---- losses ---------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void drop_count(u32 prog, u32 probe, u64 which)
{
	u32 key = dtx_opt_drops ? probe : prog;
	u64 *v = bpf_map_lookup_elem(dtx_drops, &key);

	if (!v)
		return;
	barrier_var(which); /* the whole register that is used is compared */
	if (which < DTX_DROP_N)
		__sync_fetch_and_add(&v[which], 1);
}

/*
 * The number of this CPU.  All 64 bits of what the helper gives: LLVM would extend 32 of them, with
 * a move.  Everyone asks here, as calls of one type are made once.
 */
static inline __attribute__((always_inline)) u64 cpu_number(void)
{
	return ((u64 (*)(void))BPF_FUNC_get_smp_processor_id)();
}

/* ---- out.bpf.c ------------------------------------------------------------------ */

void dtx_drop(struct dtx_mst *m, u32 which);
bool dtx_active(void);
bool dtx_watched(void);
void dtx_send(struct dtx_mst *m, char *rec, u64 len);
char *dtx_claim(struct dtx_mst *m);


/* ---- time.bpf.c ------------------------------------------------------------------ */

u64 dtx_timestamp(struct dtx_mst *m);

/* ---- var.bpf.c ------------------------------------------------------------------ */

char *dtx_self_make(struct dtx_mst *m, const void *zero);

/* A word of the context: a single instruction in assembly, because the verifier requires the
 * context pointer and a constant offset. */
#define CTX_WORD(ctx, off) ({                                                       \
	u64 v_;                                                                     \
	asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(v_) : "r"(ctx), "i"(off));     \
	v_; })

#include "facts.h"
#include "probe.h"

/* Memory of a program, whose addresses may have tags; the upper half of them is the kernel's. */
#define USER_AT(addr)    ((void *)ARCH_UNTAGGED(addr))
#define IS_KERNEL(addr)  ((s64)ARCH_UNTAGGED(addr) < 0)

#endif
