/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.c - functions of programs and libraries, for the providers uprobe and pid: finding them
 * in an ELF object, where their arguments are.  userattach.c attaches them.
 *
 * A probe keeps the path of the object (target) and the place in the file (off); num says what is
 * at that place (USER_…).
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/tag.h>
#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/machine/machine.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"
#include "runtime/kernel/kernel.h"

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	const struct user_where *where;
	struct codefile *file;
	dtx_probe_fn *each;
	void *arg;
	const struct elfsym *sym;        /* whose instructions are looked at */
	const struct elfsym *held;       /* matches, and may have other names */
	struct user_left_out left;
	struct few_names shared; /* others that the pattern does not match have their code */
	struct keytab *chosen;           /* addresses that IFUNCs have used, at entry or return */
	bool chosen_return;
	bool found;                      /* any probe */
};

/* All names of a function are one probe: its place identifies it. */
static const char *user_place_key(struct dtx_env *env, u64 off)
{
	return arena_printf(prov_arena(env), "0x%llx", (unsigned long long)off);
}

/* The function is shown by its name in the source. */
static int user_emit(struct listing *l, const struct elfsym *sym, const char *name, u64 off,
		     s64 num)
{
	const char *shown = sym ? user_shown_name(l->env, sym) : "-";
	const char *key = user_place_key(l->env, off);
	struct dtx_probe *p = user_probe(l->env, l->where, key, name, off, false);

	p->func = plain_name(prov_arena(l->env), shown);
	p->place.sym = sym ? arena_strdup(prov_arena(l->env), sym->name) : shown;
	p->place.num = num;
	l->found = true;
	return l->each(l->arg, p);
}

static int instruction(void *arg, u64 off, bool probed)
{
	struct listing *l = arg;
	char name[20];

	snprintf(name, sizeof(name), "%llx", (unsigned long long)off);
	if (!probed || !glob_matches(l->pat->name, name))
		return 0;
	return user_emit(l, l->sym, name, l->sym->file_off + off, USER_INSIDE);
}

static struct user_function function_of(const struct listing *l, const struct elfsym *sym)
{
	const char *shown = user_shown_name(l->env, sym);

	return (struct user_function){
		.where = l->where, .file = l->file, .sym = sym, .shown = shown,
		.key = user_place_key(l->env, sym->file_off),
		.alone = !glob_is_pattern(l->pat->func) && *l->pat->func &&
			 !glob_is_pattern(l->pat->name),
	};
}

static int user_found(void *arg, struct dtx_probe *p)
{
	struct listing *l = arg;

	l->found = true;
	return l->each(l->arg, p);
}

/* Alone it matches nothing, and user_advise() has the reason. */
static int user_no_entry(struct listing *l, const struct elfsym *sym)
{
	struct user_function f = function_of(l, sym);

	if (!f.alone)
		user_leave_entry_out(l->env, &f, &l->left);
	return 0;
}

static int user_entry_of(struct listing *l, const struct elfsym *sym)
{
	struct user_function f = function_of(l, sym);

	return user_list_entry(l->env, &f, &l->left, user_found, l);
}

/* In a pattern, a function that an IFUNC can be has a probe of its own, or that of another
 * IFUNC. */
static bool is_listed(void *arg, const struct elfsym *sym)
{
	struct listing *l = arg;
	u32 *times;

	if (strcmp(sym->name, "-") &&
	    user_name_fits(l->pat->func, sym, !l->where->of_pid))
		return true;
	if (!l->chosen)
		l->chosen = keytab_new(2 * sizeof(u64), sizeof(u32));
	times = keytab_put(l->chosen, (u64[]){ sym->addr, l->chosen_return });
	return (*times)++;
}

static int user_chosen(struct listing *l, const struct elfsym *sym)
{
	struct user_function f = function_of(l, sym);
	int err = 0;

	f.skips = f.alone ? NULL : is_listed;
	f.skips_arg = l;
	l->chosen_return = false;
	if (glob_matches(l->pat->name, "entry"))
		err = user_list_ifunc(l->env, &f, true, &l->left, user_found, l);
	l->chosen_return = true;
	if (!err && glob_matches(l->pat->name, "return"))
		err = user_list_ifunc(l->env, &f, false, &l->left, user_found, l);
	return err;
}

static int user_return(struct listing *l, const struct elfsym *sym)
{
	struct user_function f = function_of(l, sym);

	return user_list_return(l->env, &f, &l->left, user_found, l);
}

