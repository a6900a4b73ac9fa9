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
#include <stdlib.h>

#include "runtime/code/safe/budget.h"

#define READ_MOST    (512ull << 20)      /* bytes in a run */
#define KEEP_MOST    (64ull << 20)       /* bytes of memory */
#define SYMBOLS_FEW  100000u             /* of a file; this many are not counted */
#define SYMBOLS_MOST 2000000u            /* of a file, 64 bytes and a name each; two such files */
#define SYMBOL_BYTES 88                  /* while they are read, without the names */
#define FIRST_NS     500000000ll         /* of reading while events arrive; after that a share */
#define SHARE        20
#define GRACE_NS     200000000ll         /* after a signal, for what was begun: most files end */

struct budget {
	u64 read, kept, symbols;
	u64 memory;                      /* bytes that files have together; 0: enough */
	u64 (*room)(void);               /* bytes that there are now */
	s64 begun, spent;                /* ns */
	s64 stopped;                     /* when the user was seen to want an end, ns; 0: not */
	enum budget_hurry (*ask)(void *);
	void (*reading)(void *, bool on);
	void *arg;
	u32 depth;                       /* of budget_reading() */
	u32 hurry;                       /* what ask() said, for a thread aside */
	bool left;                       /* the user wanted an end meanwhile */
	bool silent;                     /* its file system did not answer */
	bool tight;                      /* the memory group is too small for it */
	bool old;                        /* `first` is the file of an earlier process */
	char first[256];                 /* the first file that was not read to its end */
};

static _Thread_local struct budget own, *lent;

static struct budget *mine(void)
{
	return lent ? lent : &own;
}

void budget_begin(enum budget_hurry (*ask)(void *), void (*reading)(void *, bool on), void *arg)
{
	struct budget *b = mine();
	u64 kept = b->kept;

	memset(b, 0, sizeof(*b));
	b->kept = kept;                  /* it is still there */
	b->ask = ask;
	b->reading = reading;
	b->arg = arg;
	b->begun = clock_ns(CLOCK_MONOTONIC);
}

void budget_end(void)
{
	struct budget *b = mine();

	aside_end();
	b->ask = NULL;
	b->reading = NULL;
}

void budget_memory(u64 bytes, u64 (*left)(void))
{
	struct budget *b = mine();

	b->memory = bytes;
	b->room = left;
}

void budget_reading(bool on)
{
	struct budget *b = mine();
	bool outermost = on ? !b->depth++ : !--b->depth;

	if (outermost && b->reading)
		b->reading(b->arg, on);
}

void budget_refuse(const char *what, ...)
{
	struct budget *b = mine();
	va_list ap;

	va_start(ap, what);
	if (!*b->first)
		vsnprintf(b->first, sizeof(b->first), what, ap);
	va_end(ap);
}

void budget_old(const char *what, u32 pid)
{
	struct budget *b = mine();

	if (*b->first)
		return;
	snprintf(b->first, sizeof(b->first), "%s of process %u", what, pid);
	b->old = true;
}

bool budget_read(u64 bytes)
{
	struct budget *b = mine();
	bool fits = b->read + bytes <= READ_MOST;

	b->read += fits ? bytes : 0;
	return fits;
}

bool budget_keep(u64 bytes)
{
	struct budget *b = mine();
	bool fits = b->kept + bytes <= budget_share(KEEP_MOST);

	b->kept += fits ? bytes : 0;
	return fits;
}

void budget_free(u64 bytes)
{
	struct budget *b = mine();

	b->kept -= MIN(bytes, b->kept);
}

