/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * username.c - names of functions of programs, in descriptions and as they are shown.
 *
 *     main            a symbol
 *     ns::f           as in the source; ns::f(int) is the one with these parameters
 *     shop.c`helper   a static function, by its file: how it is shown if others have its name
 */
#include <ctype.h>

#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/provider/provider.h"

/*
 * What a symbol is besides a function of the source: bits of CLONE_, 0: nothing else.  Compilers
 * write it at the end, as in f.isra.0; other dots are part of a name (Go's main.f).  *base: the
 * length of the name without it, if it is there.
 */
enum { CLONE = 1, CLONE_PIECE = 2 /* begins inside */, CLONE_CHANGED = 4 /* other parameters */,
       CLONE_VERSION = 8 /* an old one: f@GLIBC_2.2.5 */ };

static u32 clone_kind(const char *name, size_t *base)
{
	static const struct { const char *mark; u32 kind; } marks[] = {
		{ "cold", CLONE_PIECE }, { "part", CLONE_PIECE | CLONE_CHANGED },
		{ "__part", CLONE_PIECE }, { "eh", CLONE_PIECE },
		/* what a coroutine does after its call: gcc, clang */
		{ "actor", CLONE_PIECE }, { "resume", CLONE_PIECE }, { "destroy", CLONE_PIECE },
		{ "cleanup", CLONE_PIECE }, { "isra", CLONE_CHANGED },
		{ "constprop", CLONE_CHANGED }, { "specialized", CLONE_CHANGED },
		{ "clone", CLONE_CHANGED },
		{ "lto_priv", CLONE }, { "llvm", CLONE }, { "localalias", CLONE }, { "ipa", CLONE },
	};
	const char *at = strchr(name, '@');
	u32 kind = at ? CLONE_VERSION : 0;

	*base = at ? (size_t)(at - name) : SIZE_MAX;
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		for (u32 i = 0; i < ARRAY_SIZE(marks); i++)
			if (!strncmp(dot + 1, marks[i].mark, strlen(marks[i].mark)) &&
			    strchr(".", dot[1 + strlen(marks[i].mark)])) {
				*base = MIN(*base, (size_t)(dot - name));
				kind |= CLONE | marks[i].kind;
			}
	return kind;
}

bool user_is_clone(const char *symbol)
{
	size_t base;

	return clone_kind(symbol, &base);
}

bool user_is_changed(const char *symbol)
{
	size_t base;

	return clone_kind(symbol, &base) & CLONE_CHANGED;
}

/* Names that demangled text has and mangled text has not, where a name of a function or a scope
 * stands. */
static const char *const made_names[] = {
	"std", "allocator", "basic_string", "string", "basic_istream", "istream", "basic_ostream",
	"ostream", "basic_iostream", "iostream", "operator", "global", "vtable", "VTT", "typeinfo",
	"construction", "guard", "reference", "non", "virtual", "covariant", "TLS", "hidden",
	"transaction", "template", "initializer", "java", "decltype", "auto",
};

static bool is_made(const char *word, size_t len)
{
	for (u32 i = 0; i < ARRAY_SIZE(made_names); i++)
		if (!len || (*made_names[i] == *word && !strncmp(made_names[i], word, len)))
			return true;
	return false;
}

/* Is the function in namespace std?  Its mangled name has St, or S and a letter for a class of it;
 * that of Rust has 3std. */
static bool is_std(const char *name)
{
	name += 2 + strspn(name + 2, "Z");
	name += *name == 'N';
	name += strspn(name, "KVrRO");
	return (*name == 'S' && name[1] && strchr("tabsiod", name[1])) || !strncmp(name, "3std", 4);
}

/*
 * Can the mangled name be that of a function whose readable name begins as the pattern does?  The
 * names of C++ and its scopes are part of it as they are, so most symbols of a large program need
 * not be demangled.
 */
static bool may_fit(const char *wanted, const char *name)
{
	if (strncmp(name, "_Z", 2))
		return true;
	if (!strncmp(wanted, "std::", 5) && !is_std(name))
		return false;
	for (;; wanted += 2) {
		size_t len = 0;

		while (wanted[len] == '_' || isalnum((u8)wanted[len]))
			len++;
		if (!is_made(wanted, len) && !memmem(name + 2, strlen(name + 2), wanted, len))
			return false;
		wanted += len;
		if (strncmp(wanted, "::", 2))
			return true;
	}
}

/* ns::f<int>::g[abi:cxx11]<T> without the arguments of templates and the tags that compilers add:
 * ns::f::g.  An operator keeps its signs. */
static const char *as_written(char *s, size_t len)
{
	size_t to = 0, depth = 0, signs;

	for (size_t i = 0; i < len; i++) {
		if (!depth && !strncmp(s + i, "[abi:", 5))
			i += MIN(strcspn(s + i, "]") + 1, len - i);
		if (!depth && to >= 8 && !memcmp(s + to - 8, "operator", 8)) {
			signs = strspn(s + i, "<>=-");
			memmove(s + to, s + i, signs);
			to += signs;
			i += signs;
		}
		if (i >= len)
			break;
		if (s[i] == '<' && to) {
			if (!depth && s[to - 1] == ':')         /* of Rust: f::<T> */
				to -= MIN(to, 2u);
			else if (!depth && s[to - 1] == ' ')    /* operator<< <T> */
				to--;
			depth++;
		}
		if (!depth)
			s[to++] = s[i];
		depth -= depth && s[i] == '>';
	}
	s[MIN(to, len)] = '\0';
	return s;
}

/* The brackets of operator() are its name. */
static bool has_parameters(const char *wanted)
{
	const char *op = strstr(wanted, "operator()");

	return strchr(op ? op + strlen("operator()") : wanted, '(');
}

/* A name as in the source is that of the function, of its clones and of all instances of a
 * template. */
static bool readable_fits(const char *wanted, const char *name)
{
	struct buf text = { 0 };
	size_t len, base;
	bool fits = false;

	if (has_parameters(wanted)) {
		fits = sym_signature(name, &text) && glob_matches(wanted, text.data);
	} else if (may_fit(wanted, name) && sym_function(name, &text)) {
		bool piece = clone_kind(name, &base) & CLONE_PIECE;

		len = text.len;
		fits = !piece && glob_matches(wanted, text.data);
		sym_suffix(name, &text);
		fits = fits || (text.len > len && glob_matches(wanted, text.data));
		if (!fits && !piece && strpbrk(text.data, "<["))
			fits = glob_matches(wanted, as_written(text.data, len));
	}
	buf_free(&text);
	return fits;
}

static bool is_clone_of(const char *wanted, const char *name)
{
	size_t base;
	u32 kind = strncmp(name, wanted, strlen(wanted)) ? 0 : clone_kind(name, &base);

	return kind && !(kind & (CLONE_PIECE | CLONE_VERSION)) && !strncmp(wanted, name, base) &&
	       !wanted[base];
}

bool user_is_other_of(const char *wanted, const struct elfsym *sym)
{
	return is_clone_of(wanted, sym->name) || (sym->is_old && !strcmp(wanted, sym->name));
}

const struct elfsym *user_one_version(struct codefile *file, struct elfsyms *syms, const char *func)
{
	size_t len;
	u64 addr = elf_version_addr(file, func, &len);

	return addr ? elfsyms_named_at(syms, addr, func, len) : NULL;
}

bool user_name_fits(const char *wanted, const struct elfsym *sym, bool clones)
{
	const char *tick = strchr(wanted, '`');
	struct buf text = { 0 };
	size_t base;
	bool fits;
	u32 kind;

	if (tick) {
		buf_add(&text, wanted, tick - wanted);
		fits = sym->file && glob_matches(text.data, sym->file);
		buf_free(&text);
		return fits && user_name_fits(tick + 1, sym, clones);
	}
	fits = glob_matches(wanted, sym->name) || readable_fits(wanted, sym->name);
	if (!glob_is_pattern(wanted))
		return fits || is_clone_of(wanted, sym->name);
	kind = fits ? clone_kind(sym->name, &base) : 0;
	return fits && (!kind || (clones && !(kind & (CLONE_PIECE | CLONE_VERSION))));
}