/* If all fields are empty, only functions match: their instructions would be hundreds of
 * thousands. */
static bool is_open(const char *field)
{
	return !*field || !strcmp(field, "*");
}

/* pidN:OBJECT:: is everything in the object. */
static bool user_wants_functions(const struct listing *l)
{
	return is_open(l->pat->name) && is_open(l->pat->func) &&
	       (!l->where->of_pid || is_open(l->pat->mod));
}

static int user_consider(void *arg, const struct elfsym *sym)
{
	struct listing *l = arg;
	const char *name = l->pat->name;
	u64 off = 0;
	int err = 0;
	bool is_off = prov_offset(name, &off), probed;

	if (sym->file_off == ~0ULL || (off && off >= sym->size))
		return 0;
	if (sym->is_ifunc)
		return user_chosen(l, sym);
	probed = insn_probed(l->file, sym->file_off, sym->size, off);
	if (is_off)
		return probed ? user_emit(l, sym, name, sym->file_off + off, USER_INSIDE) : 0;
	if (probed && !strcmp(name, "entry") && !glob_is_pattern(l->pat->func)) {
		bool copies = false;

		err = user_list_copies(l->env, l->where, sym, l->each, l->arg, &copies);
		l->found |= copies;
		if (copies || err)
			return err;
	}
	if (glob_matches(name, "entry"))
		err = probed ? user_entry_of(l, sym) : user_no_entry(l, sym);
	if (!err && glob_matches(name, "return") && strcmp(sym->name, "_start"))
		err = user_return(l, sym);
	if (err || !glob_is_pattern(name) || user_wants_functions(l))
		return err;
	l->sym = sym;
	return insn_each(l->file, sym->file_off, sym->size, instruction, l);
}

static size_t user_rank(const struct elfsym *sym)
{
	return strspn(sym->name, "_") + (user_is_clone(sym->name) ? 0x100 : 0);
}

/* A function that has the code of another one, whose probe stands for both. */
static void leave_joined_out(struct listing *l, const struct elfsym *sym)
{
	const char *path = l->where->path;

	if (dwarf_joined(l->env, path, sym->addr, sym->name))
		user_leave_out(&l->left, user_shown_name(l->env, sym),
			       "another function has the same code, and its probe fires for both");
}

/* A function that has the code of one that the pattern does not match. */
static void note_shared(struct listing *l, const struct elfsym *sym)
{
	struct elfsyms *syms = codefile_symbols(l->file);
	bool alone = !syms || !elfsyms_nth_at(syms, sym->addr, 1);       /* nearly all are */
	const char *other = alone ? NULL : dwarf_joined(l->env, l->where->path, sym->addr,
							sym->name);
	const struct elfsym *found = other ? elfsyms_by_name(syms, other) : NULL;

	if (found && !user_name_fits(l->pat->func, found, !l->where->of_pid))
		few_add(&l->shared, arena_printf(l->env->arena, "%s (%s)",
						 user_shown_name(l->env, sym),
						 user_shown_name(l->env, found)));
}

static void tell_shared(struct listing *l)
{
	static const struct range nowhere;

	if (l->shared.n && !l->env->listing)
		diag_remark(&l->env->diags, nowhere, "in %s, the linker or the compiler has joined "
			    "functions with others; calls of the others fire these probes, too: %s",
			    l->where->mod, few_text(&l->shared, l->env->names_all));
	few_free(&l->shared);
}

/* Of several symbols at one address, the one with the fewest leading underscores is the probe, a
 * clone the last; they are adjacent.  NULL: no more. */
static int user_hold(struct listing *l, const struct elfsym *sym)
{
	const struct elfsym *held = l->held;

	if (held && sym && held->addr == sym->addr && held->is_ifunc == sym->is_ifunc) {
		if (user_rank(sym) < user_rank(held))
			l->held = sym;
		leave_joined_out(l, sym == l->held ? held : sym);
		return 0;
	}
	l->held = sym;
	if (held && glob_is_pattern(l->pat->func))
		note_shared(l, held);
	return held ? user_consider(l, held) : 0;
}

/* What the optimiser has made of a function: pidN leaves it out of patterns, as DTrace does, but
 * its calls are not missed without a word.  One that also has a name of the source is probed. */
