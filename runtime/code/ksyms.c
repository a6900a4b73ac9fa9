/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ksyms.c - kernel symbols: /proc/kallsyms, read once, sorted by address.
 *
 *   ffffffff81000000 T vfs_read\t[module]
 *
 * Names stay in the text that was read: each is terminated with a NUL in place.  Text
 * symbols are in one table by address, the others in a second one, which is sorted on
 * the first lookup of an address that is in no function.  Both can be searched by name
 * too.  Where modules end is read of /proc/modules.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/code/names.h"
#include "runtime/code/symtabs.h"

struct ksym {
	u64 addr;
	const char *name;
	u32 module;              /* index into modules, 0: vmlinux */
	u16 len;                 /* of the name */
	char type;
};

/* Where /proc/modules says that it is; to is 0: it is not said, or the module begins just now. */
struct kmodule {
	const char *name;
	u64 from, to;
};

struct ksyms {
	char *text;
	VEC(struct ksym) text_syms;      /* t T w W, by address */
	VEC(struct ksym) data_syms;      /* the others; by address when data_sorted */
	bool data_sorted, outdated;
	VEC(struct kmodule) modules;
	u32 *names;                      /* hash -> index of text, then data, + 1 */
	u32 names_mask, nlookups;
	struct map *firsts;              /* until then: name -> index of its first symbol, + 1 */
	struct ksyms *before;            /* read earlier: others may have names of it */
};

/* ---- reading --------------------------------------------------------------------- */

/* Eight hexadecimal digits at once: each byte to its nibble, then pairs are joined. */
static u64 hex8(const char *p)
{
	u64 v;

	memcpy(&v, p, 8);
	v = __builtin_bswap64(v);
	v = (v & 0x0f0f0f0f0f0f0f0full) + (v >> 6 & 0x0101010101010101ull) * 9;
	v = (v | v >> 4) & 0x00ff00ff00ff00ffull;
	v = (v | v >> 8) & 0x0000ffff0000ffffull;
	return (v | v >> 16) & 0xffffffffu;
}

/* Symbols of a module are adjacent in the file: nearly always it is the last module again. */
static u32 module_index(struct ksyms *k, char *name, size_t len)
{
	for (u32 i = k->modules.n; i-- > 1;) {
		const char *known = k->modules.v[i].name;

		if (!strncmp(known, name, len) && !known[len])
			return i;
	}
	name[len] = '\0';
	VEC_PUSH(&k->modules, ((struct kmodule){ .name = name }));
	return k->modules.n - 1;
}

/* A module in brackets may follow the name, after a tab. */
static void parse_names(struct ksyms *k, struct ksym *s, char *p, char *end)
{
	char *tab = NULL;

	s->name = p;
	s->module = 0;
	if (end[-1] == ']')
		tab = memchr(p, '\t', (size_t)(end - p));
	if (tab && tab[1] == '[')
		s->module = module_index(k, tab + 2, (size_t)(end - 1 - (tab + 2)));
	end = tab ? tab : end;
	*end = '\0';
	s->len = (u16)(end - p);
}

static bool is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

#define NAME_AT 19               /* 16 digits, blank, type, blank */

/* Neighbours have the upper half of their addresses in common. */
static void parse(struct ksyms *k, char *p, char *stop)
{
	u64 digits, seen = 0, upper = 0;
	char *end;

	for (; p < stop && (end = memchr(p, '\n', (size_t)(stop - p))); p = end + 1) {
		struct ksym s;

		if (end - p <= NAME_AT || p[16] != ' ' || p[18] != ' ')
			continue;
		memcpy(&digits, p, sizeof(digits));
		if (digits != seen)
			upper = hex8(p) << 32;
		seen = digits;
		s.addr = upper | hex8(p + 8);
		s.type = p[17];
		if (!s.addr)
			continue;
		parse_names(k, &s, p + NAME_AT, end);
		if (is_text(s.type))
			VEC_PUSH(&k->text_syms, s);
		else if (s.type != 'U')  /* absolute ones are offsets of per-CPU variables */
			VEC_PUSH(&k->data_syms, s);
	}
}

/* Equal addresses: global before local, then the order of the file. */
static int ksym_cmp(const void *pa, const void *pb)
{
	const struct ksym *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* The file is sorted except for modules and BPF programs, which follow at higher addresses. */
static void ksyms_sort(struct ksyms *k)
{
	struct ksym *v = k->text_syms.v;
	u32 n = k->text_syms.n, i;
	u64 low = ~0ull;

	for (i = 1; i < n && v[i].addr >= v[i - 1].addr; i++)
		;
	for (u32 j = i; j < n; j++)
		low = MIN(low, v[j].addr);
	while (i && i < n && v[i - 1].addr > low)
		i--;
	if (i < n)
		qsort(v + i, n - i, sizeof(*v), ksym_cmp);
}

/* NAME SIZE USES USERS STATE ADDRESS.  From Linux 6.4 on the size is that of all parts, and the
 * address that of the code alone. */
static void read_extents(struct ksyms *k, struct dtx_env *env)
{
	char *text = NULL, *save = NULL, name[64], state[16];
	u64 size, at;

	if (k->modules.n < 2 || machine_read(env, "/proc/modules", &text, NULL))
		return;
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		if (sscanf(l, "%63s %" SCNu64 " %*s %*s %15s %" SCNx64, name, &size, state,
			   &at) != 4 || strcmp(state, "Live"))
			continue;
		for (u32 i = 1; i < k->modules.n; i++) {
			struct kmodule *m = &k->modules.v[i];

			if (!strcmp(m->name, name))
				*m = (struct kmodule){ m->name, at, at + size };
		}
	}
	free(text);
}

