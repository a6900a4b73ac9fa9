/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt.c - kernel functions: fbt:MODULE:FUNCTION:entry and :return (kprobe, kretprobe, fentry
 * and fexit are other spellings of these).
 *
 * A few functions with known types are attached by fentry/fexit (typed arguments, plain loads);
 * more by fentry.multi and fexit.multi, one link for all; many by kprobe.multi; perf kprobes where
 * the kernel has none of these.
 * Why: docs/decisions/55-many-functions.md
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/feat.h>
#include <dtx/kind.h>
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

#define FEW            16        /* fentry up to this many probes: each needs its own load */
#define SEVERAL        1000      /* fentry.multi: the kernel keeps a trampoline for each function */
/* Ordinals of functions without vmlinux BTF: their position, starting above all BTF ids. */
#define UNTYPED        250000

struct found {
	const char *mod, *func;
	u32 ordinal;             /* gives the id: ids are base + 2 × ordinal, + 1 return */
	u32 n;                   /* functions of this name in the module */
};

struct listing {
	struct dtx_env *env;
	struct btf_src *btf;
	const struct dtx_pattern *pat;
	const struct dtx_probe *late;    /* or NULL: what stands for the probes (-Z) */
	u64 only;                /* 0, or: of several functions, the one at this address */
	VEC(struct found) found;
	u32 base, position, nprobes;     /* base: the first id */
};

static const char *const names[] = { "entry", "return" };

struct btf_src *fbt_types(struct dtx_env *env)
{
	return env_has(env, FEAT_BTF) ? btf_src_open(env) : NULL;
}

static struct type *prototype(struct dtx_env *env, const struct dtx_probe *p)
{
	struct btf_src *btf = fbt_types(env);
	struct type_source *types = btf ? btf_src_types(btf) : NULL;
	struct type *t = types ? types->function(types, env->arena, p->mod, p->func) : NULL;

	return t && t->kind == T_FUNC ? t : NULL;
}

/* Bit 0: entry matches, bit 1: return. */
static u32 matching(const struct listing *l, u32 ordinal)
{
	u32 id = l->base + 2 * ordinal, bits = 0;

	for (u32 ret = 0; ret < 2; ret++)
		if ((!l->pat->id || l->pat->id == id + ret) &&
		    glob_matches(l->pat->name, names[ret]))
			bits |= 1u << ret;
	return bits;
}

static void fbt_add(struct listing *l, const struct found *f)
{
	u32 bits = matching(l, f->ordinal);

	if (!bits)
		return;
	l->nprobes += f->n * ((bits & 1) + (bits >> 1));
	VEC_PUSH(&l->found, *f);
}

static int fbt_consider(void *arg, const char *mod, const char *func)
{
	struct listing *l = arg;
	u32 position = l->position++, id;
	struct found f = { mod, func, UNTYPED + position, 1 };

	if (!glob_matches(l->pat->func, func) || !glob_matches(l->pat->mod, mod))
		return 0;
	id = strcmp(mod, "vmlinux") ? 0 : btf_vmlinux_func(l->btf, func);
	if (id && id < UNTYPED)
		f.ordinal = id;
	f.n = kattach_listed(l->env, mod, func);
	fbt_add(l, &f);
	return 0;
}

/*
 * A function named exactly and known to BTF needs no list of all functions.  If the kernel
 * protects it, attaching says so.  BTF has one function of a name; the symbols have all.
 */
static bool find_exact(struct listing *l)
{
	struct found f = { "vmlinux", l->pat->func, 0, 1 };
	u32 all;

	if (glob_is_pattern(f.func) || l->pat->id || !glob_matches(l->pat->mod, f.mod))
		return false;
	f.ordinal = btf_vmlinux_func(l->btf, f.func);
	if (!f.ordinal)
		return false;
	all = ksyms_functions(ksyms_get(l->env), NULL, f.func, NULL, 0);
	if (!all && env_ksym(l->env, "vmlinux", "_stext"))       /* only clones are left */
		return false;
	f.n = all > 1 ? kattach_functions(l->env, f.mod, f.func) : 1;
	if (all > f.n && strcmp(l->pat->mod, f.mod))     /* modules have it, too */
		return false;
	f.func = arena_strdup(l->env->arena, f.func);
	fbt_add(l, &f);
	return true;
}

