/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.h - values to text: printf, print, charts; the sinks are declared in dtx/value.h.
 *
 * runtime/sink/ includes this, view.h where a file shows views, and base: no other header of the
 * runtime (tests/lint).
 */
#ifndef DTX_SINK_H
#define DTX_SINK_H

#include <stdio.h>
#include <sys/utsname.h>

#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/value.h>

/* ---- sinks.c: the sinks of a run -------------------------------------------------------- */

struct outs {
	struct out v[16];                /* v[0]: the output of the run; n of them are open */
	u32 n;
	struct run_info info;
	const char **programs;
	struct utsname uts;
	bool telling, ending, ended;
	bool hidden;                     /* v[0] gets nothing: outs_hide() */
	int failed;                      /* errno of a sink beside the output that failed */
	struct { u32 from, to, jumps; } ahead;  /* rows of a print whose names are known */
};

/* data.c: the sinks that no option asks for. */
extern const struct dtx_sink sink_data, sink_none;

/* Opens the sinks that the options ask for.  0, or -errno with a failure (dtx_env_fail); then
 * outs_close() is still called.  `file` stays with the caller, NULL: the run has no output.
 * `given`: the run of a recording or of other machines; NULL: one that begins now. */
int outs_open(struct outs *, struct dtx_env *, const struct img *, FILE *file,
	      const struct run_info *given);
void outs_close(struct outs *);
void outs_begin(struct outs *);
void outs_event(struct outs *, const struct event *);
void outs_aggs(struct outs *, const struct agg_print *);
/* Finds out again whether a sink has the screen on which v[0] would write. */
void outs_hide(struct outs *);
void outs_ending(struct outs *);
void outs_sample(struct outs *, const struct agg_print *);
void outs_option(struct outs *, const char *name, const char *value);
void outs_message(struct outs *, const struct dtx_message *, bool also_said);
void outs_end(struct outs *, const struct run_end *);    /* only the first call acts */
void outs_flush(struct outs *);
void outs_ready(struct outs *);
bool outs_sample_now(struct outs *);             /* did one of them ask for it?  Only once */
bool outs_stop(const struct outs *);             /* does one of them want the run to end? */
s64 outs_period(const struct outs *);            /* of samples, ns; 0: none wants them */
bool outs_unread(const struct outs *);           /* does nobody look at them now? */
bool outs_is_text(const struct outs *);

/* ---- out.c: what a sink asks of its output, and how it writes ------------------------------ */

/* For those whose output is text: writes the buffer to the file and empties it; the first error is
 * kept in o->err, and after it nothing is written. */
void out_write(struct out *o, struct buf *);
/* Of what has no time of its own: now, or in a replay the last time that was read. */
s64 out_now(const struct out *);
void out_flush(struct out *o);                   /* of the file, after out_write() */
/* Once the buffer reaches the end of a piece of the output: what follows the last whole line before
 * that end stays in the buffer.  File systems take whole pieces for less than others, and the
 * command of -c may write to the same file: between two lines, and not into one. */
void out_write_pieces(struct out *o, struct buf *, size_t piece);
static inline bool out_write_full(struct out *o, struct buf *b, size_t piece)   /* was it? */
{
	size_t room = piece - o->written % piece;

	if (room < piece / 2)            /* the last one ended there, but for a part of a line */
		room += piece;
	if (b->len < room)
		return false;
	out_write_pieces(o, b, piece);
	return true;
}

/* ---- outfile.c: the files of sinks beside the output -------------------------------------- */

struct outfile {
	const char *path, *name;         /* name: from dir */
	int dir, fd;
	bool made, regular;              /* made: it was not there before */
	bool begun;                      /* what was in it is gone */
	bool wanted;                     /* it is complete, even if it is empty */
	const char *tail;                /* set it: what ends a file that was cut, or NULL */
	u64 size;                        /* that was written */
	u64 whole, later, sooner;        /* ends of what was written whole, the last one first */
};
/* What is in the file stays until it is written to.  0, or -errno with a failure. */
int outfile_open(struct outfile *, struct out *, const char *path);
/* In the folder `dir`, which stays open until outfile_close(); of the path, the last part is its
 * name there, and all of it is shown. */
int outfile_open_at(struct outfile *, struct out *, int dir, const char *path);
/* A file that grows: writes and empties the buffer, which ends with something whole.  The first
 * error is kept in o->err, and the file ends with what came before. */
void outfile_write(struct outfile *, struct out *, struct buf *);
/* The whole file at once: it has this, or (o->err) what it had before. */
void outfile_put(struct outfile *, struct out *, const struct buf *);
void outfile_close(struct outfile *, struct out *);      /* not opened: fine */

