/* SPDX-License-Identifier: BSD-2-Clause */
/* collector.h - dtx --hosts LIST: one program on many hosts, one result. */
#ifndef DTX_CMD_COLLECTOR_H
#define DTX_CMD_COLLECTOR_H

#include "cmd/command.h"

/* STATUS_OK, or what cannot be done over hosts, which was told. */
int fleet_check(const struct command *);
/* The exit status.  The options of the handle are set. */
int fleet_work(const struct tool *, struct dtx *, struct command *, FILE *out);

#endif
