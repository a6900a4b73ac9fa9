/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * unframed.h - what frame.h of a new architecture answers first, if a call leaves the return
 * address in a register: code without a table has made its frame wherever it was interrupted, and
 * HotSpot's frames are as if each is made.
 */
static inline __attribute__((always_inline)) s64 arch_uw_before_frame(u32 code) { return -1; }

/* At a function's entry. */
#define ARCH_UW_UNFRAMED_CFA(sp, words)  (sp)
static inline __attribute__((always_inline)) bool arch_uw_unframed(const u64 *r, u64 sp, s64 words,
								   u64 *ra)
{
	*ra = r[ARCH_DWARF_RA];
	return true;
}

static inline __attribute__((always_inline)) u32 arch_leaf(const u8 *code, s64 off, s64 made)
{
	return off < made ? LEAF_BARE : LEAF_MADE;
}

static inline __attribute__((always_inline)) u64 arch_leaf_cfa(u64 how, u64 sp, u64 size)
{
	return how == LEAF_BARE ? sp : sp + size;
}

static inline __attribute__((always_inline)) u64 arch_leaf_return(u64 how, const u64 *r, u64 saved)
{
	return how == LEAF_MADE ? saved : r[ARCH_DWARF_RA];
}
