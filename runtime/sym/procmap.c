/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * procmap.c - what a process has mapped: /proc/PID/maps (proc_pid_maps(5)).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtx/base.h>

#include "runtime/sym/sym.h"

/* 7f0e3a000000-7f0e3a028000 r-xp 00001000 08:01 131 /usr/lib/libc.so.6 */
static bool procmap_line(char *line, struct proc_map *m)
{
	unsigned long long start, end, off, inode;
	char rights[5];
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, rights, &off, &m->major,
		   &m->minor, &inode, &at) < 7)
		return false;
	m->start = start;
	m->end = end;
	m->off = off;
	m->inode = inode;
	m->code = strchr(rights, 'x');
	m->path = line + at;
	return true;
}

bool procmap_each(u32 pid, bool (*fn)(void *arg, struct proc_map *), void *arg)
{
	char path[40], *text, *line, *next;
	struct proc_map m;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	if (file_read(path, &text, NULL))
		return false;
	for (line = text; (next = strchr(line, '\n')); line = next + 1) {
		*next = '\0';
		if (procmap_line(line, &m) && !fn(arg, &m))
			break;
	}
	free(text);
	return true;
}

void procmap_file(char path[PROCMAP_FILE], u32 pid, u64 start, u64 end)
{
	snprintf(path, PROCMAP_FILE, "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)start, (unsigned long long)end);
}
