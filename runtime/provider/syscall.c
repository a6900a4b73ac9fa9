/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.c - system calls: syscall:vmlinux:NAME:entry and :return; of 32-bit programs:
 * syscall:ia32:NAME:entry and :return, only if the module is named: syscall::: means the calls
 * of 64-bit programs, without cost for the others.
 *
 * All entries share one attachment (raw tracepoint sys_enter) and all returns another
 * (sys_exit); the program checks the number.  So all system calls need only two links, not one
 * per call.  Argument names and types are read from tracefs when asked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/provider/providers.h"

/* System calls whose event has another name in the kernel (that of SYSCALL_DEFINE). */
static const struct { const char *name, *event; } aliases[] = {
	{ "stat", "newstat" }, { "fstat", "newfstat" }, { "lstat", "newlstat" },
	{ "uname", "newuname" }, { "umount2", "umount" }, { "sendfile", "sendfile64" },
	{ "prlimit", "prlimit64" }, { "pread", "pread64" }, { "pwrite", "pwrite64" },
};

/* System calls without an event; the shared attachment still sees them. */
static const char *const eventless[] = { "rt_sigreturn" };

struct cache {
	const char *dir;         /* events/syscalls, NULL: not in tracefs */
	bool known;
	u32 btf[2];              /* btf_trace_sys_enter, _exit */
};

static struct cache *syscall_cache(struct dtx_env *env)
{
	struct cache *c = prov_cache(env, PROV_syscall, sizeof(*c));
	const char *tracefs;

	if (c->known)
		return c;
	c->known = true;
	tracefs = tracefs_path(env);
	if (tracefs) {
		c->dir = arena_printf(env->arena, "%s/events/syscalls", tracefs);
		if (file_access(c->dir, R_OK))
			c->dir = NULL;
	}
	if (env_has(env, FEAT_TP_BTF)) {
		struct btf_src *btf = btf_src_open(env);

		for (u32 i = 0; btf && i < 2; i++)
			c->btf[i] = btf_rawtp_id(btf, i ? "sys_exit" : "sys_enter", NULL, NULL);
	}
	return c;
}

static const char *event_name(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].name, name))
			return aliases[i].event;
	return name;
}

static bool exists(struct cache *c, const char *name)
{
	char path[256];

	if (!c->dir)
		return true;
	for (u32 i = 0; i < ARRAY_SIZE(eventless); i++)
		if (!strcmp(eventless[i], name))
			return true;
	snprintf(path, sizeof(path), "%s/sys_enter_%s", c->dir, event_name(name));
	if (!file_access(path, F_OK))
		return true;
	snprintf(path, sizeof(path), "%s/sys_enter_%s", c->dir, name);
	return !file_access(path, F_OK);
}

/* The function field, by the system call's own name or exactly by the event's. */
static bool func_matches(const struct dtx_pattern *pat, const char *name)
{
	return glob_matches(pat->func, name) || !strcmp(pat->func, event_name(name));
}

static u32 probe_id(u32 nr, bool ret, bool compat)
{
	return prov_base(PROV_syscall) + 2 * nr + ret + (compat ? 2 * DTX_SYSCALL_MAX : 0);
}

static const char *name_of(u32 nr, bool compat)
{
	return compat ? arch_compat_name(nr) : arch_syscall_name(nr);
}

/* Does the kernel support 32-bit programs? */
static bool has_compat(struct dtx_env *env)
{
	return env_ksym(env, NULL, ARCH_COMPAT_SYMBOL) != 0;
}

static int syscall_emit(struct dtx_env *env, u32 nr, bool ret, bool compat, dtx_probe_fn *each,
			void *arg)
{
	struct cache *c = syscall_cache(env);
	struct dtx_probe *p = prov_probe(env, PROV_syscall, probe_id(nr, ret, compat), "syscall",
					 compat ? ARCH_COMPAT_MODULE : "vmlinux",
					 name_of(nr, compat), ret ? "return" : "entry");

	p->is_compat = compat;
	p->kind = c->btf[ret] ? PK_TP_BTF : PK_RAW_TP;
	p->btf_id = c->btf[ret];
	p->ident = IDENT_DISPATCH;
	p->target = ret ? "sys_exit" : "sys_enter";
	p->hook = !compat ? p->target
		  : ret   ? "sys_exit of " ARCH_COMPAT_MODULE
			  : "sys_enter of " ARCH_COMPAT_MODULE;
	p->num = nr;
	p->is_syscall_return = ret;
	return each(arg, p);
}

