/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * jit.bpf.c - code without a file, whose unwind table the consumer makes from the memory of the
 * process (struct dtx_jit says how).
 *
 * It is asked only when a stack has ended badly in such code: most compilers of this kind keep the
 * frame pointer, and their processes are not searched.
 */
#include "stack/walk.h"

static inline __attribute__((always_inline)) struct dtx_jit_key jit_key(struct dtx_walk *w,
									u64 start)
{
	return (struct dtx_jit_key){ w->mm, start, w->pid, 0 };
}

/* Is it still the code that the table was made for? */
static inline __attribute__((always_inline)) bool jit_same(const struct dtx_jit *j)
{
	u64 word;

	for (u32 i = 0; i < DTX_JIT_WORDS; i++)
		if (bpf_probe_read_user(&word, sizeof(word), (void *)j->words[i].addr) ||
		    word != j->words[i].word)
			return false;
	return true;
}

/* The table of the mapping w->vma[at]: as in struct dtx_object. */
DTX_GLOBAL u64 dtx_g_jit_table(u64 level, u64 at)
{
	struct dtx_walk *w = walk_state(level);
	struct walk_vma *v;
	struct dtx_jit_key key;
	const struct dtx_jit *j;

	if (!w)
		return DTX_TABLE_NONE;
	v = &w->vma[at & (WALK_VMAS - 1)];
	v->table = DTX_TABLE_NONE;
	v->delta = -v->start;
	key = jit_key(w, v->start);
	j = bpf_map_lookup_elem(dtx_jits, &key);
	if (!j)
		return DTX_TABLE_NONE;
	if (j->end != v->end ||
	    (j->table != DTX_TABLE_NONE && j->table != DTX_TABLE_MAKING && !jit_same(j))) {
		bpf_map_delete_elem(dtx_jits, &key);
		return DTX_TABLE_NONE;
	}
	v->table = j->table;
	return j->table;
}

/* The stack has ended in the code at w->jit: its table is asked for.  1: the stack should have had
 * it. */
DTX_GLOBAL u64 dtx_g_jit_ask(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	u64 now = bpf_ktime_get_ns();
	struct dtx_jit_key key;
	struct dtx_jit *j;

	if (!w)
		return 0;
	key = jit_key(w, w->jit.start);
	j = bpf_map_lookup_elem(dtx_jits, &key);
	if (j && now - j->asked < j->wait)
		return 0;
	if (j) {
		j->asked = now;
		if (j->wait < DTX_JIT_WAIT_MAX)
			j->wait *= 2;
	} else {
		__builtin_memset(&w->fresh.jit, 0, sizeof(w->fresh.jit));
		w->fresh.jit.end = w->jit.end;
		w->fresh.jit.asked = now;
		w->fresh.jit.wait = DTX_JIT_WAIT;
		if (bpf_map_update_elem(dtx_jits, &key, &w->fresh.jit, BPF_NOEXIST))
			return 0;
	}
	w->sight.number = DTX_SIGHT_JIT;
	w->sight.key.ino = w->mm;
	w->sight.pid = w->pid;
	w->sight.start = w->jit.start;
	w->sight.end = w->jit.end;
	if (bpf_ringbuf_output(dtx_sights, &w->sight, sizeof(w->sight), BPF_RB_FORCE_WAKEUP))
		return 0;
	return 1;
}