s64 budget_start(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

bool budget_go_on(s64 *since)
{
	struct budget *b = mine();
	s64 now = clock_ns(CLOCK_MONOTONIC);
	enum budget_hurry hurry = b->ask ? b->ask(b->arg) : BUDGET_CALM;

	b->spent += now - *since;
	*since = now;
	return hurry == BUDGET_CALM ||
	       (hurry == BUDGET_EVENTS &&
		b->spent < FIRST_NS + (now - b->begun) / SHARE);
}

bool budget_stopped(void)
{
	struct budget *b = mine();

	return b->ask && b->ask(b->arg) == BUDGET_STOP;
}

/* Where memory is limited, half as much again as all files have that are kept: they are thrown out
 * when this one was read. */
u64 budget_share(u64 most)
{
	const struct budget *b = mine();

	return b->memory ? MIN(most, MIN(b->memory / 2 * 3, b->room())) : most;
}

static bool symbols_fit(u64 n, u64 names)
{
	u64 share = budget_share(UINT64_MAX);

	return names <= share && n <= (share - names) / SYMBOL_BYTES;
}

bool budget_symbols(u64 n, u64 names, u64 *taken)
{
	struct budget *b = mine();

	if (n < SYMBOLS_FEW && symbols_fit(n, names))
		return true;
	if (n > SYMBOLS_MOST || b->symbols + n > 2 * SYMBOLS_MOST || !symbols_fit(n, names)) {
		b->tight |= !*b->first && n <= SYMBOLS_MOST && !symbols_fit(n, names);
		budget_refuse("a file with %llu symbols", (unsigned long long)n);
		return false;
	}
	b->symbols += n;
	*taken += n;
	return true;
}

void budget_symbols_free(u64 n)
{
	struct budget *b = mine();

	b->symbols -= MIN(n, b->symbols);
}

const char *budget_name(const char *name, size_t room, u64 *left)
{
	size_t most = (size_t)MIN((u64)room, *left), len = strnlen(name, most);

	*left -= len;
	return len < most ? name : NULL;
}

void budget_leave(const char *path)
{
	struct budget *b = mine();

	if (*b->first)
		return;                  /* a message is enough */
	snprintf(b->first, sizeof(b->first), "%s", path);
	b->left = budget_hasty();
	b->silent = !b->left;
}

/* ---- lent to a thread aside ------------------------------------------------------------ */

bool budget_asks(void)
{
	return !lent && own.ask;
}

static enum budget_hurry ask_copy(void *arg)
{
	const struct budget *copy = arg;

	return (enum budget_hurry)__atomic_load_n(&copy->hurry, __ATOMIC_ACQUIRE);
}

struct budget *budget_copy_new(void)
{
	return xcalloc(1, sizeof(struct budget));
}

void budget_copy_free(struct budget *copy)
{
	free(copy);
}

bool budget_hasty(void)
{
	struct budget *b = mine();
	s64 now = clock_ns(CLOCK_MONOTONIC);

	if (!budget_stopped())
		b->stopped = 0;
	else if (!b->stopped)
		b->stopped = now;
	return b->stopped && now - b->stopped > GRACE_NS;
}

bool budget_copy_ask(struct budget *copy)
{
	struct budget *b = mine();
	bool hasty = budget_hasty();
	enum budget_hurry hurry = hasty ? BUDGET_STOP : b->ask(b->arg);

	if (hasty || hurry != BUDGET_STOP)
		__atomic_store_n(&copy->hurry, hurry, __ATOMIC_RELEASE);
	return !hasty;
}

void budget_lend(struct budget *copy)
{
	*copy = *mine();
	copy->ask = ask_copy;
	copy->arg = copy;
	copy->reading = NULL;
	copy->hurry = BUDGET_CALM;
	budget_copy_ask(copy);
}

void budget_use(struct budget *copy)
{
	lent = copy;
}

void budget_take_back(const struct budget *copy)
{
	struct budget *b = mine();
	struct budget was = *b;

	*b = *copy;
	b->ask = was.ask;
	b->arg = was.arg;
	b->reading = was.reading;
	b->hurry = was.hurry;
}

const char *budget_trouble(struct arena *a)
{
	const struct budget *b = mine();

	if (!*b->first)
		return NULL;
	if (b->left)
		return arena_printf(a, "names in stacks are missing: the run was to end while %s "
				    "was read", b->first);
	if (b->silent)
		return arena_printf(a, "names in stacks are missing: the file system of %s did not "
				    "answer", b->first);
	if (b->tight)
		return arena_printf(a, "names in stacks are missing: %s needs more memory than the "
				    "memory group of dtx has for it", b->first);
	if (b->old)
		return arena_printf(a, "names in stacks are missing: %s was written before the "
				    "process began, so an earlier one with its number has left it",
				    b->first);
	return arena_printf(a, "names in stacks are missing: %s is too large or mostly holes, and "
			    "was not read (limits: \"Files of other users\" in docs/trust.md)",
			    b->first);
}