/* Functions that began a module are still named when their memory is that of other code. */
static void drop_freed(struct ksyms *k)
{
	struct ksym *v = k->text_syms.v;
	u32 n = 0;

	while (n < k->text_syms.n && !v[n].module)
		n++;
	for (u32 i = n; i < k->text_syms.n; i++) {
		const struct kmodule *m = &k->modules.v[v[i].module];

		if (!m->to || (v[i].addr >= m->from && v[i].addr < m->to))
			v[n++] = v[i];
	}
	k->text_syms.n = n;
}

void ksyms_outdated(struct dtx_env *env)
{
	struct ksyms *k = symtabs_get(env)->ksyms;

	if (k)
		k->outdated = true;
}

struct ksyms *ksyms_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);
	struct ksyms *k = sym->ksyms, *before = k;
	size_t len;

	if (k && !k->outdated)
		return k;
	k = sym->ksyms = xcalloc(1, sizeof(*k));
	k->before = before;
	VEC_PUSH(&k->modules, ((struct kmodule){ .name = "vmlinux" }));
	if (machine_read(env, "/proc/kallsyms", &k->text, &len))
		return k;
	parse(k, k->text, k->text + len);
	read_extents(k, env);
	drop_freed(k);
	ksyms_sort(k);
	return k;
}

void ksyms_free(struct ksyms *k)
{
	if (!k)
		return;
	ksyms_free(k->before);
	VEC_FREE(&k->text_syms);
	VEC_FREE(&k->data_syms);
	VEC_FREE(&k->modules);
	free(k->names);
	map_free(k->firsts);
	free(k->text);
	free(k);
}

/* ---- by address --------------------------------------------------------------------- */

/* Marks of the linker that share an address with a function. */
static bool is_linker_mark(const char *name)
{
	return *name == '_' && (!strcmp(name, "_text") || !strcmp(name, "_stext") ||
	       !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6));
}

/* The last of the n symbols at or below addr; of several at one address the first that is
 * a function or a variable. */
static const struct ksym *ksym_below(const struct ksym *v, u32 n, u64 addr)
{
	u32 lo = BISECT(i, n, v[i].addr > addr), at;

	if (!lo)
		return NULL;
	for (at = lo - 1; at && v[at - 1].addr == v[lo - 1].addr; at--)
		;
	while (at < lo - 1 && is_linker_mark(v[at].name))
		at++;
	return &v[at];
}

u64 ksyms_next(struct ksyms *k, u64 addr)
{
	const struct ksym *s = ksym_below(k->text_syms.v, k->text_syms.n, addr),
			  *end = k->text_syms.v + k->text_syms.n;

	while (s && s < end && s->addr <= addr)
		s++;
	return s && s < end ? s->addr : 0;
}

#define KSYM_REACH (1u << 20)    /* addresses further after the last symbol are not in it */

/* The kernel puts code of BPF behind modules, whose names are gone when it is: nothing of the
 * module is behind its end. */
static bool ksym_reaches(const struct ksyms *k, const struct ksym *s, u64 addr)
{
	const struct kmodule *m = &k->modules.v[s->module];

	return addr - s->addr <= KSYM_REACH &&
	       (s->addr < m->from || s->addr >= m->to || addr < m->to);
}

static const struct ksym *ksym_function(const struct ksyms *k, u64 addr)
{
	const struct ksym *s = ksym_below(k->text_syms.v, k->text_syms.n, addr);

	return !s || !ksym_reaches(k, s, addr) || !strcmp(s->name, "_etext") ||
	       !strcmp(s->name, "_einittext") ? NULL : s;
}

/* Does another function of the same module follow s?  Then there is no variable between them. */
static bool ksym_is_inside(const struct ksyms *k, const struct ksym *s)
{
	return s && s + 1 < k->text_syms.v + k->text_syms.n && s[1].module == s->module &&
	       s[1].addr - s->addr <= KSYM_REACH;
}

/* Sorting moves the entries: the table by name is rebuilt. */
static const struct ksym *ksym_datum(struct ksyms *k, u64 addr)
{
	const struct ksym *s;

	if (!k->data_sorted) {
		qsort(k->data_syms.v, k->data_syms.n, sizeof(*k->data_syms.v), ksym_cmp);
		k->data_sorted = true;
		free(k->names);
		k->names = NULL;
		map_free(k->firsts);
		k->firsts = NULL;
	}
	s = ksym_below(k->data_syms.v, k->data_syms.n, addr);
	return s && ksym_reaches(k, s, addr) && (s64)s->addr < 0 ? s : NULL;
}

