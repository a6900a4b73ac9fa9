/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * strfn.bpf.c - subroutines that search strings.  The text is in WORK_A, the searched
 * string in WORK_B; `out` is the place of the result in the slot.  See strfn.h.
 * Why: docs/decisions/15-global-functions.md
 */
#include "text/strfn.h"

/* ---- pieces ------------------------------------------------------------------------- */

/* n bytes of an area, from `from` on, and a NUL to the slot's byte `out`. */
DTX_GLOBAL u64 dtx_g_put(u64 level, u64 area, u64 from, u64 n, u64 out)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	n = str_clamp(n, STR_MAX - 1);
	from = str_clamp(from, STR_MAX + STR_TEXT);      /* it may be the small buffer of the
							  * state */
	out = str_clamp(out, OPT(scratch) - STR_MAX);
	area = str_clamp(area, OPT(scratch) - 2 * STR_MAX - STR_TEXT);
	bpf_probe_read_kernel(slot + out, n, slot + area + from);
	*(volatile char *)(slot + out + n) = 0;
	return 0;
}

static inline __attribute__((always_inline)) u64 word(const char *p)
{
	typedef u64 DTX_ANYWHERE any_u64;

	return *(const any_u64 *)p;
}

/* The first byte of a word that is not 0: where bits below its lowest one fill whole bytes. */
static inline __attribute__((always_inline)) u64 first_byte(u64 word)
{
	return ((((word & -word) - 1) >> 7 & 0x0101010101010101) * 0x0101010101010101) >> 56;
}

/* Where the first n bytes of A (from `at` on) and of B differ; n or more: nowhere. */
DTX_GLOBAL u64 dtx_g_differ(u64 level, u64 at, u64 n)
{
	char *slot = str_slot(level), *a, *b;

	if (!slot)
		return n;
	at = str_clamp(at, STR_MAX);
	a = slot + WORK_A + at;
	b = slot + WORK_B;
	for (u64 i = 0; i < STR_MAX; i += 32, a += 32, b += 32) {
		u64 d[4] = {
			word(a) ^ word(b), word(a + 8) ^ word(b + 8),
			word(a + 16) ^ word(b + 16), word(a + 24) ^ word(b + 24),
		};

		if (i >= n)
			break;
		if (d[0] | d[1] | d[2] | d[3]) {
			u64 k = d[0] ? 0 : d[1] ? 1 : d[2] ? 2 : 3;

			return i + 8 * k + first_byte(d[0] ? : d[1] ? : d[2] ? : d[3]);
		}
	}
	return n;
}

static inline __attribute__((always_inline)) bool equal(u64 level, u64 at, u64 n)
{
	return dtx_g_differ(level, at, n) >= n;
}

/* ---- index, rindex ---------------------------------------------------------------------- */

/* First place in [from, from + STR_BLOCK), at most `last`. */
DTX_GLOBAL u64 dtx_g_index_block(u64 level, u64 from, u64 last, u64 n)
{
	char *slot = str_slot(level);
	u8 first;

	if (!slot)
		return STR_NONE;
	from = str_clamp(from, STR_MAX);
	first = *(u8 *)(slot + WORK_B);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		if (from + i > last)
			break;
		if (*(u8 *)(slot + WORK_A + from + i) == first && equal(level, from + i, n))
			return from + i;
	}
	return STR_NONE;
}

/* Last place in (from - STR_BLOCK, from]. */
DTX_GLOBAL u64 dtx_g_rindex_block(u64 level, u64 from, u64 n)
{
	char *slot = str_slot(level);
	u8 first;

	if (!slot)
		return STR_NONE;
	from = str_clamp(from, STR_MAX);
	first = *(u8 *)(slot + WORK_B);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		u64 at = from - i;

		barrier_var(at);
		if (at > STR_MAX)
			break;
		if (*(u8 *)(slot + WORK_A + at) == first && equal(level, at, n))
			return at;
	}
	return STR_NONE;
}

DTX_GLOBAL u64 dtx_g_index(u64 level, u64 la, u64 lb, s64 start)
{
	u64 from = start < 0 ? 0 : (u64)start, at;

	if (from > la)
		return lb ? STR_NONE : la;
	if (!lb)
		return from;
	if (from + lb > la)
		return STR_NONE;
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		if (from + i > la - lb)
			break;
		at = dtx_g_index_block(level, from + i, la - lb, lb);
		if (at != STR_NONE)
			return at;
	}
	return STR_NONE;
}

DTX_GLOBAL u64 dtx_g_rindex(u64 level, u64 la, u64 lb, s64 start)
{
	u64 from = start, at;

	if (start < 0)
		return lb ? STR_NONE : 0;
	if (lb > la)
		return STR_NONE;
	if (from > la - lb)
		from = la - lb;
	if (!lb)
		return from;
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		if (i > from)
			break;
		at = dtx_g_rindex_block(level, from - i, lb);
		if (at != STR_NONE)
			return at;
	}
	return STR_NONE;
}

/* ---- strstr, strchr, strrchr: 1 found, 0 not ------------------------------------------------ */

