/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parts.c - what a description keeps of a file.
 *
 * Addresses of the kernel are secret and differ with each boot, and no program depends on them:
 * they are found when it is loaded.  But their order and distances are asked for: which of several
 * functions of a name is the second, where a function ends, which variables are per CPU.  So the
 * kernel is moved to one place, and each module to another.
 */
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

static bool keep_symbols(const char *text, size_t len, struct buf *out)
{
	struct parts_symbols s = { 0 };
	const char *stop = text + len;
	struct parts_line l;

	find_places(&s, text, stop);
	while (s.start && symbol_line(&text, stop, &l))
		if (!is_passing(&l) && l.end - l.at > NAME_AT)
			buf_printf(out, "%016llx%.*s\n", (unsigned long long)symbol_place(&s, &l),
				   (int)(l.end - l.at - 16), l.at + 16);
	for (u32 i = 0; i < s.modules.n; i++)
		free(s.modules.v[i].name);
	VEC_FREE(&s.modules);
	return s.start;
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
