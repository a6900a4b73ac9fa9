/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.h - one run of an image: the session, the loop it waits in, targets, filters.
 *
 * runtime/run/ is the top of the runtime and includes what it likes of it.
 */
#ifndef DTX_RUN_PRIVATE_H
#define DTX_RUN_PRIVATE_H

#include <signal.h>
#include <sys/types.h>

#include "runtime/read/read.h"

struct ring_buffer;

/* ---- session.c: one run of an image ------------------------------------- */

enum session_state { SES_IDLE, SES_LOADED, SES_ATTACHED, SES_ACTIVE, SES_DRAINING, SES_DONE };

struct dtx_session {
	struct dtx_env *env;
	struct img *img;
	struct arena *arena;             /* as long as the session */
	enum session_state state;
	struct loaded ld;
	struct attach at;
	bool lost;                       /* something was, when it is over */
	u64 abandoned;                   /* 1 + records not looked at: the user was impatient */
	struct ring_buffer *rb;
	struct loop *loop;
	struct overhead *overhead;       /* option maxoverhead, or NULL */
	struct consumer *con;
	struct target **targets;         /* of -c and -p; the handle's */
	u32 ntargets;
	struct late *late;               /* NULL: no probe of later programs */
	struct walk *walk;               /* NULL: no iter probe */
	s32 exit_status;
	u64 attach_ns;                   /* how long attaching took */
	s32 remover;                     /* process that removes the links, 0: none */
	u32 removed;                     /* how many */
	volatile sig_atomic_t by_key;    /* interrupted from the keyboard */
};

struct dtx_session *session_new(struct dtx_env *, struct img *);
void session_free(struct dtx_session *);         /* closes all; NULL is fine */
int session_load(struct dtx_session *);          /* maps sized, programs verified */
int session_attach(struct dtx_session *);        /* all probes attached, state IDLE */
int session_go(struct dtx_session *);            /* BEGIN, then ACTIVE */
int session_stop(struct dtx_session *);          /* DRAINING, detach, END, drain, final print */
int session_drain(struct dtx_session *);         /* read what there is; -EINTR: interrupted */
int session_data_fd(const struct dtx_session *); /* readable when there is data; -1 none */
void session_detach_one(struct dtx_session *, u32 attached);     /* before the end, for good */

/* Probes that were found since then, of one provider, for a program; cookies: their indices. */
void session_attach_more(struct dtx_session *, u32 prog, const struct dtx_probe **probes,
			 u64 *cookies, u32 n);

/* ---- late.c: probes of programs and libraries that come while tracing ------------------ */

#define LATE_PERIOD      10000000LL      /* ns between looks */

/* From now on nothing is missed, and what is mapped already has its probes. */
struct late *late_start(struct dtx_session *);
void late_look(struct late *);           /* each LATE_PERIOD */
void late_free(struct late *);           /* NULL is fine */

/* ---- pace.c: attaching and detaching that take long -------------------------------- */

void pace_detach(struct dtx_session *);          /* close all links, in a child if it takes long */
void pace_wait(struct dtx_session *);            /* for the child, not long; say that it goes on */

/* ---- walk.c: the objects of iter probes ------------------------------------------------ */

void walk_start(struct dtx_session *);           /* reads what providers left in at.walks */
void walk_stop(struct dtx_session *);            /* waits for the walk to end */

/* ---- target.c: -c and -p ------------------------------------------------------------- */

struct target;

/* Forks and stops the command where evaltime.c says (ptrace, released later). */
struct target *target_run(struct dtx_env *, const char *cmd);
struct target *target_grab(struct dtx_env *, pid_t pid);
int target_resume(struct target *);
int target_pidfd(const struct target *);         /* readable when it ended, -1 none */
bool target_ended(struct target *, const char **how);    /* "exited with status 1" … */
void target_free(struct target *);               /* kills a -c child that still runs */

/* ---- filter.c: -p, --follow, --cgroup ------------------------------------------------- */

/* Can the filters that are asked for be had?  Sets env->target_only. */
int filter_check(struct dtx_env *, bool grabbed);
int filter_start(struct dtx_session *);          /* before anything is attached */

/* ---- evaltime.c: where a -c command waits -------------------------------------------------- */

struct evaltime {
	u64 addr;                /* of the breakpoint; 0: there is none */
	long word;               /* what it covers */
};
/* At the exec stop of pid: a breakpoint for the option's value.  false: this is the place. */
bool evaltime_set(struct evaltime *, pid_t, const char *when);
/* A SIGTRAP of pid: was it the breakpoint?  Then that is gone and pid stands where it was. */
bool evaltime_hit(struct evaltime *, pid_t);

/* ---- loop.c: epoll over ring buffer, timers, target, wake-ups -------------------------- */

struct loop;

struct loop *loop_new(struct dtx_session *);
void loop_free(struct loop *);
int loop_run(struct loop *);                     /* until exit(), interrupt or the target's end */
void loop_interrupt(struct loop *);              /* async-signal-safe */
int loop_interrupts(const struct loop *);        /* how often that was called */

/* ---- overhead.c: the option maxoverhead ---------------------------------------------- */

#define OVERHEAD_PERIOD  500000000LL     /* ns between looks */

struct overhead;

struct overhead *overhead_new(struct dtx_session *); /* probes are attached; NULL with a sentence */
void overhead_free(struct overhead *);                   /* NULL is fine */
/* Detaches the most expensive program if all take too much.  true: it was the last one. */
bool overhead_look(struct overhead *);

/* ---- doctor.c: --features and --doctor ------------------------------------------------ */

int doctor_print_features(struct dtx_env *, FILE *);     /* 0, or -EIO */
int doctor_print(struct dtx_env *, FILE *);

#endif
