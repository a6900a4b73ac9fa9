/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.h - what /proc says of a process: its state, its root, its mappings, and the files whose
 * code it runs; the control group of a container.
 */
#ifndef RUNTIME_PROC_H
#define RUNTIME_PROC_H

#include <limits.h>

#include <dtx/base.h>

/* ---- proc.c ------------------------------------------------------------------------------ */

bool proc_exists(u32 pid);
void proc_each(bool (*fn)(void *arg, u32 pid), void *arg);       /* until it returns false */
void proc_each_thread(u32 pid, void (*fn)(void *arg, s32 tid), void *arg);
/* Fields of /proc/PID/stat from the `first` one on, which must come after the name (3, 4 …), as
 * proc_pid_stat(5) counts them.  false: it has ended, or may not be asked. */
bool proc_stat(u32 pid, u32 first, u64 *fields, u32 n);
u32 proc_exec(u32 pid);          /* DTX_EXEC_OF() it now; 0: it has ended, or may not be asked */
u32 proc_parent(u32 pid);        /* 0: unknown */
s64 proc_began(u32 pid);         /* ns of CLOCK_REALTIME, as that is set now; 0: it has ended */

/* A path of the process as dtx opens it: below /proc/PID/root. */
#define PROC_PATH (PATH_MAX + 32)
void proc_in_root(char out[PROC_PATH], u32 pid, const char *path);
bool proc_our_root(u32 pid);     /* are its paths valid for dtx, too? */
/* Is its mount namespace, or its root, another one than that of dtx? */
bool proc_elsewhere(u32 pid);
/* Does a program answer for the files of this device, which the process sees (FUSE)?  It may never
 * do so; no file is asked for. */
bool proc_is_served(u32 pid, u32 major, u32 minor);

/* ---- maps.c: what a process has mapped --------------------------------------------------- */

struct proc_map {
	u64 start, end;                  /* addresses */
	u64 off;                         /* of the start in the file, bytes */
	u32 major, minor;                /* the file's device */
	u64 inode;                       /* 0: no file */
	bool readable, writable, code;   /* code: executable */
	char *path;                      /* also "[heap]" and such; "": nothing is said */
};
/* Calls fn for each mapping, in the order of addresses, until it returns false; it may change the
 * text of the path.  false: there is no such process, or it may not be looked at. */
bool procmap_each(u32 pid, bool (*fn)(void *arg, struct proc_map *), void *arg);
/* The path that opens the mapped file itself, in any mount namespace. */
#define PROCMAP_FILE 80
void procmap_file(char path[PROCMAP_FILE], u32 pid, u64 start, u64 end);

/* ---- procfile.c: which file it is ------------------------------------------------------------ */

/* Another file may have its path by now, or it was written anew.  Zeros: none. */
struct file_id { u64 dev, ino, size; s64 changed; };     /* changed: ns */
struct stat;
struct file_id file_id_of(const struct stat *);
/* The file at a path of dtx, and the path that it has without links, in the root that it is below;
 * "" if that is not known.  false: there is none. */
bool file_real(const char *path, struct stat *, char real[PATH_MAX]);
struct file_id file_identity(const char *path);  /* below a root of others: in it */
bool file_id_same(const struct file_id *, const struct file_id *);
/* What a process has mapped, as it is known: to open that file, and no other. */
struct proc_mapped {
	u32 pid;
	u64 start, end;                  /* of the mapping; both 0: it may be another one now */
	const char *told;                /* its path in the process */
	u64 ino;
	u32 major, minor;                /* the device, as the kernel has it: proc_map */
	bool our_root;                   /* the paths of the process were those of dtx */
	bool is_dated;                   /* size and changed are known */
	u64 size;
	s64 changed;
};
struct proc_mapped proc_mapped_of(u32 pid, const struct proc_map *);     /* now */
/*
 * Opens it by the first way that works: the mapping, its path in the process's root, its path here.
 * An fd, and in `path` what else leads to it (for its debug files); or -errno.
 */
int proc_mapped_open(const struct proc_mapped *, char path[PROC_PATH]);

/* ---- procfile.c: the files whose code a process runs ----------------------------------------- */

/*
 * A file that a process has mapped.  Meanwhile another file may have its path, or none: it was
 * replaced or deleted, or a file system was mounted over it.  Then it is opened through the
 * process, as long as that runs.
 */
struct proc_file {
	const char *told;                /* its path in the process */
	const char *path;                /* opens this very file */
	bool gone;                       /* through the process: `told` leads elsewhere */
	struct file_id id;               /* zeros: unknown */
};
const char *path_base(const char *path);         /* the part after the last slash */
size_t proc_told_len(const char *path);  /* without the " (deleted)" of /proc */
/* In the arena. */
void proc_file_mapped(struct arena *, u32 pid, const struct proc_map *, struct proc_file *);
/* Its executable, as the kernel writes its path: no file is asked for.  NULL: unknown. */
const char *proc_exe_told(struct arena *, u32 pid);
/* Its executable; false: unknown. */
bool proc_file_exe(struct arena *, u32 pid, struct proc_file *);
/*
 * The file that the process means by a path: what it has mapped by that name, even if another file
 * has the name by now; else what is there in its root.  NULL: nothing.  *mapped: it has mapped it.
 */
const char *proc_file_named(struct arena *, u32 pid, const char *path, bool *mapped);

/* ---- container.c: control groups by the id or the name of a container ---------------------- */

struct containers {
	const char *paths[4];            /* the first ones, in the arena */
	u32 n;                           /* all of them */
};
/* The groups below `root` of the container `id`: its name, or the beginning of its id. */
void containers_find(struct arena *, const char *root, const char *id, struct containers *found);

#endif
