/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kattach.c - which kernel functions can be probed, and attaching to them.
 *
 * The functions are those of ftrace (available_filter_functions).  If that cannot be read,
 * they are the text symbols of kallsyms, without compiler clones and without functions that
 * the kernel protects from probes.  Each list is read once, on first use.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/feat.h>
#include <dtx/kind.h>
#include <dtx/progkind.h>
#include <dtx/arch.h>

#include "runtime/code/names.h"
#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

static const char cache_key[] = "kattach";     /* of prov_cache() */

#define BLACKLIST "/sys/kernel/debug/kprobes/blacklist"

const char *const kattach_reasons[2] = {
	"it is a clone made by the compiler, whose arguments are unknown",
	"the kernel protects it from probing (kprobes blacklist)",
};

struct func { const char *module, *name; };

struct cache {
	bool read, read_black;
	char *text;                      /* of available_filter_functions; names point into it */
	VEC(struct func) funcs;
	VEC(struct func) left_out; /* traceable by ftrace, but not probed: kattach_refusal() */
	struct map *black;               /* protected functions */
	struct map *seen; /* while the list is read: the functions that were there */
	struct map *several;             /* those that were there more than once */
	struct buf key;
	struct cache *before;            /* read earlier: probes may have names of it */
};

static void kattach_cache_free(struct dtx_env *env)
{
	for (struct cache *c = prov_kept(env, cache_key); c; c = c->before) {
		free(c->text);
		VEC_FREE(&c->funcs);
		VEC_FREE(&c->left_out);
		map_free(c->several);
		map_free(c->black);
		buf_free(&c->key);
	}
}

static struct cache *kattach_cache(struct dtx_env *env)
{
	return prov_cache_heap(env, cache_key, sizeof(struct cache), kattach_cache_free);
}

void kattach_outdated(struct dtx_env *env)
{
	struct cache *before = prov_kept(env, cache_key);

	prov_forget(env, cache_key);
	kattach_cache(env)->before = before;
	ksyms_outdated(env);
}

static void read_blacklist(struct dtx_env *env, struct cache *c)
{
	char *text, *line, *save;
	size_t len;

	c->read_black = true;
	if (machine_read(env, BLACKLIST, &text, &len))
		return;
	c->black = map_new();
	/* 0xffffffff81000000-0xffffffff81000010\tname */
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *name = strrchr(line, '\t');

		if (name)
			map_set(c->black, name + 1, c);
	}
	free(text);
}

bool kattach_protected(struct dtx_env *env, const char *func)
{
	struct cache *c = kattach_cache(env);

	if (!c->read_black)
		read_blacklist(env, c);
	return c->black && map_get(c->black, func);
}

const char *kattach_refusal(struct dtx_env *env, const char *func)
{
	if (strchr(func, '.'))
		return kattach_reasons[0];
	return kattach_protected(env, func) ? kattach_reasons[1] : NULL;
}

static bool is_marker(const char *name)
{
	return !strncmp(name, "__ftrace_invalid_address", 24) || !strncmp(name, "__pfx_", 6) ||
	       !strncmp(name, "__cfi_", 6);
}

static const char *key_of(struct cache *c, const char *module, const char *name)
{
	if (!strcmp(module, "vmlinux"))
		return name;
	buf_reset(&c->key);
	buf_puts(&c->key, name);
	buf_putc(&c->key, ' ');
	buf_puts(&c->key, module);
	return c->key.data;
}

/* One entry per name and module. */
static bool is_twin(struct cache *c, const char *module, const char *name)
{
	const char *key = key_of(c, module, name);

	if (!map_add(c->seen, key, c))
		return false;
	map_set(c->several, key, c);
	return true;
}

static void kattach_add(struct dtx_env *env, struct cache *c, const char *module, const char *name)
{
	struct func f = { module, name };

	if (is_marker(name) || is_twin(c, module, name))
		return;
	if (kattach_refusal(env, name))
		VEC_PUSH(&c->left_out, f);
	else
		VEC_PUSH(&c->funcs, f);
}

/* "vfs_read\n", "nf_hook [nf_tables]\n", split in place.  A name may have any byte but these. */
static void parse_filter_functions(struct dtx_env *env, struct cache *c)
{
	char *line = c->text, *end, *mod;

	for (; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			break;
		*end = '\0';
		mod = end > line && end[-1] == ']' ? strstr(line, " [") : NULL;
		if (mod) {
			*mod = '\0';
			mod += 2;
			end[-1] = '\0';
		}
		kattach_add(env, c, mod ? mod : "vmlinux", line);
	}
}

