/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.h - what a provider's attach() is given: where links, refusals and notes go.
 */
#ifndef DTX_ATTACH_H
#define DTX_ATTACH_H

#include <dtx/base.h>
#include <dtx/image.h>
#include <dtx/provider.h>

struct dtx_env;
struct ticker;

struct attach_refusal {
	const struct dtx_probe *probe;
	const char *reason;
};

/* A program attached to probes of one provider. */
struct attached {
	int prog_fd;
	u32 prog;                        /* index into img->progs */
	const struct dtx_probe **probes; /* in the session's arena */
	u32 nprobes;
	u32 link, nlinks;                /* its part of link_fds */
	bool off;                        /* detached early: option maxoverhead */
};

/* A perf event that fires by period: how often it should have is known when it is over. */
struct attach_sampled {
	int fd;                          /* the event; -1: over */
	u32 probe, link;                 /* indices into img->probes and link_fds */
	u64 period;                      /* ns of a clock, else events */
	u64 since;                       /* CLOCK_MONOTONIC, ns: a clock's; 0: it counts events */
};

struct attach {
	struct dtx_env *env;
	const struct img *img;
	struct arena *arena;             /* as long as the session */
	VEC(int) links;                  /* closing one detaches it */
	VEC(struct attached) attached;
	VEC(struct attach_sampled) sampled;
	VEC(struct attach_refusal) refused;
	VEC(const char *) notes;         /* -v: "fbt:::entry: 12 functions by kprobe.multi" */
	VEC(int) walks;                  /* iterators that are read once, when tracing begins */
	struct ticker *ticker;           /* NULL: no tick probe */
	u32 unattached;                  /* probes not tried: the user interrupted */
	bool estimated;                  /* the user was told that it takes long */
	/* The session's, with `arg`: does the user want it to end; a message for the user. */
	bool (*interrupted)(void *arg);
	void (*tell)(void *arg, const char *text);
	void *arg;
};

/* Keep a link fd, which is the session's from now on. */
void attach_keep(struct attach *, int link);
/* A place that cannot be attached, which is not fatal; what -v tells. */
void attach_refuse(struct attach *, const struct dtx_probe *, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
void attach_note(struct attach *, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool attach_interrupted(const struct attach *);  /* attach no more */
/* `done` of `all` probes are attached since `began` (ns): says once how long the rest takes, if it
 * takes long. */
void attach_estimate(struct attach *, u64 began, u32 done, u32 all, const char *how);
/* The first one attached that runs the same program: probes of several providers may share one, and
 * its counters. */
u32 attach_same_prog(const struct attach *, u32 attached);
/* "syscall::read:entry", "fbt:vmlinux:tcp_*:entry (12 probes)"; in the arena. */
const char *attach_name(struct attach *, const struct attached *);
void attach_free(struct attach *); /* memory and events; the links are closed already */

#endif