/* ---- functions that match a glob and are not probed: named, once ------------------------- */

struct left_out {
	struct listing *l;
	const char *reason;      /* of the functions being collected */
	struct few_names names;
};

static int collect_left_out(void *arg, const char *mod, const char *func)
{
	struct left_out *o = arg;
	const char *reason;

	if (!glob_matches(o->l->pat->func, func) || !glob_matches(o->l->pat->mod, mod))
		return 0;
	reason = kattach_refusal(o->l->env, func);
	if (!reason || strcmp(reason, o->reason))
		return 0;
	few_add(&o->names, func);
	return 0;
}

static const char *names_of(struct dtx_env *env, struct left_out *o)
{
	return few_text(&o->names, env->names_all);
}

static const char *fbt_missing(struct dtx_env *env);

#define RAW_HINT "rawfbt probes them, with registers for arguments: rawfbt:%s:%s:%s"

/* A function of exactly this name: clones that the compiler made of it are called in its place. */
static int collect_clone(void *arg, const char *mod, const char *func, u64 addr)
{
	struct left_out *o = arg;
	size_t len = strlen(o->l->pat->func);

	if (strncmp(func, o->l->pat->func, len) || func[len] != '.' ||
	    !glob_matches(o->l->pat->mod, mod) || strstr(func, ".cold") || strstr(func, ".llvm."))
		return 0;
	few_add(&o->names, func);
	return 0;
}

static void name_clones(struct listing *l)
{
	static const struct range nowhere;
	struct left_out o = { .l = l };
	const struct dtx_pattern *pat = l->pat;

	if (pat->id || !l->found.n || glob_is_pattern(pat->func) || glob_is_pattern(pat->prov))
		return;
	ksyms_each(ksyms_get(l->env), collect_clone, &o);
	if (o.names.n)
		diag_hint(&l->env->diags,
			  diag_warn(&l->env->diags, DIAG_NONE, nowhere, "not probed: %s: %s",
				    names_of(l->env, &o), kattach_reasons[0]),
			  RAW_HINT, pat->mod, arena_printf(l->env->arena, "%s.*", pat->func),
			  pat->name);
	few_free(&o.names);
}

/* Only clones are left of the function. */
static const char *advise_clones(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct listing l = { .env = env, .pat = pat, .base = prov_base(&provider_fbt) };
	struct left_out o = { .l = &l };
	const char *text = NULL;

	if (!*pat->func || glob_is_pattern(pat->func) || fbt_missing(env))
		return NULL;
	ksyms_each(ksyms_get(env), collect_clone, &o);
	if (o.names.n)
		text = arena_printf(env->arena, "the compiler has left only clones of it, whose "
				    "arguments are unknown: %s; " RAW_HINT, names_of(env, &o),
				    pat->mod,
				    arena_printf(env->arena, "%s.*", pat->func), pat->name);
	few_free(&o.names);
	return text;
}

static void name_left_out(struct listing *l)
{
	static const struct range nowhere;

	if (!l->pat->prov[0] || glob_is_pattern(l->pat->prov) || !l->pat->func[0])
		return;
	for (u32 i = 0; i < ARRAY_SIZE(kattach_reasons); i++) {
		struct left_out o = { .l = l, .reason = kattach_reasons[i] };
		struct diag *d = NULL;

		kattach_each_left_out(l->env, collect_left_out, &o);
		if (o.names.n)
			d = diag_warn(&l->env->diags, DIAG_NONE, nowhere, "not probed: %s: %s",
				      names_of(l->env, &o), o.reason);
		if (o.names.n && !i)
			diag_hint(&l->env->diags, d, RAW_HINT, l->pat->mod, l->pat->func,
				  l->pat->name);
		few_free(&o.names);
	}
}

