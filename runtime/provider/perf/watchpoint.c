/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchpoint.c - fires when an address is read, written or executed:
 * watchpoint:ADDRESS:LENGTH:rwx.
 *
 * The CPU's debug registers watch it: a few at a time, 1, 2, 4 or 8 aligned bytes each.  An
 * address of a program is watched in the threads of the target (-p, -c), one of the kernel
 * on every CPU.  Nothing is listed: any address is allowed.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include <dtx/arch.h>

#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

extern const struct dtx_provider provider_watchpoint;
static const char cache_key[] = "watchpoint";     /* of prov_cache() */

struct cache { struct prov_made *made; };

static bool read_mode(const char *text, u32 *mode)
{
	static const struct { char letter; u32 bit; } modes[] = {
		{ 'r', HW_BREAKPOINT_R }, { 'w', HW_BREAKPOINT_W }, { 'x', HW_BREAKPOINT_X },
	};

	*mode = 0;
	for (const char *s = text; *s; s++) {
		u32 i = 0;

		while (i < ARRAY_SIZE(modes) && modes[i].letter != *s)
			i++;
		if (i == ARRAY_SIZE(modes) || *mode & modes[i].bit)
			return false;
		*mode |= modes[i].bit;
	}
	return *mode != 0;
}

/* Why these fields are not a watchpoint; NULL: they are. */
static const char *read_fields(const struct dtx_pattern *pat, u64 *addr, u32 *len, u32 *mode)
{
	char *end;

	*addr = ARCH_UNTAGGED(strtoull(pat->mod, &end, 0));
	if (end == pat->mod || *end)
		return "a watchpoint is watchpoint:ADDRESS:LENGTH:MODE, as in "
		       "watchpoint:0x601040:8:rw";
	*len = strtoul(pat->func, &end, 10);
	if (*end || (*len != 1 && *len != 2 && *len != 4 && *len != 8))
		return "a watchpoint is 1, 2, 4 or 8 bytes long";
	if (*addr % *len)
		return "the address of a watchpoint must be a multiple of its length";
	if (!read_mode(pat->name, mode))
		return "the mode of a watchpoint is made of the letters r, w and x";
	if (*mode == HW_BREAKPOINT_R || (*mode & HW_BREAKPOINT_X && *mode != HW_BREAKPOINT_X))
		return "the debug registers of this CPU watch w, rw or x, no other mode";
	if (*mode == HW_BREAKPOINT_X)
		*len = sizeof(long);
	return NULL;
}

static int watchpoint_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
			   void *arg)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	struct dtx_probe *p;
	u32 len, mode, id;
	u64 addr;

	if (strcmp(pat->prov, "watchpoint") || pat->id || read_fields(pat, &addr, &len, &mode) ||
	    (addr < ARCH_KERNEL_FROM && env->target_pid <= 0))
		return 0;
	id = prov_base(&provider_watchpoint) +
	     prov_made(env, &c->made,
		       arena_printf(env->arena, "%s:%s:%s", pat->mod, pat->func, pat->name));
	p = prov_probe(env, &provider_watchpoint, (struct probe_name){
		id, "watchpoint", arena_strdup(env->arena, pat->mod),
		arena_strdup(env->arena, pat->func), arena_strdup(env->arena, pat->name)
	});
	perf_kind(env, p);
	p->place.off = addr;
	p->place.num = (s64)len << 8 | mode;
	p->place.pid = addr < ARCH_KERNEL_FROM ? env->target_pid : 0;
	return each(arg, p);
}

static int watchpoint_args(struct dtx_env *env, struct dtx_probe *p)
{
	prov_args_pc(env, p);
	return 0;
}

/* ---- attaching -------------------------------------------------------------------------- */

static int open_on(const struct dtx_probe *p, s32 pid, int cpu)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_BREAKPOINT, .bp_type = p->place.num & 0xff,
		.bp_addr = p->place.off, .bp_len = p->place.num >> 8, .sample_period = 1,
		.inherit = pid > 0,
	};

	return sys_perf_open(&a, pid, cpu);
}

