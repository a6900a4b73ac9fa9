/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.c - system calls: syscall:vmlinux:NAME:entry and :return; of 32-bit programs:
 * syscall:ABI:NAME:entry and :return, only if the module is named: syscall::: means the calls of
 * 64-bit programs, without cost for the others.
 *
 * All entries share one attachment (raw tracepoint sys_enter) and all returns another
 * (sys_exit); the program checks the number.  So all system calls need only two links, not one
 * per call.  Argument names and types are read from tracefs when asked for.
 * Why: docs/decisions/06-system-calls.md
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/feat.h>
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>
#include <dtx/arch.h>

#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

extern const struct dtx_provider provider_syscall;
static const char cache_key[] = "syscall";     /* of prov_cache() */

/* System calls whose event has another name in the kernel (that of SYSCALL_DEFINE). */
static const struct { const char *name, *event; } aliases[] = {
	{ "stat", "newstat" }, { "fstat", "newfstat" }, { "lstat", "newlstat" },
	{ "uname", "newuname" }, { "umount2", "umount" }, { "sendfile", "sendfile64" },
	{ "prlimit", "prlimit64" }, { "pread", "pread64" }, { "pwrite", "pwrite64" },
};

/* System calls without an event; the shared attachment still sees them. */
static const char *const eventless[] = { "rt_sigreturn" };

/*
 * Calls with an event of their own if all of a program are in this list, and no more than
 * APART_MOST.  Measured (Linux 6.18): an event of its own spares each other call 30 ns (entry) or
 * 55 ns (entry and return), and costs 65 ns or 95 ns more when it fires; so it is cheaper for what
 * is less than a third of all calls.  Not here: what programs do in loops (read, write, futex,
 * poll, mmap …), because there the answer depends on the machine.
 */
#define APART_EACH 32            /* with the option maxoverhead */
#define APART_MOST 8             /* the kernel waits when it ends each: about 20 ms */

static const char *const rare[] = {
	/* signals */
	"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
	/* processes */
	"clone", "clone3", "fork", "vfork", "execve", "execveat", "exit_group", "wait4", "waitid",
	"ptrace", "unshare", "setns", "setsid", "setpgid", "process_vm_readv", "process_vm_writev",
	/* rights */
	"setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid",
	"setfsgid", "setgroups", "capset", "chroot", "prlimit64", "setpriority", "seccomp",
	/* names, attributes and kinds of files */
	"open", "openat", "openat2", "creat", "stat", "lstat", "newfstatat", "statx", "statfs",
	"fstatfs", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "rename",
	"renameat", "renameat2", "unlink", "unlinkat", "link", "linkat", "symlink", "symlinkat",
	"mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "chmod", "fchmod", "fchmodat", "chown",
	"fchown", "lchown", "fchownat", "truncate", "ftruncate", "fallocate", "chdir", "fchdir",
	"flock", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
	/* to the disk */
	"sync", "syncfs", "fsync", "fdatasync", "msync", "sync_file_range",
	/* connections */
	"socket", "socketpair", "bind", "listen", "accept", "accept4", "connect", "shutdown",
	/* the machine */
	"mount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsmount",
	"mount_setattr", "swapon", "swapoff", "reboot", "sethostname", "setdomainname",
	"init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load",
	"settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "acct", "quotactl", "bpf",
	"perf_event_open", "iopl", "ioperm",
};

struct cache {
	const char *dir;         /* events/syscalls, NULL: not in tracefs */
	bool known;
	u32 btf[2];              /* btf_trace_sys_enter, _exit */
};

