/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * object.bpf.c - the file of a mapping: its number, its table, and the message to the consumer
 * when it is seen for the first time.
 */
#include "stack/walk.h"

#define NAME_MAX    255
#define PATH_STEPS  48           /* folders and mounts above a file */

/* The path of the file, for the consumer: written from its end. */
DTX_GLOBAL u64 dtx_g_sight_step(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	u64 dentry, mount, len, at;

	if (!w)
		return 0;
	dentry = w->node[0];
	mount = w->node[1];
	if (!dentry || !mount)
		return 0;
	if (dentry == kernel_word(mount + WALKOFF(mnt_root))) {
		u64 up = kernel_word(mount + WALKOFF(mnt_parent));

		if (!up || up == mount)
			return 0;
		w->node[0] = kernel_word(mount + WALKOFF(mnt_mountpoint));
		w->node[1] = up;
		return 1;
	}
	w->node[0] = kernel_word(dentry + WALKOFF(d_parent));
	if (w->node[0] == dentry)
		return 0;
	len = str_clamp(kernel_half(dentry + WALKOFF(d_name_len)), NAME_MAX);
	at = w->sight.at;
	if (at < len + 1 || at > DTX_PATH_MAX)
		return 0;
	at = str_clamp(at - len - 1, DTX_PATH_MAX - 1);
	w->sight.at = at;
	w->sight.path[at] = '/';
	bpf_probe_read_kernel(w->sight.path + at + 1, len,
			      (void *)kernel_word(dentry + WALKOFF(d_name)));
	return 1;
}

/* The path of the file with this struct path, in w->sight. */
static inline __attribute__((always_inline)) void sight_path(struct dtx_walk *w, u64 level,
							     u64 path)
{
	w->sight.at = DTX_PATH_MAX - 1;
	w->sight.path[DTX_PATH_MAX - 1] = 0;
	w->node[0] = kernel_word(path + WALKOFF(f_dentry) - WALKOFF(f_mnt));
	w->node[1] = kernel_word(path) - WALKOFF(mnt);
	for (u64 i = 0; i < PATH_STEPS; i++)
		if (!dtx_g_sight_step(level))
			break;
}

DTX_GLOBAL u64 dtx_g_sight_path(u64 level, u64 path)
{
	struct dtx_walk *w = walk_state(level);

	if (w)
		sight_path(w, level, path);
	return 0;
}

/* Gives the file of the sight a free number. */
DTX_GLOBAL u64 dtx_g_number_new(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	u32 one = 1, number;

	for (u32 i = 0; i < DTX_OBJECT_TRIES && w; i++) {
		number = dtx_object_number(&w->sight.key, i);
		if (!bpf_map_update_elem(dtx_numbers, &number, &one, BPF_NOEXIST))
			return number;
	}
	return 0;
}

/* The first bytes of names: memory that only the kernel keeps in files, without symbols. */
#define NAME_MEMFD   0x00003a64666d656dull       /* memfd: */
#define NAME_HUGE    0x6775685f6e6f6e61ull       /* anon_hug */
#define NAME_ZERO    0x6f72657a2f766564ull       /* dev/zero: shared memory without a name */
#define NAME_SYSV    0x56535953u                 /* SYSV */

static inline __attribute__((always_inline)) bool no_file(u64 dentry)
{
	u64 name = kernel_word(kernel_word(dentry + WALKOFF(d_name)));

	return name << 16 == NAME_MEMFD << 16 || name == NAME_HUGE || name == NAME_ZERO ||
	       (u32)name == NAME_SYSV;
}

/* The file with this struct path was seen for the first time: numbers it, and tells the
 * consumer. */
DTX_GLOBAL u64 dtx_g_sight(u64 level, u64 at, u64 path)
{
	struct dtx_walk *w = walk_state(level);
	struct dtx_object o = { 0, DTX_TABLE_MAKING }, *first;
	u64 dentry = kernel_word(path + WALKOFF(f_dentry) - WALKOFF(f_mnt));
	struct walk_vma *v;

	if (!w)
		return 0;
	v = &w->vma[at & (WALK_VMAS - 1)];
	if (no_file(dentry)) {
		o.table = DTX_TABLE_NONE;
		bpf_map_update_elem(dtx_objects, &w->sight.key, &o, BPF_NOEXIST);
		return 0;
	}
	first = bpf_map_lookup_elem(dtx_objects, &w->sight.key);
	o.number = first ? first->number : dtx_g_number_new(level);
	if (!o.number)
		return 0;
	if (first && first->table == DTX_TABLE_GONE) {
		first->table = DTX_TABLE_MAKING;         /* two CPUs may tell of it */
	} else if (first || bpf_map_update_elem(dtx_objects, &w->sight.key, &o, BPF_NOEXIST)) {
		first = bpf_map_lookup_elem(dtx_objects, &w->sight.key);
		if (first) {                     /* another CPU was quicker */
			v->number = first->number;
			v->table = first->table;
		}
		return 0;
	}
	w->sight.number = o.number;
	w->sight.pid = w->pid;
	w->sight.start = v->start;
	w->sight.end = v->end;
	w->sight.sp = w->reg[ARCH_UW_SP];
	sight_path(w, level, path);
	v->number = o.number;
	v->table = o.table;
	if (bpf_ringbuf_output(dtx_sights, &w->sight, sizeof(w->sight), BPF_RB_FORCE_WAKEUP)) {
		o.table = DTX_TABLE_GONE;                /* told when it is seen again */
		bpf_map_update_elem(dtx_objects, &w->sight.key, &o, BPF_EXIST);
	}
	return 0;
}
