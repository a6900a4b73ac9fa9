/* SPDX-License-Identifier: BSD-2-Clause */
/* hosts.h - the names of --hosts: lists, files, ranges. */
#ifndef DTX_HOSTS_H
#define DTX_HOSTS_H

#include <stdbool.h>

#define HOSTS_MOST 10000
#define HOST_NAME_MOST 255

struct hosts {
	char **name;
	int n;
};

/* Adds the hosts of a list: "web1,db[01-40],@file".  A name that is there already is told and left
 * out.  false: a mistake, which was told with its place. */
bool hosts_add(struct hosts *, const char *list);
void hosts_free(struct hosts *);

#endif
