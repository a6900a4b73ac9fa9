/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * username.c - names of functions of programs, in descriptions and as they are shown.
 *
 *     main            a symbol
 *     ns::f           as in the source; ns::f(int) is the one with these parameters
 *     shop.c`helper   a static function, by its file: how it is shown if others have its name
 */
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

/* A name as in the source is that of the function and of its clones; its cold part has no entry. */
static bool readable_fits(const char *wanted, const char *name)
{
	struct buf text = { 0 };
	bool fits = false;
	size_t len;

	if (strchr(wanted, '(')) {
		fits = sym_signature(name, &text) && glob_matches(wanted, text.data);
	} else if (sym_function(name, &text)) {
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
	if (glob_is_pattern(wanted) && is_clone(sym->name))
		return false;
	fits = glob_matches(wanted, sym->name);
	buf_free(&text);
	return fits || readable_fits(wanted, sym->name);
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
