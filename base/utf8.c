/* SPDX-License-Identifier: BSD-2-Clause */
/* utf8.c - characters: those of UTF-8, and those of names. */
#include <dtx/base.h>

u32 utf8_put(u32 c, char *out)
{
	if (c < 0x80) {
		out[0] = c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = 0xc0 | c >> 6;
		out[1] = 0x80 | (c & 0x3f);
		return 2;
	}
	if (c < 0x10000) {
		out[0] = 0xe0 | c >> 12;
		out[1] = 0x80 | (c >> 6 & 0x3f);
		out[2] = 0x80 | (c & 0x3f);
		return 3;
	}
	out[0] = 0xf0 | (c >> 18 & 7);
	out[1] = 0x80 | (c >> 12 & 0x3f);
	out[2] = 0x80 | (c >> 6 & 0x3f);
	out[3] = 0x80 | (c & 0x3f);
	return 4;
}

u32 utf8_len(const char *text, size_t left)
{
	const u8 *s = (const u8 *)text;
	u32 n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4 || n > left)
		return 0;
	for (u32 i = 1; i < n; i++)
		if (!utf8_inside(text[i]))
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90)) /* an overlong form */
		return 0;
	return (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90) ? 0 : n;
}

u32 utf8_get(const char *text, u32 n)
{
	static const u8 first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	const u8 *s = (const u8 *)text;
	u32 c = s[0] & first[n];

	for (u32 i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

size_t utf8_begin(const char *text, size_t at)
{
	while (at && utf8_inside(text[at]))
		at--;
	return at;
}

size_t name_span(const char *text, const char *more)
{
	size_t n = 0;

	while (name_char(text[n]) || (text[n] && strchr(more, text[n])))
		n++;
	return n;
}