static struct cache *syscall_cache(struct dtx_env *env)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	const char *tracefs;

	if (c->known)
		return c;
	c->known = true;
	tracefs = tracefs_path(env);
	if (tracefs) {
		c->dir = arena_printf(env->arena, "%s/events/syscalls", tracefs);
		if (machine_access(env, c->dir, R_OK))
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

static bool exists(struct dtx_env *env, const char *name)
{
	struct cache *c = syscall_cache(env);
	char path[256];

	if (!c->dir)
		return true;
	for (u32 i = 0; i < ARRAY_SIZE(eventless); i++)
		if (!strcmp(eventless[i], name))
			return true;
	snprintf(path, sizeof(path), "%s/sys_enter_%s", c->dir, event_name(name));
	if (!machine_access(env, path, F_OK))
		return true;
	snprintf(path, sizeof(path), "%s/sys_enter_%s", c->dir, name);
	return !machine_access(env, path, F_OK);
}

/* The function field, by the system call's own name or exactly by the event's. */
static bool func_matches(const struct dtx_pattern *pat, const char *name)
{
	return glob_matches(pat->func, name) || !strcmp(pat->func, event_name(name));
}

static u32 probe_id(u32 nr, bool ret, bool compat)
{
	return prov_base(&provider_syscall) + 2 * nr + ret + (compat ? 2 * DTX_SYSCALL_MAX : 0);
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
	struct dtx_probe *p = prov_probe(env, &provider_syscall, (struct probe_name){
		probe_id(nr, ret, compat), "syscall",
		compat ? ARCH_COMPAT_MODULE : "vmlinux", name_of(nr, compat),
		ret ? "return" : "entry"
	});

	p->place.is_compat = compat;
	tpevents_kind(p, c->btf[ret], 0);
	p->prog.ident = IDENT_DISPATCH;
	p->place.target = ret ? "sys_exit" : "sys_enter";
	p->prog.hook = !compat ? p->place.target
		  : ret   ? "sys_exit of " ARCH_COMPAT_MODULE
			  : "sys_enter of " ARCH_COMPAT_MODULE;
	p->place.num = nr;
	p->place.is_syscall_return = ret;
	return each(arg, p);
}

/* The kernel; FreeBSD has system calls in a module of that name. */
static bool is_kernel(const char *mod)
{
	return glob_matches(mod, "vmlinux") || !strcmp(mod, "freebsd");
}

static int syscall_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
			void *arg)
{
	static const char *const names[] = { "entry", "return" };
	bool compat = pat->id ? pat->id >= probe_id(0, false, true)
			      : !strcmp(pat->mod, ARCH_COMPAT_MODULE);

	if (!prov_named(pat, "syscall") || (!compat && !is_kernel(pat->mod)) ||
	    (!glob_matches(pat->name, names[0]) && !glob_matches(pat->name, names[1])) ||
	    (compat && !has_compat(env)))
		return 0;
	for (u32 nr = 0; nr < arch_syscall_max(); nr++) {
		const char *name = name_of(nr, compat);

		if (!name || (pat->id && (pat->id - probe_id(0, false, compat)) / 2 != nr) ||
		    !func_matches(pat, name) || (!compat && !exists(env, name)))
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

#define RECORD_ARGS 16           /* struct trace_entry, int nr; then long args[] or long ret */

/* The record has what the call takes; further registers are read elsewhere. */
static void args_in_record(struct dtx_probe *p)
{
	for (u32 i = 0; i < p->args.n; i++) {
		struct dtx_arg *a = &p->args.v[i];

		if (!p->place.is_syscall_return && !a->name)
			break;
		a->loc = LOC_CTX;
		a->off = RECORD_ARGS + (p->place.is_syscall_return ? 0 : 8 * i);
	}
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
	p->args.ret = 1;
	p->args.takes = 2;
	p->args.untyped = true;
	if (progkinds[p->prog.kind].context == KIND_CTX_EVENT)
		args_in_record(p);
}

static struct tp_event *event_of(struct dtx_env *env, const struct dtx_probe *p)
{
	const char *side = p->place.is_syscall_return ? "exit" : "enter";
	struct tp_event *ev;

	ev = tracefs_event(env, "syscalls",
			   arena_printf(env->arena, "sys_%s_%s", side, event_name(p->func)));
	return ev ? ev : tracefs_event(env, "syscalls",
				       arena_printf(env->arena, "sys_%s_%s", side, p->func));
}

static void name_arg(struct dtx_arg *a, const struct tp_field *f)
{
	a->name = f->name;
	a->ctype = f->ctype;
	a->is_signed = f->is_signed;
}

static int syscall_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct tp_event *ev;
	struct dtx_arg *a;
	u32 n = 0;

	if (p->place.is_syscall_return) {
		args_return_value(env, p);
		return 0;
	}
	a = prov_args(env, p, 6);
	for (u32 i = 0; i < 6; i++) {
		a[i].loc = LOC_PTREGS;
		a[i].off = p->place.is_compat ? arch_compat_regs[i] : arch_syscall_regs[i];
		a[i].size = 8;
		a[i].user = true;        /* also where a typedef hides it: cap_user_data_t */
	}
	ev = !p->place.is_compat && syscall_cache(env)->dir ? event_of(env, p) : NULL;
	for (u32 i = 0; ev && i < ev->nfields && n < 6; i++) {
		/* In front of them are common fields and the number of the call.  Kernels from 6.19
		 * on add the string at a user pointer as a further field. */
		if (ev->fields[i].off >= RECORD_ARGS && !ev->fields[i].is_dataloc)
			name_arg(&a[n++], &ev->fields[i]);
	}
	p->args.untyped = !ev;
	p->args.takes = ev ? (s32)n : -1;
	p->args.n = 6;
	if (progkinds[p->prog.kind].context == KIND_CTX_EVENT)
		args_in_record(p);
	return 0;
}

/* ---- an event for each call --------------------------------------------------------------- */

static bool is_rare(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(rare); i++)
		if (!strcmp(rare[i], name))
			return true;
	return false;
}

