/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * strfn_num.bpf.c - numbers and addresses as text, and back.  Text is written to the
 * state's small buffer from its end backwards, then copied to its destination.
 */
#include "text/strfn.h"

static inline __attribute__((always_inline)) u64 digit(u64 v)
{
	return '0' + v + str_less(9, v) * ('a' - '0' - 10);
}

/* ---- lltostr, strtoll --------------------------------------------------------------------- */

/* Writes the digits of v before `at`; returns where they begin. */
DTX_GLOBAL u64 dtx_g_digits(u64 level, u64 v, u64 base, u64 at)
{
	char *slot = str_slot(level);

	if (!slot || !base)
		return at;
	for (u64 i = 0; i < 64; i++) {
		at = before(slot, at, digit(v % base));
		v /= base;
		if (!v)
			break;
	}
	return at;
}

DTX_GLOBAL u64 dtx_g_lltostr(u64 level, s64 n, u64 base, u64 out)
{
	char *slot = str_slot(level);
	bool neg = base == 10 && n < 0;
	u64 at;

	if (!slot)
		return 0;
	at = dtx_g_digits(level, neg ? 0 - (u64)n : (u64)n, base, TEXT);
	if (neg)
		at = before(slot, at, '-');
	if (base == 16)
		at = before(slot, at, 'x');
	if (base == 16 || (base == 8 && n))
		at = before(slot, at, '0');
	return put_text(level, at, TEXT, out);
}

static inline __attribute__((always_inline)) u64 digit_value(u8 c)
{
	u64 number = (u8)(c - '0'), letter = (u8)((c | 32) - 'a');
	u64 is_number = str_less(number, 10), is_letter = str_less(letter, 26);

	return is_number * number + is_letter * (letter + 10) + (1 - is_number - is_letter) * 99;
}

/* Digits from state->in on, added to state->value; 0: the number has ended.  Above state->floor
 * there is no room for another digit: then the value is, and stays, the largest. */
DTX_GLOBAL u64 dtx_g_strtoll_block(u64 level, u64 base)
{
	char *slot = str_slot(level);
	u64 from, v;

	if (!slot)
		return 0;
	from = str_clamp(str_state(slot)->in, STR_MAX);
	for (u64 i = 0; i < STR_BLOCK; i++) {
		u64 d = digit_value(*(u8 *)(slot + WORK_A + from + i));

		if (d >= base)
			return 0;
		v = str_state(slot)->value;
		str_state(slot)->value = v > str_state(slot)->floor ? ~0ull : v * base + d;
	}
	str_state(slot)->in = from + STR_BLOCK;
	return 1;
}

DTX_GLOBAL s64 dtx_g_strtoll(u64 level, u64 la, u64 base)
{
	char *slot = str_slot(level);
	u64 at, most, v;
	bool neg = 0;
	char *p;

	if (!slot)
		return 0;
	*(u8 *)(slot + WORK_B) = ' ';
	*(u8 *)(slot + WORK_B + 1) = '\t';
	dtx_g_set(level, 2);
	at = str_clamp(dtx_g_span(level, WORK_A, 0, la, 0), STR_MAX);
	p = slot + WORK_A + at;
	if (*p == '-' || *p == '+') {
		neg = *p == '-';
		p++;
		at++;
	}
	if (base == 16 && p[0] == '0' && (p[1] | 32) == 'x' && digit_value(p[2]) < 16)
		at += 2;
	str_state(slot)->in = at;
	str_state(slot)->value = 0;
	str_state(slot)->floor = base ? (1ull << 63) / base : 0;
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK)
		if (!dtx_g_strtoll_block(level, base))
			break;
	most = (1ull << 63) - !neg;
	v = str_state(slot)->value > most ? most : str_state(slot)->value;
	return neg ? 0 - v : v;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Writes four bytes in network order, dotted, before `at`. */
DTX_GLOBAL u64 dtx_g_dotted(u64 level, u64 addr, u64 at)
{
	char *slot = str_slot(level);

	if (!slot)
		return at;
	for (u64 i = 0; i < 4; i++) {
		if (i)
			at = before(slot, at, '.');
		at = dtx_g_digits(level, addr >> 8 * i & 255, 10, at);
	}
	return at;
}

