/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdtarg.c - where the arguments of a USDT site are.  The compiler left them as it would
 * write them in assembly:
 *
 *     -4@%eax   8@$5   4@-16(%rbp)   1@4(%rax,%rdx,8)   8@table+16(%rip)   2@counter(,%rax,2)
 *      │  └ a register, a constant, or memory: SUM(BASE,INDEX,SCALE)
 *      └ bytes, negative when signed; an 'f' behind them says floating point
 *
 * The width that is named governs, whatever the register's name says (sys/sdt.h).  A symbol
 * of a program that may lie anywhere is found by its distance from the site.
 */
#include <ctype.h>
#include <stdlib.h>

#include "runtime/provider/providers.h"

struct operand {
	struct arena *arena;
	const struct usdt_where *where;
	const char *s, *end;
	s64 sum;
	bool has_symbol;
	const char *why;                 /* it cannot be read; NULL: fine */
};

static const char not_known[] = "its place is written in a way that is not known";

static u8 reg_number(u32 off)
{
	return off / 8;
}

/* A number or the name of a symbol; what comes behind '@' (GOTPCREL …) is not to be had. */
static void term(struct operand *o, bool minus)
{
	size_t len = 0;
	char *end;
	u64 v;

	if (isdigit((unsigned char)*o->s)) {
		v = strtoull(o->s, &end, 0);
		o->s = end;
		o->sum += minus ? -v : v;
		return;
	}
	while (o->s + len < o->end && (isalnum((unsigned char)o->s[len]) || strchr("_.$@", o->s[len])))
		len++;
	if (!len || o->has_symbol || minus) {
		o->why = not_known;
		return;
	}
	const char *name = arena_strndup(o->arena, o->s, len);
	if (!elfsyms_value(o->where->syms, name, &v))
		o->why = arena_printf(o->arena, "it is in '%s', which the program's symbols do not have",
				      name);
	o->s += len;
	o->sum += v;
	o->has_symbol = true;
}

static void sum(struct operand *o, const char *stop)
{
	while (o->s < stop && !o->why) {
		bool minus = *o->s == '-';

		if (*o->s == '-' || *o->s == '+')
			o->s++;
		term(o, minus);
	}
}

/* "%rax" up to one of , ) or the end. */
static u8 reg(struct operand *o)
{
	const char *start = o->s + 1;
	u32 off, shift;

	if (*o->s != '%') {
		o->why = not_known;
		return DTX_NO_REG;
	}
	for (o->s++; o->s < o->end && *o->s != ',' && *o->s != ')';)
		o->s++;
	if (arch_user_reg(start, (size_t)(o->s - start), &off, &shift) && !shift)
		return reg_number(off);
	o->why = "it is addressed by a register that cannot be read";
	return DTX_NO_REG;
}

/* (BASE,INDEX,SCALE), each of which may be missing. */
static void registers(struct operand *o, struct dtx_arg *a)
{
	if (o->s < o->end && *o->s == '(') {
		o->s++;
		if (*o->s != ',')
			a->slot = reg(o);
		if (*o->s == ',') {
			o->s++;
			a->index = reg(o);
			a->scale = 1;
		}
		if (*o->s == ',')
			a->scale = (u8)strtoul(o->s + 1, (char **)&o->s, 10);
		if (*o->s++ != ')' && !o->why)
			o->why = not_known;
	}
}

static void memory(struct operand *o, struct dtx_arg *a)
{
	const char *paren = memchr(o->s, '(', (size_t)(o->end - o->s));
	u8 ip = reg_number(arch_ip_reg);

	a->loc = LOC_USERMEM;
	a->slot = a->index = DTX_NO_REG;
	sum(o, paren ? paren : o->end);
	registers(o, a);
	a->value = o->sum;
	if (!o->has_symbol && a->slot == ip && !o->why)
		o->why = "it is at a distance from an instruction that is not known";
	if (!o->has_symbol || (a->slot != DTX_NO_REG && a->slot != ip))
		return;
	a->slot = ip;
	a->value = (s64)((u64)o->sum - o->where->addr);
}

static void operand(struct operand *o, struct dtx_arg *a)
{
	size_t len = (size_t)(o->end - o->s);
	u32 off, shift;

	if (*o->s == '%') {
		if (!arch_user_reg(o->s + 1, len - 1, &off, &shift)) {
			o->why = arena_printf(o->arena, "it is in the register %.*s", (int)len - 1,
					      o->s + 1);
			return;
		}
		a->loc = LOC_REG;
		a->off = (s32)off;
		a->value = shift;
	} else if (*o->s == '$') {
		o->s++;
		sum(o, o->end);
		a->loc = LOC_CONST;
		a->value = o->sum;
	} else {
		memory(o, a);
	}
}

/* Constants are written as the compiler pleases: 4@$-1 is 4294967295. */
static s64 narrowed(s64 v, u32 size, bool is_signed)
{
	u32 spare = 64 - 8 * size;

	return is_signed ? (s64)((u64)v << spare) >> spare : (s64)((u64)v << spare >> spare);
}

static void argument(struct arena *arena, const char *s, const char *end,
		     const struct usdt_where *w, struct dtx_arg *a)
{
	struct operand o = { .arena = arena, .where = w, .s = s, .end = end };
	const char *at = memchr(s, '@', (size_t)(end - s));
	long size = at ? strtol(s, NULL, 10) : 8;

	*a = (struct dtx_arg){ .size = (u16)labs(size), .is_signed = size < 0, .user = true };
	o.s = at ? at + 1 : s;
	if (at > s && at[-1] == 'f')
		o.why = "it is a floating-point number";
	else if (size < -8 || size > 8 || !size || (a->size & (a->size - 1)))
		o.why = arena_printf(arena, "it has %ld bytes", labs(size));
	else if (o.s == end)
		o.why = not_known;
	else
		operand(&o, a);
	if (a->loc == LOC_CONST)
		a->value = narrowed(a->value, a->size, a->is_signed);
	if (o.why)
		*a = (struct dtx_arg){ .size = 8, .text = o.why };
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
			depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
		if (end == text)
			break;
		argument(arena, text, end, w, &args[n++]);
		text = end;
	}
	return n;
}