/* ---- feed.c: the view of a sink that shows a run while it goes on ------------------------ */

struct feed;

struct feed *feed_new(const struct out *);       /* in open() */
void feed_free(struct feed *);                   /* NULL is fine */
struct view *feed_view(struct feed *);           /* view_sample(), view_message() feed it, too */
void feed_event(struct feed *, const struct event *);
void feed_flush(struct feed *);

extern const struct dtx_sink sink_text;

/* ---- printf.c ------------------------------------------------------------------------ */

/* What becomes of the texts of values; the text of the format itself is the program's own. */
enum quoting {
	QUOTE_NONE,
	QUOTE_PLAIN,             /* for a terminal: base/plain.c */
	QUOTE_SHELL,             /* for sh: one argument, or a part of one (shellquote.c) */
	QUOTE_PATH,              /* for a path: a name or a part of one; it leads nowhere else */
};

/* A checked format (DTrace guide "Output Formatting") and its values. */
struct format {
	const struct img_conv *convs;
	u32 nconvs;
	const struct val *vals;
	u32 nvals;
	const struct agg_print *print;   /* of printa: the aggregations, and a row of them */
	const struct agg_row *row;
	enum quoting quoting;
};
/* False: the text of a value is not what QUOTE_PATH allows. */
bool printf_run(struct dtx_env *, const struct format *, struct buf *out);

/* ---- print.c ------------------------------------------------------------------------- */

/* The name of a value of an enumeration, or of its bits ("A|B|0x40"). */
void print_names(const struct type *, u64 value, struct buf *out);
/* A floating-point number of so many bytes; false: none has so many. */
bool real_read(const void *p, size_t size, long double *n);

/* What print() prints: of its address, and bytes or a number at it. */
void item_object(struct dtx_env *, const struct item *, struct buf *out);

/* text.c: a blank, and an integer in a column by its size, with its own sign; addresses in
 * hexadecimal. */
void text_key_int(struct buf *, const struct val *);

/* stackset.c: the text of a key that is no stack. */
void stack_key_text(struct dtx_env *, const struct val *, struct buf *);

/* ---- sink/chart.c: agghist and aggpack -------------------------------------------------- */

/* What is kept from one print to the next: a VEC, which begins as zeros. */
struct chart_range {
	const char *name;        /* of the aggregation */
	u32 from, to;            /* buckets shown with aggpack */
};
struct chart {
	struct chart_range *v;
	u32 n, cap;
};
/* false: not requested by the options or the aggregations. */
bool chart_rows(struct out *, const struct agg_print *, struct chart *, struct buf *);

/* ---- hostlines.c: lines of text, each with its host ---------------------------------------- */

struct hostlines;
struct hostlines *hostlines_new(void);
void hostlines_free(struct hostlines *);                 /* NULL is fine */
/* What was written after `from` is of the event's host: whole lines stay, each begins with it. */
void hostlines_put(struct hostlines *, const struct event *, struct buf *out, size_t from);
void hostlines_end(struct hostlines *, struct buf *out); /* lines that have no end; NULL is fine */

/* ---- trace.c: for time lines ------------------------------------------------------------ */

bool trace_rises(const struct out *);            /* are the largest rows the last ones? */

/* ---- pairs.c: which probes are the begin and the end of a span ---------------------------- */

struct pairs;
enum half { HALF_NONE, HALF_ENTRY, HALF_RETURN };
struct pairs *pairs_new(void);
void pairs_free(struct pairs *);                 /* NULL is fine */
/* HALF_NONE, too, if the other half has no clause. */
enum half pairs_half(struct pairs *, const struct img *, const struct dtx_probe *);

/* Of both time lines. */
#define NESTED_MAX   16384       /* open calls of a thread; the outer ones of more have no end */
#define SERIES_MAX   16          /* of a counter: the keys with the largest values */
/* Can the run be one?  0, or -EINVAL with a failure; `option` is the one that asks for it. */
int pairs_check(struct out *, const char *option);
/* Is the event the return of the call whose entry had this probe and this frame? */
bool pairs_match(const struct dtx_probe *entry, u64 frame, const struct event *);

/* sink/elapsed.c: option flowtime; nanoseconds since the entry of the function that returns, -1:
 * its entry was not seen. */
struct elapsed;
struct elapsed *elapsed_new(void);
void elapsed_free(struct elapsed *);             /* NULL is fine */
void elapsed_entry(struct elapsed *, const struct event *);
s64 elapsed_return(struct elapsed *, const struct event *);

#endif
