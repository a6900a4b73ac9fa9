/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.h - passed to a provider's attach(): it collects links, refusals and notes.
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
	u32 *probes, nprobes;            /* indices into img->probes, in the session's arena */
	u32 link, nlinks;                /* its part of `links` */
	bool off;                        /* detached early: option maxoverhead */
};

/* A perf event that fires by period.  How often it should have fired is computed when it ends. */
struct attach_sampled {
	int fd;                          /* the event; -1: it has ended */
	u32 probe, link;                 /* indices into img->probes and `links` */
	u64 period;                      /* ns of a clock, else events */
	u64 since;                       /* a clock: CLOCK_MONOTONIC, ns; 0: it counts events */
};

struct attach;

/* A probe that is an event of its own on each CPU.  The kernel ends it with the CPU: when the CPU
 * is back, or a new one appears, it is opened again. */
struct attach_percpu {
	const struct dtx_probe *probe;
	u64 cookie;
	int prog_fd;
	/* Puts the link into at->links.v[link]; 0 or -errno. */
	int (*open)(struct attach *at, const struct attach_percpu *, int cpu, u32 link);
	u32 link;                        /* its part of `links`: one for each possible CPU */
};

struct attach {
	struct dtx_env *env;
	const struct img *img;
	struct arena *arena;             /* as long as the session */
	VEC(int) links;                  /* closing one detaches it; -1: none */
	VEC(struct attached) attached;
	VEC(struct attach_sampled) sampled;
	VEC(struct attach_percpu) percpu;
	VEC(struct attach_refusal) refused;
	VEC(const char *) notes;         /* -v: "fbt:::entry: 12 functions by kprobe.multi" */
	VEC(int) walks;                  /* iterators, each read once when tracing begins */
	struct ticker *ticker;           /* NULL: no tick probe */
	u32 waiting;                     /* links whose end waits for the kernel, each 10 ms or
					  * more: events of tracepoints */
	u32 unattached;                  /* probes not tried: the user interrupted */
	bool made_code;                  /* links have trampolines, which go with them */
	bool estimated;                  /* the user was warned that it takes long */
	/* Functions of the session, called with `arg`: has the user interrupted; sends a
	 * message. */
	bool (*interrupted)(void *arg);
	void (*tell)(void *arg, const char *text);
	void *arg;
};

/* The kernel has made trampolines for links, which stacks may have. */
void attach_made_code(struct attach *);
/* Keeps a link fd, which now belongs to the session. */
void attach_keep(struct attach *, int link);
/* Why an attach failed, in words that follow "probe cannot be attached: ". */
const char *prov_why(int err);
const char *prov_why_of(const struct dtx_probe *, int err);     /* its process may be gone */
/* Records a place that cannot be attached, which is not fatal; adds a note for -v. */
void attach_refuse(struct attach *, const struct dtx_probe *, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
void attach_note(struct attach *, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool attach_interrupted(const struct attach *);  /* stop attaching? */
/* `done` of `all` probes are attached since `began` (ns): reports once how long the rest will
 * take, if it takes long. */
void attach_estimate(struct attach *, u64 began, u32 done, u32 all, const char *how);
/* The first one that runs the same program: probes of several providers may share a program and its
 * counters. */
u32 attach_same_prog(const struct attach *, u32 attached);
bool attach_is_off(const struct attach *, u32 prog);     /* did maxoverhead detach the program? */
/* "syscall::read:entry", "fbt:vmlinux:tcp_*:entry (12 probes)"; in the arena. */
const char *attach_name(struct attach *, const struct attached *);
void attach_free(struct attach *); /* memory and events; the links are closed already */

#endif
