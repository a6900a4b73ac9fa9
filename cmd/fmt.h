/* SPDX-License-Identifier: BSD-2-Clause */
/* fmt.h - dtx --fmt. */
#ifndef DTX_FMT_H
#define DTX_FMT_H

#include "cmd/command.h"

/* Formats the scripts that are given, or standard input; the exit status. */
int format_scripts(const struct command *, FILE *out);

#endif
