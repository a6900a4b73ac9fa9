/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * strfn_make.bpf.c - subroutines that make strings of strings: parts, paths, letters.
 */
#include "text/strfn.h"

/* index and n as in Perl: negative ones count from the end. */
DTX_GLOBAL u64 dtx_g_substr(u64 level, u64 la, s64 index, s64 n, u64 out)
{
	s64 len = la;

	if (index < 0) {
		index += len;
		if (index < 0 && n >= 0 && index + n > 0) {
			n += index;
			index = 0;
		}
	}
	if (index < 0 || index >= len)
		n = 0;
	else if (n < 0)
		n += len - index;
	else if (n > len - index)
		n = len - index;
	if (n < 0)
		n = 0;
	return dtx_g_put(level, WORK_A, index, n, out);
}

/* ---- letters --------------------------------------------------------------------------- */

DTX_GLOBAL u64 dtx_g_case_block(u64 level, u64 from, u64 first)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	from = str_clamp(from, STR_MAX);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		u8 c = *(u8 *)(slot + WORK_A + from + i);

		c ^= ((u8)(c - first) < 26) << 5;
		*(volatile u8 *)(slot + WORK_A + from + i) = c;
	}
	return 0;
}

/* The letters from `first` on, 'a' or 'A', become those of the other case. */
DTX_GLOBAL u64 dtx_g_case(u64 level, u64 la, u64 first, u64 out)
{
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		if (i >= la)
			break;
		dtx_g_case_block(level, i, first);
	}
	return dtx_g_put(level, WORK_A, 0, la, out);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) u64 put_char(u64 level, char c, u64 out)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	*(char *)(slot + WORK_B) = c;
	return dtx_g_put(level, WORK_B, 0, 1, out);
}

static inline __attribute__((always_inline)) void slashes(u64 level)
{
	char *slot = str_slot(level);

	if (slot)
		*(char *)(slot + WORK_B) = '/';
	dtx_g_set(level, 1);
}

DTX_GLOBAL u64 dtx_g_basename(u64 level, u64 la, u64 out)
{
	u64 end, from;

	slashes(level);
	end = dtx_g_rspan(level, la, 0);
	if (!end)
		return put_char(level, la ? '/' : '.', out);
	from = dtx_g_rspan(level, end, 1);
	return dtx_g_put(level, WORK_A, from, end - from, out);
}

DTX_GLOBAL u64 dtx_g_dirname(u64 level, u64 la, u64 out)
{
	u64 end;

	slashes(level);
	end = dtx_g_rspan(level, la, 0);
	if (end)
		end = dtx_g_rspan(level, end, 1);
	else
		return put_char(level, la ? '/' : '.', out);
	if (!end)
		return put_char(level, '.', out);
	end = dtx_g_rspan(level, end, 0);
	if (!end)
		return put_char(level, '/', out);
	return dtx_g_put(level, WORK_A, 0, end, out);
}

/* ---- cleanpath ------------------------------------------------------------------------------- */

/* End of B's text without its last component. */
DTX_GLOBAL u64 dtx_g_parent_block(u64 level, u64 end)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	end = str_clamp(end, STR_MAX);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		u64 at = end - 1 - i;

		barrier_var(at);
		if (at > STR_MAX)
			return 0;
		if (*(char *)(slot + WORK_B + at) == '/')
			return at;
	}
	return STR_NONE;
}

DTX_GLOBAL u64 dtx_g_parent(u64 level, u64 end)
{
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK) {
		u64 at;

		if (i >= end)
			break;
		at = dtx_g_parent_block(level, end - i);
		if (at != STR_NONE)
			return at;
	}
	return 0;
}

/* Appends one component of A to B; out and floor are ends in B: ".." stops there. */
DTX_GLOBAL u64 dtx_g_clean_part(u64 level, u64 from, u64 n)
{
	char *slot = str_slot(level);
	struct str_state *s;
	const char *part;
	bool rooted, up;
	u64 out;

	if (!slot)
		return 0;
	s = str_state(slot);
	out = str_clamp(s->out, STR_MAX);
	part = slot + WORK_A + str_clamp(from, STR_MAX);
	rooted = *(char *)(slot + WORK_A) == '/';
	up = n == 2 && part[0] == '.' && part[1] == '.';
	if (!n || (n == 1 && part[0] == '.'))
		return 0;
	if (up && out > s->floor) {
		out = dtx_g_parent(level, out);
		s->out = out > s->floor ? out : s->floor;
		return 0;
	}
	if (up && rooted)
		return 0;
	if (out || rooted)
		*(volatile char *)(slot + WORK_B + out++) = '/';
	n = str_clamp(n, STR_MAX);
	out = str_clamp(out, STR_MAX);
	bpf_probe_read_kernel(slot + WORK_B + out, n, part);
	s->out = out + n;
	if (up)
		s->floor = out + n;
	return 0;
}

#define CLEAN_PARTS  64

DTX_GLOBAL u64 dtx_g_clean_block(u64 level, u64 la)
{
	char *slot = str_slot(level);
	u64 from, end;

	if (!slot)
		return 0;
	for (u64 i = 0; i < CLEAN_PARTS; i++) {
		from = str_state(slot)->in;
		if (from >= la)
			return 0;
		end = dtx_g_span(level, WORK_A, from, la, 1);
		dtx_g_clean_part(level, from, end - from);
		str_state(slot)->in = end + 1;
	}
	return 1;
}

DTX_GLOBAL u64 dtx_g_cleanpath(u64 level, u64 la, u64 out)
{
	char *slot = str_slot(level);
	u64 n;

	if (!slot)
		return 0;
	slashes(level);
	str_state(slot)->in = 0;
	str_state(slot)->out = 0;
	str_state(slot)->floor = 0;
	for (u64 i = 0; i < STR_MAX / 2 + 1; i += CLEAN_PARTS)
		if (!dtx_g_clean_block(level, la))
			break;
	n = str_state(slot)->out;
	if (n)
		return dtx_g_put(level, WORK_B, 0, n, out);
	if (!la)
		return dtx_g_put(level, WORK_B, 0, 0, out);
	return put_char(level, *(char *)(slot + WORK_A) == '/' ? '/' : '.', out);
}
