/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * path.bpf.c - the path of a file: cwd, root, d_path(), fileinfo_t.
 */
#include "text/strfn.h"

#define PATH_STEPS  128          /* names and mounts on the way up */
#define NAME_MAX    255

static inline __attribute__((always_inline)) u64 word_at(u64 addr)
{
	u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), (void *)addr);
	return v;
}

/*
 * One step from state->in (dentry) and state->floor (mount) to the root; 0: there.
 * state->out bytes of the path are known, from its end; with total they are written to
 * their place in A, if they fit.
 */
DTX_GLOBAL u64 dtx_g_path_step(u64 level, u64 total)
{
	char *slot = str_slot(level);
	struct str_state *s;
	u64 dentry, mount, parent, len, at;

	if (!slot)
		return 0;
	s = str_state(slot);
	dentry = s->in;
	mount = s->floor;
	parent = word_at(dentry + KOFF(d_parent));
	if (!dentry || !mount)
		return 0;
	if (dentry == parent || dentry == word_at(mount + KOFF(mnt_root))) {
		u64 up = word_at(mount + KOFF(mnt_parent));

		if (!up || up == mount)
			return 0;
		s->in = word_at(mount + KOFF(mnt_mountpoint));
		s->floor = up;
		return 1;
	}
	len = str_clamp(word_at(dentry + KOFF(d_name_len)) & 0xffffffff, NAME_MAX);
	s->out += len + 1;
	s->in = parent;
	at = total - s->out;
	if (at >= STR_MAX)
		return 1;
	at = str_clamp(at, STR_MAX - 1);
	*(volatile char *)(slot + WORK_A + at) = '/';
	bpf_probe_read_kernel(slot + WORK_A + at + 1, str_clamp(len, NAME_MAX),
			      (void *)word_at(dentry + KOFF(d_name)));
	return 1;
}

#define PATH_ANY  (~0ull >> 1)   /* as the length of all: nothing is written */

/* After all steps: if there are more names, "..." stands for them. */
static inline __attribute__((always_inline)) u64 path_cut(char *slot, u64 level)
{
	u64 n = str_state(slot)->out;

	for (u64 i = 0; i < 8 && str_state(slot)->out == n; i++)       /* mounts at the root */
		if (!dtx_g_path_step(level, PATH_ANY))
			return n;
	for (u64 i = 0; i < 3; i++)
		*(volatile char *)(slot + WORK_A + i) = '.';
	return n + 3;
}

DTX_GLOBAL u64 dtx_g_path_walk(u64 level, u64 mnt, u64 dentry, u64 total)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	str_state(slot)->in = dentry;
	str_state(slot)->floor = mnt - KOFF(mnt);
	str_state(slot)->out = 0;
	for (u64 i = 0; i < PATH_STEPS; i++)
		if (!dtx_g_path_step(level, total))
			return str_state(slot)->out;
	return path_cut(slot, level);
}

/* ---- what is in no folder -------------------------------------------------------------------- */

#define WORD(a, b, c, d)  ((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24)
#define FS_NAME           32

/* Writes the first `n` bytes of a word before `at`. */
static inline __attribute__((always_inline)) u64 word_before(char *slot, u64 at, u64 word, u64 n)
{
	for (u64 i = n; i > 0; i--)
		at = before(slot, at, word >> 8 * (i - 1));
	return at;
}

/* Writes the name of a file system before `at`. */
DTX_GLOBAL u64 dtx_g_fs_name(u64 level, u64 name, u64 at)
{
	char text[FS_NAME], *slot = str_slot(level);
	s64 n = bpf_probe_read_kernel_str(text, sizeof(text), (void *)name);

	if (!slot)
		return at;
	for (s64 i = n - 2; i >= 0 && i < FS_NAME; i--)
		at = before(slot, at, text[i & (FS_NAME - 1)]);
	return at;
}

/* Writes the prefix of the name of a dentry: "anon_inode:", "/" in memory; returns its length. */
static inline __attribute__((always_inline)) u64 put_front(char *slot, bool anonymous)
{
	volatile u8 *to = (u8 *)slot + WORK_A;

	*to = '/';
	if (!anonymous)
		return 1;
	for (u64 i = 0; i < 4; i++) {
		to[i] = WORD('a', 'n', 'o', 'n') >> 8 * i;
		to[4 + i] = WORD('_', 'i', 'n', 'o') >> 8 * i;
	}
	to[8] = 'd', to[9] = 'e', to[10] = ':';
	return 11;
}

/* pipe:[NUMBER], socket:[NUMBER], anon_inode:NAME, /NAME of shared memory, else
 * FILESYSTEM:[NUMBER]. */
DTX_GLOBAL u64 dtx_g_nofolder(u64 level, u64 dentry, u64 out)
{
	u64 type = word_at(word_at(dentry + KOFF(d_sb)) + KOFF(s_type));
	u64 name = word_at(type + KOFF(fs_name)), first = word_at(name) & 0xffffffff;
	char *slot = str_slot(level);
	u64 at;

	if (!slot)
		return 0;
	if (first == WORD('a', 'n', 'o', 'n') || first == WORD('t', 'm', 'p', 'f') ||
	    first == WORD('h', 'u', 'g', 'e')) {
		u64 front = put_front(slot, first == WORD('a', 'n', 'o', 'n'));
		u64 len = str_clamp(word_at(dentry + KOFF(d_name_len)) & 0xffffffff,
				    STR_MAX - 1);

		bpf_probe_read_kernel(slot + WORK_A + front, len,
				      (void *)word_at(dentry + KOFF(d_name)));
		return dtx_g_put(level, WORK_A, 0, front + len, out);
	}
	at = before(slot, TEXT, ']');
	at = dtx_g_digits(level, word_at(word_at(dentry + KOFF(d_inode)) + KOFF(i_ino)), 10,
			  at);
	at = word_before(slot, at, WORD(':', '[', 0, 0), 2);
	if (first == WORD('p', 'i', 'p', 'e'))
		at = word_before(slot, at, first, 4);
	else if (first == WORD('s', 'o', 'c', 'k'))
		at = word_before(slot, word_before(slot, at, WORD('e', 't', 0, 0), 2), first, 4);
	else
		at = dtx_g_fs_name(level, name, at);
	return put_text(level, at, TEXT, out);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/*
 * The path of a struct path, seen from the root of its mount tree.  A file in no folder, not
 * below a mounted root, has the same name as in /proc/PID/fd.
 */
DTX_GLOBAL u64 dtx_g_path(u64 level, u64 mnt, u64 dentry, u64 out)
{
	u64 total = dtx_g_path_walk(level, mnt, dentry, PATH_ANY);
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	if (!total && dentry && mnt && str_state(slot)->in == dentry &&
	    word_at(mnt - KOFF(mnt) + KOFF(mnt_root)) != dentry)
		return dtx_g_nofolder(level, dentry, out);
	if (!total)
		*(char *)(slot + WORK_A) = '/';
	else
		dtx_g_path_walk(level, mnt, dentry, total);
	return dtx_g_put(level, WORK_A, 0, total ? : 1, out);
}
