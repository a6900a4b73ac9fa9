/* SPDX-License-Identifier: BSD-2-Clause */
/* fleet-private.h - shared by collector.c (the loop), talk.c (what hosts say) and fleetsay.c. */
#ifndef DTX_FLEET_PRIVATE_H
#define DTX_FLEET_PRIVATE_H

#include <pthread.h>

#include "cmd/command.h"
#include "cmd/fleet/agent.h"
#include "cmd/fleet/hosts.h"
#include "cmd/fleet/kernels.h"
#include "cmd/fleet/peer.h"
#include "cmd/fleet/reach.h"

struct fleet_run {
	const struct tool *tool;
	const struct command *c;
	struct dtx *d;
	FILE *out;
	struct dtx_fleet *merged;
	struct hosts hosts;
	struct peer *peers;
	int n;
	struct bytes programs;   /* of --program, each with a NUL: hosts describe them, too */
	struct kernel *kernels, *given;          /* given: the image of -r, for all */
	struct reach reach;
	int64_t wait_ms;         /* for a host's first word */
	int64_t quorum;          /* hosts that must be there, at least */
	bool strict;
	bool destructive;        /* the user has said so; what an image says is in it */
	bool going, stopping;    /* GO, STOP were sent */
	bool failed;             /* nothing can come of it */
	int above_state, above_said, above_go;   /* of a collector above this one, or -1 */
	bool above_told;
	volatile int interrupts; /* how often the user asked to stop */
	int64_t looked, stopped; /* ms: the last turn; when STOP was sent */
	int shown;               /* length of the progress line */
	pthread_mutex_t held;    /* of the peers; not while this process may wait */
	pthread_t pulse;
	bool pulses;
};

/* lease.c: hosts have their lease also while nobody takes the output. */
bool lease_begin(struct fleet_run *);
void lease_end(struct fleet_run *);

/* talk.c: reads and answers. */
void talk_hear(struct fleet_run *, struct peer *);       /* `from` is readable */
void talk_words(struct peer *);                          /* `err` is */
void talk_ended(struct fleet_run *, struct peer *);      /* all of them are at their end */
void talk_compile(struct fleet_run *);                   /* what is described */
void talk_compiled(struct fleet_run *, struct kernel *);
void talk_describe(struct fleet_run *, struct kernel *);  /* by another host, if one is gone */
/* The host is out: why is told. */
void talk_out(struct fleet_run *, struct peer *, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int talk_count(const struct fleet_run *, enum peer_state from, enum peer_state to);

/* again.c: hosts whose connection ended in the middle of the run. */
void again_allow(struct peer *);         /* before GO: the run may outlive its connection */
bool again_begin(struct fleet_run *, struct peer *);     /* false: it is lost */
/* It is silent, and a new connection may still find its run. */
bool again_silent(struct fleet_run *, struct peer *, int64_t now);
void again_look(struct fleet_run *, struct peer *, int64_t now);
void again_ask(struct peer *);
void again_back(struct fleet_run *, struct peer *);
void again_failed(struct peer *);        /* this call led to nothing */
void again_took(struct peer *, size_t bytes);

/* above.c: a collector above this one. */
void above_find(struct fleet_run *);
bool above_says_go(struct fleet_run *);  /* tells that all are ready; may they begin? */

/* words.c: the program for a host that is a collector; NULL, or why not. */
const char *words_send(const struct fleet_run *, struct peer *);
/* Scripts from pipes are read once for each kernel and host, too.  false: reported. */
bool words_keep(struct command *);

/* boots.c: names of one machine. */
void boots_tell(struct fleet_run *);     /* a warning, or what the collector above is to know */

/* fleetsay.c: progress on the terminal, and lines of hosts. */
void fleet_progress(struct fleet_run *);
void fleet_clear(struct fleet_run *);
/* Says it of a host, or of several (NULL); what shows or records the run has it, too. */
void fleet_told(struct fleet_run *, const char *host, const char *text);
void fleet_line(struct fleet_run *, const struct peer *, const char *text, size_t len);

#endif
