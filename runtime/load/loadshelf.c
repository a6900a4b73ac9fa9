/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loadshelf.c - maps of maps: a program may name 64 maps, and a clause may have more aggregations
 * and associative arrays.
 *
 * The maps of such a clause have the same sizes as their shelf (compiler/plan/layout.c), and the
 * program finds each by its slot.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <dtx/env.h>

#include "runtime/load/load.h"

#define SHELF_THREADS 16

static struct bpf_map *shelf_map(struct loaded *ld, const char *name)
{
	return name ? bpf_object__find_map_by_name(ld->obj, name) : NULL;
}

/* The kernel takes the sizes of the maps from one that exists. */
static int shelf_pattern(struct bpf_map *shelf, const struct bpf_map *map)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = bpf_map__map_flags(map));
	int fd = bpf_map_create(bpf_map__type(map), "dtx_pattern", bpf_map__key_size(map),
				bpf_map__value_size(map), MIN(bpf_map__max_entries(map), 1u),
				&opts);
	int err;

	if (fd < 0)
		return fd;
	err = bpf_map__set_inner_map_fd(shelf, fd);
	if (err)
		close(fd);               /* else libbpf closes it with the shelf */
	return err;
}

int load_size_shelves(struct loaded *ld)
{
	const struct img *img = ld->img;
	int err = 0;

	for (u32 i = 0; i < img->nmaps && !err; i++) {
		const struct img_map *m = &img->maps[i];
		struct bpf_map *map = shelf_map(ld, m->name), *shelf = shelf_map(ld, m->shelf);

		if (!map || !shelf)
			continue;
		if (bpf_map__type(shelf) != BPF_MAP_TYPE_ARRAY_OF_MAPS || m->slot >= img->nmaps)
			return dtx_env_fail(ld->env, -EINVAL,
					    "the image is damaged: the map %s has no place in %s",
					    m->name, m->shelf);
		if (!m->slot)
			err = shelf_pattern(shelf, map);
		if (!err && m->slot >= bpf_map__max_entries(shelf))
			err = bpf_map__set_max_entries(shelf, m->slot + 1);
	}
	return err ? dtx_env_fail(ld->env, err, "cannot size the maps of maps: %s", strerror(-err))
		   : 0;
}

/* What is put on one shelf. */
struct shelf_fill {
	int shelf;
	u32 n, *slots;
	int *fds;
};

/* One of SHELF_THREADS parts. */
struct shelf_part {
	const struct shelf_fill *all;
	u32 first;
	int err;
	pthread_t thread;
	bool started;
};

static void *shelf_fill_part(void *arg)
{
	struct shelf_part *p = arg;
	const struct shelf_fill *f = p->all;

	for (u32 i = p->first; i < f->n && !p->err; i += SHELF_THREADS)
		p->err = bpf_map_update_elem(f->shelf, &f->slots[i], &f->fds[i], BPF_ANY);
	return NULL;
}

/*
 * After each update the kernel waits until no program uses the old map, 10 ms and more.  Newer
 * kernels wait once for many updates; in others, threads wait at the same time.
 */
static int shelf_fill(const struct shelf_fill *f)
{
	struct shelf_part parts[SHELF_THREADS] = { 0 };
	u32 done = f->n;
	int err = 0;

	if (!bpf_map_update_batch(f->shelf, f->slots, f->fds, &done, NULL))
		return 0;
	for (u32 i = 0; i < SHELF_THREADS; i++) {
		struct shelf_part *p = &parts[i];

		p->all = f;
		p->first = i;
		p->started = !thread_start(&p->thread, shelf_fill_part, p);
		if (!p->started)
			shelf_fill_part(p);
	}
	for (u32 i = 0; i < SHELF_THREADS; i++) {
		if (parts[i].started)
			pthread_join(parts[i].thread, NULL);
		err = err ? err : parts[i].err;
	}
	return err;
}

static int shelf_fill_one(struct loaded *ld, const struct bpf_map *shelf, const char *name)
{
	u32 most = ld->img->nmaps;
	struct shelf_fill f = { .shelf = bpf_map__fd(shelf) };
	int err;

	f.slots = xcalloc(most, sizeof(*f.slots));
	f.fds = xcalloc(most, sizeof(*f.fds));
	for (u32 i = 0; i < most; i++) {
		const struct img_map *m = &ld->img->maps[i];

		if (!m->shelf || strcmp(m->shelf, name) || !shelf_map(ld, m->name))
			continue;
		f.slots[f.n] = m->slot;
		f.fds[f.n++] = bpf_map__fd(shelf_map(ld, m->name));
	}
	err = shelf_fill(&f);
	free(f.slots);
	free(f.fds);
	return err;
}

int load_fill_shelves(struct loaded *ld)
{
	const struct img *img = ld->img;
	int err = 0;

	for (u32 i = 0; i < img->nmaps && !err; i++) {
		const struct bpf_map *map = shelf_map(ld, img->maps[i].name);

		if (map && bpf_map__type(map) == BPF_MAP_TYPE_ARRAY_OF_MAPS)
			err = shelf_fill_one(ld, map, img->maps[i].name);
	}
	return err ? dtx_env_fail(ld->env, err, "cannot fill the maps of maps: %s", strerror(-err))
		   : 0;
}
