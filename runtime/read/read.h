/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.h - the consumer: passes records and aggregations to a sink, counts
 * losses.
 *
 * runtime/read/ includes sink.h, value.h, load.h and base.
 */
#ifndef DTX_READ_H
#define DTX_READ_H

#include "runtime/sink/sink.h"

struct attach;
struct loaded;

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
void consumer_drops(struct consumer *);          /* report losses since the last call */
void consumer_finish(struct consumer *);         /* newline and unprinted aggregations */
/* What follows is of END; tracing ended at the time `at`. */
void consumer_ending(struct consumer *, s64 at);
void consumer_newline(struct consumer *);        /* after an echoed ^C */
int consumer_error(const struct consumer *);     /* first write error, 0 if none; EPIPE … */
/* All aggregations, for the sinks that want them, but not so often that reading them takes more
 * than a part of a CPU.  `between` is called now and then, to read the records. */
#define SAMPLE_SHARE  20         /* one twentieth */
void consumer_sample(struct consumer *, void (*between)(void *), void *arg);
/* What sinks that sample see at the end: before END, which may clear it. */
void consumer_last_sample(struct consumer *);
void consumer_end(struct consumer *, int status, int error);     /* the run is over */

/* Shared by consumer.c and action.c. */
struct consumer {
	struct loaded *ld;
	struct attach *at;
	struct outs outs;                /* all sinks */
	struct out *out;                 /* the first one: the output of the run */
	FILE *first;                     /* output at start; freopen("") returns to it */
	struct arena *arena;             /* lives as long as the consumer */
	struct arena *rows;              /* aggregation rows of the current record, or NULL */
	struct site_state *sites;        /* one per site of the image, made on first use */
	struct aggs *aggs;
	struct agg_fresh { u64 record, batch, time; } *fresh;  /* when each aggregation was read */
	u64 events;                      /* records of probes other than BEGIN, END, ERROR */
	s64 ended;                       /* when tracing ended; 0: it goes on */
	u64 record, batch;               /* numbers of the current record and batch, from 1 */
	struct specs *specs;             /* speculate.c: records held back, or NULL */
	struct recorder *recorder;       /* recorder.c: bufpolicy=ring, or NULL */
	u32 hinted_drops;                /* reasons whose option was already suggested */
	bool hinted_page;                /* the hint about missing pages was already given */
	u64 *drops;                      /* DTX_DROP_N per CPU, as last reported */
	u64 skipped, missed;             /* firings the kernel skipped, as last reported */
	u64 limited;                     /* profile probes already reported as limited */
	u64 astray;                      /* returns not seen, as last reported */
	struct losses *losses;           /* loss.c */
	struct faults *faults;           /* fault.c */
	u64 lost;                        /* records lost in the last interval */
	u64 malformed;                   /* malformed records */
	bool shown;                      /* an event, a row, a fault: the run is not empty */
	bool stop;                       /* write error: stop reading */
	s64 sample_next;                 /* no sample before this time, CLOCK_MONOTONIC */
};

/* Sends a message to the user now, after the output printed so far. */
void consumer_tell(struct consumer *, struct dtx_message, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* ---- fault.c: faults of clauses ---- */

/* A fault in a firing.  The message leaves out `detail` if it is NULL or "", and pc if it is <
 * 0. */
struct fault {
	const struct img_site *site;
	const struct img_place *place;   /* the expression, NULL: not known */
	const struct dtx_probe *probe;
	u32 cpu;
	const char *text, *detail;
	s64 pc;
	bool has_value;
	u64 value;                       /* the address, index or size at fault */
};
void consumer_fault(struct consumer *, const struct fault *);
void consumer_fault_record(struct consumer *, const void *data, size_t);
struct faults *faults_new(void);
void faults_free(struct faults *);               /* NULL is fine */
void faults_report(struct consumer *, bool last);        /* repeats, since the last time */
/* Takes a record now: reports faults, holds speculative records.  consumer_one: prints it in any
 * case. */
void consumer_take(struct consumer *, const void *data, size_t size);
void consumer_one(struct consumer *, const void *data, size_t size);
void consumer_snapshot(struct consumer *, u32 agg);      /* aggs_snapshot(), with a message */
void consumer_output(struct consumer *, FILE *);         /* flushes; closes the old one */

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
const char *drop_words(u32 loss, u64 n);         /* "drop", "drops", … */
const char *drop_tag(u32 loss);                  /* "PRINCIPAL" … */
struct dtx_message drop_message(u32 loss, u64 n);        /* of kind DTX_LOSS, without text */

/* ---- loss.c: the account of all losses, by probe ---------------------------------- */

struct losses;

struct losses *loss_new(const struct img *);
void loss_free(struct losses *);                 /* NULL is fine */
/* Adds the programs' counters to now[CPU * DTX_DROP_N + reason]; false: no counters. */
bool loss_read(struct consumer *, u64 *now);
void loss_kernel(struct consumer *, u64 *skipped, u64 *missed);  /* totals of the run */
/* The events of these links have ended: keeps how often they should have fired, for
 * loss_samples(). */
void loss_end_samples(struct consumer *, u32 link, u32 nlinks);
u64 loss_samples(struct consumer *); /* samples not taken; call it after the last program has run */
u64 loss_limited(struct consumer *); /* profile probes limited by the kernel, not yet reported */
void loss_of_probe(struct consumer *, u32 probe, enum loss);
void loss_other(struct consumer *, enum loss, u64 n);
bool loss_unknown(const struct consumer *);      /* is there a probe whose misses nobody counts? */
bool loss_any(const struct consumer *);
void loss_account(struct consumer *);            /* one message per probe that lost something;
						  * with -q only sinks get it */

/* ---- missed.c: firings that probes of kernel functions missed ------------------------ */

struct missed;

struct missed *missed_new(struct dtx_env *);
void missed_free(struct missed *);               /* NULL is fine */
/* Of an open link to functions of the kernel; `link`: its place among the session's links. */
u64 missed_of(struct missed *, u32 link, int fd);
bool missed_unknown(const struct missed *);      /* was there one whose number is not known? */

/* ---- speculate.c, recorder.c: records held back ------------------------------------- */

bool spec_hold(struct consumer *, u32 tag, const void *data, size_t size);
/* Prints the records held for the speculation (commit), or drops them (discard); tag 0: none. */
void consumer_commit(struct consumer *, u32 tag, bool print);
void spec_recover(struct consumer *);            /* after losses */
void spec_free(struct consumer *);

struct recorder *recorder_new(u64 bufsize, u32 ncpus);
void recorder_free(struct recorder *);           /* NULL is fine */
void recorder_add(struct recorder *, const void *data, size_t size);
void recorder_replay(struct recorder *, struct consumer *);

/* ---- action.c: consumer-side actions, in record order ------------------------- */

struct action_row;

/* Reused for each record: no allocation after the first record of a site. */
struct site_state {
	struct event ev;
	const struct action_row **rows;  /* one per action */
	struct item *shown;              /* items that go to the sink */
	struct buf *text;                /* one per action: formatted text */
};

const struct action_row *action_find(const char *name);
enum item_kind action_kind(const char *name);    /* how its items are shown */
void action_event(struct consumer *, struct site_state *);

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

/* ---- pcap.c: packet capture files ---------------------------------------------------- */

struct pcap_packet {
	const char *data;
	u32 captured, len;
	s64 time;                        /* ns since 1970 */
	u32 link;                        /* D's PCAP_* */
};
/* Appends it to the file, with a header if the file is not yet a capture.  0 or an error
 * (errno). */
int pcap_write(FILE *, const struct pcap_packet *, u32 snaplen);

#endif
