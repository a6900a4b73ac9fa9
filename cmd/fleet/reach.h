/* SPDX-License-Identifier: BSD-2-Clause */
/* reach.h - how a host is reached: by ssh, or the command of --via. */
#ifndef DTX_REACH_H
#define DTX_REACH_H

#include "cmd/fleet/frame.h"

struct peer;

struct reach {
	const char *via;         /* NULL: ssh */
	const char *become;      /* sudo, doas or none */
	struct bytes program;    /* dtx-run, packed by gzip when the first host asks for it */
	size_t size;             /* of it, unpacked */
	char *boot;              /* what a shell there does; made for the first host, with the
				  * size of the program */
};

/* The shell command that leads to an agent on the host; malloc'd. */
char *reach_command(struct reach *, const struct peer *);
/* Sends dtx-run, which the host's shell asked for: "MACHINE".  NULL, or why not. */
const char *reach_send(struct reach *, struct peer *, const char *machine);
/* Did the host want a password, or to be known first?  Then it may ask at the terminal. */
bool reach_may_ask(const struct reach *, const struct peer *);
void reach_free(struct reach *);

#define NEEDS_MAGIC     "\0DTX-NEEDS "
#define NEEDS_MAGIC_LEN (sizeof(NEEDS_MAGIC) - 1)

#endif