/*
 * Functions that trampolines themselves call outside their guard against recursion
 * (kernel/bpf/trampoline.c).  A program there calls itself until the kernel's stack overflows;
 * each kernel version forbids some of these functions.  kprobes are guarded against this.
 */
static bool is_in_trampolines(const char *func)
{
	static const char *const funcs[] = {
		"__rcu_read_lock",        "__rcu_read_unlock", "rcu_read_unlock_special",
		"rcu_read_unlock_strict", "migrate_disable",   "migrate_enable",
		"preempt_count_add",      "preempt_count_sub",
	};

	for (u32 i = 0; i < ARRAY_SIZE(funcs); i++)
		if (!strcmp(func, funcs[i]))
			return true;
	return false;
}

static bool choose_fentry(struct listing *l, struct dtx_probe *p, bool ret)
{
	const char *mod = NULL;
	bool others = env_has(l->env, FEAT_KPROBE) || env_has(l->env, FEAT_KPROBE_MULTI);
	struct type *proto;
	u32 obj = 0, id;

	if ((l->nprobes > FEW && others) || !l->btf || !env_has(l->env, FEAT_FENTRY) ||
	    p->place.sym || (is_in_trampolines(p->func) && others))
		return false;
	id = btf_func_id(l->btf, p->func, &mod, &obj);
	if (!id || (mod && *mod && strcmp(mod, p->mod)))
		return false;
	proto = prototype(l->env, p);
	if (!trampoline_fits(proto) ||
	    (others && !trampoline_takes(l->env, p->func, proto, ret,
					 (struct trampoline){ id, obj })))
		return false;
	p->prog.kind = ret ? PK_FEXIT : PK_FENTRY;
	p->prog.ident = IDENT_ONE;
	p->prog.btf_id = id;
	p->prog.btf_obj_id = obj;
	return true;
}

/*
 * One program for many functions: the kernel checks each only when it is attached.  So none is
 * taken that trampolines refuse by its parameters or result, or because it does not return, or that
 * has no trampoline.
 */
static bool choose_fentry_multi(struct listing *l, struct dtx_probe *p, bool ret)
{
	struct type *proto, *result;

	if (l->nprobes > SEVERAL || !l->btf || !env_has(l->env, FEAT_FENTRY_MULTI) ||
	    p->place.sym || is_in_trampolines(p->func) || (ret && !trampoline_returns(p->func)) ||
	    strcmp(p->mod, "vmlinux") || !btf_vmlinux_func(l->btf, p->func))
		return false;
	proto = prototype(l->env, p);
	result = trampoline_fits(proto) ? type_base(proto->to) : NULL;
	if (!result || result->kind == T_STRUCT || result->kind == T_UNION ||
	    (result->kind != T_VOID && !arch_result_in_reg(proto->to)))
		return false;
	p->prog.kind = ret ? PK_FEXIT_MULTI : PK_FENTRY_MULTI;
	p->prog.ident = IDENT_COOKIE;
	return true;
}

static void choose(struct listing *l, struct dtx_probe *p, bool ret)
{
	if (l->late) {                   /* its program is loaded already */
		p->prog.kind = l->late->prog.kind;
		p->prog.ident = l->late->prog.ident;
		p->place.num = l->late->place.num;
		return;
	}
	if (choose_fentry(l, p, ret) || choose_fentry_multi(l, p, ret))
		return;
	koffset_kind(l->env, p, env_has(l->env, FEAT_KPROBE_MULTI), ret);
}

/*
 * Trampolines have no registers, and their stacks begin with the frames of the tracer, which the
 * unwinder walks first.  Kprobes have registers and the plain stack (but for the caller, where a
 * call leaves its address in a register: ARCH_ENTRY_WALK), but the kernel skips one that
 * fires while another program of its kind runs on the CPU: so they are not used with the option
 * strict.
 */
