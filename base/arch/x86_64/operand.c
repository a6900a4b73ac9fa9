/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand.c - x86-64: the place of an operand in GNU assembly syntax.
 *
 *     %eax   $5   -16(%rbp)   4(%rax,%rdx,8)   table+16(%rip)   counter(,%rax,2)
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>

struct operand {
	const struct arch_site *site;
	const char *s, *end;
	s64 sum;
	bool has_symbol;
	const char *why;                 /* why it cannot be read; NULL: it can */
};

#define NAME_SHOWN 64            /* bytes of a text, in a message */

static const char not_known[] = "its place has an unknown syntax";

static u8 reg_number(u32 off)
{
	return off / 8;
}

/* A number or the name of a symbol; a symbol with '@' (GOTPCREL …) is not supported. */
static void term(struct operand *o, bool minus)
{
	size_t len = 0;
	char *end;
	u64 v = 0;

	if (isdigit((unsigned char)*o->s)) {
		errno = 0;
		v = strtoull(o->s, &end, 0);
		if (errno)
			o->why = not_known;
		o->s = end;
		o->sum += minus ? -v : v;
		return;
	}
	while (o->s + len < o->end &&
	       (isalnum((unsigned char)o->s[len]) || strchr("_.$@", o->s[len])))
		len++;
	if (!len || o->has_symbol || minus) {
		o->why = not_known;
		return;
	}
	const char *name = arena_strndup(o->site->arena, o->s, len);
	if (!o->site->symbol(o->site->arg, name, &v))
		o->why = arena_printf(o->site->arena,
				      "it is in '%.*s', which the program's symbols do not have",
				      NAME_SHOWN, name);
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

static void scale(struct operand *o, struct dtx_arg *a)
{
	unsigned long n = strtoul(o->s + 1, (char **)&o->s, 10);

	if (n > 8 || !n || (n & (n - 1)))
		o->why = not_known;
	a->scale = (u8)n;
}

/* (BASE,INDEX,SCALE); each part may be missing. */
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
			scale(o, a);
		if (*o->s++ != ')' && !o->why)
			o->why = not_known;
	}
}

static void memory(struct operand *o, struct dtx_arg *a)
{
	const char *paren = memchr(o->s, '(', (size_t)(o->end - o->s));
	u8 ip = reg_number(ARCH_REG_IP);

	a->loc = LOC_USERMEM;
	a->slot = a->index = DTX_NO_REG;
	sum(o, paren ? paren : o->end);
	registers(o, a);
	a->value = o->sum;
	if (!o->has_symbol && a->slot == ip && !o->why)
		o->why = "its distance from the instruction is unknown";
	if (!o->has_symbol || (a->slot != DTX_NO_REG && a->slot != ip))
		return;
	a->slot = ip;
	a->value = (s64)((u64)o->sum - o->site->addr);
}

static void operand(struct operand *o, struct dtx_arg *a)
{
	size_t len = (size_t)(o->end - o->s);
	u32 off, shift;

	if (*o->s == '%') {
		if (!arch_user_reg(o->s + 1, len - 1, &off, &shift)) {
			o->why = arena_printf(o->site->arena, "it is in the register %.*s",
					      (int)MIN(len - 1, (size_t)NAME_SHOWN), o->s + 1);
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

const char *arch_operand(const struct arch_site *site, const char *s, const char *end,
			 struct dtx_arg *a)
{
	struct operand o = { .site = site, .s = s, .end = end };

	operand(&o, a);
	return o.why;
}
