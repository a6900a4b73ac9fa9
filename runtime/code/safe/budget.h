/* SPDX-License-Identifier: BSD-2-Clause */
/* budget.h - what a run may spend on files of others (budget.c). */
#ifndef DTX_BUDGET_H
#define DTX_BUDGET_H

#include <dtx/base.h>

/* code/budget.c: reading files that traced programs write (perf-PID.map …) must not hold up a run,
 * of this thread.  The session says how it is: */
enum budget_hurry {
	BUDGET_CALM,                     /* there is time */
	BUDGET_EVENTS,                   /* events arrive: a share of the time */
	BUDGET_STOP,                     /* the user wants an end */
};
void budget_begin(enum budget_hurry (*ask)(void *), void (*reading)(void *, bool on), void *arg);
void budget_end(void);
/* There is little: all files have these bytes together, and one no more than left() says. */
void budget_memory(u64 bytes, u64 (*left)(void));
void budget_reading(bool on);                    /* files may be read until false; it nests */
/* What was not read to its end, for a message; NULL: nothing. */
const char *budget_trouble(struct arena *);


/* ---- budget.c: what reading files of traced programs may cost ----------------- */

/* Takes bytes from the budget; false: it is spent, and the reader stops for good. */
bool budget_read(u64 bytes);
bool budget_keep(u64 bytes);                     /* the same for memory */
void budget_free(u64 bytes);
u64 budget_share(u64 most);                      /* bytes that one reader may hold at a time */
void budget_refuse(const char *what, ...) PRINTF_LIKE(1, 2);     /* the first is told at the end */
void budget_old(const char *what, u32 pid);      /* an earlier process left it: told, too */
/* Time: budget_start() before the first block, budget_go_on() before each.  false: not now. */
s64 budget_start(void);
bool budget_go_on(s64 *since);
bool budget_stopped(void);                       /* does the user want an end? */
/* Takes the symbols of a file, with so many bytes of names, from the budget, and adds their number
 * to *taken, for budget_symbols_free(); false: too many. */
bool budget_symbols(u64 n, u64 names, u64 *taken);
void budget_symbols_free(u64 n);
/* A name of a table of strings that has `room` bytes from there, *left of which may be looked at;
 * NULL: it has no end, or they are used up.  Many names can have the same bytes: each of a million
 * could be all of them. */
const char *budget_name(const char *name, size_t room, u64 *left);
void budget_leave(const char *path);             /* it was left by aside(): told at the end */
bool budget_asks(void);                          /* is there somebody who may want an end? */
bool budget_hasty(void);                         /* stopped for so long that nothing is begun */
/* For aside.c: the budget is lent to another thread, which asks there what the thread of the run
 * was told last. */
struct budget;
struct budget *budget_copy_new(void);
void budget_copy_free(struct budget *);
bool budget_copy_ask(struct budget *);           /* false: it is to be left */
void budget_lend(struct budget *);
void budget_use(struct budget *);                /* in the other thread */
void budget_take_back(const struct budget *);

/* ---- aside.c: work that can be left behind --------------------------------------------- */

enum aside {
	ASIDE_DONE,
	ASIDE_LATER,             /* the user wants an end: it was not begun */
	ASIDE_LEFT,              /* the same, but it goes on alone */
};
/* The device of a file, and a process that sees it; zeros: reading may take any time. */
struct aside_device {
	u32 pid, major, minor;
};
/* Calls work(arg), which reads a file of others.  It is left if the user wants an end, or if the
 * device is a program that does not answer.  Then left(arg) is called after it, in its thread;
 * nobody else may use then what it uses. */
enum aside aside(void (*work)(void *arg), void *arg, void (*left)(void *arg),
		 const struct aside_device *);
/* What read() makes of an open file; NULL also if *how is not ASIDE_DONE.  read() is given a
 * descriptor and a path of its own.  drop() frees what was made if it was left; it takes NULL. */
void *aside_file(int fd, const char *path, void *(*read)(int fd, const char *path),
		 void (*drop)(void *made), enum aside *how);
void aside_end(void);            /* the thread for it ends; a later one is new */
bool aside_left(void);           /* was work of this thread left? */

#endif
