/* SPDX-License-Identifier: BSD-2-Clause */
/* read-private.h - shared by the files of runtime/read/. */
#ifndef DTX_READ_PRIVATE_H
#define DTX_READ_PRIVATE_H

#include "runtime/read/read.h"

/* ---- consumer.c, action.c: the state of a consumer ----------------------------------------- */

struct consumer {
	struct loaded *ld;
	struct attach *at;
	struct outs *outs;               /* all sinks */
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
/* Takes a record now: reports faults, holds speculative records.  consumer_one: prints it in any
 * case. */
void consumer_take(struct consumer *, const void *data, size_t size);
void consumer_one(struct consumer *, const void *data, size_t size);
void consumer_snapshot(struct consumer *, u32 agg);      /* aggs_snapshot(), with a message */
void consumer_output(struct consumer *, FILE *);         /* flushes; closes the old one */

/* ---- tell.c, drop.c, loss.c: losses ---------------------------------------------------------- */

/* tell.c: the text after the number, singular and plural; cpu: reported per CPU. */
struct drop_text {
	const char *tag, *one, *many;
	bool cpu;
	const char *option;      /* the option that helps; NULL: none */
};
extern const struct drop_text drop_texts[LOSS_N];
const char *drop_words(u32 loss, u64 n);         /* "drop", "drops", … */
const char *drop_tag(u32 loss);                  /* "PRINCIPAL" … */

struct losses;
struct losses *loss_new(const struct img *);
void loss_free(struct losses *);                 /* NULL is fine */
/* Adds the programs' counters to now[CPU * DTX_DROP_N + reason]; false: no counters. */
bool loss_read(struct consumer *, u64 *now);
void loss_kernel(struct consumer *, u64 *skipped, u64 *missed);  /* totals of the run */
/* Samples not taken, of those that were due; call it after the last program has run. */
u64 loss_samples(struct consumer *, u64 *due);
u64 loss_limited(struct consumer *); /* profile probes limited by the kernel, not yet reported */
void loss_of_probe(struct consumer *, u32 probe, enum loss);

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
void action_event(struct consumer *, struct site_state *);

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

/* ---- replay.c, replayval.c: a recording that is being read --------------------------------- */

struct replay {
	struct dtx_env *env;
	const struct replay_to *to;
	void *arg;
	struct arena *arena;     /* all of the run */
	struct arena *part;      /* one part */
	struct arena *row;       /* one row of an aggregation */
	const struct img *img;
	u32 nprobes;             /* with those that were found while tracing */
	struct run_info info;
	VEC(const char *) words;
	struct buf in;           /* bytes that came, of the head or the block that comes next */
	struct replay_head { u32 packed, size; } head;   /* packed 0: it comes next */
	bool magic;              /* the head of the file was read */
	bool resets;             /* of prints are there */
	u32 most;                /* bytes of a block's text */
	u32 *nrows;              /* by aggregation: rows of states that have a number */
	const u8 *at, *end;      /* the part that is being read */
	const char *bad;         /* why it cannot be read; NULL: so far it can */
	bool within;             /* in a run of several hosts: what comes is of one of them */
	bool again;              /* read before: its words are known */
	bool begun, ended;
	u64 records;
};

/* Why the file cannot be read: nothing more is read. */
void replay_bad(struct replay *r, const char *why);
u64 take_num(struct replay *r);
/* A number that must be below `limit`, else the file is bad for that reason. */
u32 take_below(struct replay *r, u64 limit, const char *why);
s64 take_signed(struct replay *r);
/* A text in `a`, with `room` bytes at least, the rest zeros; NULL: there is none. */
const char *take_text(struct replay *r, struct arena *a, size_t room, u32 *len);
/* NULL: none. */
const char *take_str(struct replay *r, struct arena *a);
/* never NULL */
const char *take_name(struct replay *r, struct arena *a);
/* A text that gets a number when it comes first; NULL: none. */
const char *take_word(struct replay *r);
/* A value that the field records. */
void take_val(struct replay *r, struct arena *a, const struct img_field *f, struct val *v);
void take_state(struct replay *r);
void replay_sampled(struct replay *r, const struct img_agg *);
/* Aggregations and their rows, in r->part; never NULL. */
struct agg_print *take_print(struct replay *r, const struct img_action *act);

#endif
