/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missed.c - firings that a probe of a kernel function missed, by link: the probe was hit inside
 * a probe, or no slot was free in which a return could wait.
 *
 * From Linux 6.7 on, bpf_link_info tells the number.  Before, only the kernel's own structs have
 * it: struct kretprobe and struct fprobe count as they do later.  They are found from the link, a
 * file of this process, at the offsets that BTF gives.
 * Why: docs/decisions/24-losses.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

/* struct bpf_link_info as of 6.8, which the headers of Linux 6.1 lack. */
struct missed_link_info {
	u32 type, id, prog_id, pad;
	union {
		struct { u64 addrs; u32 count, flags; u64 missed, cookies; } multi;
		struct {
			u32 type, pad;
			u64 func_name;
			u32 name_len, offset;
			u64 addr, missed, cookie;
		} perf;
	};
};

#define MISSED_LINK_PERF      7      /* BPF_LINK_TYPE_PERF_EVENT */
#define MISSED_LINK_MULTI     8      /* BPF_LINK_TYPE_KPROBE_MULTI */
#define MISSED_INFO_TOLD      56     /* bytes of the kernel's struct where it has the numbers: 6.6
				      * writes 48 */

/* A step through the kernel's structs: to a member, or from the member back to its struct. */
struct missed_step {
	const char *type, *member;
	enum { MISSED_TO, MISSED_FOLLOW, MISSED_BACK } how;
};

#define MISSED_STEPS 7               /* of the longest way, with its end */

enum { WAY_FILES, WAY_FILE, WAY_PERF_LINK, WAY_EVENT, WAY_RETURNS, WAY_HITS, WAY_MULTI, WAY_N };

static const struct missed_step ways[WAY_N][MISSED_STEPS] = {
	[WAY_FILES] = {                  /* from the task to its array of files */
		{ "task_struct", "files", MISSED_FOLLOW },
		{ "files_struct", "fdt", MISSED_FOLLOW },
		{ "fdtable", "fd", MISSED_FOLLOW },
	},
	[WAY_FILE] = { { "file", "private_data", MISSED_FOLLOW } },
	[WAY_PERF_LINK] = {
		{ "bpf_perf_link", "perf_file", MISSED_FOLLOW },
		{ "file", "private_data", MISSED_FOLLOW },
	},
	[WAY_EVENT] = {                  /* from the perf event to its probe */
		{ "perf_event", "tp_event", MISSED_FOLLOW },
		{ "trace_probe_event", "call", MISSED_BACK },
		{ "trace_probe_event", "probes", MISSED_TO },
		{ "list_head", "next", MISSED_FOLLOW },
		{ "trace_probe", "list", MISSED_BACK },
		{ "trace_kprobe", "tp", MISSED_BACK },
		{ "trace_kprobe", "rp", MISSED_TO },
	},
	[WAY_RETURNS] = { { "kretprobe", "nmissed", MISSED_TO } },
	[WAY_HITS] = {
		{ "kretprobe", "kp", MISSED_TO },
		{ "kprobe", "nmissed", MISSED_TO },
	},
	[WAY_MULTI] = {
		{ "bpf_kprobe_multi_link", "fp", MISSED_TO },
		{ "fprobe", "nmissed", MISSED_TO },
	},
};

/* Where the numbers of a link are: 32 bits each; 0: none. */
struct missed_place { bool known; u64 at[2]; };

struct missed {
	struct dtx_env *env;
	bool prepared;                   /* what follows is set */
	bool unknown;                    /* a number cannot be found */
	int mem;                         /* kmem_open() */
	u32 offs[WAY_N][MISSED_STEPS];
	bool ways[WAY_N];                /* has BTF all of its members? */
	VEC(struct missed_place) places; /* by link */
};

static struct type *missed_type(struct dtx_env *env, const char *name)
{
	struct btf_src *btf = btf_src_open(env);
	struct type_source *types = btf ? btf_src_types(btf) : NULL;

