/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand.c - riscv64: the place of an operand in GNU assembly syntax:  a0   5   8(sp)   -20(s0)
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>

const char *arch_operand(const struct arch_site *site, const char *s, const char *end,
			 struct dtx_arg *a)
{
	const char *open = memchr(s, '(', (size_t)(end - s));
	bool number = s < end && (isdigit((unsigned char)*s) || *s == '-');
	u32 off, shift;
	char *rest = (char *)s;

	errno = 0;
	a->value = number ? strtoll(s, &rest, 0) : 0;
	if (number && !errno && rest == end) {
		a->loc = LOC_CONST;
	} else if (open && end[-1] == ')' && rest == open && !errno &&
		   arch_user_reg(open + 1, (size_t)(end - open) - 2, &off, &shift)) {
		a->loc = LOC_USERMEM;
		a->slot = (u8)(off / 8);
		a->index = DTX_NO_REG;
	} else if (arch_user_reg(s, (size_t)(end - s), &off, &shift)) {
		a->loc = LOC_REG;
		a->off = (s32)off;
	} else if (end - s > 1 && *s == 'f') {
		return arena_printf(site->arena, "it is in the register %.*s", (int)(end - s), s);
	} else {
		return "its place has an unknown syntax";
	}
	return NULL;
}
