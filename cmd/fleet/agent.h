/* SPDX-License-Identifier: BSD-2-Clause */
/* agent.h - dtx-run --agent: runs what a collector sends on standard input (frame.h). */
#ifndef DTX_AGENT_H
#define DTX_AGENT_H

#include <stdint.h>

#include "cmd/fleet/frame.h"

/* The exit status.  `trust`: only images that these signers have signed are run, or NULL: all.
 * `collects`: the command line of a collector, which runs programs on its hosts; or NULL. */
int agent_serve(const char *trust, char **collects);

/* child.c: the processes of an agent.  They write into pipes, and end with the agent. */
struct child {
	int pid;                 /* 0: none */
	int stream;              /* a description, or a recording; these are -1 when they ended */
	int said;                /* messages: a letter of severity, text, NUL; SAID_MACHINE */
	int state;               /* CHILD_… as they are reached */
	int output;              /* what system() and -c write, or what a collector says */
	int go;                  /* to it: a byte begins the run */
};
enum { CHILD_READY = 'R', CHILD_BEGUN = 'B', CHILD_STALE = 'S' };

/* `programs`: with these, each with a NUL. */
int child_describe(struct child *, const char *programs, size_t len);
/* `options`: "name" or "name=value", `commands`: of -c, each with a NUL.  `image`: a descriptor. */
int child_run(struct child *, const struct bytes *options, const struct bytes *commands,
	      const char *trust, int image);
/* Runs this command with a recording on the stream. */
int child_collect(struct child *, char **words);
/* above.c: what a collector that is run by an agent finds. */
void above_name(int state, int said, int go);
void child_close(struct child *);
/* n pipes, which programs do not inherit: 0, or -errno, and there is none. */
int pipes_open(int (*p)[2], int n);
void pipes_close(int (*p)[2], int n);

/* resume.c: a run outlives its connection, and takes a new one. */
#define RESUME_TOKEN 32          /* characters of hexadecimal digits */
struct resume {
	char token[RESUME_TOKEN];        /* it begins with NUL: the run ends with its connection */
	int listens, link;       /* link: to the process that handed the connection over; -1 */
	uint64_t given;          /* bytes that the collector has got … */
	size_t sent;             /* … and those that were written after them, and are kept */
	bool away;               /* there is no connection */
};
struct resumed { uint64_t at; uint32_t heard, said; };   /* numbers of frames */
/* 0 or -EINVAL.  Where it cannot listen, there is no token. */
int resume_listen(struct resume *, const char *token, size_t len);
/* Another agent calls: the standard input and output are those that it had, or false. */
bool resume_accept(struct resume *, struct resumed *);
void resume_away(struct resume *);
/* In the other agent, whose output is written: a socket to wait on, or -errno. */
int resume_hand_over(const struct frame *, uint32_t heard, uint32_t said);
void resume_wait(int link);

/* whoami.c: the lines of HELLO. */
void whoami(struct bytes *, bool collects);

int64_t fleet_now(void);         /* ms, CLOCK_MONOTONIC */

#endif
