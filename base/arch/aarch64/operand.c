/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand.c - arm64: the place of an operand in GNU assembly syntax.
 *
 *     x0   w1   5   #5   [sp, 16]   [x0]   [x2, x3]   [x2, x3, lsl 3]
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>

static const char not_known[] = "its place has an unknown syntax";
static const char no_base[] = "it is addressed by a register that cannot be read";

struct operand { const char *s, *end; };

static void blanks(struct operand *o)
{
	while (o->s < o->end && *o->s == ' ')
		o->s++;
}

/* Goes on behind the text, if it is there. */
static bool take(struct operand *o, const char *text)
{
	size_t n = strlen(text);

	blanks(o);
	if ((size_t)(o->end - o->s) < n || memcmp(o->s, text, n))
		return false;
	o->s += n;
	return true;
}

static bool number(struct operand *o, s64 *n)
{
	char *end;

	take(o, "#");
	if (o->s >= o->end || (!isdigit((unsigned char)*o->s) && *o->s != '-'))
		return false;
	errno = 0;
	*n = *o->s == '-' ? strtoll(o->s, &end, 0) : (s64)strtoull(o->s, &end, 0);
	if (end == o->s || end > o->end || errno)
		return false;
	o->s = end;
	return true;
}

/* A register of 64 bits; its number is that of its word in struct pt_regs. */
static bool whole_register(struct operand *o, u8 *word)
{
	const char *start;
	u32 off, shift;

	blanks(o);
	start = o->s;
	while (o->s < o->end && isalnum((unsigned char)*o->s))
		o->s++;
	if (o->s == start || *start == 'w' ||
	    !arch_user_reg(start, (size_t)(o->s - start), &off, &shift))
		return false;
	*word = (u8)(off / 8);
	return true;
}

/* What follows the base: an offset, or an index and by how many bits it is shifted. */
static const char *displaced(struct operand *o, struct dtx_arg *a)
{
	s64 n = 0;

	if (take(o, "]"))
		return NULL;
	if (!take(o, ","))
		return not_known;
	if (number(o, &n)) {
		a->value = n;
		return take(o, "]") ? NULL : not_known;
	}
	if (!whole_register(o, &a->index))
		return no_base;
	n = 0;
	if (take(o, ",") && (!take(o, "lsl") || !number(o, &n) || n < 0 || n > 4))
		return "its index is extended, which cannot be computed";
	a->scale = (u8)(1u << n);
	return take(o, "]") ? NULL : not_known;
}

const char *arch_operand(const struct arch_site *site, const char *s, const char *end,
			 struct dtx_arg *a)
{
	struct operand o = { s, end };
	const char *why = NULL;
	u32 off, shift;
	s64 n;

	if (take(&o, "[")) {
		a->loc = LOC_USERMEM;
		a->slot = a->index = DTX_NO_REG;
		why = whole_register(&o, &a->slot) ? displaced(&o, a) : no_base;
	} else if (number(&o, &n)) {
		a->loc = LOC_CONST;
		a->value = n;
	} else if (!strncmp(s, "xzr", 3) || !strncmp(s, "wzr", 3)) {
		a->loc = LOC_CONST;
		o.s += 3;
	} else if (arch_user_reg(s, (size_t)(end - s), &off, &shift)) {
		a->loc = LOC_REG;
		a->off = (s32)off;
		o.s = end;
	} else if (strchr("bhsdqv", *s) && end - s > 1 && isdigit((unsigned char)s[1])) {
		return arena_printf(site->arena, "it is in the register %.*s", (int)(end - s), s);
	} else {
		return not_known;
	}
	return why ? why : o.s == end ? NULL : not_known;
}
