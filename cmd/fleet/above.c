/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * above.c - a collector that is a host of another one begins when that one says so.  Its agent
 * (child.c) has left it three descriptors, whose numbers are in a variable of the environment.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/fleet/fleet-private.h"

#define VARIABLE "DTX_ABOVE"

void above_name(int state, int said, int go)
{
	char text[40];

	snprintf(text, sizeof(text), "%d,%d,%d", state, said, go);
	setenv(VARIABLE, text, 1);
	fcntl(state, F_SETFD, 0);
	fcntl(said, F_SETFD, 0);
	fcntl(go, F_SETFD, 0);
}

void above_find(struct fleet_run *r)
{
	const char *text = getenv(VARIABLE);

	if (!text || sscanf(text, "%d,%d,%d", &r->above_state, &r->above_said, &r->above_go) != 3 ||
	    r->above_state < 3 || r->above_said < 3 || r->above_go < 3)
		r->above_state = r->above_said = r->above_go = -1;
	unsetenv(VARIABLE);
	if (r->above_go < 0)
		return;
	fcntl(r->above_state, F_SETFD, FD_CLOEXEC);
	fcntl(r->above_said, F_SETFD, FD_CLOEXEC);
	fcntl(r->above_go, F_SETFD, FD_CLOEXEC);
}

static bool above_tell(const struct fleet_run *r, char state)
{
	return write(r->above_state, &state, 1) == 1;
}

bool above_says_go(struct fleet_run *r)
{
	char go;

	if (r->above_go < 0)
		return true;
	if (!r->above_told)
		r->failed = !above_tell(r, CHILD_READY);
	r->above_told = true;
	if (poll(&(struct pollfd){ r->above_go, POLLIN, 0 }, 1, 0) != 1)
		return false;
	if (read(r->above_go, &go, 1) != 1 || !above_tell(r, CHILD_BEGUN)) {
		r->failed = true;        /* it does not begin */
		return false;
	}
	fd_close(&r->above_go);
	fd_close(&r->above_state);
	return true;
}
