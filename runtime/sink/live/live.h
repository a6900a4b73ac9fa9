/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.h - the sink of --live: a view on the whole screen of the terminal.
 *
 *   live.c     the sink: feeds the view, acts on keys
 *   screen.c   the terminal: taken and given back, in any case; keys
 *   draw*.c    a view on the screen
 *   divert.c   what would be written on the screen meanwhile
 *
 * Only this folder includes curses, which is linked statically: a run without --live calls none
 * of it.
 */
#ifndef DTX_LIVE_H
#define DTX_LIVE_H

#include <dtx/env.h>

#include "runtime/view/view.h"

/* ---- screen.c ------------------------------------------------------------------------- */

struct screen;

enum key {
	KEY_IS_NONE, KEY_IS_CHAR, KEY_IS_UP, KEY_IS_DOWN, KEY_IS_LEFT, KEY_IS_RIGHT,
	KEY_IS_PAGE_UP, KEY_IS_PAGE_DOWN, KEY_IS_HOME, KEY_IS_END, KEY_IS_ENTER, KEY_IS_TAB,
	KEY_IS_BACKTAB, KEY_IS_ERASE, KEY_IS_ESCAPE, KEY_IS_RESIZE,
};

/* Takes the terminal of the process; NULL with a failure (dtx_env_fail).  One at a time. */
struct screen *screen_new(struct dtx_env *);
void screen_free(struct screen *);               /* gives it back; NULL is fine */
int screen_fd(const struct screen *);            /* readable: screen_key() has something */
enum key screen_key(struct screen *, char *c);   /* KEY_IS_NONE: no more; never waits */
/* Between these two the functions of curses may be called.  false: the terminal has not yet taken
 * what was drawn before, so nothing is drawn now. */
bool screen_begin(struct screen *);
void screen_end(struct screen *);
bool screen_is_utf8(const struct screen *);
u32 screen_colours(const struct screen *);       /* 0, 8 or 256 */
bool screen_gone(const struct screen *);         /* the terminal was closed */

/* ---- divert.c ------------------------------------------------------------------------- */

struct divert;

/* From now on, what dtx and its commands write to a terminal is kept, until divert_free(). */
struct divert *divert_new(void);                 /* NULL: no memory file; nothing is kept */
/* What commands wrote since the last call goes to the log. */
void divert_read(struct divert *, struct view *);
void divert_end(struct divert *);                /* gives back the files, prints what was kept */
void divert_free(struct divert *);               /* NULL is fine */
void divert_undo(void);                          /* at once, async-signal-safe: prints nothing */
bool divert_has(const struct divert *, int fd);  /* is 1 or 2 diverted?  NULL is fine */

/* ---- draw.c, drawagg.c, drawhist.c -------------------------------------------------------- */

enum live_mode { LIVE_TAB, LIVE_TILES, LIVE_LOG, LIVE_HELP };

/* What the user has chosen. */
struct live_agg {
	u32 column;              /* that orders the table */
	bool ascending;
	u32 top, at;             /* first row shown, row of the cursor */
	u32 shown, matching;     /* rows at the last drawing */
	u32 id;                  /* row id at the cursor, UINT32_MAX: none */
};
struct live {
	struct out *o;
	struct feed *feed;
	struct view *view;
	struct screen *screen;
	struct live_agg *aggs;
	u32 agg;                 /* the tab */
	enum live_mode mode;
	bool paused, typing;     /* typing: a filter is being entered */
	bool heat;               /* the heat map, not the histogram, if there is room for one */
	char filter[64];
	u64 log_end;             /* paused or scrolled: the line after the last one shown, else 0 */
	s64 refresh;             /* ns between samples */
	s64 time;                /* replay: of the last record or sample, CLOCK_MONOTONIC */
	bool dirty;              /* the screen is not up to date */
};

void draw(struct live *);
struct box { int y, x, h, w; };
/* Text in a column of that width, cut or filled with blanks. */
/* What has no room ends in a mark. */
void draw_text(const struct live *, int y, int x, int w, bool right, const char *text);
int draw_width(const struct live *, const char *text);   /* in columns */
void draw_agg(struct live *, u32 agg, struct box);       /* its table */
void draw_hist(struct live *, const struct view_agg *, struct box);
void draw_heat(struct live *, const struct view_agg *, struct box);
/* A number in at most 9 columns: "12345", "1.25ms" … */
void draw_number(char to[24], double n, const char *unit);

enum { PAIR_TITLE = 1, PAIR_BAD, PAIR_DIM, PAIR_HEAT };          /* PAIR_HEAT and the next ones */
#define HEAT_LEVELS  8

#endif