static int kattach_symbol(void *arg, const char *module, const char *name, u64 addr)
{
	struct dtx_env *env = arg;

	if (module && (!strcmp(module, "bpf") || !strncmp(module, "__builtin__", 11)))
		return 0;                        /* made at run time: BPF programs, trampolines */
	kattach_add(env, kattach_cache(env), module && *module ? module : "vmlinux", name);
	return 0;
}

static struct cache *funcs_get(struct dtx_env *env)
{
	struct cache *c = kattach_cache(env);
	const char *tracefs = tracefs_path(env);
	char path[256];
	size_t len;

	if (c->read)
		return c;
	c->read = true;
	c->seen = map_new();
	c->several = map_new();
	snprintf(path, sizeof(path), "%s/available_filter_functions", tracefs ? tracefs : "");
	if (tracefs && !machine_read(env, path, &c->text, &len) && len)
		parse_filter_functions(env, c);
	else
		ksyms_each(ksyms_get(env), kattach_symbol, env);
	map_free(c->seen);
	c->seen = NULL;
	return c;
}

/* ---- functions that share their name ------------------------------------------------------ */

/* Static functions of several files may have one name.  The lists have no addresses, the symbols
 * have. */
u32 kattach_functions(struct dtx_env *env, const char *mod, const char *func)
{
	u32 n = ksyms_functions(ksyms_get(env), mod, func, NULL, 0);

	return MAX(n, 1u);
}

u32 kattach_listed(struct dtx_env *env, const char *mod, const char *func)
{
	struct cache *c = funcs_get(env);

	return map_get(c->several, key_of(c, mod, func)) ? kattach_functions(env, mod, func) : 1;
}

void kattach_one_of(struct dtx_probe *p, u32 nth)
{
	p->place.sym = p->place.target;
	p->place.site = nth;
}

/* The address of a function that shares its name; 0: it does not, or is gone. */
static u64 address_of_one(struct dtx_env *env, const struct dtx_probe *p)
{
	u64 *addrs, addr;
	u32 n;

	if (!p->place.sym)
		return 0;
	addrs = xcalloc(p->place.site + 1, sizeof(*addrs));
	n = ksyms_functions(ksyms_get(env), p->mod, p->place.target, addrs, p->place.site + 1);
	addr = n > p->place.site ? addrs[p->place.site] : 0;
	free(addrs);
	return addr;
}

static bool any_shares(const struct multi_site *sites, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (sites[i].probe->place.sym)
			return true;
	return false;
}

int kattach_each(struct dtx_env *env, int (*fn)(void *arg, const char *module, const char *func),
		 void *arg)
{
	struct cache *c = funcs_get(env);
	int err = 0;

	for (u32 i = 0; !err && i < c->funcs.n; i++)
		err = fn(arg, c->funcs.v[i].module, c->funcs.v[i].name);
	return err;
}

int kattach_each_left_out(struct dtx_env *env,
			  int (*fn)(void *arg, const char *module, const char *func), void *arg)
{
	struct cache *c = funcs_get(env);
	int err = 0;

	for (u32 i = 0; !err && i < c->left_out.n; i++)
		err = fn(arg, c->left_out.v[i].module, c->left_out.v[i].name);
	return err;
}

/* ---- attaching ---------------------------------------------------------------------------- */

struct multi {
	struct dtx_env *env;
	bool by_addr;            /* the names were refused: use addresses */
};

static int link_names(const struct multi_site *sites, u32 n, int prog_fd, bool ret,
		      struct multi *m)
{
	struct bpf_link_multi l = {
		.n = n, .retprobe = ret, .session = sites[0].probe->prog.kind == PK_KSESSION,
	};
	const char **syms = xcalloc(n, sizeof(*syms));
	u64 *addrs = xcalloc(n, sizeof(*addrs)), *cookies = xcalloc(n, sizeof(*cookies));
	bool shares = any_shares(sites, n), by_addr = m->by_addr || shares;
	int fd = 0;

	for (u32 i = 0; i < n; i++) {
		const struct dtx_probe *p = sites[i].probe;

		syms[i] = p->place.target;
		cookies[i] = sites[i].cookie;
		if (!by_addr)
			continue;
		addrs[i] = p->place.sym ? address_of_one(m->env, p) :
				    ksyms_addr(ksyms_get(m->env), p->mod, p->place.target);
		if (!addrs[i])
			fd = -ESRCH;
	}
	if (fd && !shares)               /* an address is not known: names, in the end one by one */
		fd = by_addr = 0;
	l.syms = by_addr ? NULL : syms;
	l.addrs = by_addr ? addrs : NULL;
	l.cookies = cookies;
	if (!fd)
		fd = sys_link_kprobe_multi(prog_fd, &l);
	free(syms);
	free(addrs);
	free(cookies);
	return fd;
}