const char *user_shown_name(struct dtx_env *env, const struct elfsym *sym)
{
	struct buf text = { 0 };
	const char *name;

	if (sym->is_twice)
		buf_printf(&text, "%s`", sym->file);
	sym_demangle(sym->name, &text);
	name = arena_strdup(prov_arena(env), text.data);
	buf_free(&text);
	return name;
}

/* ---- near names ------------------------------------------------------------------------ */

struct nearest { const char *wanted, *best; unsigned distance; };

static int look_nearest(void *arg, const struct elfsym *f)
{
	struct nearest *n = arg;
	unsigned d = edit_distance(n->wanted, f->name, n->distance);

	n->best = d < n->distance ? f->name : n->best;
	n->distance = MIN(d, n->distance);
	return 0;
}

const char *user_similar(struct dtx_env *env, const char *path, const char *func)
{
	struct nearest n = { func, NULL, strlen(func) < 5 ? 2 : 3 };
	struct elfsyms *syms = user_symbols(env, path);

	if (syms)
		elfsyms_each(syms, look_nearest, &n);
	return n.best ? arena_printf(env->arena, "; did you mean '%s'?", n.best) : "";
}

static int look_any(void *arg, const struct elfsym *f)
{
	(void)arg;
	(void)f;
	return 1;
}

/* What a pattern does not fit only because the optimiser has made it. */
struct unfit {
	const struct dtx_pattern *pat;
	struct few_names names;
};

static int look_clone(void *arg, const struct elfsym *f)
{
	struct unfit *u = arg;
	size_t base;

	if (!(clone_kind(f->name, &base) & (CLONE_PIECE | CLONE_VERSION)) &&
	    user_name_fits(u->pat->func, f, true))
		few_add(&u->names, f->name);
	return 0;
}

const char *user_clones_only(struct dtx_env *env, const struct dtx_pattern *pat, const char *path)
{
	struct elfsyms *syms = user_symbols(env, path);
	struct unfit u = { .pat = pat };
	const char *why = NULL;

	if (syms && glob_is_pattern(pat->func))
		elfsyms_each(syms, look_clone, &u);
	if (u.names.n)
		why = arena_printf(env->arena, "patterns leave out what the optimiser has made of "
				   "functions; name it without a pattern: %s",
				   few_text(&u.names, env->names_all));
	few_free(&u.names);
	return why;
}

const char *user_nameless(struct dtx_env *env, const char *path)
{
	struct elfsyms *syms = user_symbols(env, path);

	return syms && !elfsyms_each(syms, look_any, NULL) ?
	       "it is stripped of the names of its functions, and its debug file is not here; a "
	       "place whose address is known is written -:ADDRESS" : NULL;
}
