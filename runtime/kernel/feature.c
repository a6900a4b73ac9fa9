/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * feature.c - the abilities of this kernel: each is tried, never derived from the
 * version.
 *
 * One small function per row of features.def, called on first use.  Each leaves no trace
 * and does not wait.  If closing would cost a grace period (perf kprobes, uprobes,
 * tracepoints) or a patch of a busy function (kprobe.multi), the call gets one bad
 * argument: the ability exists if the kernel refuses exactly that argument.
 * Why: docs/decisions/08-kernel-abilities.md
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <dtx/feat.h>
#include <dtx/progkind.h>
#include <dtx/opt.h>

#include "runtime/kernel/kernel.h"
#include "runtime/machine/machine.h"
#include "runtime/types/types.h"

/* One per row; new ones may be in other files. */
#define FEATURE(id, name, doc) bool probe_##id(struct dtx_env *);
#include <dtx/tables/features.def>
#undef FEATURE

#define HELPER_TASK_STORAGE_GET 156
#define HELPER_TASK_BTF         158
#define HELPER_ATTACH_COOKIE    174
#define HELPER_LOOP             181
#define NOWHERE                 8        /* an address no process has */

/* ---- tiny programs ------------------------------------------------------------------- */

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV_IMM(d, i)     INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOV_REG(d, s)     INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ADD_IMM(d, i)     INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define STORE_IMM(d, o, i) INSN(BPF_ST | BPF_MEM | BPF_DW, d, 0, o, i)
#define LOAD_MEM(size, d, s, o) INSN(BPF_LDX | BPF_MEM | (size), d, s, o, 0)
#define JUMP_IF_ZERO(r, o) INSN(BPF_JMP | BPF_JEQ | BPF_K, r, 0, o, 0)
#define CALL(helper)      INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define LOAD_MAP(d, fd)   INSN(BPF_LD | BPF_DW | BPF_IMM, d, BPF_PSEUDO_MAP_FD, 0, fd), \
			  INSN(0, 0, 0, 0, 0)
#define EXIT              INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static int prog_load(enum bpf_prog_type type, const struct bpf_insn *insns, u32 n,
		     struct bpf_prog_load_opts *opts)
{
	int fd = bpf_prog_load(type, NULL, "GPL", insns, n, opts);

	return fd < 0 ? -errno : fd;
}

#define LOAD(type, insns, ...)                                                     \
	({                                                                         \
		LIBBPF_OPTS(bpf_prog_load_opts, opts_, __VA_ARGS__);               \
		prog_load(type, insns, ARRAY_SIZE(insns), &opts_);                 \
	})

static bool close_ok(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int load_empty(enum bpf_prog_type type, u32 attach_type)
{
	struct bpf_insn insns[] = { MOV_IMM(0, 0), EXIT };

	return LOAD(type, insns, .expected_attach_type = attach_type);
}

static int load_tracing(u32 attach_type, u32 btf_id, bool cookie)
{
	struct bpf_insn empty[] = { MOV_IMM(0, 0), EXIT };
	struct bpf_insn insns[] = { CALL(HELPER_ATTACH_COOKIE), MOV_IMM(0, 0), EXIT };

	if (cookie)
		return LOAD(BPF_PROG_TYPE_TRACING, insns, .expected_attach_type = attach_type,
			    .attach_btf_id = btf_id);
	return LOAD(BPF_PROG_TYPE_TRACING, empty, .expected_attach_type = attach_type,
		    .attach_btf_id = btf_id);
}

/* ---- BPF itself ------------------------------------------------------------------------ */

bool probe_FEAT_BPF(struct dtx_env *env)
{
	(void)env;
	return close_ok(load_empty(BPF_PROG_TYPE_RAW_TRACEPOINT, 0));
}

bool probe_FEAT_BTF(struct dtx_env *env)
{
	return opt_is_set(env, OPT_btf) || !machine_access(env, "/sys/kernel/btf/vmlinux", R_OK);
}

bool probe_FEAT_RINGBUF(struct dtx_env *env)
{
	(void)env;
	return close_ok(bpf_map_create(BPF_MAP_TYPE_RINGBUF, NULL, 0, 0, (u32)getpagesize(), NULL));
}

bool probe_FEAT_ATOMICS(struct dtx_env *env)
{
	struct bpf_insn insns[] = {
		STORE_IMM(10, -8, 0), MOV_IMM(1, 1),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 10, 1, -8, BPF_ADD | BPF_FETCH),
		MOV_IMM(0, 0), EXIT,
	};

	(void)env;
	return close_ok(LOAD(BPF_PROG_TYPE_RAW_TRACEPOINT, insns));
}

