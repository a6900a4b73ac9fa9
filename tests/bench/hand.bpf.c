/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * hand.bpf.c - what one would write by hand for each row of guest.cases: the least work that gives
 * the answer.  No state of a session, no losses counted, no more CPUs than CPUS.
 *
 * A program is called MECHANISM_BODY.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#define CPUS 128
#define RELOCATED __attribute__((preserve_access_index))

typedef __u64 u64;
typedef __u32 u32;
typedef __s64 s64;

#ifdef BENCH_aarch64
struct pt_regs {
	u64 x[31], sp, pc, pstate, orig_x0;
	int syscallno;
};
#define FIRST     x[0]
#define THIRD     x[2]
#define IP        pc
#define SYSCALLNO syscallno
#define GETPPID   173
#else
#define FIRST     di
#define THIRD     dx
#define IP        ip
#define SYSCALLNO orig_ax
#define GETPPID   110
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs,
		flags, sp, ss;
};
#endif

struct super_block { u32 s_dev; } RELOCATED;
struct inode { struct super_block *i_sb; } RELOCATED;
struct dentry { struct inode *d_inode; } RELOCATED;
struct path { struct dentry *dentry; } RELOCATED;
struct file { struct path f_path; } RELOCATED;

struct comm_key { char comm[16]; };
struct pid_key { u32 pid; char comm[16]; };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct comm_key);
	__type(value, u64);
} by_comm SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct pid_key);
	__type(value, u64);
} by_pid SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, u64);
} by_stack SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 4096);
	__uint(key_size, 4);
	__uint(value_size, 127 * 8);
} stacks SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64);
} started SEC(".maps");

struct { u64 n, pad[7]; } counts[CPUS];
struct { u64 bucket[64]; } sizes[CPUS];
u64 sink[CPUS][8];

#define CPU  (bpf_get_smp_processor_id() & (CPUS - 1))
#define FN   static inline __attribute__((always_inline))

FN void bump(void *map, void *key)
{
	u64 one = 1, *v = bpf_map_lookup_elem(map, key);

	if (v)
		__sync_fetch_and_add(v, 1);
	else
		bpf_map_update_elem(map, key, &one, BPF_NOEXIST);
}

FN u32 log2l(u64 v)
{
	u32 r, s;

	r = (v > 0xffffffff) << 5; v >>= r;
	s = (v > 0xffff) << 4; v >>= s; r |= s;
	s = (v > 0xff) << 3; v >>= s; r |= s;
	s = (v > 0xf) << 2; v >>= s; r |= s;
	s = (v > 0x3) << 1; v >>= s; r |= s;
	return r | (v >> 1);
}

FN void body_empty(void *ctx, u64 x) { }
FN void body_count(void *ctx, u64 x) { __sync_fetch_and_add(&counts[CPU].n, 1); }

FN void body_comm(void *ctx, u64 x)
{
	struct comm_key k = { };

	bpf_get_current_comm(&k.comm, sizeof(k.comm));
	bump(&by_comm, &k);
}

FN void body_pidcomm(void *ctx, u64 x)
{
	struct pid_key k = { };

	k.pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(&k.comm, sizeof(k.comm));
	bump(&by_pid, &k);
}

FN void body_quantize(void *ctx, u64 x)
{
	u32 b = x ? log2l(x) + 1 : 0;

	__sync_fetch_and_add(&sizes[CPU].bucket[b & 63], 1);
}

FN void body_reject(void *ctx, u64 x)
{
	if (bpf_get_current_pid_tgid() >> 32 == 1)
		__sync_fetch_and_add(&counts[CPU].n, 1);
}

FN void body_stack(void *ctx, u64 x)
{
	u32 id = bpf_get_stackid(ctx, &stacks, 0);

	bump(&by_stack, &id);
}

FN void body_start(void *ctx, u64 x)
{
	u64 *t = bpf_task_storage_get(&started, bpf_get_current_task_btf(), NULL,
				      BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (t)
		*t = bpf_ktime_get_ns();
}

FN void body_stop(void *ctx, u64 x)
{
	u64 *t = bpf_task_storage_get(&started, bpf_get_current_task_btf(), NULL, 0);

	if (!t || !*t)
		return;
	body_quantize(ctx, bpf_ktime_get_ns() - *t);
	*t = 0;
}

#define PROG(mech, body, section, type, arg) \
	SEC(section) int mech##_##body(type *ctx) { body_##body(ctx, arg); return 0; }
#define SIMPLE(mech, section, type, arg)           \
	PROG(mech, empty, section, type, arg)      \
	PROG(mech, count, section, type, arg)      \
	PROG(mech, comm, section, type, arg)       \
	PROG(mech, pidcomm, section, type, arg)    \
	PROG(mech, quantize, section, type, arg)   \
	PROG(mech, reject, section, type, arg)

SIMPLE(kprobe, "kprobe/vfs_read", struct pt_regs, ctx->THIRD)
SIMPLE(fentry, "fentry/vfs_read", u64, ctx[2])
SIMPLE(tracepoint, "tracepoint/task/task_rename", char, *(short *)(ctx + 44))
SIMPLE(rawtp, "raw_tp/task_rename", struct bpf_raw_tracepoint_args, ctx->args[1])
SIMPLE(uprobe, "uprobe", struct pt_regs, ctx->FIRST)
SIMPLE(profile, "perf_event", struct pt_regs, ctx->IP)
PROG(kprobe, stack, "kprobe/vfs_read", struct pt_regs, 0)
PROG(kprobe, start, "kprobe/vfs_read", struct pt_regs, 0)
PROG(kretprobe, stop, "kretprobe/vfs_read", struct pt_regs, 0)
PROG(fentry, start, "fentry/vfs_read", u64, 0)
PROG(fexit, stop, "fexit/vfs_read", u64, 0)
PROG(fexit, count, "fexit/vfs_read", u64, 0)
PROG(kretprobe, count, "kretprobe/vfs_read", struct pt_regs, 0)

/* A system call: one number of those that pass sys_enter. */
#define SYSCALL(body) \
	SEC("tp_btf/sys_enter") int syscall_##body(u64 *ctx) \
	{ if (ctx[1] == GETPPID) body_##body(ctx, ((struct pt_regs *)ctx[0])->FIRST); return 0; }
SYSCALL(empty)
SYSCALL(count) SYSCALL(comm) SYSCALL(pidcomm) SYSCALL(quantize) SYSCALL(reject) SYSCALL(start)

	SEC("tp_btf/sys_exit") int sysret_stop(u64 *ctx)
{
	if (((struct pt_regs *)ctx[0])->SYSCALLNO == GETPPID)
		body_stop(ctx, 0);
	return 0;
}

SEC("fentry/vfs_read") int fentry_chase(u64 *ctx)
{
	struct file *f = (void *)ctx[0];

	__sync_fetch_and_add(&sink[CPU][0], f->f_path.dentry->d_inode->i_sb->s_dev);
	return 0;
}

/* Many functions in one link. */
SEC("kprobe.multi") int functions_entry(void *ctx) { body_count(ctx, 0); return 0; }
SEC("kretprobe.multi") int functions_return(void *ctx) { body_count(ctx, 0); return 0; }

/* Host cases. */
SEC("raw_tp") int every_tracepoint(void *ctx) { body_count(ctx, 0); return 0; }
SEC("tp_btf/sys_enter") int sysenter_comm(u64 *ctx) { body_comm(ctx, 0); return 0; }

char LICENSE[] SEC("license") = "Dual BSD/GPL";
