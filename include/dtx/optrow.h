/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * optrow.h - options.def as a table (base/tables/options.c), for those who read it; opt.h has the
 * options by name.
 */
#ifndef DTX_OPTROW_H
#define DTX_OPTROW_H

#include <dtx/env.h>

enum opt_kind { OPTK_FLAG, OPTK_INT, OPTK_SIZE, OPTK_RATE, OPTK_TIME, OPTK_SHARE, OPTK_STR };
enum opt_when { OPTW_COMPILE, OPTW_RUN, OPTW_DYNAMIC };

struct opt_row {
	const char *name;
	enum opt_kind kind;
	enum opt_when when;
	const char *dflt;        /* text, or NULL: off / 0 / "" */
	s64 min, max;
	const char *doc;
	const char *words;       /* OPTK_STR: the allowed texts, or NULL: any */
	const char *other;       /* what has other ways to get what people want of it, or NULL */
	const char *word;        /* may be given instead of the number word_is; NULL: none */
	s64 word_is;
	s64 step;                /* it is made a multiple of this power of 2; 0: it is not */
	const char *idle;        /* why setting it changes nothing, or NULL */
	bool adds;               /* OPTK_STR: given again, the text is added */
	bool outside;            /* a pragma may not set it */
	bool here;               /* an image does not keep it */
};
extern const struct opt_row opt_rows[];          /* by enum opt_id */
extern const u32 opt_nrows;

struct opt_value {
	bool set;                /* given by the user … */
	bool usual;              /* … for all runs: DTX_OPT_… */
	bool told;               /* reported that it has no effect */
	s64 n;                   /* flag 0/1; number; bytes; nanoseconds (rates: the period) */
	const char *s;           /* OPTK_STR, OPTK_* as given */
};

/* 0, -ENOENT (no such option; *near is the nearest name or NULL), -EINVAL (bad value). */
int options_set(struct options *, struct arena *, const char *name, const char *value,
		const char **near);
void options_are_usual(struct options *);        /* those that are set */
bool options_read(enum opt_kind, const char *text, s64 *n);      /* a value by itself */
struct options *options_new(struct arena *);     /* all at their defaults */
struct options *options_copy(struct arena *, const struct options *);
void options_restore(struct options *, const struct options *copy);
/* Adds what `now` has and `before` has not; options_change() does the same to another one, and is
 * false for what is no such text. */
void options_changes(const struct options *before, const struct options *now, struct buf *);
bool options_change(struct options *, struct arena *, const char *text, size_t len);
/* Reports, once, each option that was set and has no effect, and why; not with -q. */
void options_tell_idle(struct dtx_env *, struct range);
u32 options_find(const char *name);              /* enum opt_id; opt_nrows: not found */
const char *options_nearest(const char *name);   /* of a mistyped one; NULL: none is near */
/* Does a sink of the run want the time of each record?  `format`: value of the option format. */
bool options_want_times(const struct options *, const char *format);
/* How its values are written, and their limits; NULL: any text. */
const char *options_form(struct arena *, const char *name);

#endif
