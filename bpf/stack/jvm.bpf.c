/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * jvm.bpf.c - frames of code that HotSpot compiled: they have fixed sizes, which its code cache
 * knows, and need no frame pointer.
 *
 * The cache is made of heaps, a heap of segments.  A byte for each segment says how many segments
 * before it its block begins (255: at least one block is free there).  A block has a header and a
 * CodeBlob, which knows the size of the frame.  At the top of a stack the code itself says whether
 * the frame is made already.
 */
#include "stack/walk.h"

#define SEGMENT_HOPS   64        /* to the begin of a block: one for each 254 segments */
#define SEGMENT_FREE   0xff
#define PUSHES_MOST    2
#define JVM_KNOWN      ((ARCH_UW_BITS)1 << ARCH_UW_PC | 1u << ARCH_UW_FP | 1u << ARCH_UW_SP)
#define FRAME_MOST     65536     /* bytes of arguments */
#define BLOB_NAME(a, b, c, d, e, f, g, h)                                                       \
	((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24 | (u64)(e) << 32 |          \
	 (u64)(f) << 40 | (u64)(g) << 48 | (u64)(h) << 56)
#define NAME_COMPILED  BLOB_NAME('n', 'm', 'e', 't', 'h', 'o', 'd', 0)
#define NAME_NATIVE    BLOB_NAME('n', 'a', 't', 'i', 'v', 'e', ' ', 'n')
#define NAME_VTABLE    BLOB_NAME('v', 't', 'a', 'b', 'l', 'e', ' ', 'c')
#define NAME_INTERPRETER BLOB_NAME('I', 'n', 't', 'e', 'r', 'p', 'r', 'e')
#define NAME_ADAPTER   BLOB_NAME('I', '2', 'C', '/', 'C', '2', 'I', ' ')

static inline __attribute__((always_inline)) const struct dtx_jvm *jvm_of(struct dtx_walk *w)
{
	struct dtx_jvm_key key = { w->mm, w->pid, 0 };

	return bpf_map_lookup_elem(dtx_jvms, &key);
}

/* Code without a file: does its process have a JVM?  The consumer is told of the process once. */
DTX_GLOBAL u64 dtx_g_jvm_here(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	struct dtx_jvm_key key = { 0 };
	const struct dtx_jvm *j;

	if (!w)
		return 0;
	key.mm = w->mm;
	key.pid = w->pid;
	j = bpf_map_lookup_elem(dtx_jvms, &key);
	if (j)
		return j->nheaps;
	__builtin_memset(&w->fresh.jvm, 0, sizeof(w->fresh.jvm));
	if (bpf_map_update_elem(dtx_jvms, &key, &w->fresh.jvm, BPF_NOEXIST))
		return 0;
	w->sight.number = 0;
	w->sight.key.ino = w->mm;
	w->sight.pid = w->pid;
	if (bpf_ringbuf_output(dtx_sights, &w->sight, sizeof(w->sight), BPF_RB_FORCE_WAKEUP))
		bpf_map_delete_elem(dtx_jvms, &key);
	return 0;
}

/* The CodeBlob at pc, 0: none. */
DTX_GLOBAL u64 dtx_g_jvm_blob(u64 level, u64 pc)
{
	struct dtx_walk *w = walk_state(level);
	const struct dtx_jvm *j = w ? jvm_of(w) : NULL;
	u64 low = 0, map = 0, at;
	u8 back = SEGMENT_FREE;

	if (!j)
		return 0;
	for (u32 i = 0; i < DTX_JVM_HEAPS; i++)
		if (pc - j->heap[i].low < j->heap[i].high - j->heap[i].low) {
			low = j->heap[i].low;
			map = j->heap[i].segmap;
		}
	at = (pc - low) >> (j->shift & 31);
	for (u32 i = 0; i < SEGMENT_HOPS && map; i++) {
		if (bpf_probe_read_user(&back, 1, (void *)(map + at)) || back == SEGMENT_FREE)
			return 0;
		if (!back)
			return low + (at << (j->shift & 31)) + j->header;
		at -= back;
	}
	return 0;
}

static inline __attribute__((always_inline)) u64 blob_name(const struct dtx_jvm *j, u64 blob)
{
	u64 at = 0, name = 0;

	bpf_probe_read_user(&at, sizeof(at), (void *)(blob + j->name));
	bpf_probe_read_user(&name, sizeof(name), (void *)at);
	return name;
}

/* At the top of a stack. */
DTX_GLOBAL u64 dtx_g_jvm_leaf(u64 level, u64 blob)
{
	struct dtx_walk *w = walk_state(level);
	const struct dtx_jvm *j = w ? jvm_of(w) : NULL;
	u64 pc, name, *code, begin = 0, word = 0;

	if (!j)
		return LEAF_UNKNOWN;
	code = w->node;
	pc = w->reg[ARCH_UW_PC];
	name = blob_name(j, blob);
	if (name == NAME_VTABLE || name == NAME_ADAPTER)
		return LEAF_BARE;
	if (name != NAME_COMPILED && name != NAME_NATIVE)
		return LEAF_UNKNOWN;
	bpf_probe_read_user(code, 2 * sizeof(*code), (void *)(pc - 8));
	bpf_probe_read_user(&begin, sizeof(begin), (void *)(blob + j->code));
	if (j->code_is_offset)
		begin = blob + (s32)begin;
	bpf_probe_read_user(&word, 4, (void *)(blob + j->complete));
	word = j->short_complete ? (s16)word : (s32)word;
	return arch_leaf((u8 *)code + 8, pc - begin, word);
}

/* A frame of the interpreter: it keeps where the stack of its caller ended before arguments were
 * moved there. */
static inline __attribute__((always_inline)) u64 interpreted(struct dtx_walk *w)
{
	u64 fp = w->reg[ARCH_UW_FP], *frame = w->node;

	if (!(w->known >> ARCH_UW_FP & 1) || fp < w->reg[ARCH_UW_SP] || fp & 7 ||
	    bpf_probe_read_user(frame, 3 * sizeof(*frame), (void *)(fp - 8)))
		return 0;
	w->next[DTX_UW_SP] = frame[0] >= fp + 16 && frame[0] < fp + FRAME_MOST ? frame[0] : fp + 16;
	w->next[DTX_UW_FP] = frame[1];
	w->next[DTX_UW_RA] = frame[2];
	return 1;
}

/* A frame that ends at this address. */
static inline __attribute__((always_inline)) u64 compiled(struct dtx_walk *w, u32 how, u64 cfa)
{
	u64 *frame = w->node;

	if (bpf_probe_read_user(frame, 2 * sizeof(*frame), (void *)(cfa - 16)))
		return 0;
	w->next[DTX_UW_SP] = cfa;
	w->next[DTX_UW_FP] = how == LEAF_MADE || how == LEAF_PUSHED ? frame[0] : w->reg[ARCH_UW_FP];
	w->next[DTX_UW_RA] = arch_leaf_return(how, w->reg, frame[1]);
	return 1;
}

/* The frame at the top of a stack, unless it is the interpreter's. */
static inline __attribute__((always_inline)) u64 top(struct dtx_walk *w, u64 level, u64 blob,
						     u64 size)
{
	u64 how = dtx_g_jvm_leaf(level, blob), sp = w->reg[ARCH_UW_SP];

	if (how != LEAF_MADE)
		return how != LEAF_UNKNOWN && compiled(w, how, arch_leaf_cfa(how, sp, size));
	/*
	 * Some of its own code pushes a word or two for a time: then the word there is no code of
	 * the JVM's, which alone calls it.
	 */
	for (u32 i = 0; i <= PUSHES_MOST; i++)
		if (size && compiled(w, how, sp + size + 8 * i) &&
		    dtx_g_jvm_blob(level, w->next[DTX_UW_RA] - 1))
			return 1;
	return 0;
}

DTX_GLOBAL u64 dtx_g_jvm(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	const struct dtx_jvm *j = w ? jvm_of(w) : NULL;
	u64 blob, found;
	s32 words = 0;

	if (!j || !(w->known >> ARCH_UW_SP & 1))
		return 0;
	blob = dtx_g_jvm_blob(level, w->reg[ARCH_UW_PC] - !w->exact);
	if (!blob)
		return 0;
	bpf_probe_read_user(&words, sizeof(words), (void *)(blob + j->frame_size));
	if (words < 0)
		words = 0;
	for (u32 i = 0; i < DTX_UW_REGS; i++)
		w->next[i] = 0;
	if (!words && blob_name(j, blob) == NAME_INTERPRETER)
		found = interpreted(w);
	else if (w->exact)
		found = top(w, level, blob, 8 * (u64)(u32)words);
	else
		found = words && compiled(w, LEAF_MADE, w->reg[ARCH_UW_SP] + 8 * (u64)(u32)words);
	if (found)
		w->known = JVM_KNOWN;
	w->by_pointer = 0;
	return found;
}