/* Called without arguments: a kernel that has the helper refuses them. */
bool probe_FEAT_LOOP(struct dtx_env *env)
{
	struct bpf_insn insns[] = { CALL(HELPER_LOOP), MOV_IMM(0, 0), EXIT };
	int err = LOAD(BPF_PROG_TYPE_RAW_TRACEPOINT, insns);

	(void)env;
	return close_ok(err) || err == -EACCES;
}

/*
 * BPF_PROBE_MEM compares the address first, instead of leaving it to the page fault (commit
 * 588a25e92458).  It cannot be asked for; loops came a version later.
 */
bool probe_FEAT_NULL_LOADS(struct dtx_env *env)
{
	return probe_FEAT_LOOP(env);
}

/* For map types that require BTF: BTF with one int, id 1, for key and value. */
static int tiny_btf(void)
{
	static const char strs[] = "\0int";
	struct {
		struct btf_header h;
		struct btf_type t;
		u32 bits;
		char strs[sizeof(strs)];
	} b = {
		.h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(b.h),
		       .type_len = sizeof(b.t) + sizeof(b.bits),
		       .str_off = sizeof(b.t) + sizeof(b.bits), .str_len = sizeof(strs) },
		.t = { .name_off = 1, .info = BTF_KIND_INT << 24, .size = 4 },
		.bits = BTF_INT_SIGNED << 24 | 32,
	};

	memcpy(b.strs, strs, sizeof(strs));
	return bpf_btf_load(&b, sizeof(b.h) + b.h.type_len + sizeof(strs), NULL);
}

bool probe_FEAT_TASK_STORAGE(struct dtx_env *env)
{
	int btf = tiny_btf(), map;
	bool yes;

	(void)env;
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC, .btf_fd = btf,
		    .btf_key_type_id = 1, .btf_value_type_id = 1);
	map = btf < 0 ? -1 : bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, NULL, 4, 4, 0, &opts);
	struct bpf_insn insns[] = {
		CALL(HELPER_TASK_BTF), MOV_REG(2, 0), LOAD_MAP(1, map), MOV_IMM(3, 0),
		MOV_IMM(4, 0), CALL(HELPER_TASK_STORAGE_GET), MOV_IMM(0, 0), EXIT,
	};
	yes = map >= 0 && close_ok(LOAD(BPF_PROG_TYPE_KPROBE, insns));
	close_ok(map);
	close_ok(btf);
	return yes;
}

/* Timers run in any context: only for them growing was forbidden. */
bool probe_FEAT_HASH_ALLOC(struct dtx_env *env)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
	int map = bpf_map_create(BPF_MAP_TYPE_HASH, NULL, 8, 8, 1, &opts);
	struct bpf_insn insns[] = {
		STORE_IMM(10, -8, 0), MOV_REG(2, 10), ADD_IMM(2, -8), LOAD_MAP(1, map),
		CALL(BPF_FUNC_map_lookup_elem), MOV_IMM(0, 0), EXIT,
	};
	bool yes = map >= 0 && close_ok(LOAD(BPF_PROG_TYPE_PERF_EVENT, insns));

	(void)env;
	close_ok(map);
	return yes;
}

/* The kernel decides at loading whether a program may call it. */
bool probe_FEAT_WRITE_USER(struct dtx_env *env)
{
	struct bpf_insn insns[] = {
		MOV_IMM(1, 0), STORE_IMM(10, -8, 0), MOV_REG(2, 10), ADD_IMM(2, -8), MOV_IMM(3, 8),
		CALL(BPF_FUNC_probe_write_user), MOV_IMM(0, 0), EXIT,
	};

	(void)env;
	return close_ok(LOAD(BPF_PROG_TYPE_KPROBE, insns));
}

/* ---- kernel functions -------------------------------------------------------------------- */

/* No function, address 0: the kernel reports "no such address" only after all other checks. */
bool probe_FEAT_KPROBE(struct dtx_env *env)
{
	int fd = sys_perf_probe("kprobe", false, NULL, 0, 0, -1);

	(void)env;
	return close_ok(fd) || fd == -EINVAL;
}

static bool links_many(u32 attach_type)
{
	int prog = load_empty(BPF_PROG_TYPE_KPROBE, attach_type);
	struct bpf_link_multi m = { .addrs = (const u64 *)NOWHERE, .n = 1,
				    .session = attach_type == AT_KPROBE_SESSION };
	int err = prog < 0 ? prog : sys_link_kprobe_multi(prog, &m);

	close_ok(prog);
	return close_ok(err) || err == -EFAULT;
}

bool probe_FEAT_KPROBE_MULTI(struct dtx_env *env)
{
	(void)env;
	return links_many(AT_KPROBE_MULTI);
}

bool probe_FEAT_KPROBE_SESSION(struct dtx_env *env)
{
	(void)env;
	return links_many(AT_KPROBE_SESSION);
}