static int leave_clone_out(struct listing *l, const struct elfsym *sym)
{
	struct elfsyms *syms = codefile_symbols(l->file);
	const char *func = l->pat->func;
	const struct elfsym *same;

	if (!l->where->of_pid || !user_name_fits(func, sym, true))
		return 0;
	for (u32 i = 0; (same = elfsyms_nth_at(syms, sym->addr, i)); i++)
		if (user_name_fits(func, same, false))
			return 0;
	return user_leave_out(&l->left, user_shown_name(l->env, sym),
			      "the optimiser has made a copy of the function, and patterns of pid "
			      "leave copies out (the function's name finds them, and so does the "
			      "provider uprobe)");
}

static int consider_all(void *arg, const struct elfsym *sym)
{
	struct listing *l = arg;

	if (!user_name_fits(l->pat->func, sym, !l->where->of_pid))
		return leave_clone_out(l, sym);
	return user_hold(l, sym);
}

/* The function named exactly, its other versions (NAME@VERSION), and what the optimiser has made of
 * it for some of its callers. */
static int consider_others(void *arg, const struct elfsym *sym)
{
	struct listing *l = arg;
	return sym->addr != l->sym->addr && user_is_other_of(l->pat->func, sym) ?
	       user_consider(l, sym) : 0;
}

static int consider_named(struct listing *l, struct elfsyms *syms, const struct elfsym *sym)
{
	int err = user_consider(l, sym);
	u64 off;

	l->sym = sym;
	return err || prov_offset(l->pat->name, &off) || glob_is_pattern(l->pat->name) ?
	       err : elfsyms_each(syms, consider_others, l);
}

/* An address given as a number: inside a function, an instruction must begin there. */
static bool place_probed(struct dtx_env *env, const char *path, struct elfsyms *syms, u64 addr)
{
	const struct elfsym *f = elfsyms_at(syms, addr);
	u64 off = elfsyms_file_off(syms, addr);
	struct codefile *code = user_code(env, path);

	if (off == ~0ULL)
		return false;
	return f && f->size ? insn_probed(code, f->file_off, f->size, addr - f->addr) :
	       insn_probed(code, off, 1, 0);
}

struct around {
	u64 wanted, before, after;
	bool begins;                     /* an instruction begins at `wanted` */
};

static int look_around(void *arg, u64 off, bool probed)
{
	struct around *a = arg;

	if (off < a->wanted)
		a->before = off;
	else
		a->after = off;
	a->begins = off == a->wanted;
	return off >= a->wanted;
}

static struct around around(struct dtx_env *env, const char *path, const struct elfsym *f, u64 off)
{
	struct around a = { .wanted = off };

	insn_each(user_code(env, path), f->file_off, f->size, look_around, &a);
	return a;
}

/* A function that the object calls and another one has; NULL: it does not call it. */
static const char *imported(struct dtx_env *env, const char *path, const char *func)
{
	if (!*func || !elf_imports(user_code(env, path), func))
		return NULL;
	for (const char **n = elf_needed(user_code(env, path), env->arena); *n; n++) {
		const char *lib = sym_library(env->arena, *n);
		struct elfsyms *syms = lib ? user_symbols(env, lib) : NULL;

		if (syms && elfsyms_by_name(syms, func))
			return arena_printf(env->arena, "it is imported: '%s' is in %s, write "
					    "uprobe:%s:%s", func, *n, *n, func);
	}
	return arena_printf(env->arena, "it is imported: '%s' is in one of the libraries that ldd "
			    "lists, write uprobe:LIBRARY:%s", func, func);
}

/* A function and an object named exactly, but the function has no such place. */
static int refuse(const struct listing *l, const struct elfsym *sym)
{
	const char *name = l->pat->name, *func = l->pat->func;
	struct around a;
	u64 off;

	if (!sym) {
		const char *why = imported(l->env, l->where->path, func);

		why = why ? why : user_nameless(l->env, l->where->path);
		why = why ? arena_printf(l->env->arena, ": %s", why) :
			    user_similar(l->env, l->where->path, func);
		return dtx_env_refuse(l->env, D_PROC_FUNC, "there is no function '%s' in %s%s",
				      func, l->where->mod, why);
	}
	if (prov_offset(name, &off) && sym->size && off >= sym->size)
		return dtx_env_refuse(l->env, D_PROC_OFF, "offset %s is outside of '%s', which "
				      "has %llx bytes (all hexadecimal)", name, func,
				      (unsigned long long)sym->size);
	if (prov_offset(name, &off) && sym->size) {
		a = around(l->env, l->where->path, sym, off);
		if (!a.begins)
			return dtx_env_refuse(l->env, D_PROC_ALIGN, "%s",
					      prov_off_advice(l->env, l->pat, off, sym->size,
							      a.before, a.after));
	}
	if (!prov_offset(name, &off) && !glob_is_pattern(name) && strcmp(name, "entry") &&
	    strcmp(name, "return"))
		return dtx_env_refuse(l->env, D_PROC_NAME, "'%s' is not entry, return or a "
				      "hexadecimal offset", name);
	return 0;
}

