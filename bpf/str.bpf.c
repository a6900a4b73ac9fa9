/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * str.bpf.c - strings.  Arguments are memory the program owns, `max` bytes of it
 * readable, text ended by NUL or by `max`.
 */
#include "dtx.bpf.h"

DTX_SUB s64 str_compare(const char *a, const char *b, u32 max)
{
	for (u32 i = 0; i < max; i++) {
		u8 x = a[i], y = b[i];

		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			break;
	}
	return 0;
}

DTX_FN s64 dtx_strcmp(const char *a, const char *b, u32 max)
{
	return str_compare(a, b, max);
}

DTX_SUB u64 str_length(const char *s, u32 max)
{
	u32 i;

	for (i = 0; i < max; i++)
		if (!s[i])
			break;
	return i;
}

/*
 * Does the state machine of compiler/emit/expr/emit_like.c, with n elements, accept the
 * string?  In very long strings only the first LIKE_MAX bytes are checked.
 */
#define LIKE_MAX  4096

DTX_FN u64 dtx_like(const char *s, u32 max, const u64 *table, u64 stars, u64 n)
{
	u64 state = 1;

	for (u32 i = 0; i < max && i < LIKE_MAX; i++) {
		u8 c = s[i];

		if (!c || !state)
			break;
		state = (state & table[c]) << 1 | (state & stars);
		barrier_var(state);
		barrier_var(i);
	}
	return state >> n & 1;
}

DTX_FN u64 dtx_strlen_max(const char *s, u32 max)
{
	return str_length(s, max);
}
