/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain.c - text that others chose, made harmless for a person to read.
 *
 * Names of programs, files, functions and threads, and strings of traced programs may hold any
 * byte.  On a terminal some of them act: they move the cursor, set the title, write the clipboard,
 * make lines that nobody printed.  Others hide: a text that runs from right to left, a character
 * without width.  Here each becomes what a C programmer reads:
 *
 *   \n \t \r       newline, tab, carriage return
 *   \x1b           another control character, or a byte that is no UTF-8
 *   \u202e         a character that is not seen, or that turns the direction of text
 *
 * A backslash stays as it is: two texts may look alike, but none of them acts.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/base.h>

#define SHORT_ESCAPE  12         /* the longest escape, "\U000e0001", with a NUL */

/* Default_Ignorable_Code_Point and Bidi_Control of Unicode 15, separators of lines and paragraphs,
 * marks of annotations, and controls beyond ASCII (0x9b begins an escape sequence). */
static const struct { u32 from, to; } unseen[] = {
	{ 0x80, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

bool is_unseen(u32 c)
{
	for (u32 i = 0; i < ARRAY_SIZE(unseen) && c >= unseen[i].from; i++)
		if (c <= unseen[i].to)
			return true;
	return false;
}

/* The bytes of the character at s, of which the code is in *c; malformed: 1, and *c is ~0. */
static u32 plain_char(const u8 *s, size_t left, u32 *c)
{
	u32 n = utf8_len((const char *)s, left);

	*c = n ? utf8_get((const char *)s, n) : ~0u;
	return n ? n : 1;
}

static bool shows(u32 c, unsigned keep)
{
	if (c < 0x20)
		return (keep & PLAIN_LINES && (c == '\n' || c == '\t')) ||
		       (keep & PLAIN_SPACE && strchr("\n\t\r\v\f\a\b", (int)c) && c);
	if (c == ~0u)
		return keep & PLAIN_BYTES;
	return c < 0x7f || (c > 0x9f && (keep & PLAIN_UNSEEN || !is_unseen(c)));
}

/* How many bytes at the begin of the text stay as they are. */
static size_t plain_run(const u8 *s, size_t len, unsigned keep)
{
	size_t at = 0;
	u32 c;

	while (at < len) {
		if (s[at] >= 0x20 && s[at] < 0x7f) {
			at++;
			continue;
		}
		u32 n = plain_char(s + at, len - at, &c);

		if (!shows(c, keep))
			break;
		at += n;
	}
	return at;
}

static void put_escape(struct buf *out, const u8 *s, u32 n, u32 c)
{
	static const char letters[0x20] = { ['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r' };
	char text[SHORT_ESCAPE];
	const char *form = n == 1 ? "\\x%02x" : c <= 0xffff ? "\\u%04x" : "\\U%08x";

	if (c < sizeof(letters) && letters[c])
		form = "\\%c", c = (u8)letters[c];
	buf_add(out, text, snprintf(text, sizeof(text), form, c == ~0u ? *s : c));
}

bool text_is_plain(const char *p, size_t len, unsigned keep)
{
	return plain_run((const u8 *)p, len, keep) == len;
}

void buf_plain(struct buf *out, const char *p, size_t len, unsigned keep)
{
	const u8 *s = (const u8 *)p;
	u32 c;

	while (len) {
		size_t n = plain_run(s, len, keep);

		buf_add(out, (const char *)s, n);
		s += n;
		len -= n;
		if (!len)
			return;
		n = plain_char(s, len, &c);
		put_escape(out, s, n, c);
		s += n;
		len -= n;
	}
}

/* ---- names ------------------------------------------------------------------------------- */

/* Where a name that is too long is cut: not inside a character. */
static size_t name_end(const char *p, size_t len)
{
	return len > PLAIN_NAME_MOST ? utf8_begin(p, PLAIN_NAME_MOST) : len;
}

void buf_plain_name(struct buf *out, const char *p, size_t len)
{
	size_t end = name_end(p, len);

	buf_plain(out, p, end, 0);
	if (end < len)
		buf_puts(out, "...");
}

void buf_plain_from(struct buf *b, size_t from)
{
	struct buf tail = { 0 };

	if (b->len <= from || (b->len - from <= PLAIN_NAME_MOST &&
			       text_is_plain(b->data + from, b->len - from, 0)))
		return;
	buf_plain_name(&tail, b->data + from, b->len - from);
	b->len = from;
	buf_add(b, tail.data, tail.len);
	buf_free(&tail);
}

const char *plain_name(struct arena *a, const char *name)
{
	struct buf b = { 0 };
	size_t len = name ? strlen(name) : 0;

	if (!name || (len <= PLAIN_NAME_MOST && text_is_plain(name, len, 0)))
		return name;
	buf_plain_name(&b, name, len);
	name = arena_strdup(a, b.data);
	buf_free(&b);
	return name;
}