/* The kernel walks all its symbols for each set of names; addresses make a retry cheap. */
static int link_multi(void *arg, const struct multi_site *sites, u32 n, int prog_fd)
{
	struct multi *m = arg;
	bool ret = sites[0].probe->prog.kind == PK_KRETPROBE_MULTI;
	int fd = link_names(sites, n, prog_fd, ret, m);

	if (fd >= 0 || m->by_addr || fd == -EPERM)
		return fd;
	m->by_addr = true;
	return link_names(sites, n, prog_fd, ret, m);
}

static bool begins_with_one(const char *func, const char *const *starts, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (*func == *starts[i] && !strncmp(func, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* The same, with names that only this machine's kernel has. */
static bool begins_as_here(const char *func, const char *const *starts)
{
	u32 n = 0;

	while (starts[n])
		n++;
	return begins_with_one(func, starts, n);
}

/*
 * Functions that the kernel calls to patch its own code and to make such a link: after they are
 * probed, each further patch fires them dozens of times.  Kernels differ; a missing name costs
 * only time.
 */
static bool is_patching(const char *func)
{
	static const char *const starts[] = {
		"__cond_resched",
		"__get_locked_pte",
		"__pte_offset_map",
		"__rcu_read_",
		"__smp_call_single_queue",
		"_raw_spin_",
		"arch_ftrace_",
		"copy_from_kernel_nofault",
		"ftrace_",
		"mutex_",
		"on_each_cpu",
		"perf_event_text_poke",
		"rcu_read_",
		"smp_call_function",
		"switch_mm",
		"walk_to_pmd",
	};

	return begins_with_one(func, starts, ARRAY_SIZE(starts)) ||
	       begins_as_here(func, arch_patching);
}

/* ---- fentry.multi, fexit.multi ------------------------------------------------------------- */

static int link_functions(void *arg, const struct multi_site *sites, u32 n, int prog_fd)
{
	const struct multi *m = arg;
	struct btf_src *btf = btf_src_open(m->env);
	u32 *ids = xcalloc(n, sizeof(*ids));
	u64 *cookies = xcalloc(n, sizeof(*cookies));
	struct bpf_link_funcs f = {
		.btf_ids = ids, .cookies = cookies, .n = n,
		.retprobe = kind_is(sites[0].probe->prog.kind, KIND_RETURN),
	};
	int fd = btf ? 0 : -ENOENT;

	for (u32 i = 0; i < n && !fd; i++) {
		cookies[i] = sites[i].cookie;
		ids[i] = btf_vmlinux_func(btf, sites[i].probe->place.target);
		fd = ids[i] ? 0 : -ENOENT;
	}
	if (!fd)
		fd = sys_link_tracing_multi(prog_fd, &f);
	free(ids);
	free(cookies);
	return fd;
}

static bool by_trampolines(u32 kind)
{
	return kind == PK_FENTRY_MULTI || kind == PK_FEXIT_MULTI;
}

static struct multi_linker linker_of(u32 kind, struct multi *m)
{
	return (struct multi_linker){ by_trampolines(kind) ? link_functions : link_multi, m };
}

/* The functions by which the kernel patches its code are attached last, in separate links, and
 * therefore detached first. */
static u32 attach_sites(struct attach *at, const struct multi_site *sites, u32 n, int prog_fd,
			u32 *nlinks)
{
	struct multi_site *sorted = xcalloc(n, sizeof(*sorted));
	struct multi m = { .env = at->env };
	struct multi_linker by = linker_of(n ? sites[0].probe->prog.kind : 0, &m);
	u32 to = 0, last = n, done;

	for (u32 i = 0; i < n; i++)
		sorted[is_patching(sites[i].probe->place.target) ? --last : to++] = sites[i];
	done = multi_attach(at, sorted, last, prog_fd, by, nlinks);
	done += multi_attach(at, sorted + last, n - last, prog_fd, by, nlinks);
	free(sorted);
	return done;
}

static int attach_multi(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
			u32 n, int prog_fd)
{
	struct multi_site *sites = xcalloc(n, sizeof(*sites));
	u32 nlinks = 0, done, kind = probes[0]->prog.kind;

	for (u32 i = 0; i < n; i++)
		sites[i] = (struct multi_site){ probes[i], cookies ? cookies[i] : 0 };
	done = attach_sites(at, sites, n, prog_fd, &nlinks);
	free(sites);
	if (by_trampolines(kind))
		attach_made_code(at);
	attach_note(at, "%s: %u function%s by %s (kernel offers it), %u link%s",
		     prov_common(at->arena, probes, n), done, done == 1 ? "" : "s",
		     by_trampolines(kind) ? progkind_names[kind] : "kprobe.multi", nlinks,
		     nlinks == 1 ? "" : "s");
	return done ? 0 : -EINVAL;
}

/* ---- kprobe.session: entry and return in one program --------------------------------------- */

#define NO_PROBE 0xffffffffull   /* half of a cookie: compiler/emit/emit_probe.c */

/*
 * What the kernel and the programs call in each firing.  A probe on such a function is reached
 * again by each firing elsewhere, to be skipped: all would cost several times as much.
 */
static bool is_of_firings(const char *func)
{
	static const char *const starts[] = {
		"__bpf_", "__htab_", "__rcu_read_", "bpf_", "copy_from_kernel_nofault", "htab_",
		"ktime_get_mono_fast_ns", "migrate_", "objpool_", "rcu_read_", "trace_call_bpf",
	};

	return begins_with_one(func, starts, ARRAY_SIZE(starts));
}

#define ALL_FUNCTIONS 32000      /* with 31,202 Debian's 6.12 went on in an emulated guest */

/*
 * What an interrupt of the timer runs: the clock, the scheduler, RCU.  With all functions of the
 * kernel it took 20 ms in an emulated guest, where the next one comes after 4: nothing else ran.
 */
static bool is_of_ticks(const char *func)
{
	static const char *const starts[] = {
		"__hrtimer_", "__irq", "__raise_softirq", "__rcu_", "__timer",
		"__update_load", "_raw_", "account_", "acct_", "arch_scale_",
		"calc_global_load", "cfs_", "cgroup_rstat", "clockevents_", "cpuacct_",
		"cpufreq_", "cputime_", "dequeue_", "enqueue_", "entity_",
		"expire_timers", "hrtimer_", "irq", "local_", "nohz_", "note_gp_",
		"pelt", "perf_event_task_tick", "perf_rotate", "preempt_count",
		"profile_tick", "psi_", "raise_softirq", "rb_", "rcu_", "rebalance_",
		"reweight_", "run_local_timers", "run_posix", "run_timer", "sched_",
		"scheduler_", "softirq", "task_tick", "tick_", "timekeep", "timer",
		"tmigr_", "trigger_load", "ttwu_", "update_", "vruntime", "wq_worker",
		"xas_",
	};

	return begins_with_one(func, starts, ARRAY_SIZE(starts)) ||
	       begins_as_here(func, arch_ticking);
}

static u32 leave_ticks(struct attach *at, struct multi_site *sites, u32 n)
{
	u32 to = 0;

	for (u32 i = 0; i < n; i++)
		if (!is_of_ticks(sites[i].probe->place.target))
			sites[to++] = sites[i];
	at->tell(at->arg, arena_printf(at->arena,
		"fbt: %u functions that timer interrupts run are not traced, because all together "
		"would keep the machine from anything else; name them beside fewer than %u others "
		"to see them", n - to, ALL_FUNCTIONS));
	return to;
}

/*
 * Entry and return of a function as one site.  Ids of the two differ in the last bit; functions
 * that share their name have one id.
 */
static u32 pair_sites(const struct dtx_probe **probes, const u64 *cookies, u32 n,
		      struct multi_site *sites, u32 *nleft)
{
	struct keytab *seen = keytab_new(2 * sizeof(u32), sizeof(u32));
	u32 nsites = 0;

	for (u32 i = 0; i < n; i++) {
		bool ret = probes[i]->id & 1;
		u32 key[] = { probes[i]->id & ~1u, probes[i]->place.site }, *at;

		if (is_of_firings(probes[i]->place.target)) {
			*nleft += !ret;
			continue;
		}
		at = keytab_put(seen, key);
		if (!*at) {
			sites[nsites] = (struct multi_site){ probes[i], ~0ull };
			*at = ++nsites;
		}
		sites[*at - 1].cookie &= ret ? cookies[i] << 32 | NO_PROBE
					     : NO_PROBE << 32 | cookies[i];
	}
	keytab_free(seen);
	return nsites;
}

static int attach_session(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
			  u32 n, int prog_fd)
{
	struct multi_site *sites = xcalloc(n, sizeof(*sites));
	u32 nlinks = 0, nleft = 0, done;

	n = pair_sites(probes, cookies, n, sites, &nleft);
	if (n >= ALL_FUNCTIONS)
		n = leave_ticks(at, sites, n);
	done = attach_sites(at, sites, n, prog_fd, &nlinks);
	free(sites);
	attach_note(at, "fbt: entry and return of %u functions by kprobe.session, for what a "
		    "thread calls while its flag is set, %u links; left out: %u functions that "
		    "each firing calls itself", done, nlinks, nleft);
	return done ? 0 : -EINVAL;
}

/* Of a place inside a function, and where several functions have the name; 0: by name. */
static u64 place_address(const struct attach *at, const struct dtx_probe *p)
{
	bool inside = p->place.num == KATTACH_LINE || koffset_is(p);
	u64 addr = p->place.sym ? address_of_one(at->env, p)
		   : inside ? ksyms_addr(ksyms_get(at->env), p->mod, p->place.target) : 0;

	return addr ? addr + p->place.off : 0;
}

static int open_kprobe(const struct attach *at, const struct dtx_probe *p)
{
	bool ret = p->prog.kind == PK_KRETPROBE;
	u64 addr = place_address(at, p);

	if (addr)
		return sys_perf_probe("kprobe", ret, NULL, addr, 0, -1);
	if (p->place.sym)
		return -ENOENT;
	return sys_perf_probe("kprobe", ret, p->place.target, p->place.off, 0, -1);
}

static const char *why_perf(const struct attach *at, const struct dtx_probe *p)
{
	static const char *const why[] = {
		[KATTACH_PLACE] = "inside a function",
		[KATTACH_LINE] = "a line of the source",
		[KATTACH_REGS] = "for its registers",
		[KATTACH_STACK] = "for its stack, at half the cost of fentry; -x strict keeps "
				  "fentry, which the kernel does not skip inside other programs",
	};

	if (p->place.num)
		return why[p->place.num];
	if (p->place.sym)
		return "functions of one name, each by its address";
	if (!env_has(at->env, FEAT_KPROBE_MULTI))
		return "this kernel has no kprobe.multi";
	return p->provider->for_needs /* it chooses */ ? "not suited for fentry" : "few functions";
}

static int attach_perf(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		       u32 n, int prog_fd)
{
	bool inside = koffset_is(probes[0]) || probes[0]->place.num == KATTACH_LINE;
	int err;

	for (u32 i = 0; i < n && !place_address(at, probes[i]); i++)
		;                         /* reads the symbols, before there are threads */
	err = perf_attach_all(at, probes, cookies, n, prog_fd,
			      (struct perf_opener){ open_kprobe, NULL });
	if (!err)
		attach_note(at, "%s: %u %s%s by perf %s (%s)", prov_common(at->arena, probes, n), n,
			    inside ? "place" : "function", n == 1 ? "" : "s",
			    probes[0]->prog.kind == PK_KPROBE ? "kprobes" : "kretprobes",
			    why_perf(at, probes[0]));
	return err;
}

static int attach_tracing(struct attach *at, const struct dtx_probe *p, u64 cookie,
			  int prog_fd)
{
	int fd = sys_link_tracing(prog_fd, cookie);

	if (fd < 0) {
		attach_refuse(at, p, "%s", prov_why(fd));
		return fd;
	}
	attach_keep(at, fd);
	attach_made_code(at);
	attach_note(at, "fbt:%s:%s:%s: by %s (few functions, with types)", p->mod, p->func, p->name,
		     p->prog.kind == PK_FENTRY ? "fentry" : "fexit");
	return 0;
}

int kattach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies, u32 n,
	    int prog_fd)
{
	int err = 0;

	switch (probes[0]->prog.kind) {
	case PK_FENTRY_MULTI:
	case PK_FEXIT_MULTI:
	case PK_KPROBE_MULTI:
	case PK_KRETPROBE_MULTI:
		return attach_multi(at, probes, cookies, n, prog_fd);
	case PK_KSESSION:
		return attach_session(at, probes, cookies, n, prog_fd);
	case PK_KPROBE:
	case PK_KRETPROBE:
		return attach_perf(at, probes, cookies, n, prog_fd);
	default:
		for (u32 i = 0; i < n; i++) {
			int one = attach_tracing(at, probes[i], 0, prog_fd);

			err = err ? err : one;
		}
		return err;
	}
}