struct threads {
	struct attach *at;
	const struct dtx_probe *p;
	u64 cookie;
	int prog_fd, err;                /* err: 0 if one is watched */
};

/* The kernel gives threads that it begins, and children, a watchpoint of their own. */
static void attach_thread(void *arg, s32 pid)
{
	struct threads *t = arg;
	int fd = open_on(t->p, pid, -1);

	if (fd >= 0)
		fd = perf_attach(t->prog_fd, fd, t->cookie);
	if (fd >= 0)
		attach_keep(t->at, fd);
	if (fd != -ESRCH && t->err)              /* a thread that ended does not count */
		t->err = fd < 0 ? fd : 0;
}

static int attach_threads(struct attach *at, const struct dtx_probe *p, u64 cookie, int prog_fd)
{
	struct threads t = { at, p, cookie, prog_fd, -ESRCH };

	proc_each_thread((u32)p->place.pid, attach_thread, &t);
	return t.err;
}

static int open_percpu(struct attach *at, const struct attach_percpu *pc, int cpu, u32 link)
{
	int fd = open_on(pc->probe, -1, cpu);

	if (fd >= 0)
		fd = perf_attach(pc->prog_fd, fd, pc->cookie);
	if (fd >= 0)
		at->links.v[link] = fd;
	return fd;
}

static int attach_cpus(struct attach *at, const struct dtx_probe *p, u64 cookie, int prog_fd)
{
	const struct attach_percpu pc = { p, cookie, prog_fd, open_percpu, 0 };
	u32 ncpus;

	return perf_attach_cpus(at, pc, &ncpus);
}

/* Some hypervisors take what is written to the debug registers and never trap: the event opens, and
   counts nothing.  So a variable of dtx itself is watched and written first. */
static bool registers_trap(void)
{
	static volatile u64 watched;
	struct perf_event_attr a = {
		.type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&watched, .bp_len = sizeof(watched), .sample_period = 1,
		.exclude_kernel = 1,
	};
	int fd = sys_perf_open(&a, 0, -1);
	u64 n = 0;

	if (fd < 0)                              /* attaching says why, or finds a free register */
		return true;
	watched++;
	if (read(fd, &n, sizeof(n)) != sizeof(n))
		n = 1;
	close(fd);
	return n > 0;
}

static const char *why(int err)
{
	switch (err) {
	case -ENOSPC:
		return "all debug registers of the CPU are in use";
	case -EINVAL:
		return "the kernel does not watch this address in this way";
	case -ENXIO:
		return "this machine has no debug registers (hardware breakpoints) that trap";
	case -ENOENT:
	case -EOPNOTSUPP:
	case -EIO:
		return "this machine gives Linux no debug registers (hardware breakpoints)";
	default:
		return prov_why(err);
	}
}

static int watchpoint_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	bool trap = registers_trap();

	for (u32 i = 0; i < n; i++) {
		u64 cookie = cookies ? cookies[i] : 0;
		int err = !trap ? -ENXIO :
			  probes[i]->place.pid > 0 ?
			  attach_threads(at, probes[i], cookie, prog_fd) :
			  attach_cpus(at, probes[i], cookie, prog_fd);

		if (err)
			attach_refuse(at, probes[i], "%s", why(err));
		else
			attach_note(at, "watchpoint:%s: %s bytes (%s) by a debug register, %s",
				    probes[i]->mod, probes[i]->func, probes[i]->name,
				    probes[i]->place.pid > 0 ? "in the target's threads"
						       : "on every CPU");
	}
	return 0;
}

static const char *watchpoint_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const char *bad;
	u32 len, mode;
	u64 addr;

	if (strcmp(pat->prov, "watchpoint"))
		return NULL;
	bad = read_fields(pat, &addr, &len, &mode);
	return bad ? bad : "this is an address of a program: name its process with -p or -c";
}

const struct dtx_provider provider_watchpoint = {
	.name = "watchpoint",
	.doc = "an address that is read, written or executed: watchpoint:ADDRESS:LENGTH:MODE",
	.list = watchpoint_list,
	.args = watchpoint_args,
	.attach = watchpoint_attach,
	.advise = watchpoint_advise,
};