/* "0x1189:return": the function that begins at the address. */
static bool is_address(const struct dtx_pattern *pat, u64 *addr)
{
	char *end;

	if (strncmp(pat->func, "0x", 2) || strcmp(pat->name, "return"))
		return false;
	*addr = strtoull(pat->func, &end, 16);
	return !*end;
}

static int list_at(struct listing *l, struct elfsyms *syms, u64 addr)
{
	const struct elfsym *f = elfsyms_at(syms, addr);
	u64 off = elfsyms_file_off(syms, addr);
	struct user_function fn;
	struct elfsym unnamed;

	if (f && f->addr == addr)
		return user_return(l, f);
	if (f && addr - f->addr < MAX(f->size, 1u))
		return dtx_env_refuse(l->env, D_PROC_OFF,
				      "0x%llx is inside of '%s', which begins at 0x%llx: a return "
				      "probe is set where a function begins",
				      (unsigned long long)addr, f->name,
				      (unsigned long long)f->addr);
	if (off == ~0ULL || !place_probed(l->env, l->where->path, syms, addr))
		return dtx_env_refuse(l->env, D_PROC_OFF, "%s has no code at 0x%llx",
				      l->where->mod, (unsigned long long)addr);
	unnamed = (struct elfsym){ .name = "-", .addr = addr, .file_off = off };
	fn = (struct user_function){ .where = l->where, .file = l->file, .sym = &unnamed,
				     .shown = "-", .key = l->pat->func, .alone = true };
	return user_list_return(l->env, &fn, &l->left, user_found, l);
}

/* pid123:shop:-:1189: an address of the object. */
static int list_place(struct listing *l, struct elfsyms *syms, u64 addr)
{
	const struct elfsym *f = elfsyms_at(syms, addr);
	struct dtx_pattern inside = *l->pat;
	struct around a;

	if (place_probed(l->env, l->where->path, syms, addr))
		return user_emit(l, NULL, l->pat->name, elfsyms_file_off(syms, addr), USER_INSIDE);
	if (!l->where->exact)
		return 0;
	if (!f || addr - f->addr >= f->size)
		return dtx_env_refuse(l->env, D_PROC_OFF, "%s has no code at %s (hexadecimal)",
				      l->where->mod, l->pat->name);
	a = around(l->env, l->where->path, f, addr - f->addr);
	inside.func = f->name;
	return dtx_env_refuse(l->env, D_PROC_ALIGN, "%s",
			      prov_off_advice(l->env, &inside, addr - f->addr, f->size,
					      f->addr + a.before, f->addr + a.after));
}

int user_list(struct dtx_env *env, const struct dtx_pattern *pat, const struct user_where *where,
	      dtx_probe_fn *each, void *arg)
{
	struct listing l = { .env = env, .pat = pat, .where = where, .each = each, .arg = arg,
			     .file = user_code(env, where->path) };
	struct elfsyms *syms = codefile_symbols(l.file);
	const struct elfsym *sym, *version;
	struct dtx_pattern entry;
	u64 off;
	int err;

	if (!syms)
		return 0;
	dwarf_note(env, where->path);
	if (!strcmp(pat->name, LINE_ENTRY)) {
		entry = *pat;
		entry.name = "entry";
		l.pat = pat = &entry;
	}
	if (line_is(pat->name))
		return user_list_lines(env, pat, where, each, arg);
	if (is_address(pat, &off))
		return list_at(&l, syms, off);
	if (!strcmp(pat->func, "-") && !prov_offset(pat->name, &off))
		return dtx_env_refuse(env, D_PROC_NAME,
				      "function '-' is an address of %s: its name is a hexadecimal "
				      "number, not '%s'",
				      where->mod, pat->name);
	if (!strcmp(pat->func, "-") && prov_offset(pat->name, &off))
		return list_place(&l, syms, off);
	sym = glob_is_pattern(pat->func) ? NULL : elfsyms_by_name(syms, pat->func);
	version = sym ? NULL : user_one_version(l.file, syms, pat->func);
	if (version)
		err = user_consider(&l, version);
	else
		err = sym && !sym->is_twice ? consider_named(&l, syms, sym) :
		      elfsyms_each(syms, consider_all, &l);
	if (!err && l.held)
		err = user_hold(&l, NULL);
	user_tell_left_out(env, where, &l.left);
	tell_shared(&l);
	keytab_free(l.chosen);
	if (!err && !l.found && !sym && !glob_is_pattern(pat->func) && *pat->func &&
	    !strcmp(pat->name, "entry"))
		err = user_list_inlined(env, pat, where, each, arg, &l.found);
	if (!err && !l.found && where->exact && !glob_is_pattern(pat->func))
		err = refuse(&l, sym);
	return err;
}

