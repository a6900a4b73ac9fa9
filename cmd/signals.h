/* SPDX-License-Identifier: BSD-2-Clause */
/* signals.h - the signals of a command (signals.c). */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

struct dtx;

/* SIGINT, SIGTERM and SIGHUP end the run; those that were ignored when dtx started stay ignored. */
void signals_catch(void);
/* They are only counted: of a run that is elsewhere.  NULL: no more. */
void signals_count(volatile int *);
/* What they stop from now on; NULL: there is nothing to stop, the process ends. */
void signals_stop(struct dtx *);
/* A write to a closed pipe, or beyond the size limit of files, fails and is reported.  Commands
 * started by dtx get the default actions. */
void signals_survive_writes(void);

#endif