DTX_GLOBAL u64 dtx_g_inet4(u64 level, u64 addr, u64 out)
{
	return put_text(level, dtx_g_dotted(level, addr, TEXT), TEXT, out);
}

/* Group i of an IPv6 address whose bytes are in lo and hi as they lie in memory. */
static inline __attribute__((always_inline)) u64 group(u64 lo, u64 hi, u64 i)
{
	u64 half = __builtin_bswap64(i < 4 ? lo : hi);

	return half >> (48 - 16 * (i & 3)) & 0xffff;
}

/* Longest run of at least `least` zero groups: first | length << 8. */
DTX_GLOBAL u64 dtx_g_zeros(u64 lo, u64 hi, u64 least)
{
	u64 starts = 0, best = 0, len = 0, first = 0;

#pragma unroll
	for (u64 i = 0; i < 8; i++)      /* bit i: group i is zero */
		starts |= (group(lo, hi, i) - 1) >> 63 << i;
	for (u64 n = 1; n <= 8 && starts; n++) {
		best = starts;           /* bit i: a run of at least n groups begins at i */
		len = n;
		starts &= starts >> 1;
	}
	best &= -best;
#pragma unroll
	for (u64 i = 1; i < 8; i++)
		first += (best >> i & 1) * i;
	return len < least ? 0 : first | len << 8;
}

/* One group before `at`, with its colons.  place: the group, begin << 8 and end << 16 of the run
 * of zeros. */
DTX_GLOBAL u64 dtx_g_group(u64 level, u64 value, u64 place, u64 at)
{
	u64 i = place & 255, first = place >> 8 & 255, end = place >> 16;
	char *slot = str_slot(level);

	if (!slot)
		return at;
	if (i < first || i >= end) {
		if (i != 7)
			at = before(slot, at, ':');
		return dtx_g_digits(level, value, 16, at);
	}
	if (i == end - 1)
		at = before(slot, at, ':');
	return i ? at : before(slot, at, ':');
}

/* The groups before `last`, written backwards from `at`, with "::" for the run of zeros. */
DTX_GLOBAL u64 dtx_g_groups(u64 level, u64 lo, u64 hi, u64 run, u64 at)
{
	u64 first = run & 255, end = first + (run >> 8 & 255), last = run >> 16;

	for (u64 k = 0; k < 8; k++) {
		u64 i = 7 - k;

		if (i < last)
			at = dtx_g_group(level, group(lo, hi, i), i | first << 8 | end << 16, at);
	}
	return at;
}

/* IPv4-mapped and -compatible addresses end in dots; single zero groups only unless strict. */
DTX_GLOBAL u64 dtx_g_inet6(u64 level, u64 lo, u64 hi, u64 strict, u64 out)
{
	u64 run, at = TEXT, last = 8;
	bool mapped = !lo && (hi & 0xffffffff) == 0xffff0000;
	bool compatible = !lo && !(hi & 0xffffffff) && __builtin_bswap32(hi >> 32) > 0xffff;

	run = dtx_g_zeros(lo, hi, strict ? 2 : 1);
	if (mapped || compatible) {
		at = dtx_g_dotted(level, __builtin_bswap32(hi >> 32), at);
		last = 6;
		run = mapped ? 5 << 8 : 6 << 8;
	}
	at = dtx_g_groups(level, lo, hi, run | last << 16, at);
	return put_text(level, at, TEXT, out);
}

/* n bytes in A, as aa:bb:… */
DTX_GLOBAL u64 dtx_g_link(u64 level, u64 n, u64 out)
{
	char *slot = str_slot(level);
	u64 at = TEXT;

	if (!slot)
		return 0;
	for (u64 i = 0; i < 20; i++) {
		u8 c;

		if (i >= n)
			break;
		if (i)
			at = before(slot, at, ':');
		c = *(u8 *)(slot + WORK_A + ((n - 1 - i) & 31));
		at = before(slot, at, digit(c & 15));
		at = before(slot, at, digit(c >> 4));
	}
	return put_text(level, at, TEXT, out);
}