bool ksyms_find(struct ksyms *k, u64 addr, const char **name, const char **module, u64 *off)
{
	const struct ksym *s = ksym_function(k, addr), *d;

	d = ksym_is_inside(k, s) ? NULL : ksym_datum(k, addr);
	if (d && (!s || d->addr > s->addr))
		s = d;
	if (!s)
		return false;
	*name = s->name;
	*module = k->modules.v[s->module].name;
	*off = addr - s->addr;
	return true;
}

int ksyms_each(struct ksyms *k,
	       int (*fn)(void *arg, const char *module, const char *name, u64 addr), void *arg)
{
	int err = 0;

	for (u32 i = 0; i < k->text_syms.n && !err; i++) {
		const struct ksym *s = &k->text_syms.v[i];

		err = fn(arg, k->modules.v[s->module].name, s->name, s->addr);
	}
	return err;
}

/* ---- by name -------------------------------------------------------------------------- */

static const struct ksym *ksym_at(const struct ksyms *k, u32 i)
{
	return i < k->text_syms.n ? &k->text_syms.v[i] : &k->data_syms.v[i - k->text_syms.n];
}

static u32 ksym_hash(const char *s)
{
	return hash_bytes(s, strlen(s));
}

static void names_build(struct ksyms *k)
{
	u32 n = k->text_syms.n + k->data_syms.n, h;

	for (k->names_mask = 64; k->names_mask < n * 2; k->names_mask *= 2)
		;
	k->names = xcalloc(k->names_mask--, sizeof(*k->names));
	for (u32 i = 0; i < n; i++) {
		h = ksym_hash(ksym_at(k, i)->name) & k->names_mask;
		while (k->names[h])
			h = (h + 1) & k->names_mask;
		k->names[h] = i + 1;
	}
}

#define FEW 12                   /* searches that cost less than the table of all names */

/* All symbols of a name, in the order of the tables, which is that of addresses. */
struct named {
	struct ksyms *k;
	const char *name;
	u16 len;
	bool hashed;             /* it began with the table of all names */
	u32 at;
};

/* The index of the first symbol of the name from i on; the number of all: there is none. */
static u32 ksym_from(const struct ksyms *k, u32 i, const char *name, u16 len)
{
	u32 all = k->text_syms.n + k->data_syms.n;

	for (; i < all; i++) {
		const struct ksym *s = ksym_at(k, i);

		if (s->len == len && !memcmp(s->name, name, len))
			break;
	}
	return i;
}

static struct named ksym_named(struct ksyms *k, const char *name)
{
	uintptr_t first = k->firsts ? (uintptr_t)map_get(k->firsts, name) : 0;
	u16 len = (u16)strlen(name);

	if (!k->names && !first && k->nlookups++ >= FEW)
		names_build(k);
	if (k->names)
		return (struct named){ k, name, len, true, ksym_hash(name) };
	if (!first) {
		first = ksym_from(k, 0, name, len) + 1;
		k->firsts = k->firsts ? k->firsts : map_new();
		map_set(k->firsts, name, (void *)first);
	}
	return (struct named){ k, name, len, false, first - 1 };
}

/* The next one, or one that only hashes as they do; NULL: no more. */
static const struct ksym *ksym_next(struct named *n)
{
	const struct ksyms *k = n->k;
	u32 all = k->text_syms.n + k->data_syms.n, i;

	if (n->hashed) {
		i = k->names[n->at++ & k->names_mask];
		return i ? ksym_at(k, i - 1) : NULL;
	}
	n->at = ksym_from(k, n->at, n->name, n->len);
	return n->at < all ? ksym_at(k, n->at++) : NULL;
}

static bool ksym_is(const struct ksyms *k, const struct ksym *s, const char *module,
		    const char *name)
{
	return !strcmp(s->name, name) &&
	       (!module || !*module || !strcmp(module, k->modules.v[s->module].name));
}

/* The code that the kernel has freed after its start keeps its symbols. */
static bool ksym_is_gone(struct ksyms *k, const struct ksym *s)
{
	return !s->module && s->addr >= ksyms_addr(k, "vmlinux", "_sinittext") &&
	       s->addr < ksyms_addr(k, "vmlinux", "_einittext");
}

u32 ksyms_functions(struct ksyms *k, const char *module, const char *name, u64 *addrs, u32 max)
{
	const struct ksym *s, *end = k->text_syms.v + k->text_syms.n;
	struct named all = ksym_named(k, name);
	u32 n = 0;

	while ((s = ksym_next(&all))) {
		if (s < k->text_syms.v || s >= end || !ksym_is(k, s, module, name) ||
		    ksym_is_gone(k, s))
			continue;
		if (n < max)
			addrs[n] = s->addr;
		n++;
	}
	return n;
}

u64 ksyms_addr(struct ksyms *k, const char *module, const char *name)
{
	struct named all = ksym_named(k, name);
	const struct ksym *s;

	while ((s = ksym_next(&all)))
		if (ksym_is(k, s, module, name))
			return s->addr;
	return 0;
}
