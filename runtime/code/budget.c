/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * budget.c - what a run may spend on files that traced programs, or their users, write: a user's
 * file must not make a tracer of root large, slow or deaf.
 *
 *   bytes    read from them in a run
 *   memory   for what is kept of them
 *   symbols  of large programs
 *   time     while events arrive, a share of it: the rest of a file is read later
 *
 * There is one budget for all files.  Each reader asks before it reads a block and before it
 * keeps something; a reader that gets no as an answer stops where it is.  A budget belongs to a
 * thread, as a run does.
 */
#include <stdio.h>

#include "runtime/code/budget.h"

#define READ_MOST    (512ull << 20)      /* bytes in a run */
#define KEEP_MOST    (64ull << 20)       /* bytes of memory */
#define SYMBOLS_FEW  100000u             /* of a file; this many are not counted */
#define SYMBOLS_MOST 2000000u            /* of a file, 64 bytes and a name each; two such files */
#define FIRST_NS     500000000ll         /* of reading while events arrive; after that a share */
#define SHARE        20

static _Thread_local struct {
	u64 read, kept, symbols;
	s64 begun, spent;                /* ns */
	enum budget_hurry (*ask)(void *);
	void (*reading)(void *, bool on);
	void *arg;
	u32 depth;                       /* of budget_reading() */
	char first[256];                 /* the first file that was not read to its end */
} budget;

void budget_begin(enum budget_hurry (*ask)(void *), void (*reading)(void *, bool on), void *arg)
{
	u64 kept = budget.kept;

	memset(&budget, 0, sizeof(budget));
	budget.kept = kept;              /* it is still there */
	budget.ask = ask;
	budget.reading = reading;
	budget.arg = arg;
	budget.begun = clock_ns(CLOCK_MONOTONIC);
}

void budget_end(void)
{
	budget.ask = NULL;
	budget.reading = NULL;
}

void budget_reading(bool on)
{
	bool outermost = on ? !budget.depth++ : !--budget.depth;

	if (outermost && budget.reading)
		budget.reading(budget.arg, on);
}

void budget_refuse(const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	if (!*budget.first)
		vsnprintf(budget.first, sizeof(budget.first), what, ap);
	va_end(ap);
}

bool budget_read(u64 bytes)
{
	bool fits = budget.read + bytes <= READ_MOST;

	budget.read += fits ? bytes : 0;
	return fits;
}

bool budget_keep(u64 bytes)
{
	bool fits = budget.kept + bytes <= KEEP_MOST;

	budget.kept += fits ? bytes : 0;
	return fits;
}

void budget_free(u64 bytes)
{
	budget.kept -= MIN(bytes, budget.kept);
}

s64 budget_start(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

bool budget_go_on(s64 *since)
{
	s64 now = clock_ns(CLOCK_MONOTONIC);
	enum budget_hurry hurry = budget.ask ? budget.ask(budget.arg) : BUDGET_CALM;

	budget.spent += now - *since;
	*since = now;
	return hurry == BUDGET_CALM ||
	       (hurry == BUDGET_EVENTS &&
		budget.spent < FIRST_NS + (now - budget.begun) / SHARE);
}

bool budget_stopped(void)
{
	return budget.ask && budget.ask(budget.arg) == BUDGET_STOP;
}

bool budget_symbols(u64 n, u64 *taken)
{
	if (n < SYMBOLS_FEW)
		return true;
	if (n > SYMBOLS_MOST || budget.symbols + n > 2 * SYMBOLS_MOST) {
		budget_refuse("a file with %llu symbols", (unsigned long long)n);
		return false;
	}
	budget.symbols += n;
	*taken += n;
	return true;
}

void budget_symbols_free(u64 n)
{
	budget.symbols -= MIN(n, budget.symbols);
}

const char *budget_trouble(struct arena *a)
{
	return *budget.first ?
	       arena_printf(a, "names in stacks are missing: %s is too large or mostly holes, "
			    "and was not read (limits: \"Files of other users\" in "
			    "docs/trust.md)", budget.first) : NULL;
}