/* A function called only by the kernel's own test. */
static u32 quiet_function(struct dtx_env *env)
{
	struct btf_src *btf = btf_src_open(env);
	u32 id = btf ? btf_func_id(btf, "bpf_fentry_test1", NULL, NULL) : 0;

	return id || !btf ? id : btf_func_id(btf, "vfs_read", NULL, NULL);
}

/*
 * Does a trampoline skip a program that is already running on the CPU?  Otherwise a
 * program on a function that helpers call (htab_map_update_elem) calls itself until the
 * kernel's stack overflows.  The protection and the count of skipped runs came together
 * (5.12), and the kernel reports how much of bpf_prog_info it knows.
 */
static bool guards_recursion(int prog)
{
	struct bpf_prog_info info = { 0 };
	u32 len = sizeof(info);

	return !bpf_obj_get_info_by_fd(prog, &info, &len) &&
	       len >= offsetof(struct bpf_prog_info, recursion_misses) +
		      sizeof(info.recursion_misses);
}

bool probe_FEAT_FENTRY(struct dtx_env *env)
{
	u32 id = quiet_function(env);
	int prog = id ? load_tracing(BPF_TRACE_FENTRY, id, false) : -1;
	bool yes = prog >= 0 && guards_recursion(prog) && close_ok(sys_link_tracing(prog, 0));

	close_ok(prog);
	return yes;
}

bool probe_FEAT_TRACING_COOKIE(struct dtx_env *env)
{
	u32 id = quiet_function(env);

	return id && close_ok(load_tracing(BPF_TRACE_FENTRY, id, true));
}

/* It is loaded for no function; those of the link are checked when it is made. */
bool probe_FEAT_FENTRY_MULTI(struct dtx_env *env)
{
	u32 id = quiet_function(env);
	int prog = id ? load_tracing(AT_FENTRY_MULTI, 0, true) : -1;
	const u64 cookie = 1;
	struct bpf_link_funcs f = { .btf_ids = &id, .cookies = &cookie, .n = 1 };
	bool yes = prog >= 0 && close_ok(sys_link_tracing_multi(prog, &f));

	close_ok(prog);
	return yes;
}

/* ---- tracepoints -------------------------------------------------------------------------- */

bool probe_FEAT_TP_BTF(struct dtx_env *env)
{
	struct btf_src *btf = btf_src_open(env);
	u32 id = btf ? btf_rawtp_id(btf, "sched_process_exec", NULL, env->arena) : 0;
	int prog = id ? load_tracing(BPF_TRACE_RAW_TP, id, false) : -1;
	bool yes = prog >= 0 && close_ok(sys_link_tracing(prog, 0));

	close_ok(prog);
	return yes;
}

bool probe_FEAT_RAWTP_COOKIE(struct dtx_env *env)
{
	struct bpf_insn insns[] = { CALL(HELPER_ATTACH_COOKIE), MOV_IMM(0, 0), EXIT };

	(void)env;
	return close_ok(LOAD(BPF_PROG_TYPE_RAW_TRACEPOINT, insns));
}

/* No event has this number: the error comes from the tracepoint code. */
bool probe_FEAT_TRACEPOINT(struct dtx_env *env)
{
	int fd = tracefs_path(env) ? sys_perf_tracepoint(UINT32_MAX) : -ENOENT;

	return close_ok(fd) || fd == -EINVAL;
}

/*
 * Does the kernel load a program of this kind that reads these slots of its context?  For raw
 * tracepoints, what they point to is read, too: that must be known to be a kernel struct.
 */
static bool tracing_reads(enum bpf_attach_type kind, u32 btf_id, u32 btf_obj_id, u32 slots)
{
	struct bpf_insn in[4 * 32 + 3];
	u32 n = 0;
	int btf = btf_obj_id ? bpf_btf_get_fd_by_id(btf_obj_id) : 0;

	in[n++] = MOV_REG(6, 1);
	for (u32 i = 0; i < 32; i++) {
		if (!(slots & 1u << i))
			continue;
		in[n++] = LOAD_MEM(BPF_DW, 1, 6, 8 * i);
		if (kind != BPF_TRACE_RAW_TP)
			continue;
		in[n++] = JUMP_IF_ZERO(1, 1);
		in[n++] = LOAD_MEM(BPF_B, 2, 1, 0);
	}
	in[n++] = MOV_IMM(0, 0);
	in[n++] = EXIT;
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = kind,
		    .attach_btf_id = btf_id, .attach_btf_obj_fd = MAX(btf, 0));
	bool yes = close_ok(prog_load(BPF_PROG_TYPE_TRACING, in, n, &opts));
	if (btf > 0)
		close(btf);
	return yes;
}