const char *user_advise(struct dtx_env *env, const struct dtx_pattern *pat, const char *path)
{
	struct elfsyms *syms = user_symbols(env, path);
	const struct elfsym *f = syms ? elfsyms_by_name(syms, pat->func) : NULL;
	const char *lack;
	struct around a;
	u64 off = 0;
	bool is_off;

	if (!syms) {
		const char *why = codefile_stranger(path);

		if (!machine_is_here(env) && file_access_object(path, F_OK))
			return user_not_recorded(env, path);
		return why ? arena_printf(env->arena, "'%s' cannot be read: %s", path, why) :
			     arena_printf(env->arena, "'%s' is not an ELF object that can be read",
					  path);
	}
	if (line_is(pat->name))
		return user_line_advise(env, pat, path);
	if (!f && (lack = dwarf_lack(env, path)))
		return arena_printf(env->arena, "symbols and debugging information of %s: %s", path,
				    lack);
	if (!f && (lack = imported(env, path, pat->func)))
		return lack;
	if (!f && (lack = user_nameless(env, path)))
		return arena_printf(env->arena, "%s: %s", path, lack);
	if (!f && (lack = user_clones_only(env, pat, path)))
		return lack;
	if (!f)
		return NULL;
	is_off = prov_offset(pat->name, &off);
	if (!is_off && strcmp(pat->name, "entry") && strcmp(pat->name, "return"))
		return NULL;
	a = around(env, path, f, off);
	if (a.begins)
		return "the kernel cannot set probes on the instruction that begins there, or the "
		       "program would do something else (it has a lock or segment prefix, must "
		       "run in its own place, is data, or is between an exclusive load and its "
		       "store)";
	return prov_off_advice(env, pat, off, f->size, a.before, a.after);
}

/* Typed if the object, or a separate debug file, has DWARF. */
int user_args(struct dtx_env *env, struct dtx_probe *p)
{
	if (p->late) {
		p->args.ret = strcmp(p->name, "return") ? -1 : 1;
		return user_late_args(env, p);
	}
	if (p->place.num >= USER_RETURN) {
		user_result_args(env, p);
		return 0;
	}
	if (p->place.num == USER_GO_RETURN ||
	    (!p->place.num && user_is_go(env, p->place.target, p->place.sym))) {
		user_go_args(env, p);
		return 0;
	}
	if (p->place.num && p->place.num != USER_CLONE)
		user_line_args(env, p);
	else
		user_function_args(env, p);
	user_past_args(p, arch_past_keeps);
	return 0;
}

const char *user_no_process(struct dtx_env *env)
{
	const char *why = machine_has_programs(env) ? NULL : user_missing(env);

	return why ? why :
	       arena_printf(env->arena, "processes of %s are not in its description: probe the "
			    "file of the program, as in uprobe:PATH:FUNCTION or usdt:PATH:::",
			    machine_name(env));
}

const char *user_missing(struct dtx_env *env)
{
	if (!machine_is_here(env) && !machine_has_programs(env))
		return arena_printf(env->arena, "programs and libraries of %s are not in its "
				    "description, and those of this machine are others: name them "
				    "when it is described (dtx --describe FILE --program PATH), "
				    "and over hosts (dtx --hosts LIST --program PATH)",
				    machine_name(env));
	return user_never(env);
}
