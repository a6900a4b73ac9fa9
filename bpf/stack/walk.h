/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * walk.h - the walk along a user stack: its state, and what its files share.
 *
 *   vma.bpf.c      which mapping is at an address?
 *   object.bpf.c   a file that was not seen before: its number, its path for the consumer
 *   jvm.bpf.c      a frame of code that a Java virtual machine compiled
 *   jit.bpf.c      code without a file: the table that the consumer makes for it
 *   unwind.bpf.c   from one frame to the next
 *   walk.bpf.c     begins a walk, goes from frame to frame
 *   made.bpf.c     frames of the kernel's trampolines
 *   python.bpf.c   the frames of an interpreter
 *
 * The state is in the claimed scratch slot, at dtx_opt_walk.  The steps are global functions,
 * verified once each (strfn.h says why); they look the slot up by its level.
 */
#ifndef DTX_WALK_H
#define DTX_WALK_H

#include "text/strfn.h"
#include <dtx/stack.h>
#include <dtx/unwind.h>

/* What of a frame of HotSpot's is on the stack: all of it; the saved frame pointer and the return
 * address; room for all of it; the return address, where calls put it there. */
enum leaf { LEAF_MADE, LEAF_PUSHED, LEAF_ROOM, LEAF_BARE, LEAF_UNKNOWN };

#include "frame.h"

#define WALK_VMAS   4            /* mappings remembered in a walk; a power of two */
#define WALK_BLOCK  8            /* words below a CFA that are read at once */
#define WALK_RULES  7            /* bits of a place's slot among the rules that are kept */

/* A mapping of code. */
struct walk_vma {
	u64 start, end;
	u64 delta;               /* of an object: offset in the file - address */
	u32 number;              /* of the object, 0: none */
	u32 table;               /* as in struct dtx_object */
};

/* A rule that was read from a table: the same places are in most stacks. */
struct walk_rule {
	u64 place;               /* table and offset in the file; 0: none */
	struct dtx_uw_rule rule;
};

/* Code of HotSpot returns to places of its interpreter that no call precedes. */
enum { BARE_CODE = 1, BARE_JVM };

#define FIRST_MASK    7          /* of frames of the tracer that come first */

struct dtx_walk {
	u64 mm;
	u64 mm_start;            /* begin of its stack: another one after exec */
	u64 reg[ARCH_UW_N];      /* of the frame, by their numbers of DWARF */
	u64 next[ARCH_UW_ROOM];  /* of its caller, by enum dtx_uw_reg */
	u64 block[WALK_BLOCK];   /* the words below its CFA */
	u64 hash;                /* of the frames so far */
	u64 second;              /* address of the second frame */
	u64 traceiter, traceiter_size;   /* of the tracepoint: compiler/plan/traceiter.c; 0: none */
	u64 tracer, shown;       /* frames of trampolines so far; the next one that is shown */
	/* dtx_made(): where trampolines are looked for; `text`: the kernel's own code, 0: not known
	 * (then `size` ends where they may begin); the one that was found last. */
	struct { u64 tree, entry, entry_regs, text, size, start, end; } made;
	u64 unseen;              /* struct path of the file of the mapping just found: it is new */
	u64 returns;             /* the next struct return_instance, 0: none */
	ARCH_UW_BITS known;      /* bits of reg[] */
	u32 max;
	u32 pid;
	u32 raw;                 /* some frame is an address */
	u32 exact;               /* the frame was interrupted: its pc is not a return address */
	u32 entry;               /* the first frame is at the begin of its function */
	u32 why;                 /* enum dtx_stack_end: what is amiss so far, 0: nothing */
	u32 by_pointer;          /* the frame was found by a frame pointer */
	u32 bare;                /* the frame is in code without a file: BARE_… */
	u32 first;               /* where in frame[] the kernel's frames begin */
	u64 ktrampoline, kreturns, ksize; /* of return probes: address, table or 0; size */
	u32 kend;                /* enum dtx_stack_end of a stack of the kernel */
	u32 cut;                 /* enum dtx_stack_end: why it has at most `max` frames */
	u32 unsure;              /* a frame of the kernel may be in a trampoline, or not */
	u32 victim;
	u32 mm_seq;              /* of the mappings below */
	struct { u64 start, end; } jit;  /* a mapping of code without a file and without a rule */
	struct walk_vma vma[WALK_VMAS];
	struct dtx_uw_rule rule;
	struct walk_rule rules[1 << WALK_RULES];         /* from walk to walk */
	u64 node[ARCH_UW_NODE];  /* of the kernel's tree; registers; sigcontext; a Java frame */
	struct dtx_sight sight;
	union { struct dtx_jvm jvm; struct dtx_jit jit; } fresh;  /* to be entered in a map */
	struct dtx_stack stack;
	u64 frame[DTX_STACK_MAX];
};

_Static_assert(sizeof(struct dtx_walk) <= DTX_WALK_BYTES, "state of a walk");

#define WALKOFF(member)  DECIDED("dtx_walkoff", __builtin_offsetof(struct dtx_walkoff, member))

extern char dtx_objects[], dtx_numbers[], dtx_sights[], dtx_tables[], dtx_ends[], dtx_jvms[],
	dtx_jits[], dtx_asked[];

