/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * served.h - served.def as a table: whom the files of a file system come from.  It needs only
 * the C library, as cmd/ has no other headers.
 */
#ifndef DTX_SERVED_H
#define DTX_SERVED_H

#include <stddef.h>
#include <string.h>

enum served_by { NOBODY, PROGRAM, NETWORK };

/* type: as proc_pid_mountinfo(5) has it. */
static inline enum served_by served_by(const char *type)
{
	static const struct { const char *type; enum served_by by; } rows[] = {
#define SERVED(type, by) { type, by },
#include <dtx/tables/served.def>
#undef SERVED
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncmp(type, rows[i].type, strlen(rows[i].type)))
			return rows[i].by;
	return NOBODY;
}

#endif
