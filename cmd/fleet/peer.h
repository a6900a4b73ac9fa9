/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * peer.h - the hosts of a run as the collector sees them.  A peer is a process (ssh, or the command
 * of --via), whose standard input and output lead to an agent.
 */
#ifndef DTX_PEER_H
#define DTX_PEER_H

#include <sys/types.h>

#include "cmd/fleet/frame.h"

struct kernel;

enum peer_state {
	PEER_WAITS,              /* not called: too many are called at once, or it asks alone */
	PEER_CALLED,             /* nothing of the agent came yet */
	PEER_KNOWN,              /* HELLO came */
	PEER_DESCRIBES,
	PEER_LOADS,              /* it has the image */
	PEER_READY,
	PEER_RUNS,               /* GO was sent */
	PEER_AWAY,               /* its connection ended: it is called again (again.c) */
	PEER_OVER,
};

struct peer {
	char *name;
	unsigned number;
	enum peer_state state;
	pid_t pid;               /* 0: it ended */
	pid_t first;             /* of the connection that ended first, or 0 */
	int to, from, err;       /* -1: closed */
	struct bytes got, put, told;     /* told: of its standard error */
	struct bytes line;       /* of its output: the line that is not whole */
	struct bytes below;      /* of a collector: its machines, "BOOT NAME" and NUL each */
	bool speaks;             /* the magic came */
	bool needs;              /* dtx-run was sent */
	bool session;            /* its process has one, and no terminal */
	bool alone;              /* it may ask on the terminal: one at a time */
	bool runs;               /* it is of the merged run, as `number` */
	bool begun;              /* its probes are attached */
	bool retried;            /* the image of its kernel was of another boot */
	char *version, *kernel_name, *machine, *build, *boot, *rights, *clock, *collects, *error;
	int64_t since, heard;    /* ms: of the call, of the last byte */
	int64_t step;            /* ms: since when it describes, or loads */
	char token[2 * 16 + 1];  /* empty: the run there ends with the connection */
	uint64_t took, acked;    /* bytes of its frames; those that it knows of */
	uint32_t frames;         /* the number of the frame that is next when it is back */
	unsigned breaks;         /* of its connections */
	int64_t away, call_at;   /* ms: since when, until when it waits for the next call */
	bool lost;               /* it ended without END */
	char *why;               /* why it is out, NULL: it ended well */
	struct kernel *kernel;
};

/* The hosts of a run. */
struct peers {
	const struct peer *v;
	int n;
};

int peer_call(struct peer *, const char *command);       /* 0 or -errno */
void peer_send(struct peer *, enum frame_kind, const void *, size_t);
void peer_hang_up(struct peer *);        /* the end of its input */
void peer_kill(struct peer *, int sig);
bool peer_ended(struct peer *);          /* all of its processes have */
/* Takes the line "name value" of HELLO. */
void peer_hello(struct peer *, const struct frame *);
/* Takes "BOOT NAME" of a machine below one that is a collector. */
void peer_below(struct peer *, const char *text, size_t len);
/* What its standard error or the output before the agent's said last; NULL: nothing. */
char *peer_last_words(const struct peer *);
void peer_free(struct peer *);

#endif