static void syscall_split(struct dtx_env *env, struct dtx_probe **probes, u32 n)
{
	bool each = env_is_limited(env);      /* it detaches one by one */
	struct tp_event *events[APART_EACH];

	if (n > (each ? APART_EACH : APART_MOST) || !env_has(env, FEAT_TRACEPOINT) ||
	    !syscall_cache(env)->dir)
		return;
	for (u32 i = 0; i < n; i++) {
		bool fits = !probes[i]->place.is_compat && (each || is_rare(probes[i]->func));

		events[i] = fits ? event_of(env, probes[i]) : NULL;
		if (!events[i])
			return;
	}
	for (u32 i = 0; i < n; i++) {
		struct dtx_probe *p = probes[i];

		tpevents_kind_record(env, p);
		p->prog.ident = each ? IDENT_ONE : p->prog.ident;
		p->prog.hook = NULL;
		p->prog.btf_id = 0;
		p->place.num = events[i]->id;
		if (p->args.state)
			args_in_record(p);
	}
}

static int open_event(const struct attach *at, const struct dtx_probe *p)
{
	return sys_perf_tracepoint(p->place.num);
}

static int attach_events(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
			 u32 n, int prog_fd)
{
	int err = perf_attach_all(at, probes, cookies, n, prog_fd,
				  (struct perf_opener){ open_event, NULL });

	at->waiting += n;
	if (!err)
		attach_note(at, "%s: %u system call%s by perf, one event each (other calls do not "
			    "run the program)",
			    prov_common(at->arena, probes, n), n, n == 1 ? "" : "s");
	return err;
}

static int syscall_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	const struct dtx_probe *p = probes[0];
	int fd;

	if (progkinds[p->prog.kind].context == KIND_CTX_EVENT)
		return attach_events(at, probes, cookies, n, prog_fd);
	fd = tpevents_link(p, prog_fd, 0);
	if (fd < 0) {
		for (u32 i = 0; i < n; i++)
			attach_refuse(at, probes[i], "%s", prov_why(fd));
		return fd;
	}
	attach_keep(at, fd);
	attach_note(at, "%s: %u system call%s by %s on %s, one link",
		     prov_common(at->arena, probes, n), n, n == 1 ? "" : "s",
		     progkinds[p->prog.kind].name, p->place.target);
	return 0;
}

static const char *syscall_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	if (strcmp(pat->prov, "syscall") || strcmp(pat->mod, ARCH_COMPAT_MODULE) || has_compat(env))
		return NULL;
	return "this kernel takes no system calls of 32-bit programs (" ARCH_COMPAT_CONFIG ")";
}

const struct dtx_provider provider_syscall = {
	.name = "syscall",
	.doc = "system calls, at entry and return",
	.list = syscall_list,
	.args = syscall_args,
	.split = syscall_split,
	.attach = syscall_attach,
	.advise = syscall_advise,
};