static inline __attribute__((always_inline)) struct dtx_walk *walk_of(char *slot)
{
	return (struct dtx_walk *)(slot + OPT(walk));
}

static inline __attribute__((always_inline)) struct dtx_walk *walk_state(u64 level)
{
	char *slot = str_slot(level);

	return slot ? walk_of(slot) : NULL;
}

static inline __attribute__((always_inline)) u64 kernel_word(u64 addr)
{
	u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

static inline __attribute__((always_inline)) u32 kernel_half(u64 addr)
{
	u32 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

/* Keeps every bit of h in play: stacks differ in one word. */
static inline __attribute__((always_inline)) u64 walk_mix(u64 h, u64 word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

/* Keeps the frame at pc, which is in the mapping w->vma[at - 1], or in none.  exact: the bit
 * DTX_FRAME_EXACT or 0. */
static inline __attribute__((always_inline)) void walk_keep_as(struct dtx_walk *w, u64 at, u64 pc,
							       u64 exact)
{
	const struct walk_vma *v = &w->vma[(at - 1) & (WALK_VMAS - 1)];
	u64 word = pc, n = w->stack.n;

	if (at && v->number)
		word = DTX_FRAME_FILE | (u64)v->number << DTX_FRAME_SHIFT |
		       ((pc + v->delta) & DTX_FRAME_OFF) | exact;
	else
		w->raw = 1;
	if (n == 1)
		w->second = pc;
	w->hash = walk_mix(w->hash, word);
	w->frame[n & (DTX_STACK_MAX - 1)] = word;
	w->stack.n = n + 1;
}

static inline __attribute__((always_inline)) void walk_keep(struct dtx_walk *w, u64 at, u64 pc)
{
	walk_keep_as(w, at, pc, 0);
}

static inline __attribute__((always_inline)) void walk_new(struct dtx_walk *w)
{
	w->stack.n = 0;
	w->stack.end = DTX_END_UNKNOWN;
	w->stack.pid = w->stack.exec = 0;
	w->hash = 0;
	w->raw = 0;
	w->second = 0;
	w->why = 0;
	w->jit.end = 0;
}

/* The identity of the file of an inode, in w->sight. */
static inline __attribute__((always_inline)) void walk_file_key(struct dtx_walk *w, u64 inode)
{
	w->sight.key.ino = kernel_word(inode + WALKOFF(i_ino));
	w->sight.key.size = kernel_word(inode + WALKOFF(i_size));
	w->sight.key.mtime = kernel_word(inode + WALKOFF(i_sec));
	w->sight.key.nsec = kernel_half(inode + WALKOFF(i_nsec));
	w->sight.key.dev = kernel_half(kernel_word(inode + WALKOFF(i_sb)) + WALKOFF(s_dev));
}

/* vma.bpf.c: number of the mapping in walk->vma + 1; 0: no code is there.  Call walk_vma(). */
u64 dtx_g_vma(u64 level, u64 addr);
/* The inode that users see of a file that is mapped through another one; 0: it is not. */
u64 dtx_g_user_inode(u64 file, u64 inode);
/* object.bpf.c: the file of walk->vma[at] is new: its key is in walk->sight. */
u64 dtx_g_sight(u64 level, u64 at, u64 path);
u64 dtx_g_sight_path(u64 level, u64 path);

/* The mapping walk->vma[at] has no file: is it code that was moved out of one? */
u64 dtx_g_vma_moved(u64 level, u64 at);
#define WALK_MOVED  1            /* walk->unseen: it may be such a mapping */

/* dtx_g_vma(), and what it leaves to its caller: all calls together have a stack of 512 bytes. */
static inline __attribute__((always_inline)) u64 walk_vma(struct dtx_walk *w, u64 level, u64 addr)
{
	u64 at = dtx_g_vma(level, addr);

	if (at && w->unseen == WALK_MOVED)
		dtx_g_vma_moved(level, at - 1);
	if (at && w->unseen)
		dtx_g_sight(level, at - 1, w->unseen);
	return at;
}

/* jvm.bpf.c: does the process have a JVM?  1: the caller's registers are in walk->next. */
u64 dtx_g_jvm_here(u64 level);
u64 dtx_g_jvm(u64 level);
/* jit.bpf.c */
u64 dtx_g_jit_table(u64 level, u64 at);
u64 dtx_g_jit_ask(u64 level);
/* unwind.bpf.c: one frame; 0: the walk has ended. */
u64 dtx_g_frame(u64 level);
/* walk.bpf.c: the frames of the process are kept; 0: it has 32 bits, and the kernel has to walk. */
u64 dtx_g_unwind(u64 level, u64 max, u64 pid, u64 opts);
/* n frames of walk->frame, found by the kernel: hashed; those of a user stack become places in
 * files. */
u64 dtx_g_kernel_frames(u64 level, u64 n);
/* made.bpf.c: how many frames are left out if pc, which `called` follows, is in a trampoline of
 * BPF; else 0. */
u64 dtx_g_trampoline(u64 level, u64 pc, u64 called);
/* How many of the n frames from `first` on are: stack() shows none of them.  Others move up. */
u64 dtx_g_tracer_frames(u64 level, u64 first, u64 n);
u64 dtx_g_user_frames(u64 level, u64 n);
/* python.bpf.c */
u64 dtx_g_pystack(u64 level, u64 max, u64 pid);

#endif
