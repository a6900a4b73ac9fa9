/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * username.c - names of functions of programs, in descriptions and as they are shown.
 *
 *     main            a symbol
 *     ns::f           as in the source; ns::f(int) is the one with these parameters
 *     shop.c`helper   a static function, by its file: how it is shown if others have its name
 */
#include <ctype.h>

#include "runtime/provider/providers.h"

/* f.cold, f.isra.0 and so on, of the optimiser, or an old version: f@GLIBC_2.2.5.  Other dots are
 * part of a name (Go's main.f). */
static bool is_clone(const char *name)
{
	static const char *const marks[] = { "cold", "part", "isra", "constprop", "lto_priv",
					     "llvm", "localalias", "clone", "ipa" };

	if (strchr(name, '@'))
		return true;
	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		for (u32 i = 0; i < ARRAY_SIZE(marks); i++)
			if (!strncmp(dot + 1, marks[i], strlen(marks[i])) &&
			    strchr(".", dot[1 + strlen(marks[i])]))
				return true;
	return false;
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

/* A name as in the source is that of the function and of its clones; its cold part has no entry. */
static bool readable_fits(const char *wanted, const char *name)
{
	struct buf text = { 0 };
	bool fits = false;
	size_t len;

	if (strchr(wanted, '(')) {
		fits = sym_signature(name, &text) && glob_matches(wanted, text.data);
	} else if (may_fit(wanted, name) && sym_function(name, &text)) {
		fits = glob_matches(wanted, text.data);
		len = text.len;
		sym_suffix(name, &text);
		fits = (fits && !strstr(text.data + len, ".cold")) ||
		       glob_matches(wanted, text.data);
	}
	buf_free(&text);
	return fits;
}

bool user_name_fits(const char *wanted, const struct elfsym *sym)
{
	const char *tick = strchr(wanted, '`');
	struct buf text = { 0 };
	bool fits;

	if (tick) {
		buf_add(&text, wanted, tick - wanted);
		fits = sym->file && glob_matches(text.data, sym->file);
		buf_free(&text);
		return fits && user_name_fits(tick + 1, sym);
	}
	fits = glob_matches(wanted, sym->name) || readable_fits(wanted, sym->name);
	return fits && !(glob_is_pattern(wanted) && is_clone(sym->name));
}

const char *user_shown_name(struct dtx_env *env, const struct elfsym *sym)
{
	struct buf text = { 0 };
	const char *name;

	if (sym->is_twice)
		buf_printf(&text, "%s`", sym->file);
	sym_demangle(sym->name, &text);
	name = arena_strdup(env->arena, text.data);
	buf_free(&text);
	return name;
}
