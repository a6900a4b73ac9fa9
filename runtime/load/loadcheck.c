/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loadcheck.c - checks before loading: the abilities the image needs, options that are not
 * possible here, the limit of locked memory.
 */
#include <errno.h>
#include <sys/resource.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <dtx/feat.h>
#include <dtx/opt.h>

#include "runtime/load/load.h"
#include "runtime/kernel/kernel.h"

#pragma weak libbpf_set_memlock_rlim             /* libbpf.so before 1.2 forgets to export it */

#define LOAD_FILES      (1u << 18)               /* open files, if the limits allow */
#define LOAD_DATA_MOST  (64ull << 20)            /* bytes of variables: there is memory for all */
#define LOAD_MAPS_PART  2                        /* share of the memory for all maps, at most */
#define LOAD_FREE_MAPS  (8ull << 20)             /* bytes: so much is not worth the question */
#define LOAD_BUCKET     16                       /* of a table, for each entry, at least */
#define LOAD_OTHER_FILES 16 /* further files: standard files, events, link, buffer */

static const struct { const char *name, *doc; } load_features[FEAT_N] = {
#define FEATURE(id, name, doc) [id] = { name, doc },
#include <dtx/tables/features.def>
#undef FEATURE
};

/*
 * To try an ability can need all types of the kernel: 14 MB, 8 ms.  An image in a file was
 * compiled on this kernel, and its abilities were tried then; they are tried again only to
 * explain why loading failed.
 */
int load_check_needs(struct loaded *ld, bool failed)
{
	bool trusted = ld->img->kernel && !failed;

	for (u32 i = 0; i < ld->img->nneeds; i++) {
		const char *need = ld->img->needs[i];
		u32 f = 0;
		while (f < FEAT_N && strcmp(load_features[f].name, need))
			f++;
		if (f == FEAT_N)
			return dtx_env_fail(
				ld->env, -ENOTSUP,
				"the program needs the kernel ability '%s', which this dtx does "
				"not know: use a newer dtx",
				need);
		if (trusted || env_has(ld->env, f))
			continue;
		if (env_lock_short(ld->env))
			return -EPERM;
		return dtx_env_fail(
			ld->env, -ENOTSUP,
			"the program needs the kernel ability '%s', which this kernel does not "
			"have (%s)%s",
			need, load_features[f].doc,
			f == FEAT_WRITE_USER ? "" : ": compile it on this machine");
	}
	for (u32 i = 0; i < ld->img->naggs; i++)
		if (ld->img->aggs[i].cpu_size == 1 && ld->env->ncpus > DTX_AGG_FEW_CPUS)
			return dtx_env_fail(
				ld->env, -ENOTSUP,
				"the program was made for at most %d processors, here are %u: "
				"compile it on this machine",
				DTX_AGG_FEW_CPUS, ld->env->ncpus);
	return 0;
}

/*
 * A perf probe is one open file, and there may be tens of thousands of them.  The files for the
 * object itself are reserved first: if libbpf cannot open one, it assumes that the kernel lacks an
 * ability.
 */
static int load_allow_files(struct loaded *ld)
{
	struct rlimit files = { LOAD_FILES, LOAD_FILES }, now;
	u32 least = LOAD_OTHER_FILES + ld->img->nmaps + ld->img->nprogs;

	if (getrlimit(RLIMIT_NOFILE, &now) || now.rlim_cur >= LOAD_FILES)
		return 0;
	ld->files_before = now.rlim_cur;
	if (!setrlimit(RLIMIT_NOFILE, &files))
		return 0;
	now.rlim_cur = now.rlim_max;
	setrlimit(RLIMIT_NOFILE, &now);
	if (now.rlim_max < least)
		return dtx_env_fail(
			ld->env, -EMFILE,
			"%llu files may be open, %u are needed: raise the limit, ulimit -n",
			(unsigned long long)now.rlim_max, least);
	return 0;
}

/* There is no file of a CPU that cannot go offline. */
static bool is_offline(s64 cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%lld/online", (long long)cpu);
	return cpu >= 0 && !file_number(path, 1);
}

