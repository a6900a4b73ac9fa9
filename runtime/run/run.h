/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.h - one run of an image: the session, its event loop, targets, filters.
 *
 * runtime/run/ is the top of the runtime and may include all of it.
 */
#ifndef DTX_RUN_PRIVATE_H
#define DTX_RUN_PRIVATE_H

#include <signal.h>
#include <sys/types.h>
#include <linux/perf_event.h>

#include "runtime/load/load.h"
#include "runtime/provider/attach.h"
#include "runtime/read/read.h"

/* describe.c: --describe; 0 or -errno */
int describe_write(struct dtx_env *, const char *path, FILE *);
/* --program: files that are probed in a description.  Its names live as long as the handle. */
void describe_add_program(struct dtx_env *, const char *name);
struct machine_record;
int describe_programs(struct dtx_env *, struct machine_record *);       /* describeprog.c */

/* limits.c: what the owner of the machine allows; before loading.  0, or -errno with a failure. */
int limits_apply(struct dtx_env *, const struct img *, struct loaded *);

/* The beginning of a PERF_RECORD_MMAP2 (linux/perf_event.h), which late.c and become.c read; the
 * path follows it. */
struct mapping_record {
	struct perf_event_header head;
	u32 pid, tid;
	u64 addr, len, pgoff;
	u32 maj, min;
	u64 ino, generation;
	u32 prot, flags;
	char path[];
};

/* ---- session.c: one run of an image ------------------------------------- */

enum session_state { SES_IDLE, SES_LOADED, SES_ATTACHED, SES_ACTIVE, SES_DRAINING, SES_DONE };

struct dtx_session {
	struct dtx_env *env;
	struct img *img;
	struct arena *arena;             /* lives as long as the session */
	enum session_state state;
	struct loaded ld;
	struct attach at;
	bool lost;                       /* at the end: something was lost */
	bool explained;                  /* dtx_explain() was called: -v */
	u64 abandoned;                   /* 1 + records not read: the user interrupted twice */
	struct ring *ring;               /* NULL: no records */
	struct loop *loop;
	struct overhead *overhead;       /* option maxoverhead, or NULL */
	struct consumer *con;
	struct target **targets;         /* of -c and -p; owned by the handle */
	u32 ntargets;
	struct late *late;               /* NULL: no probe of later programs */
	struct become *becomes;          /* targets whose program is probed */
	struct hotplug *hotplug;         /* NULL: nothing is per CPU */
	struct sights *sights;           /* NULL: no user stacks */
	struct walk *walk;               /* NULL: no iter probe */
	bool marks;                      /* a run that shows nothing is explained: silence.c */
	bool watched;                    /* the state is DTX_STATE_WATCHED */
	s32 exit_status;
	bool killed;                     /* a signal ended a target, before dtx was stopped */
	u64 attach_ns;                   /* how long attaching took */
	s32 remover;                     /* process that closes the links, 0: none */
	u32 removed;                     /* how many links it closes */
	volatile sig_atomic_t by_key;    /* interrupted from the keyboard */
	s64 ending_at, ending_cpu;       /* ns: then, and of the processor until then */
	bool ending_told;                /* that names are still read */
};

struct dtx_session *session_new(struct dtx_env *, struct img *);
void session_free(struct dtx_session *);         /* closes all; NULL is fine */
int session_load(struct dtx_session *);          /* sizes the maps, loads and verifies the
						  * programs */
int session_attach(struct dtx_session *);        /* attaches all probes, state IDLE */
int session_go(struct dtx_session *);            /* BEGIN, then ACTIVE */
int session_table(struct dtx_session *);         /* option every: END, prints, begins anew */
int session_stop(struct dtx_session *);          /* DRAINING, detach, END, drain, final print */

/* ---- sessionattach.c: the probes of a program --------------------------------------------- */

void session_attach_prog(struct dtx_session *, u32 prog);
void session_detach_one(struct dtx_session *, u32 attached);     /* detaches a program before the
								  * end, permanently */

/* Probes that were found since then, of one provider, for a program; cookies: their indices. */
void session_attach_more(struct dtx_session *, u32 prog, const struct dtx_probe **probes,
			 u64 *cookies, u32 n);

/* ---- ring.c: the ring buffer of records ------------------------------------------------- */

struct ring *ring_new(int fd);                   /* NULL and errno */
/* Files are read now: records do not wait.  NULL is fine, also below. */
void ring_reading(struct ring *, bool on);
void ring_free(struct ring *);
int session_drain(struct dtx_session *);         /* reads all available records; -EINTR:
						  * interrupted */
int session_data_fd(const struct dtx_session *); /* readable when there is data; -1 none */

