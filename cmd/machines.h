/* SPDX-License-Identifier: BSD-2-Clause */
/* machines.h - one program, checked for several machines: -e -x machine=A -x machine=B. */
#ifndef DTX_MACHINES_H
#define DTX_MACHINES_H

#include "cmd/command.h"

/* -x machine=FILE? */
bool machines_is_one(const struct given *);
/* --program alone is refused, which is told. */
bool machines_refuse(const struct command *);
/* How many machines are given. */
int machines_given(const struct command *);
/* Compiles for each, and prints what came: machines with the same result together.  The exit
 * status. */
int machines_check(const struct tool *, struct command *, FILE *out);
/* --describe PATH; "-": to the output, for ssh HOST dtx-run --describe - >FILE.  The exit
 * status. */
int machines_describe(struct dtx *, const struct command *, FILE *out);

#endif