/* Checks of options that are possible before loading. */
int load_check_options(struct loaded *ld)
{
	const struct opt_value *opts = ld->env->opts->v;
	struct rlimit lock = { opts[OPT_lockmem].n, opts[OPT_lockmem].n };

	if (opts[OPT_cpu].n >= libbpf_num_possible_cpus())
		return dtx_env_fail(ld->env, -EINVAL,
				    "there is no CPU %lld: the option cpu names one of 0 to %d",
				    (long long)opts[OPT_cpu].n, libbpf_num_possible_cpus() - 1);
	if (is_offline(opts[OPT_cpu].n))
		return dtx_env_fail(ld->env, -ENODEV, "CPU %lld is offline: the option cpu names "
				    "one that is online", (long long)opts[OPT_cpu].n);
	if (opts[OPT_lockmem].n == INT64_MAX)
		lock.rlim_cur = lock.rlim_max = RLIM_INFINITY;
	setrlimit(RLIMIT_MEMLOCK, &lock);        /* matters before Linux 5.11 only */
	if (libbpf_set_memlock_rlim)
		libbpf_set_memlock_rlim(0);
	return load_allow_files(ld);
}

/* The header of a section without bytes can name any size, and the library makes room for it. */
int load_check_data(struct loaded *ld)
{
	struct bpf_map *map;
	u64 bytes = 0;

	bpf_object__for_each_map(map, ld->obj)
		bytes += bpf_map__is_internal(map) ? bpf_map__value_size(map) : 0;
	return bytes <= LOAD_DATA_MOST
		       ? 0
		       : dtx_env_fail(ld->env, -EINVAL,
				      "the image is damaged: %llu MB of variables are more than a "
				      "program of dtx has",
				      (unsigned long long)bytes >> 20);
}

/* Bytes that the kernel takes when it makes the map; UINT64_MAX: more than can be. */
static u64 load_map_bytes(const struct bpf_map *map)
{
	u64 key = ALIGN_UP((u64)bpf_map__key_size(map), 8), n = bpf_map__max_entries(map);
	u64 val = ALIGN_UP((u64)bpf_map__value_size(map), 8), each, bytes;

	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_RINGBUF:
		return n;
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_PERCPU_HASH:
	case BPF_MAP_TYPE_LRU_PERCPU_HASH:
		val *= libbpf_num_possible_cpus();
		break;
	default:
		break;
	}
	each = bpf_map__map_flags(map) & BPF_F_NO_PREALLOC ? LOAD_BUCKET : LOAD_BUCKET + key + val;
	return __builtin_mul_overflow(n, each, &bytes) ? UINT64_MAX : bytes;
}

/* The same of all maps. */
static u64 load_maps_bytes(const struct loaded *ld)
{
	struct bpf_map *map;
	u64 bytes = 0;

	bpf_object__for_each_map(map, ld->obj)
		if (__builtin_add_overflow(bytes, load_map_bytes(map), &bytes))
			return UINT64_MAX;
	return bytes;
}

/*
 * The kernel gives maps what it can, and then other programs find no memory, or are killed for it.
 * An image may ask for any sizes, and so may options.  0, or -ENOMEM without a failure.
 */
int load_check_memory(struct loaded *ld)
{
	u64 bytes = load_maps_bytes(ld);
	bool limited;

	if (bytes <= LOAD_FREE_MAPS)
		return 0;
	return bytes > env_memory(&limited) / LOAD_MAPS_PART ? -ENOMEM : 0;
}

int load_check_bytes(struct loaded *ld)
{
	u64 bytes = ld->most_bytes ? load_maps_bytes(ld) : 0;

	if (bytes <= ld->most_bytes)
		return 0;
	return dtx_env_fail(ld->env, -EPERM, "this machine allows %llu KB for the tables and "
			    "buffers of a program (%s), and this one has %llu KB: -x bufsize, "
			    "aggsize and dynvarsize make them smaller",
			    (unsigned long long)ld->most_bytes >> 10, ld->most_where,
			    (unsigned long long)bytes >> 10);
}
