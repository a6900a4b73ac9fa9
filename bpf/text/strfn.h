/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * strfn.h - makes subroutines on strings of any size quick to verify.
 *
 * They are global BPF functions: the verifier checks each once, for any arguments, and
 * knows nothing about the result.  That is why they take only numbers.  Text is in the
 * work areas of the claimed scratch slot, which they look up by its level:
 *
 *   +-------+---------+---------+---------------------------+
 *   | state | WORK_A  | WORK_B  | WORK_T: strtok's string   |
 *   +-------+---------+---------+---------------------------+
 *   dtx_opt_work, each area of STR_AREA bytes; layout.c makes the room
 *
 * Loops over bytes are split in two: a block of STR_BLOCK bytes is one function, the
 * loop over blocks another.  The verifier follows each turn of the first, where bytes are
 * addressed, and few of the second: blocks are short.
 */
#ifndef DTX_STRFN_H
#define DTX_STRFN_H

#include "dtx.bpf.h"

#define STR_NONE    (~0ull)
#define STR_MAX     OPT(strmax)              /* strsize and the NUL */
#define STR_AREA    ((STR_MAX + 2 * DTX_STR_BLOCK - 1) / DTX_STR_BLOCK * DTX_STR_BLOCK)
#define STR_BLOCK   32           /* divides DTX_STR_BLOCK, the unit of areas */

#define WORK_A      (OPT(work) + DTX_STR_STATE)
#define WORK_B      (WORK_A + STR_AREA)
#define WORK_T      (WORK_B + STR_AREA)

#define STR_TEXT    256          /* a power of two */

/* First bytes of the work area. */
struct str_state {
	u8 in_set[256];          /* strtok and others: is this character in the set? */
	u64 tok_at, tok_len;     /* strtok: where it continues in WORK_T, its length */
	u64 in, out, floor;      /* cleanpath, strtoll: the current position, and a limit */
	u64 value;
	u8 text[STR_TEXT];       /* numbers and addresses being written */
};

_Static_assert(sizeof(struct str_state) <= DTX_STR_STATE, "state of string functions");

static inline __attribute__((always_inline)) char *str_slot(u64 level)
{
	u32 slot = (cpu_number() & (DTX_MAX_CPUS - 1)) * DTX_NEST_MAX +
		   (level & (DTX_NEST_MAX - 1));

	return bpf_map_lookup_elem(dtx_scratch, &slot);
}

static inline __attribute__((always_inline)) struct str_state *str_state(char *slot)
{
	return (struct str_state *)(slot + OPT(work));
}

/* v, at most max: kept as a check of the register that is used. */
static inline __attribute__((always_inline)) u64 str_clamp(u64 v, u64 max)
{
	barrier_var(v);
	if (v > max)
		v = max;
	barrier_var(v);
	return v;
}

/* a < b as 1 or 0, without a branch: both are small. */
static inline __attribute__((always_inline)) u64 str_less(u64 a, u64 b)
{
	u64 v = (a - b) >> 63;

	barrier_var(v);
	return v;
}

/* ---- the state's small buffer: text written from its end backwards ---- */

#define TEXT      STR_TEXT
#define TEXT_OFF  (OPT(work) + __builtin_offsetof(struct str_state, text))

u64 dtx_g_put(u64 level, u64 area, u64 from, u64 n, u64 out);

/* Writes one byte before the others; `at`: where they begin. */
static inline __attribute__((always_inline)) u64 before(char *slot, u64 at, u8 c)
{
	at = (at - 1) & (TEXT - 1);
	*(volatile u8 *)&str_state(slot)->text[at] = c;
	return at;
}

static inline __attribute__((always_inline)) u64 put_text(u64 level, u64 at, u64 end, u64 out)
{
	return dtx_g_put(level, TEXT_OFF, at, end - at, out);
}

/* strfn.bpf.c */
u64 dtx_g_set(u64 level, u64 len);
u64 dtx_g_span(u64 level, u64 area, u64 from, u64 len, u64 want);
u64 dtx_g_rspan(u64 level, u64 end, u64 want);

/* strfn_num.bpf.c */
u64 dtx_g_digits(u64 level, u64 v, u64 base, u64 at);

#endif
