/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * newer.bpf.c - what kernels after 6.10 offer, by hand: the rows of guest.cases that begin with
 * "newer". Loaded by hand.c, which gives a program its kind: "new.fentry_multi" and so on. An
 * object of its own, because a kernel without these functions and maps must load hand.bpf.c.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#define CPUS 128

typedef __u64 u64;
typedef __u32 u32;

extern u64 *bpf_session_cookie(void *ctx) __ksym;
extern _Bool bpf_session_is_return(void *ctx) __ksym;

struct comm_key { char comm[16]; };

/* A key that the kernel has is looked up: the maps differ, the work does not. */
#define KEYED(name, kind, flags)                 \
	struct {                                 \
		__uint(type, kind);              \
		__uint(max_entries, 1048576);    \
		__uint(map_flags, flags);        \
		__type(key, struct comm_key);    \
		__type(value, u64);              \
	} name SEC(".maps")

KEYED(by_hash, BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC);
KEYED(by_rhash, 35 /* BPF_MAP_TYPE_RHASH */, BPF_F_NO_PREALLOC);

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64);
} started SEC(".maps");

struct { u64 n, pad[7]; } counts[CPUS];

#define CPU (bpf_get_smp_processor_id() & (CPUS - 1))
#define FN  static inline __attribute__((always_inline))

FN int count(void)
{
	__sync_fetch_and_add(&counts[CPU].n, 1);
	return 0;
}

FN int start(void)
{
	u64 *t = bpf_task_storage_get(&started, bpf_get_current_task_btf(), NULL,
				      BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (t)
		*t = bpf_ktime_get_ns();
	return 0;
}

FN int stop(void)
{
	u64 *t = bpf_task_storage_get(&started, bpf_get_current_task_btf(), NULL, 0);

	if (!t || !*t)
		return 0;
	__sync_fetch_and_add(&counts[CPU].n, bpf_ktime_get_ns() - *t);
	*t = 0;
	return 0;
}

FN int both(void *ctx)
{
	u64 *t = bpf_session_cookie(ctx);

	if (bpf_session_is_return(ctx))
		__sync_fetch_and_add(&counts[CPU].n, bpf_ktime_get_ns() - *t);
	else
		*t = bpf_ktime_get_ns();
	return 0;
}

FN int keyed(void *map)
{
	struct comm_key k = { };
	u64 one = 1, *v;

	bpf_get_current_comm(&k.comm, sizeof(k.comm));
	v = bpf_map_lookup_elem(map, &k);
	if (v)
		__sync_fetch_and_add(v, 1);
	else
		bpf_map_update_elem(map, &k, &one, BPF_NOEXIST);
	return 0;
}

SEC("new.kmulti") int kmulti_count(void *ctx) { return count(); }
SEC("new.fmulti") int fmulti_count(u64 *ctx) { return count(); }
SEC("new.kmulti") int kmulti_start(void *ctx) { return start(); }
SEC("new.kretmulti") int kretmulti_stop(void *ctx) { return stop(); }
SEC("new.fmulti") int fmulti_start(u64 *ctx) { return start(); }
SEC("new.fexmulti") int fexmulti_stop(u64 *ctx) { return stop(); }
SEC("new.ksession") int ksession_both(void *ctx) { return both(ctx); }
SEC("new.ksession") int ksession_store(void *ctx)
{
	return bpf_session_is_return(ctx) ? stop() : start();
}
SEC("new.fsmulti") int fsmulti_both(u64 *ctx) { return both(ctx); }
SEC("new.fsmulti") int fsmulti_store(u64 *ctx)
{
	return bpf_session_is_return(ctx) ? stop() : start();
}
SEC("new.fmulti") int fmulti_hash(u64 *ctx) { return keyed(&by_hash); }
SEC("new.fmulti") int fmulti_rhash(u64 *ctx) { return keyed(&by_rhash); }

char LICENSE[] SEC("license") = "Dual BSD/GPL";
