/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * var.bpf.c - this thread's storage; elements of associative arrays.
 */
#include "dtx.bpf.h"

/* Key of the hash used instead of task storage: each idle thread has its own. */
static inline __attribute__((always_inline)) u32 var_thread(void)
{
	u32 tid = bpf_get_current_pid_tgid();

	return tid ? tid : ~cpu_number();
}

DTX_FN const char *dtx_hostname(struct dtx_mst *m)
{
	return (const char *)dtx_ctl.host;
}

/* All self-> variables of this thread; NULL: none was stored.  Looked up once per firing. */
DTX_FN char *dtx_self_get(struct dtx_mst *m)
{
	if (m->self)
		return m->self;
	if (dtx_opt_storage) {
		m->self = bpf_task_storage_get(dtx_self, bpf_get_current_task_btf(), NULL, 0);
	} else {
		u32 tid = var_thread();

		m->self = bpf_map_lookup_elem(dtx_self, &tid);
	}
	return m->self;
}

/* The same, created if absent; NULL: no room, counted. */
DTX_FN char *dtx_self_make(struct dtx_mst *m, const void *zero)
{
	if (m->self)
		return m->self;
	if (dtx_opt_storage) {
		m->self = bpf_task_storage_get(dtx_self, bpf_get_current_task_btf(), NULL,
					       BPF_LOCAL_STORAGE_GET_F_CREATE);
	} else {
		u32 tid = var_thread();

		m->self = bpf_map_lookup_elem(dtx_self, &tid);
		if (!m->self) {
			bpf_map_update_elem(dtx_self, &tid, zero, BPF_NOEXIST);
			m->self = bpf_map_lookup_elem(dtx_self, &tid);
		}
	}
	if (!m->self)
		dtx_drop(m, DTX_DROP_DYNVAR);
	return m->self;
}

/* Identity of the thread in keys of self->x[], where there is no task storage: its number. */
DTX_FN u64 dtx_thread(void)
{
	return var_thread();
}

/* Of a thread that has none yet, or for which there was no room. */
static inline __attribute__((always_inline)) u64 var_no_id(void)
{
	return 1ull << 63 | var_thread();
}

/* The same, where its storage has it, at `off`: no thread that comes later has the same, whatever
 * its number. */
DTX_FN u64 dtx_thread_seen(struct dtx_mst *m, u32 off)
{
	char *self = dtx_self_get(m);
	u64 id = self ? *(u64 *)(self + off) : 0;

	return id ? id : var_no_id();
}

/* The same, given to the thread if it has none. */
DTX_FN u64 dtx_thread_id(struct dtx_mst *m, const void *zero, u32 off)
{
	char *self = dtx_self_make(m, zero);
	u64 *id;

	if (!self)
		return var_no_id();
	id = (u64 *)(self + off);
	if (!*id)
		*id = bpf_ktime_get_ns() << 22 | (var_thread() & 0x3fffff);
	return *id;
}

DTX_FN void *dtx_assoc_get(void *map, void *key)
{
	return bpf_map_lookup_elem(map, key);
}

/* The same, created with zeros if absent; NULL: no room, counted. */
DTX_FN void *dtx_assoc_make(struct dtx_mst *m, void *map, void *key, const void *zero)
{
	void *val = bpf_map_lookup_elem(map, key);

	if (val)
		return val;
	bpf_map_update_elem(map, key, zero, BPF_NOEXIST);
	val = bpf_map_lookup_elem(map, key);
	if (!val)
		dtx_drop(m, DTX_DROP_DYNVAR);
	return val;
}

DTX_FN void dtx_assoc_set(struct dtx_mst *m, void *map, void *key, void *val)
{
	if (bpf_map_update_elem(map, key, val, BPF_ANY))
		dtx_drop(m, DTX_DROP_DYNVAR);
}

DTX_FN void dtx_assoc_del(void *map, void *key)
{
	bpf_map_delete_elem(map, key);
}
