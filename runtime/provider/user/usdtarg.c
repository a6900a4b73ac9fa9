/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdtarg.c - places of the arguments of a USDT site.  The compiler wrote them as assembly
 * operands, which arch_operand() reads:
 *
 *     -4@OPERAND   8@OPERAND
 *      │  └ a register, a constant, or memory at a sum of some
 *      └ bytes, negative when signed; an 'f' after them means floating point
 *
 * The given width is used, not that of the register's name (sys/sdt.h).  A symbol of a
 * position-independent program is found by its distance from the site.
 */
#include <stdlib.h>

#include <dtx/tables/loc.h>
#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"

static const char not_known[] = "its place has an unknown syntax";

static bool symbol_value(void *where, const char *name, u64 *value)
{
	return elfsyms_value(((const struct usdt_where *)where)->syms, name, value);
}

/* Compilers write constants in any form: 4@$-1 is 4294967295. */
static s64 narrowed(s64 v, u32 size, bool is_signed)
{
	u32 spare = 64 - 8 * size;

	return is_signed ? (s64)((u64)v << spare) >> spare : (s64)((u64)v << spare >> spare);
}

static void argument(struct arena *arena, const char *s, const char *end,
		     const struct usdt_where *w, struct dtx_arg *a)
{
	const struct arch_site site = { arena, w->addr, symbol_value, (void *)w };
	const char *at = memchr(s, '@', (size_t)(end - s));
	long size = at ? strtol(s, NULL, 10) : 8;
	const char *why;

	*a = (struct dtx_arg){ .size = (u16)labs(size), .is_signed = size < 0, .user = true };
	if (at > s && at[-1] == 'f')
		why = "it is a floating-point number";
	else if (size < -8 || size > 8 || !size || (a->size & (a->size - 1)))
		why = arena_printf(arena, "it has %ld bytes", labs(size));
	else if ((at ? at + 1 : s) == end)
		why = not_known;
	else
		why = arch_operand(&site, at ? at + 1 : s, end, a);
	if (a->loc == LOC_CONST)
		a->value = narrowed(a->value, a->size, a->is_signed);
	if (why)
		*a = (struct dtx_arg){ .size = 8, .text = why };
}

u32 usdt_parse_args(struct arena *arena, const char *text, const struct usdt_where *w,
		    struct dtx_arg *args, u32 max)
{
	u32 n = 0;

	while (n < max) {
		const char *end;
		int depth = 0;

		text += strspn(text, " ");
		for (end = text; *end && (*end != ' ' || depth); end++)
			depth += strchr("([", *end) ? 1 : strchr(")]", *end) ? -1 : 0;
		if (end == text)
			break;
		argument(arena, text, end, w, &args[n++]);
		text = end;
	}
	return n;
}
