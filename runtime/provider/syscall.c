/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.c - system calls: syscall:vmlinux:NAME:entry and :return.
 *
 * All entries share one attachment (raw tracepoint sys_enter) and all returns another
 * (sys_exit); the program looks at the number.  Attaching every system call so takes two links
 * instead of one per call.  Argument names and types are read from tracefs when asked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime.h"

/* Names the kernel's events have for a system call of another name (SYSCALL_DEFINE's name). */
static const struct { const char *name, *event; } aliases[] = {
	{ "stat", "newstat" }, { "fstat", "newfstat" }, { "lstat", "newlstat" },
	{ "uname", "newuname" }, { "umount2", "umount" }, { "sendfile", "sendfile64" },
	{ "prlimit", "prlimit64" }, { "pread", "pread64" }, { "pwrite", "pwrite64" },
};

/* System calls without an event; the shared attachment sees them all the same. */
static const char *const eventless[] = { "rt_sigreturn" };

struct cache {
	const char *dir;         /* events/syscalls, NULL: tracefs does not show it */
	bool known;
	u32 btf[2];              /* btf_trace_sys_enter, _exit */
};

static struct cache *cache_get(struct dtx_env *env)
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
	return glob_match(pat->func, name) || !strcmp(pat->func, event_name(name));
}

static int emit(struct dtx_env *env, u32 nr, bool ret, dtx_probe_fn *each, void *arg)
{
	struct cache *c = cache_get(env);
	struct dtx_probe *p = prov_probe(env, PROV_syscall, prov_base(PROV_syscall) + 2 * nr + ret,
					 "syscall", "vmlinux", arch_syscall_name(nr),
					 ret ? "return" : "entry");

	p->kind = c->btf[ret] ? PK_TP_BTF : PK_RAW_TP;
	p->btf_id = c->btf[ret];
	p->ident = IDENT_DISPATCH;
	p->hook = p->target = ret ? "sys_exit" : "sys_enter";
	p->num = nr;
	p->is_syscall_return = ret;
	return each(arg, p);
}

static int list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each, void *arg)
{
	static const char *const names[] = { "entry", "return" };
	u32 base = prov_base(PROV_syscall);

	if (!prov_named(pat, "syscall") || !glob_match(pat->mod, "vmlinux") ||
	    (!glob_match(pat->name, names[0]) && !glob_match(pat->name, names[1])))
		return 0;
	for (u32 nr = 0; nr < arch_syscall_max(); nr++) {
		const char *name = arch_syscall_name(nr);

		if (!name || (pat->id && (pat->id - base) / 2 != nr) || !func_matches(pat, name) ||
		    !exists(cache_get(env), name))
			continue;
		for (u32 ret = 0; ret < 2; ret++) {
			int err = 0;

			if ((!pat->id || pat->id == base + 2 * nr + ret) &&
			    glob_match(pat->name, names[ret]))
				err = emit(env, nr, ret, each, arg);
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

static int args(struct dtx_env *env, struct dtx_probe *p)
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
		a[i].off = arch_syscall_regs[i];
		a[i].size = 8;
	}
	ev = cache_get(env)->dir ? enter_event(env, p->func) : NULL;
	for (u32 i = 0; ev && i < ev->nfields && n < 6; i++) {
		const char *name = ev->fields[i].name;

		/* Kernels from 6.19 add the text behind a user pointer as a further field. */
		if (strncmp(name, "common_", 7) && strcmp(name, "__syscall_nr") &&
		    strcmp(name, "nr") && !ev->fields[i].is_dataloc)
			name_arg(&a[n++], &ev->fields[i]);
	}
	p->args_untyped = !ev;
	p->nargs = 6;
	return 0;
}

static int attach(struct dtx_session *s, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	const struct dtx_probe *p = probes[0];
	int fd;

	fd = p->kind == PK_TP_BTF ? sys_link_tracing(prog_fd, 0) :
				    sys_link_raw_tp(prog_fd, p->target, 0);
	if (fd < 0) {
		for (u32 i = 0; i < n; i++)
			session_refuse(s, probes[i], "%s", prov_why(fd));
		return fd;
	}
	session_keep(s, fd);
	session_note(s, "%s: %u system call%s by %s on %s, one link",
		     prov_common(s->arena, probes, n), n, n == 1 ? "" : "s",
		     p->kind == PK_TP_BTF ? "tp_btf" : "raw_tp", p->target);
	return 0;
}

const struct dtx_provider provider_syscall = {
	.name = "syscall",
	.doc = "system calls, at entry and return",
	.list = list,
	.args = args,
	.attach = attach,
};
