/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * vma.bpf.c - the mapping at an address of the current process, out of the kernel's own tree: a
 * maple tree from Linux 6.1 on, before that a red-black tree.
 *
 * The tree is read without its lock while others may change it.  What is found counts only if its
 * bounds hold the address; else the address is in no mapping.
 */
#include "stack/walk.h"

/* include/linux/maple_tree.h: the root is a node if its low bits are 2; bits 3 to 6 are the type of
 * a node, and nodes are aligned to 256 bytes. */
#define MAPLE_DEPTH     8
#define MAPLE_MASK      0xffull
#define MAPLE_RANGE     2        /* types below are leaves */
#define MAPLE_ARANGE    3        /* nine pivots, not fifteen */
#define RB_DEPTH        24       /* 65,530 mappings (vm.max_map_count) are 32 levels at worst */

/* FMODE_BACKING of include/linux/fs.h: bit 25 in Linux 6.5, bit 24 later. */
#define BACKING         (3u << 24)

#define VM_EXEC         4        /* include/linux/mm.h */

static inline __attribute__((always_inline)) bool maple_is_node(u64 root)
{
	return (root & 3) == 2 && root > 4096;
}

static inline __attribute__((always_inline)) u64 maple_type(u64 entry)
{
	return entry >> 3 & 15;
}

/* What the node has for the address: a node below it, a mapping, or 0. */
DTX_GLOBAL u64 dtx_g_maple_step(u64 level, u64 entry, u64 addr)
{
	struct dtx_walk *w = walk_state(level);
	u64 pivots = maple_type(entry) == MAPLE_ARANGE ? 9 : 15, i;

	if (!w || bpf_probe_read_kernel(w->node, sizeof(w->node), (void *)(entry & ~MAPLE_MASK)))
		return 0;
	for (i = 0; i < 15; i++) {
		u64 pivot = w->node[1 + i];

		if (i >= pivots || pivot >= addr || (!pivot && i))
			break;
	}
	return w->node[(1 + pivots + i) & 31];
}

static inline __attribute__((always_inline)) u64 maple_find(u64 level, u64 mm, u64 addr)
{
	u64 entry = kernel_word(mm + WALKOFF(tree));
	bool leaf = !maple_is_node(entry);

	for (u64 i = 0; i < MAPLE_DEPTH && !leaf && entry; i++) {
		leaf = maple_type(entry) < MAPLE_RANGE;
		entry = dtx_g_maple_step(level, entry, addr);
	}
	return entry;
}

/* The red-black tree: struct rb_node is colour, right, left. */
static inline __attribute__((always_inline)) u64 rb_find(u64 mm, u64 addr)
{
	u64 node = kernel_word(mm + WALKOFF(rbtree));

	for (u64 i = 0; i < RB_DEPTH && node; i++) {
		u64 vma = node - WALKOFF(vm_rb);

		if (addr < kernel_word(vma + WALKOFF(vm_start)))
			node = kernel_word(node + 16);
		else if (addr >= kernel_word(vma + WALKOFF(vm_end)))
			node = kernel_word(node + 8);
		else
			return vma;
	}
	return 0;
}

/*
 * A file of an overlay is mapped through a backing file, whose inode is that of a layer.  This is
 * the inode that users see, as in /proc/PID/maps (file_user_inode() of include/linux/fs.h); 0: the
 * file is no backing file.  Another bit may have the same number: both inodes must look the same.
 */
DTX_GLOBAL u64 dtx_g_user_inode(u64 file, u64 inode)
{
	u64 user;

	if (!WALKOFF(user_dentry) || !(kernel_half(file + WALKOFF(f_mode)) & BACKING))
		return 0;
	user = kernel_word(kernel_word(file + WALKOFF(user_dentry)) + WALKOFF(d_inode));
	if (!user || kernel_word(user + WALKOFF(i_size)) !=
	    kernel_word(inode + WALKOFF(i_size)) ||
	    kernel_word(user + WALKOFF(i_sec)) != kernel_word(inode + WALKOFF(i_sec)))
		return 0;
	return user;
}

