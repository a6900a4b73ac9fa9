/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.h - the consumer: passes records and aggregations to a sink, counts losses; recorded runs.
 *
 * runtime/read/ includes sink.h, value.h, load.h and base.
 */
#ifndef DTX_READ_H
#define DTX_READ_H

#include <stdio.h>

#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/value.h>

struct aggs;
struct attach;
struct loaded;
struct outs;

/* ---- consumer.c: records and aggregations to a sink ------------------------- */

struct consumer;

/* Makes a consumer for a loaded and attached image; both still belong to the caller.  NULL with a
 * failure: a sink cannot be opened. */
struct consumer *consumer_new(struct loaded *, struct attach *, FILE *out);
void consumer_free(struct consumer *);
/* Takes one record of the ring buffer.  Non-zero: stop reading (second interrupt, broken pipe). */
int consumer_record(struct consumer *, const void *data, size_t size);
bool probe_is_event(const struct dtx_probe *);   /* does it wait for what others do? */
void consumer_flush(struct consumer *);
/* Reports losses since the last call.  `drain`, or NULL, reads the records that came before. */
void consumer_drops(struct consumer *, void (*drain)(void *), void *arg);
void consumer_show_held(struct consumer *);      /* what bufpolicy=ring has kept */
void consumer_table(struct consumer *);          /* the same each time `every` has passed */
void consumer_finish(struct consumer *);         /* newline and unprinted aggregations */
/* What follows is of END; tracing ended at the time `at`. */
void consumer_ending(struct consumer *, s64 at);
void consumer_newline(struct consumer *);        /* after an echoed ^C */
int consumer_error(const struct consumer *);     /* first write error, 0 if none; EPIPE … */
int consumer_failed(const struct consumer *);    /* of a sink beside the output, which was told */
int consumer_fd(const struct consumer *);        /* what the output is written to now, or -1 */
bool consumer_has_shown(const struct consumer *);        /* an event, a row, a fault */
struct outs *consumer_outs(struct consumer *);   /* all sinks */
struct aggs *consumer_aggs(struct consumer *);
/* All aggregations, for the sinks that want them, but not so often that reading them takes more
 * than a part of a CPU.  `between` is called now and then, to read the records. */
#define SAMPLE_SHARE  20         /* one twentieth */
#define SAMPLE_UNREAD 200        /* while nobody looks */
void consumer_sample(struct consumer *, void (*between)(void *), void *arg);
void consumer_sample_now(struct consumer *, void (*between)(void *), void *arg);  /* at any rate */
/* What sinks that sample see at the end: before END, which may clear it. */
void consumer_last_sample(struct consumer *);
void consumer_end(struct consumer *, int status, int error);     /* the run is over */
/* Sends a message to the user now, after the output printed so far. */
void consumer_tell(struct consumer *, struct dtx_message, const char *fmt, ...) PRINTF_LIKE(3, 4);
void faults_report(struct consumer *, bool last);        /* fault.c: repeats, since the last time */

/* ---- drop.c: losses -------------------------------------------------------------- */

/* Kinds of loss: enum dtx_drop, counted by programs, and these. */
enum loss {
	LOSS_SKIPPED = DTX_DROP_N, /* a program interrupted a program */
	LOSS_MISSED,               /* kernel probes: recursion, no return slot */
	LOSS_LIMITED,              /* profile: the kernel's limit on samples is lower */
	LOSS_SAMPLES,              /* samples of perf events not taken: throttled, late, idle CPU */
	LOSS_FAULT,                /* a clause that faulted: its record */
	LOSS_MALFORMED,
	LOSS_ABANDONED, /* not read: the user interrupted twice */
	LOSS_UNREAD,    /* aggregations that could not be read from the kernel */
	LOSS_DETACHED,  /* probes detached by the option maxoverhead */
	LOSS_ASTRAY,    /* returns that were waited for in the wrong functions */
	LOSS_N
};

/* `last`: also losses of parts of records. */
void consumer_report_drops(struct consumer *, bool last);
/* Reports the firings the kernel skipped since the last call; call it before links are closed. */
void consumer_report_skips(struct consumer *);
void consumer_report_samples(struct consumer *); /* after the last program has run */
struct dtx_message drop_message(u32 loss, u64 n);        /* of kind DTX_LOSS, without text */

/* ---- loss.c: the account of all losses, by probe ---------------------------------- */

/* The events of these links have ended: keeps how often they should have fired, for
 * consumer_report_samples(). */
void loss_end_samples(struct consumer *, u32 link, u32 nlinks);
void loss_other(struct consumer *, enum loss, u64 n);
bool loss_unknown(const struct consumer *);      /* is there a probe whose misses nobody counts? */
bool loss_any(const struct consumer *);
void loss_account(struct consumer *);            /* one message per probe that lost something;
						  * with -q only sinks get it */

/* ---- replay.c: a recorded run, read as its bytes come ---------------------------------- */

struct replay;

/* What becomes of what is read.  All that is given is valid until the function returns. */
struct replay_to {
	/* The manifest, which the reader keeps to; NULL: it is wrong, with a failure. */
	const struct img *(*image)(void *arg, const char *text, size_t len);
	int (*begin)(void *arg, const struct run_info *);        /* 0, or -errno with a failure */
	/* `now`: the program sets it.  Not 0: no such value. */
	int (*option)(void *arg, const char *name, const char *value, bool now);
	/* Found while tracing: probes have the numbers of the manifest, these the next ones. */
	void (*probe)(void *arg, const struct dtx_probe *);
	void (*event)(void *arg, struct event *, u32 probe);     /* without its probe */
	void (*aggs)(void *arg, struct agg_print *);
	void (*sample)(void *arg, struct agg_print *);
	/* Rows of an aggregation as they are now: `all`: all that it has; else those that changed.
	 * keys NULL: it has come before, with this number.  state_end: no more of them. */
	void (*state)(void *arg, const struct img_agg *, bool all, s64 norm);
	void (*state_row)(void *arg, const struct img_agg *, u32 number, const struct val *keys,
			  const u64 *words);
	void (*state_end)(void *arg, const struct img_agg *);
	void (*message)(void *arg, struct dtx_message *, bool also_said);
	void (*host)(void *arg, const char *name);       /* what follows is of it; NULL: of all */
	void (*end)(void *arg, const struct run_end *);
	/* After each part; `block`: no more of what came.  -errno, or 1: nothing more is read. */
	int (*after)(void *arg, bool block);
};
#define REPLAY_MOST  (512u << 20)
/* most: bytes of one block. */
struct replay *replay_new(struct dtx_env *, const struct replay_to *, void *arg, u32 most);
void replay_free(struct replay *);               /* NULL is fine */
/* 0, or -errno: of a function of `to`, or -EINVAL when replay_state() knows why. */
int replay_bytes(struct replay *, const void *, size_t);
/* Bytes until something can be read of it; *begun: there are some of it. */
size_t replay_wants(const struct replay *, bool *begun);
size_t replay_kept(const struct replay *);       /* bytes of what is kept until the end */
/* REPLAY_ALIEN: it does not begin as one. */
enum replay_state {
	REPLAY_NOTHING, REPLAY_HEAD, REPLAY_BEGUN, REPLAY_ENDED, REPLAY_BAD, REPLAY_ALIEN,
};
enum replay_state replay_state(const struct replay *, const char **why, u64 *records);

#endif
