/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * maps.c - what a process has mapped: /proc/PID/maps (proc_pid_maps(5)).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/proc/proc.h"

/* The number at *p and what follows it; sscanf() takes four times as long for a line. */
static u64 procmap_number(char **p, int base, char then)
{
	u64 n = strtoull(*p, p, base);

	*p += **p == then;
	return n;
}

/* 7f0e3a000000-7f0e3a028000 r-xp 00001000 08:01 131 /usr/lib/libc.so.6 */
static bool procmap_line(char *line, struct proc_map *m)
{
	char *p = line;

	m->start = procmap_number(&p, 16, '-');
	m->end = procmap_number(&p, 16, ' ');
	if (!m->end || strlen(p) < sizeof("r-xp"))
		return false;
	m->readable = *p == 'r';
	m->writable = p[1] == 'w';
	m->code = p[2] == 'x';
	p += sizeof("r-xp");
	m->off = procmap_number(&p, 16, ' ');
	m->major = procmap_number(&p, 16, ':');
	m->minor = procmap_number(&p, 16, ' ');
	m->inode = procmap_number(&p, 10, ' ');
	m->path = p + strspn(p, " ");
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