static int syscall_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
			void *arg)
{
	static const char *const names[] = { "entry", "return" };
	bool compat = pat->id ? pat->id >= probe_id(0, false, true)
			      : !strcmp(pat->mod, ARCH_COMPAT_MODULE);

	if (!prov_named(pat, "syscall") || (!compat && !glob_matches(pat->mod, "vmlinux")) ||
	    (!glob_matches(pat->name, names[0]) && !glob_matches(pat->name, names[1])) ||
	    (compat && !has_compat(env)))
		return 0;
	for (u32 nr = 0; nr < arch_syscall_max(); nr++) {
		const char *name = name_of(nr, compat);

		if (!name || (pat->id && (pat->id - probe_id(0, false, compat)) / 2 != nr) ||
		    !func_matches(pat, name) || (!compat && !exists(syscall_cache(env), name)))
			continue;
		for (u32 ret = 0; ret < 2; ret++) {
			int err = 0;

			if ((!pat->id || pat->id == probe_id(nr, ret, compat)) &&
			    glob_matches(pat->name, names[ret]))
				err = syscall_emit(env, nr, ret, compat, each, arg);
			if (err)
				return err;
		}
	}
	return 0;
}

static void args_return_value(struct dtx_env *env, struct dtx_probe *p)
{
	struct dtx_arg *a = prov_args(env, p, 2);

	for (u32 i = 0; i < 2; i++) {
		a[i].loc = LOC_CTX;
		a[i].off = 8;            /* (struct pt_regs *, long ret) */
		a[i].size = 8;
		a[i].is_signed = true;
	}
	p->ret_arg = 1;
	p->args_untyped = true;
}

static struct tp_event *enter_event(struct dtx_env *env, const char *name)
{
	struct tp_event *ev;

	ev = tracefs_event(env, "syscalls",
			   arena_printf(env->arena, "sys_enter_%s", event_name(name)));
	return ev ? ev : tracefs_event(env, "syscalls",
				       arena_printf(env->arena, "sys_enter_%s", name));
}

static void name_arg(struct dtx_arg *a, const struct tp_field *f)
{
	size_t len = strlen(f->ctype);

	a->name = f->name;
	a->ctype = f->ctype;
	a->is_signed = f->is_signed;
	a->user = len && f->ctype[len - 1] == '*';
}

static int syscall_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct tp_event *ev;
	struct dtx_arg *a;
	u32 n = 0;

	if (p->is_syscall_return) {
		args_return_value(env, p);
		return 0;
	}
	a = prov_args(env, p, 6);
	for (u32 i = 0; i < 6; i++) {
		a[i].loc = LOC_PTREGS;
		a[i].off = p->is_compat ? arch_compat_regs[i] : arch_syscall_regs[i];
		a[i].size = 8;
	}
	ev = !p->is_compat && syscall_cache(env)->dir ? enter_event(env, p->func) : NULL;
	for (u32 i = 0; ev && i < ev->nfields && n < 6; i++) {
		const char *name = ev->fields[i].name;

		/* Kernels from 6.19 on add the string at a user pointer as a further field. */
		if (strncmp(name, "common_", 7) && strcmp(name, "__syscall_nr") &&
		    strcmp(name, "nr") && !ev->fields[i].is_dataloc)
			name_arg(&a[n++], &ev->fields[i]);
	}
	p->args_untyped = !ev;
	p->nargs = 6;
	return 0;
}

static int syscall_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	const struct dtx_probe *p = probes[0];
	int fd;

	fd = p->kind == PK_TP_BTF ? sys_link_tracing(prog_fd, 0) :
				    sys_link_raw_tp(prog_fd, p->target, 0);
	if (fd < 0) {
		for (u32 i = 0; i < n; i++)
			attach_refuse(at, probes[i], "%s", prov_why(fd));
		return fd;
	}
	attach_keep(at, fd);
	attach_note(at, "%s: %u system call%s by %s on %s, one link",
		     prov_common(at->arena, probes, n), n, n == 1 ? "" : "s",
		     p->kind == PK_TP_BTF ? "tp_btf" : "raw_tp", p->target);
	return 0;
}

static const char *syscall_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	if (strcmp(pat->prov, "syscall") || strcmp(pat->mod, ARCH_COMPAT_MODULE) || has_compat(env))
		return NULL;
	return "this kernel takes no system calls of 32-bit programs (CONFIG_IA32_EMULATION)";
}

const struct dtx_provider provider_syscall = {
	.name = "syscall",
	.doc = "system calls, at entry and return",
	.list = syscall_list,
	.args = syscall_args,
	.attach = syscall_attach,
	.advise = syscall_advise,
};
