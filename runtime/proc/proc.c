/* SPDX-License-Identifier: BSD-2-Clause */
/* proc.c - a process: is it there, its /proc/PID/stat, its root and mount namespace. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/proc/proc.h"

#include <dtx/abi.h>
#include <dtx/tables/served.h>

#define STAT_NAME   2            /* fields of /proc/PID/stat (proc_pid_stat(5)) */
#define STAT_PARENT 4
#define STAT_BEGAN  22           /* clock ticks since the machine began */
#define STAT_STACK  28           /* the begin of its stack */

bool proc_exists(u32 pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u", pid);
	return !file_access(path, F_OK);
}

void proc_each(bool (*fn)(void *arg, u32 pid), void *arg)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	bool more = dir;

	file_note_passing();
	while (more && (e = readdir(dir)))
		if (isdigit((unsigned char)*e->d_name))
			more = fn(arg, (u32)strtoul(e->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

void proc_each_thread(u32 pid, void (*fn)(void *arg, s32 tid), void *arg)
{
	struct dirent *d;
	char path[32];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (isdigit((unsigned char)*d->d_name))
			fn(arg, (s32)strtol(d->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

bool proc_stat(u32 pid, u32 first, u64 *fields, u32 n)
{
	char path[40], *text, *p;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (file_read(path, &text, NULL))
		return false;
	p = strrchr(text, ')');                  /* the name may have blanks */
	for (u32 field = STAT_NAME; p && field < first; field++)
		p = strchr(p + 1, ' ');
	for (u32 i = 0; p && i < n; i++) {
		fields[i] = strtoull(p, NULL, 10);
		p = i + 1 < n ? strchr(p + 1, ' ') : p;
	}
	free(text);
	return p;
}

/* The fields of proc_pid_mountinfo(5): "36 35 0:98 / /mnt rw,noatime shared:1 - fuse.sshfs …". */
bool proc_is_served(u32 pid, u32 major, u32 minor)
{
	char path[48], device[32], *text, *save = NULL;
	bool served = false;

	snprintf(path, sizeof(path), "/proc/%u/mountinfo", pid);
	snprintf(device, sizeof(device), " %u:%u ", major, minor);
	if (file_read(path, &text, NULL))
		return false;
	for (char *line = strtok_r(text, "\n", &save); line && !served;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *type = strstr(line, " - "), *at = strstr(line, device);

		served = at && type && at < type && served_by(type + 3) == PROGRAM;
	}
	free(text);
	return served;
}

u32 proc_exec(u32 pid)
{
	u64 start;

	return proc_stat(pid, STAT_STACK, &start, 1) ? DTX_EXEC_OF(start) : 0;
}

u32 proc_parent(u32 pid)
{
	u64 parent;

	return proc_stat(pid, STAT_PARENT, &parent, 1) ? (u32)parent : 0;
}

s64 proc_began(u32 pid)
{
	u64 ticks;

	return proc_stat(pid, STAT_BEGAN, &ticks, 1) ? clock_began(ticks) : 0;
}

void proc_in_root(char out[PROC_PATH], u32 pid, const char *path)
{
	snprintf(out, PROC_PATH, "/proc/%u/root%s", pid, path);
}

bool proc_our_root(u32 pid)
{
	struct stat its, ours;
	char path[PROC_PATH];

	proc_in_root(path, pid, "/.");
	return !stat(path, &its) && !stat("/", &ours) && its.st_dev == ours.st_dev &&
	       its.st_ino == ours.st_ino;
}

bool proc_elsewhere(u32 pid)
{
	struct stat its, ours;
	char path[40];

	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	if (stat(path, &its) || stat("/proc/self/ns/mnt", &ours))
		return false;
	return its.st_ino != ours.st_ino || !proc_our_root(pid);
}