/* Fills number and table of a mapping of a file, or notes that the file is new. */
static inline __attribute__((always_inline)) void vma_object(struct dtx_walk *w, u64 at, u64 file)
{
	u64 inode = kernel_word(file + WALKOFF(f_inode)), user;
	struct dtx_object *o;
	struct walk_vma *v = &w->vma[at & (WALK_VMAS - 1)];

	if (!inode)
		return;
	user = dtx_g_user_inode(file, inode);
	walk_file_key(w, user ? user : inode);
	o = bpf_map_lookup_elem(dtx_objects, &w->sight.key);
	if (o && o->table != DTX_TABLE_GONE) {
		v->number = o->number;
		v->table = o->table;
	} else {
		w->unseen = file + (user ? WALKOFF(user_mnt) : WALKOFF(f_mnt));
	}
}

static inline __attribute__((always_inline)) u64 vma_find(struct dtx_walk *w, u64 level, u64 addr)
{
	return WALKOFF(tree) ? maple_find(level, w->mm, addr) : rb_find(w->mm, addr);
}

/* Where it begins in its file. */
static inline __attribute__((always_inline)) u64 vma_offset(u64 vma)
{
	return kernel_word(vma + WALKOFF(vm_pgoff)) * (ARCH_PAGE ? ARCH_PAGE : WALKOFF(page));
}

static inline __attribute__((always_inline)) u64 vma_delta(u64 vma)
{
	return vma_offset(vma) - kernel_word(vma + WALKOFF(vm_start));
}

/*
 * Programs move their code to huge pages: then it is in memory without a file, just between two
 * mappings of the file that it came from.
 */
DTX_GLOBAL u64 dtx_g_vma_moved(u64 level, u64 at)
{
	struct dtx_walk *w = walk_state(level);
	struct walk_vma *v;
	u64 before, after, file;

	if (!w)
		return 0;
	w->unseen = 0;
	v = &w->vma[at & (WALK_VMAS - 1)];
	before = vma_find(w, level, v->start - 1);
	after = vma_find(w, level, v->end);
	file = before && after ? kernel_word(before + WALKOFF(vm_file)) : 0;
	if (!file || file != kernel_word(after + WALKOFF(vm_file)) ||
	    kernel_word(before + WALKOFF(vm_end)) != v->start ||
	    kernel_word(after + WALKOFF(vm_start)) != v->end ||
	    vma_delta(before) != vma_delta(after))
		return 0;
	v->delta = vma_delta(before);
	vma_object(w, at, file);
	return 0;
}

/* Enters a mapping of code in the state.  The vDSO of 32-bit programs is another one: no object. */
static inline __attribute__((always_inline)) u64 vma_enter(struct dtx_walk *w, u64 level, u64 vma,
							   u64 addr)
{
	u64 start = kernel_word(vma + WALKOFF(vm_start)), file;
	u64 end = kernel_word(vma + WALKOFF(vm_end));
	struct walk_vma *v;
	u32 at;

	if (addr < start || addr >= end ||
	    !(kernel_word(vma + WALKOFF(vm_flags)) & VM_EXEC))
		return 0;
	at = w->victim & (WALK_VMAS - 1);
	w->victim = at + 1;
	v = &w->vma[at];
	v->start = start;
	v->end = end;
	v->number = 0;
	v->table = DTX_TABLE_NONE;
	file = kernel_word(vma + WALKOFF(vm_file));
	if (file) {
		v->delta = vma_offset(vma) - start;
		vma_object(w, at, file);
	} else if (start >> 32 && start == kernel_word(w->mm + WALKOFF(vdso))) {
		v->delta = -start;
		v->number = DTX_OBJECT_VDSO;
		v->table = DTX_TABLE_VDSO;
	} else {
		w->unseen = WALK_MOVED;
	}
	if (!v->number && v->table == DTX_TABLE_NONE)
		v->table = DTX_TABLE_ASK;
	return at + 1;
}

DTX_GLOBAL u64 dtx_g_vma(u64 level, u64 addr)
{
	struct dtx_walk *w = walk_state(level);
	u64 vma;

	if (!w)
		return 0;
	w->unseen = 0;
	for (u64 i = 0; i < WALK_VMAS; i++)
		if (addr - w->vma[i].start < w->vma[i].end - w->vma[i].start)
			return i + 1;
	vma = vma_find(w, level, addr);
	return vma ? vma_enter(w, level, vma, addr) : 0;
}