static inline __attribute__((always_inline)) u64 put_rest(u64 level, u64 la, u64 at, u64 out)
{
	if (at == STR_NONE)
		dtx_g_put(level, WORK_A, 0, 0, out);
	else
		dtx_g_put(level, WORK_A, at, la - at, out);
	return at != STR_NONE;
}

DTX_GLOBAL u64 dtx_g_strstr(u64 level, u64 la, u64 lb, u64 out)
{
	return put_rest(level, la, dtx_g_index(level, la, lb, 0), out);
}

/* c: the character, bit 8 for the last one.  The NUL is part of the string. */
DTX_GLOBAL u64 dtx_g_strchr(u64 level, u64 la, u64 c, u64 out)
{
	char *slot = str_slot(level);
	u64 at;

	if (!slot)
		return 0;
	*(u8 *)(slot + WORK_B) = c;
	if (!(c & 255))
		at = la;
	else if (c & 256)
		at = dtx_g_rindex(level, la, 1, la);
	else
		at = dtx_g_index(level, la, 1, 0);
	return put_rest(level, la, at, out);
}

/* ---- sets of characters ---------------------------------------------------------------------- */

DTX_GLOBAL u64 dtx_g_set_block(u64 level, u64 from, u64 len)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	from = str_clamp(from, STR_MAX);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		if (from + i >= len)
			break;
		str_state(slot)->in_set[*(u8 *)(slot + WORK_B + from + i)] = 1;
	}
	return 0;
}

/* The set of the characters in B. */
DTX_GLOBAL u64 dtx_g_set(u64 level, u64 len)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	for (u64 i = 0; i < 32; i++)
		((volatile u64 *)str_state(slot)->in_set)[i] = 0;
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		if (i >= len)
			break;
		dtx_g_set_block(level, i, len);
	}
	return 0;
}

DTX_GLOBAL u64 dtx_g_span_block(u64 level, u64 area, u64 from, u64 len, u64 want)
{
	char *slot = str_slot(level);

	if (!slot)
		return STR_NONE;
	from = str_clamp(from, STR_MAX);
	area = str_clamp(area, WORK_T);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		if (from + i >= len)
			break;
		if (str_state(slot)->in_set[*(u8 *)(slot + area + from + i)] == want)
			return from + i;
	}
	return STR_NONE;
}

/* First character from `from` on that is (want) or is not (!want) in the set, else len. */
DTX_GLOBAL u64 dtx_g_span(u64 level, u64 area, u64 from, u64 len, u64 want)
{
	u64 at;

	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		if (from + i >= len)
			break;
		at = dtx_g_span_block(level, area, from + i, len, want);
		if (at != STR_NONE)
			return at;
	}
	return len;
}

DTX_GLOBAL u64 dtx_g_rspan_block(u64 level, u64 end, u64 want)
{
	char *slot = str_slot(level);

	if (!slot)
		return STR_NONE;
	end = str_clamp(end, STR_MAX);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		u64 at = end - 1 - i;

		barrier_var(at);
		if (at > STR_MAX)
			break;
		if (str_state(slot)->in_set[*(u8 *)(slot + WORK_A + at)] == want)
			return at + 1;
	}
	return STR_NONE;
}

/* End of the part of A before `end` whose last character is (not) in the set; 0: none. */
DTX_GLOBAL u64 dtx_g_rspan(u64 level, u64 end, u64 want)
{
	u64 at;

	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		if (i >= end)
			break;
		at = dtx_g_rspan_block(level, end - i, want);
		if (at != STR_NONE)
			return at;
	}
	return 0;
}

/* ---- strtok ---------------------------------------------------------------------------------- */

/* la: length of a new string in WORK_T, or STR_NONE to go on; the delimiters are in B. */
DTX_GLOBAL u64 dtx_g_strtok(u64 level, u64 la, u64 lb, u64 out)
{
	char *slot = str_slot(level);
	u64 from, end;

	if (!slot)
		return 0;
	if (la != STR_NONE) {
		str_state(slot)->tok_at = 0;
		str_state(slot)->tok_len = la;
	}
	dtx_g_set(level, lb);
	la = str_clamp(str_state(slot)->tok_len, STR_MAX);
	from = dtx_g_span(level, WORK_T, str_clamp(str_state(slot)->tok_at, STR_MAX), la, 0);
	end = dtx_g_span(level, WORK_T, from, la, 1);
	str_state(slot)->tok_at = end;   /* the character that ended the token is searched again */
	dtx_g_put(level, WORK_T, from, end - from, out);
	return from < la;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* A against B as strcmp does: -1, 0, 1. */
DTX_GLOBAL s64 dtx_g_compare(u64 level, u64 la, u64 lb)
{
	u64 n = (la < lb ? la : lb) + 1, at = dtx_g_differ(level, 0, n);
	char *slot = str_slot(level);

	if (!slot || at >= n)
		return 0;
	at = str_clamp(at, STR_MAX);
	return *(u8 *)(slot + WORK_A + at) < *(u8 *)(slot + WORK_B + at) ? -1 : 1;
}