static void fbt_choose(struct dtx_env *env, struct dtx_probe *p, u32 needs)
{
	bool ret = kind_is(p->prog.kind, KIND_RETURN);
	bool regs = needs & NEED_REGS && p->prog.kind != PK_KPROBE && p->prog.kind != PK_KRETPROBE;
	bool many = p->prog.kind == PK_FENTRY_MULTI || p->prog.kind == PK_FEXIT_MULTI;
	bool stack = ARCH_ENTRY_WALK && needs & NEED_KSTACK && p->prog.kind == PK_FENTRY &&
		     !env_is_strict(env);

	if (many && needs & NEED_KSTACK && env_has(env, FEAT_KPROBE_MULTI))
		koffset_kind(env, p, true, ret);
	if ((!regs && !stack) || !env_has(env, FEAT_KPROBE))
		return;
	koffset_kind(env, p, false, ret);
	p->place.num = regs ? KATTACH_REGS : KATTACH_STACK;
	p->prog.btf_id = p->prog.btf_obj_id = 0;
}

/* The n-th function of the name. */
static int fbt_emit_nth(struct listing *l, const struct found *f, u32 nth, dtx_probe_fn *each,
			void *arg)
{
	u32 bits = matching(l, f->ordinal);

	for (u32 ret = 0; ret < 2; ret++) {
		struct dtx_probe *p;
		int err;

		if (!(bits & 1u << ret))
			continue;
		p = prov_probe(l->env, &provider_fbt, (struct probe_name){
			l->base + 2 * f->ordinal + ret, "fbt", f->mod,
			f->func, names[ret]
		});
		p->place.target = p->func;
		if (f->n > 1)
			kattach_one_of(p, nth);
		choose(l, p, ret);
		err = each(arg, p);
		if (err)
			return err;
	}
	return 0;
}

static int fbt_emit(struct listing *l, const struct found *f, dtx_probe_fn *each, void *arg)
{
	u64 *addrs = l->only ? xcalloc(f->n, sizeof(*addrs)) : NULL;
	int err = 0;

	if (addrs)
		ksyms_functions(ksyms_get(l->env), f->mod, f->func, addrs, f->n);
	for (u32 i = 0; i < f->n && !err; i++)
		if (!addrs || f->n == 1 || addrs[i] == l->only)
			err = fbt_emit_nth(l, f, i, each, arg);
	free(addrs);
	return err;
}

static const char *fbt_missing(struct dtx_env *env)
{
	if (env_has(env, FEAT_KPROBE) || env_has(env, FEAT_KPROBE_MULTI) ||
	    env_has(env, FEAT_FENTRY))
		return NULL;
	if (!env_has(env, FEAT_BPF))
		return "function probes need root, or CAP_BPF and CAP_PERFMON: fbt, kprobe, "
		       "kretprobe, fentry and fexit are not available";
	if (env_perf_denied(env))
		return "function probes ask for CAP_SYS_ADMIN here: this kernel has them as events "
		       "of perf alone, and kernel.perf_event_paranoid is above 2";
	return "this kernel has no kprobes (CONFIG_KPROBES) and no BPF trampolines: function "
	       "probes fbt, kprobe, kretprobe, fentry and fexit are not available here";
}

/* "kprobe:0xffffffff81234560": finds the function and the offset of the address. */
static bool at_address(struct dtx_env *env, const struct dtx_pattern *pat, struct dtx_pattern *out,
		       u64 *off)
{
	const char *name, *mod;
	char *end;
	u64 addr;

	if (strcmp(pat->prov, "fbt") || strncmp(pat->func, "0x", 2) || !machine_is_here(env))
		return false;
	addr = strtoull(pat->func, &end, 16);
	if (*end || !ksyms_find(ksyms_get(env), addr, &name, &mod, off) ||
	    !glob_matches(pat->mod, mod))
		return false;
	*out = *pat;
	out->mod = mod;
	out->func = name;
	if (*off && !strcmp(pat->name, "entry"))
		out->name = arena_printf(env->arena, "0x%llx", (unsigned long long)*off);
	return !*off || strcmp(pat->name, "return");
}