/* ---- late.c: probes of programs and libraries that come while tracing ------------------ */

#define LATE_PERIOD      10000000LL      /* ns between checks */

/* From now on nothing is missed, and what is mapped already has its probes. */
struct late *late_start(struct dtx_session *);
bool late_opens_events(const struct dtx_session *);     /* will it open events of perf? */
void late_look(struct late *);           /* each LATE_PERIOD */
void late_cpu(struct late *, u32 cpu);   /* the CPU came back, or is new; NULL is fine */
void late_free(struct late *);           /* NULL is fine */

/* ---- hotplug.c: CPUs that go and come while tracing -------------------------------------- */

#define UEVENT_TEXT 8192         /* bytes of a uevent: UEVENT_BUFFER_SIZE of the kernel is 2048 */
/* A socket of the kernel's uevents ("add@/module/xfs"), which does not wait; -1: there is none. */
int uevents_open(void);

/* NULL: nothing depends on it. */
struct hotplug *hotplug_start(struct dtx_session *);
int hotplug_fd(const struct hotplug *);          /* readable when a CPU goes or comes; -1: never */
void hotplug_look(struct hotplug *);             /* then, and now and then; NULL is fine */
void hotplug_free(struct hotplug *);             /* NULL is fine */

/* ---- giveback.c ----------------------------------------------------------------------------- */

void memory_give_back(void);                     /* what only the compilation needed */

/* ---- stackobjs.c: files that stacks lead to -------------------------------------------------- */

int sights_start(struct dtx_session *);          /* after loading; sets s->sights if there are
						  * user stacks */
void sights_prepare(struct sights *, u32 pid);   /* what it has mapped; NULL is fine */
void sights_prepare_probed(struct sights *);     /* the files of probes; NULL is fine */
int sights_fd(const struct sights *);            /* readable when a file was seen; -1: never */
void sights_look(struct sights *);               /* NULL is fine, here and below */
/* Processes that make code tell what they have made since the last time. */
void sights_refresh(const struct sights *);
void sights_account(struct sights *);            /* tells how many stacks are incomplete */
void sights_free(struct sights *);

/* ---- unwindput.c: how they get there --------------------------------------------------------- */

struct unwind_table;
struct tableputs;

struct tableputs *tableputs_new(int tables);     /* fd of the map of maps */
void tableputs_free(struct tableputs *);
int tableputs_map(u32 nchunks);                  /* a map of chunks; its fd or -errno */
/* Puts a map, or a table, under this number; the fd is closed.  0 or -errno. */
int tableputs_put(struct tableputs *, u32 number, int fd);
int tableputs_table(struct tableputs *, u32 number, const struct unwind_table *);
void tableputs_drop(struct tableputs *, u32 number);     /* freed when no program reads it */

/* ---- unwindmap.c: unwind tables in the kernel; NULL is fine ------------------------------- */

struct codefile;
struct dtx_sight;
struct unwindmaps;
struct unwind_table;
struct dtx_objkey;

struct unwindmaps *unwindmaps_new(struct dtx_session *);         /* NULL: none are used */
void unwindmaps_free(struct unwindmaps *);
/* Puts a table into the kernel; `of`: a path or what is like it, for people.  `old`: the number of
 * one that it replaces, with so many bytes; DTX_TABLE_NONE: none.  Returns its number,
 * DTX_TABLE_NONE if there is no room. */
u32 unwindmaps_put(struct unwindmaps *, const struct unwind_table *, const char *of, u32 old,
		   u64 old_bytes);
/* The number of a new table, of a file; DTX_TABLE_NONE: it has none.  That of a large file is made
 * by parts. */
u32 unwindmaps_file(struct unwindmaps *, const struct dtx_objkey *, struct codefile *);
void unwindmaps_fill(struct unwindmaps *, u32 number);   /* all of its parts */
/* The parts where a stack of the process may lead that begins at sp. */
void unwindmaps_follow(struct unwindmaps *, u32 pid, u64 sp);
void unwindmaps_ask(struct unwindmaps *, const struct dtx_sight *);      /* a page is missing */
void unwindmaps_rest(struct unwindmaps *);       /* what was not used since then takes no memory */
/* If tables take nearly all that they may: those of files that no process has mapped are freed, and
 * made anew when they are needed again. */
void unwindmaps_free_gone(struct unwindmaps *);
bool unwindmaps_more(struct unwindmaps *);       /* makes a further part; false: none is wanted */

/* ---- stackjit.c: code that is in no file ----------------------------------------------------- */