	return types ? type_complete(types->by_name(types, env->arena, T_STRUCT, name)) : NULL;
}

static bool missed_offset(struct dtx_env *env, const struct missed_step *s, u32 *off)
{
	struct type *t = missed_type(env, s->type);
	u32 bits = 0;

	if (!t || !type_find_member(t, s->member, &bits))
		return false;
	*off = bits / 8;
	return true;
}

struct missed *missed_new(struct dtx_env *env)
{
	struct missed *m = xcalloc(1, sizeof(*m));

	m->env = env;
	m->mem = -1;
	return m;
}

/* For a kernel that does not tell; once. */
static void missed_prepare(struct missed *m)
{
	if (m->prepared)
		return;
	m->prepared = true;
	for (u32 w = 0; w < WAY_N; w++) {
		m->ways[w] = true;
		for (u32 i = 0; i < MISSED_STEPS && ways[w][i].type; i++)
			m->ways[w] &= missed_offset(m->env, &ways[w][i], &m->offs[w][i]);
	}
	m->mem = kmem_open();
}

void missed_free(struct missed *m)
{
	if (!m)
		return;
	if (m->mem >= 0)
		close(m->mem);
	VEC_FREE(&m->places);
	free(m);
}

/* Where a way ends; 0: it leads nowhere. */
static u64 missed_go(const struct missed *m, u32 way, u64 at)
{
	for (u32 i = 0; at && m->ways[way] && i < MISSED_STEPS && ways[way][i].type; i++) {
		if (ways[way][i].how == MISSED_BACK) {
			at -= m->offs[way][i];
			continue;
		}
		at += m->offs[way][i];
		if (ways[way][i].how == MISSED_FOLLOW)
			at = kmem_read(m->mem, at);
	}
	return m->ways[way] ? at : 0;
}

/* What the kernel has behind a file of this process: a struct bpf_link or perf_event. */
static u64 missed_object(const struct missed *m, int fd)
{
	u64 files = missed_go(m, WAY_FILES, kmem_read(m->mem, 0));

	return files ? missed_go(m, WAY_FILE, kmem_read(m->mem, files + 8ull * (u32)fd)) : 0;
}

static void missed_find(const struct missed *m, int fd, u32 type, struct missed_place *p)
{
	u64 object = missed_object(m, fd);

	p->known = true;
	if (type == MISSED_LINK_MULTI) {
		p->at[0] = missed_go(m, WAY_MULTI, object);
		return;
	}
	if (type == MISSED_LINK_PERF)
		object = missed_go(m, WAY_PERF_LINK, object);
	object = missed_go(m, WAY_EVENT, object);
	p->at[0] = missed_go(m, WAY_RETURNS, object);
	p->at[1] = missed_go(m, WAY_HITS, object);
}

/* type: of the link; 0: before 5.15, where it is the event itself. */
static u64 missed_found(struct missed *m, u32 link, int fd, u32 type)
{
	u64 n = 0;

	missed_prepare(m);
	while (m->places.n <= link) {
		struct missed_place none = { 0 };

		VEC_PUSH(&m->places, none);
	}
	struct missed_place *p = &m->places.v[link];

	if (!p->known)
		missed_find(m, fd, type, p);
	m->unknown |= !p->at[0];
	for (u32 i = 0; i < ARRAY_SIZE(p->at); i++)
		n += p->at[i] ? (u32)kmem_read(m->mem, p->at[i]) : 0;
	return n;
}

u64 missed_of(struct missed *m, u32 link, int fd)
{
	struct missed_link_info info = { 0 };
	u32 len = sizeof(info);

	if (fd < 0)
		return 0;
	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return missed_found(m, link, fd, 0);
	if (len < MISSED_INFO_TOLD)
		return missed_found(m, link, fd, info.type);
	return info.type == MISSED_LINK_MULTI ? info.multi.missed :
	       info.type == MISSED_LINK_PERF ? info.perf.missed : 0;
}

bool missed_unknown(const struct missed *m)
{
	return m->unknown;
}
