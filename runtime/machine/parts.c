/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parts.c - what a description keeps of a file.
 *
 * Addresses of the kernel are secret and differ with each boot, and no program depends on them:
 * they are found when it is loaded.  But their order and distances are asked for: which of several
 * functions of a name is the second, where a function ends, which variables are per CPU.  So the
 * kernel is moved to one place, and each module to another.  Symbols are half of a description, so
 * a line has the distance from the one before it: "DISTANCE TYPE NAME".  Without a name it is
 * "__pfx_" and that of the next line: the kernel has such a symbol before most functions.
 */
#include <ctype.h>
#include <stdlib.h>

#include "runtime/machine/archive.h"

#define KERNEL_HALF   (1ull << 63)       /* below are offsets of per-CPU variables, and constants */
#define KERNEL_PLACE  0xffff900000000000ull
#define MODULE_ABOVE  0xffffa00000000000ull
#define MODULE_BELOW  0xffff800000000000ull
#define MODULE_ROOM   32                 /* bits: a module has parts up to 2 GB away */
#define NAME_AT       19                 /* 16 digits, blank, type, blank */

struct parts_line { const char *at, *end, *module; size_t module_len; u64 addr; };

static bool symbol_line(const char **p, const char *stop, struct parts_line *l)
{
	const char *end = *p < stop ? memchr(*p, '\n', (size_t)(stop - *p)) : NULL, *tab;

	if (!end)
		return false;
	l->at = *p;
	l->end = end;
	l->module = NULL;
	l->module_len = 0;
	l->addr = end - *p > NAME_AT ? strtoull(*p, NULL, 16) : 0;
	tab = end[-1] == ']' ? memchr(*p, '\t', (size_t)(end - *p)) : NULL;
	if (tab && tab[1] == '[') {
		l->module = tab + 2;
		l->module_len = (size_t)(end - 1 - l->module);
	}
	*p = end + 1;
	return true;
}

static bool module_is(const struct parts_line *l, const char *name)
{
	return l->module_len == strlen(name) && !memcmp(l->module, name, l->module_len);
}

struct parts_module { char *name; u64 low; };

struct parts_symbols {
	u64 start;                       /* the first address of the kernel's code */
	VEC(struct parts_module) modules;
};

/* Symbols of a module are adjacent: nearly always it is the last one again. */
static u32 module_of(struct parts_symbols *s, const struct parts_line *l)
{
	struct parts_module new = { 0 };

	for (u32 i = s->modules.n; i-- > 0;)
		if (module_is(l, s->modules.v[i].name))
			return i;
	new.name = xprintf("%.*s", (int)l->module_len, l->module);
	new.low = ~0ull;
	VEC_PUSH(&s->modules, new);
	return s->modules.n - 1;
}

static void find_places(struct parts_symbols *s, const char *text, const char *stop)
{
	struct parts_line l;

	while (symbol_line(&text, stop, &l)) {
		if (l.module && l.addr) {
			u32 i = module_of(s, &l);

			s->modules.v[i].low = MIN(s->modules.v[i].low, l.addr);
		} else if (!s->start && l.end - l.at == NAME_AT + 6 &&
			   !memcmp(l.at + NAME_AT, "_stext", 6)) {
			s->start = l.addr;
		}
	}
}

static u64 symbol_place(struct parts_symbols *s, const struct parts_line *l)
{
	u32 i;

	if (l->addr < KERNEL_HALF)
		return l->addr;
	if (!l->module)
		return KERNEL_PLACE + (l->addr - s->start);
	i = module_of(s, l);
	return (s->modules.v[i].low < s->start ? MODULE_BELOW : MODULE_ABOVE) +
	       ((u64)i << MODULE_ROOM) + (l->addr - s->modules.v[i].low);
}

/* BPF programs, and what ftrace and kprobes make at run time. */
static bool is_passing(const struct parts_line *l)
{
	return l->module && (module_is(l, "bpf") || !strncmp(l->module, "__builtin__", 11));
}

#define PREFIX     "__pfx_"
#define PREFIX_LEN (sizeof(PREFIX) - 1)

static bool has_prefix(const char *name, size_t len)
{
	return len >= PREFIX_LEN && !memcmp(name, PREFIX, PREFIX_LEN);
}

/* A symbol that waits for the one after it. */
struct parts_symbol { const char *name; size_t len; u64 at; char type; };

