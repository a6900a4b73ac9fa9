/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpflinks.c - where BPF programs are attached in programs: what the kernel says of all links.
 *
 * The answers are declared here like in the kernel (struct bpf_link_info): old kernel headers are
 * enough.  Kernels before 6.6 (perf events) and 6.8 (uprobe.multi) do not say the place.
 */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

enum { LINK_PERF = 7, LINK_UPROBE_MULTI = 12 };  /* enum bpf_link_type */
enum { PERF_UPROBE = 1, PERF_URETPROBE = 2 };    /* enum bpf_perf_event_type */

#define PATH_ROOM   4096
#define PLACES_MOST (1u << 20)   /* of a link: the kernel has the same limit */

struct link_info {
	u32 type, id, prog_id, : 32;
	union {
		struct {
			u64 path, offsets, ref_offs, cookies;
			u32 path_size, count, flags, pid;
		} multi;
		struct { u32 kind, : 32; u64 path; u32 path_size, offset; u64 cookie; } perf;
		u64 room[6];
	};
};

static bool ask(int fd, struct link_info *info)
{
	u32 len = sizeof(*info);

	return !bpf_obj_get_info_by_fd(fd, info, &len);
}

struct visit {
	void (*fn)(void *arg, const char *path, u64 off);
	void *arg;
	char path[PATH_ROOM];
};

static void visit_perf(int fd, struct visit *v)
{
	struct link_info info = { .perf = { .path = (u64)(uintptr_t)v->path,
					    .path_size = sizeof(v->path) } };

	if (ask(fd, &info) && (info.perf.kind == PERF_UPROBE || info.perf.kind == PERF_URETPROBE))
		v->fn(v->arg, v->path, info.perf.offset);
}

static void visit_multi(int fd, u32 count, struct visit *v)
{
	u64 *offsets = count && count <= PLACES_MOST ? xcalloc(count, sizeof(u64)) : NULL;
	struct link_info info = { .multi = {
		.path = (u64)(uintptr_t)v->path, .path_size = sizeof(v->path),
		.offsets = (u64)(uintptr_t)offsets, .count = count,
	} };

	if (offsets && ask(fd, &info))
		for (u32 i = 0; i < MIN(count, info.multi.count); i++)
			v->fn(v->arg, v->path, offsets[i]);
	free(offsets);
}

static void visit(int fd, struct visit *v)
{
	struct link_info info = { 0 };

	if (!ask(fd, &info))
		return;
	*v->path = '\0';
	if (info.type == LINK_PERF)
		visit_perf(fd, v);
	else if (info.type == LINK_UPROBE_MULTI)
		visit_multi(fd, info.multi.count, v);
}

void sys_each_uprobe(void (*fn)(void *arg, const char *path, u64 off), void *arg)
{
	struct visit *v = xcalloc(1, sizeof(*v));
	u32 id = 0;

	v->fn = fn;
	v->arg = arg;
	while (!bpf_link_get_next_id(id, &id)) {
		int fd = bpf_link_get_fd_by_id(id);

		if (fd < 0)
			continue;
		visit(fd, v);
		close(fd);
	}
	free(v);
}