static int fbt_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		    void *arg)
{
	struct listing l = { .env = env, .pat = pat, .base = prov_base(&provider_fbt) };
	struct dtx_pattern named;
	bool place;
	u64 off;
	int err;

	if (at_address(env, pat, &named, &off)) {
		l.only = off ? 0 : strtoull(pat->func, NULL, 16);
		l.pat = pat = &named;
	}
	if (kernline_is(pat) && kernline_is_entry(pat)) {
		named = *pat;
		named.name = "entry";
		l.pat = pat = &named;
	}
	if (kernline_is(pat))
		return fbt_missing(env) ? 0 : kernline_list(env, pat, &provider_fbt, each, arg);
	err = koffset_list(env, pat, &provider_fbt, &place, each, arg);
	if (place)
		return err;
	if (!prov_named(pat, "fbt") || fbt_missing(env) ||
	    (!glob_matches(pat->name, names[0]) && !glob_matches(pat->name, names[1])))
		return 0;
	l.btf = fbt_types(env);
	if (!find_exact(&l)) {
		kattach_each(env, fbt_consider, &l);
		name_left_out(&l);
	}
	name_clones(&l);
	for (u32 i = 0; !err && i < l.found.n; i++)
		err = fbt_emit(&l, &l.found.v[i], each, arg);
	if (!err && !l.found.n && glob_matches(pat->name, names[0]))
		err = kernline_list_inlined(env, pat, &provider_fbt, each, arg);
	VEC_FREE(&l.found);
	return err;
}

/* With -Z: functions of modules that are not loaded yet, at their entry or at their return. */
static struct dtx_probe *fbt_late(struct dtx_env *env, const struct dtx_pattern *pat)
{
	bool ret = !strcmp(pat->name, "return");
	struct dtx_probe *p;

	if (strcmp(pat->prov, "fbt") || fbt_missing(env) || (!ret && strcmp(pat->name, "entry")) ||
	    kernline_is(pat) || !kernlate_waits(env, &provider_fbt, pat))
		return NULL;
	p = kernlate_probe(env, &provider_fbt, pat);
	if (env_has(env, FEAT_KPROBE_MULTI))
		p->prog.kind = ret ? PK_KRETPROBE_MULTI : PK_KPROBE_MULTI;
	else if (env_has(env, FEAT_KPROBE) && env_has(env, FEAT_PERF_COOKIE))
		p->prog.kind = ret ? PK_KRETPROBE : PK_KPROBE;
	else                             /* each function would need a program of its own */
		return NULL;
	return p;
}

static int fbt_list_modules(struct dtx_env *env, const struct dtx_probe *late, dtx_probe_fn *each,
			    void *arg)
{
	const struct dtx_pattern pat = { late->prov, late->mod, late->func, late->name, 0, true };
	struct listing l = { .env = env, .pat = &pat, .btf = fbt_types(env), .late = late,
			     .base = prov_base(&provider_fbt) };
	int err = 0;

	kattach_each(env, fbt_consider, &l);
	for (u32 i = 0; !err && i < l.found.n; i++)
		if (strcmp(l.found.v[i].mod, "vmlinux"))
			err = fbt_emit(&l, &l.found.v[i], each, arg);
	VEC_FREE(&l.found);
	return err;
}

static const char *fbt_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct dtx_pattern named;
	const char *text;
	u64 off = 0;

	if (at_address(env, pat, &named, &off))
		return koffset_advise(env, &named, &provider_fbt);
	if (off)
		return "a return probe is set where a function begins, and this address is inside "
		       "of one";
	if (!strcmp(pat->prov, "fbt") && !strncmp(pat->func, "0x", 2) && !machine_is_here(env))
		return "addresses of the kernel change with each boot and are not described: name "
		       "the function";
	if (!strcmp(pat->prov, "fbt") && !strncmp(pat->func, "0x", 2))
		return arena_printf(env->arena, "the kernel has no code at '%s'", pat->func);
	if (kernline_is(pat))
		return kernline_advise(env, pat);
	text = koffset_advise(env, pat, &provider_fbt);
	return text || strcmp(pat->prov, "fbt") ? text : advise_clones(env, pat);
}