struct jits *jits_new(struct dtx_session *, struct unwindmaps *);    /* NULL: no tables are used */
void jits_answer(struct jits *, const struct dtx_sight *);       /* a question; NULL is fine */
void jits_free(struct jits *);                           /* NULL is fine */

/* ---- stackpy.c: interpreters of Python --------------------------------------------------- */

struct pythons *pythons_new(struct dtx_session *);       /* NULL: no program wants its frames */
void pythons_answer(struct pythons *, const struct dtx_sight *);         /* a question */
void pythons_prepare(struct pythons *, u32 pid);         /* its executable; NULL is fine */
void pythons_free(struct pythons *);                     /* NULL is fine */

/* ---- slowattach.c: slow attaching and detaching ------------------------------------------ */

void pace_detach(struct dtx_session *);          /* closes all links, in a child if it takes long */
void pace_wait(struct dtx_session *);            /* waits a short time for the child; else reports
						  * that it continues */

/* ---- silence.c: a run that had nothing to show ---------------------------------------- */

void silence_begin(struct dtx_session *);        /* in place of DTX_STATE_ACTIVE */
void silence_look(struct dtx_session *);         /* now and then */
void silence_over(struct dtx_session *);         /* something was shown */
void silence_say(struct dtx_session *);          /* at the end: if nothing was, why */

/* ---- become.c: a target whose program is probed, and that has executed another one ---------- */

void become_watch(struct dtx_session *, s32 pid);
void becomes_say(struct dtx_session *);         /* at the end */
void becomes_free(struct dtx_session *);

/* ---- iterate.c: the objects of iter probes ------------------------------------------------ */

void walk_start(struct dtx_session *);           /* reads the iterators in at.walks */
void walk_stop(struct dtx_session *);            /* waits for the walk to end */

/* ---- target.c: -c and -p ------------------------------------------------------------- */

struct target;

/* Forks the command, stopped at the place of the option evaltime (ptrace, released later). */
struct target *target_run(struct dtx_env *, const char *cmd);
struct target *target_grab(struct dtx_env *, pid_t pid);
int target_resume(struct target *, bool followed);     /* until it ends: for its mappings */
pid_t target_pid(const struct target *);
int target_pidfd(const struct target *);         /* readable when it ended, -1 none */
/* *how: "… exited with status 1" …, NULL; *killed: it was ended by a signal. */
bool target_ended(struct target *, const char **how, bool *killed);
void target_free(struct target *);               /* kills a -c child that still runs */

/* ---- filter.c: -p, --follow, --cgroup ------------------------------------------------- */

/* Can this kernel do the requested filters?  Sets env->target_only. */
int filter_check(struct dtx_env *, bool grabbed);
int filter_start(struct dtx_session *);          /* before anything is attached */
const char *filter_selects(struct dtx_env *);    /* "--comm cat", of one of them; NULL: none */

/* ---- evaltime.c: where a -c command waits -------------------------------------------------- */

struct evaltime {
	u64 addr;                /* of the breakpoint; 0: none is set */
	long word;               /* the word it replaces */
};
/* At the exec stop of pid: sets a breakpoint for the option's value.  false: pid is already at the
 * place. */
bool evaltime_set(struct evaltime *, pid_t, const char *when);
/* A SIGTRAP of pid: was it the breakpoint?  If so, it is removed, and pid stands at its address. */
bool evaltime_hit(struct evaltime *, pid_t);

/* ---- loop.c: epoll over ring buffer, timers, target, wake-ups -------------------------- */

struct loop;

struct loop *loop_new(struct dtx_session *);
void loop_free(struct loop *);
int loop_run(struct loop *);                     /* until exit(), an interrupt, or all targets
						  * ended; 1: until session_table() is due */
void loop_interrupt(struct loop *);              /* async-signal-safe */
int loop_interrupts(const struct loop *);        /* how often loop_interrupt() was called */

/* ---- overhead.c: the option maxoverhead ---------------------------------------------- */

#define OVERHEAD_PERIOD  500000000LL     /* ns between checks */
#define OVERHEAD_FIRST   100000000LL     /* until the first one: a hot function is found soon */

struct overhead;

/* After attaching; limit: the option maxoverhead.  NULL: with a limit a failure, else there is
 * nothing to see. */
struct overhead *overhead_new(struct dtx_session *, s64 limit);
void overhead_free(struct overhead *);                   /* NULL is fine */
/* Detaches the most expensive program if all take too much; without the option it only warns.
 * true: no program is left. */
bool overhead_look(struct overhead *);

/* ---- doctor.c: --features and --doctor ------------------------------------------------ */

int doctor_print_features(struct dtx_env *, FILE *);     /* 0, or -EIO */
int doctor_print(struct dtx_env *, FILE *);

#endif
