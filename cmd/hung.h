/* SPDX-License-Identifier: BSD-2-Clause */
/* hung.h - files on a file system that may never answer (hung.c). */
#ifndef CMD_HUNG_H
#define CMD_HUNG_H

/* If the arguments name something on such a file system, what follows runs in a process of its own,
 * which the first one leaves when it is stuck and an end was asked for. */
void hung_guard(int argc, char **argv);

#endif