/*
 * Does the verifier follow these arguments (slots of 8 bytes, a bit each) of a tp_btf program by
 * BTF?  Kernels differ: newer ones treat arguments that may not be pointers (the info of
 * signal_generate) as numbers.
 */
bool feature_tp_btf_reads(struct dtx_env *env, const char *event, u32 btf_id, u32 btf_obj_id,
			  u32 slots)
{
	const char *question = arena_printf(env->arena, "tp_btf.%s.%x", event, slots);
	bool yes;

	if (!machine_is_here(env))
		return machine_says_yes(env, question);
	yes = tracing_reads(BPF_TRACE_RAW_TP, btf_id, btf_obj_id, slots);
	machine_note_yes(env, question, yes);
	return yes;
}

bool feature_trampoline_reads(bool is_return, u32 btf_id, u32 btf_obj_id, u32 slots)
{
	return tracing_reads(is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY, btf_id, btf_obj_id,
			     slots);
}

/* ---- user code, perf ------------------------------------------------------------------------ */

bool probe_FEAT_UPROBE(struct dtx_env *env)
{
	int fd = sys_perf_probe("uprobe", false, (const char *)NOWHERE, 0, 0, -1);

	(void)env;
	return close_ok(fd) || fd == -EFAULT;
}

bool probe_FEAT_UPROBE_MULTI(struct dtx_env *env)
{
	int prog = load_empty(BPF_PROG_TYPE_KPROBE, AT_UPROBE_MULTI);
	u64 offset = 0;
	struct bpf_link_multi m = { .path = (const char *)NOWHERE, .offsets = &offset, .n = 1 };
	int err = prog < 0 ? prog : sys_link_uprobe_multi(prog, &m);

	(void)env;
	close_ok(prog);
	return close_ok(err) || err == -EFAULT;
}

bool probe_FEAT_PERF_EVENTS(struct dtx_env *env)
{
	(void)env;
	return close_ok(sys_perf_timer(1000000000, 0));
}

bool probe_FEAT_PERF_COOKIE(struct dtx_env *env)
{
	int event = sys_perf_timer(1000000000, 0);
	int prog = load_empty(BPF_PROG_TYPE_PERF_EVENT, 0);
	bool yes = event >= 0 && prog >= 0 && close_ok(sys_link_perf(prog, event, 1));

	(void)env;
	close_ok(event);
	close_ok(prog);
	return yes;
}

bool probe_FEAT_PMU(struct dtx_env *env)
{
	(void)env;
	return close_ok(sys_perf_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, -1, 0));
}

/* ---- the table ---------------------------------------------------------------------------- */

/* -x without: is the name one of its lines? */
static bool do_without(const struct dtx_env *env, const char *name)
{
	const char *at = opt_text(env, OPT_without);
	size_t len = strlen(name);

	for (; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
		if (!strncmp(at, name, len) && (!at[len] || at[len] == '\n'))
			return true;
	return false;
}

/* Types from a file (-x btf) need nothing of the machine. */
static bool feature_yes(struct dtx_env *env, u32 f, const char *name)
{
	static bool (*const probes[FEAT_N])(struct dtx_env *) = {
#define FEATURE(id, name, doc) [id] = probe_##id,
#include <dtx/tables/features.def>
#undef FEATURE
	};
	const char *question = arena_printf(env->arena, "feature.%s", name);
	bool yes;

	if (!machine_is_here(env) && f != FEAT_BTF)
		return machine_says_yes(env, question);
	yes = probes[f](env);
	machine_note_yes(env, question, yes);
	return yes;
}

bool env_has(struct dtx_env *env, u32 f)
{
	static const char *const names[FEAT_N] = {
#define FEATURE(id, name, doc) [id] = name,
#include <dtx/tables/features.def>
#undef FEATURE
	};

	if (!env->feat)
		env->feat = arena_alloc(env->arena, FEAT_N);
	if (!env->feat[f])
		env->feat[f] = !do_without(env, names[f]) && feature_yes(env, f, names[f]) ? 1 : -1;
	return env->feat[f] > 0;
}

void features_asked(const struct dtx_env *env, struct buf *b)
{
	for (u32 i = 0; env->feat && i < FEAT_N; i++)
		if (env->feat[i])
			buf_printf(b, "can %u %d\n", i, env->feat[i] > 0);
}

bool feature_still(struct dtx_env *env, u32 f, bool yes)
{
	return f < FEAT_N && env_has(env, f) == yes;
}

bool features_note(struct dtx_env *env, bool *trampolines)
{
	*trampolines = false;
	if (!env_has(env, FEAT_BPF))
		return false;
	for (u32 i = 0; i < FEAT_N; i++)
		env_has(env, i);
	*trampolines = env_has(env, FEAT_FENTRY);
	return true;
}