/* `before`: the place of the line before; `next`: NULL after the last one. */
static void put_symbol(struct buf *out, const struct parts_symbol *s, u64 before,
		       const struct parts_symbol *next)
{
	s64 far = (s64)(s->at - before);
	bool named = !next || !has_prefix(s->name, s->len) || has_prefix(next->name, next->len) ||
		     s->len != PREFIX_LEN + next->len ||
		     memcmp(s->name + PREFIX_LEN, next->name, next->len);

	buf_printf(out, "%s%llx %c%s%.*s\n", far < 0 ? "-" : "",
		   far < 0 ? -(unsigned long long)far : (unsigned long long)far, s->type,
		   named ? " " : "", named ? (int)s->len : 0, s->name);
}

static bool keep_symbols(const char *text, size_t len, struct buf *out)
{
	struct parts_symbols s = { 0 };
	struct parts_symbol last = { 0 };
	const char *stop = text + len;
	struct parts_line l;
	u64 before = 0;

	find_places(&s, text, stop);
	while (s.start && symbol_line(&text, stop, &l)) {
		struct parts_symbol this = { l.at + NAME_AT, (size_t)(l.end - l.at) - NAME_AT, 0,
					     l.at[NAME_AT - 2] };

		if (is_passing(&l) || l.end - l.at <= NAME_AT)
			continue;
		this.at = symbol_place(&s, &l);
		if (last.name)
			put_symbol(out, &last, before, &this);
		before = last.at;
		last = this;
	}
	if (last.name)
		put_symbol(out, &last, before, NULL);
	for (u32 i = 0; i < s.modules.n; i++)
		free(s.modules.v[i].name);
	VEC_FREE(&s.modules);
	return s.start;
}

/* The number of a line is its distance still, and is negative where `back`. */
static bool kept_symbol(const char **p, const char *stop, struct parts_symbol *s, bool *back)
{
	const char *at = *p, *end = at < stop ? memchr(at, '\n', (size_t)(stop - at)) : NULL;

	if (!end)
		return false;
	*back = *at == '-';
	at += *back;
	for (s->at = 0; at < end && isxdigit((unsigned char)*at); at++)
		s->at = s->at << 4 | (u64)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
	if (end - at < 2 || at[0] != ' ' || (end - at > 2 && at[2] != ' '))
		return false;
	s->type = at[1];
	s->name = end - at > 3 ? at + 3 : NULL;
	s->len = end - at > 3 ? (size_t)(end - at) - 3 : 0;
	*p = end + 1;
	return true;
}

static void unfold_symbol(struct buf *out, u64 place, char type, const char *prefix,
			  const struct parts_symbol *named)
{
	char head[NAME_AT];

	for (u32 i = 16; i-- > 0; place >>= 4)
		head[i] = "0123456789abcdef"[place & 15];
	head[16] = head[18] = ' ';
	head[17] = type;
	buf_add(out, head, NAME_AT);
	buf_puts(out, prefix);
	buf_add(out, named->name, named->len);
	buf_putc(out, '\n');
}

bool part_unfold(const char *text, size_t len, size_t most, struct buf *out)
{
	const char *stop = text + len;
	struct parts_symbol s, next;
	u64 place = 0;
	bool back;

	while (kept_symbol(&text, stop, &s, &back)) {
		const char *peek = text;

		place += back ? -s.at : s.at;
		if (s.name)
			unfold_symbol(out, place, s.type, "", &s);
		else if (kept_symbol(&peek, stop, &next, &back) && next.name)
			unfold_symbol(out, place, s.type, PREFIX, &next);
		else
			return false;
		if (out->len > most)
			return false;
	}
	return text == stop;
}

/* The text after the last tab: "0xffff…-0xffff…\tname". */
static void keep_name(struct buf *out, const char *line, size_t len)
{
	const char *tab = memrchr(line, '\t', len);

	buf_puts(out, "0x0-0x0\t");
	if (tab)
		buf_add(out, tab + 1, (size_t)(line + len - tab - 1));
	buf_putc(out, '\n');
}

/* "nf_tables 372736 0 - Live 0xffff…": without the address. */
static void keep_fields(struct buf *out, const char *line, size_t len)
{
	size_t at = 0;

	for (u32 blanks = 0; at < len && blanks < 5; at++)
		blanks += line[at] == ' ';
	buf_add(out, line, at);
	buf_putc(out, '\n');
}

bool part_keep(enum mach_part part, const char *text, size_t len, struct buf *out)
{
	if (part == MACH_PART_SYMBOLS)
		return keep_symbols(text, len, out);
	if (part == MACH_PART_ALL) {
		buf_add(out, text, len);
		return true;
	}
	for (const char *end; (end = memchr(text, '\n', len));
	     len -= end + 1 - text, text = end + 1)
		if (part == MACH_PART_NAMES)
			keep_name(out, text, (size_t)(end - text));
		else
			keep_fields(out, text, (size_t)(end - text));
	return true;
}