static int fbt_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct type *proto;

	if (p->late) {
		kernlate_args(env, p, !strcmp(p->name, "return"));
		return 0;
	}
	if (p->place.num == KATTACH_LINE) {
		kernline_args(env, p);
		return 0;
	}
	if (koffset_is(p)) {
		kernline_args_at(env, p);
		return 0;
	}
	proto = p->place.sym ? NULL : prototype(env, p);
	if (p->place.sym)
		p->args.why = arena_printf(env->arena,
			"the kernel has %u functions of this name, and their parameters may differ",
			kattach_functions(env, p->mod, p->func));
	switch (p->prog.kind) {
	case PK_FENTRY:
		args_slots(env, p, proto, 0, 0, true);
		return 0;
	case PK_FEXIT:
		args_return(env, p, proto->to, -1);
		if (p->args.ret == 1) {
			p->args.v[1].loc = LOC_CTX;
			p->args.v[1].off = 8 * args_nslots(proto, 0);
		}
		args_slots_named(env, p, proto);
		return 0;
	case PK_FENTRY_MULTI:
		args_called(env, p, proto);
		return 0;
	case PK_FEXIT_MULTI:
		args_return(env, p, proto->to, -1);
		if (p->args.ret == 1)
			args_call(&p->args.v[1], "dtx_func_result");
		return 0;
	case PK_KRETPROBE:
	case PK_KRETPROBE_MULTI:
		args_result(env, p, proto, -1);
		p->args.untyped = !proto;
		return 0;
	default:
		args_regs(env, p, proto, false);
		return 0;
	}
}

/* Where one of several functions is: in the source, or behind which other function. */
static void about_one(struct dtx_env *env, const struct dtx_probe *p, u64 addr, struct buf *out)
{
	const char *path = kdebug_file(env, "vmlinux", NULL), *file, *name, *mod;
	struct elfsyms *syms = path && !strcmp(p->mod, "vmlinux") ? user_symbols(env, path) : NULL;
	u64 start = ksyms_addr(ksyms_get(env), "vmlinux", KDEBUG_FIRST_CODE), off, at;
	u32 line;

	buf_printf(out, "%s0x%llx", out->len ? "\n" : "", (unsigned long long)addr);
	if (syms && elfsyms_value(syms, KDEBUG_FIRST_CODE, &at) &&
	    dwarf_declared(env, path, p->func, addr - start + at, &file, &line))
		buf_printf(out, " %s:%u", file, line);
	else if (ksyms_find(ksyms_get(env), addr - 1, &name, &mod, &off))
		buf_printf(out, " behind %s", name);
}

static const char *fbt_about(struct dtx_env *env, const struct dtx_probe *p)
{
	struct buf out = { 0 };
	const char *text;
	u64 *addrs;
	u32 n;

	if (!p->place.sym || p->place.num == KATTACH_LINE)
		return line_about(env, p);
	n = kattach_functions(env, p->mod, p->func);
	addrs = xcalloc(n, sizeof(*addrs));
	n = MIN(n, ksyms_functions(ksyms_get(env), p->mod, p->func, addrs, n));
	for (u32 i = 0; i < n; i++)
		about_one(env, p, addrs[i], &out);
	text = out.len ? arena_strdup(env->arena, out.data) : NULL;
	buf_free(&out);
	free(addrs);
	return text;
}

const struct dtx_provider provider_fbt = {
	.name = "fbt",
	.doc = "entry and return of kernel functions (kprobe, kretprobe, fentry, fexit)",
	.list = fbt_list,
	.args = fbt_args,
	.for_needs = fbt_choose,
	.entry = kernline_entry,
	.attach = kattach,
	.late = fbt_late,
	.list_modules = fbt_list_modules,
	.about = fbt_about,
	.missing = fbt_missing,
	.advise = fbt_advise,
};
