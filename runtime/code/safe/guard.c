/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guard.c - mapped files of other users, which may be cut short meanwhile.
 *
 * Debugging information can be larger than memory, so it is mapped. Reading a missing part would
 * end the process (SIGBUS). Instead it is read as zeros, which libdw takes for the end, and
 * guard_was_cut() reports it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/code/tables.h"

/* Never freed, because a signal may arrive while the list is read: unused ones have no bytes,
 * and are reused. */
struct guard {
	struct guard *next;
	uintptr_t at, end;
	volatile sig_atomic_t cut;
};

static struct guard *guard_first;
static struct sigaction guard_before;
static uintptr_t guard_page;
static pthread_mutex_t guard_lock = PTHREAD_MUTEX_INITIALIZER;

static void guard_on_bus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	for (struct guard *g = info->si_code == BUS_ADRERR
				       ? __atomic_load_n(&guard_first, __ATOMIC_ACQUIRE)
				       : NULL;
	     g; g = g->next) {
		if (at < g->at || at >= g->end ||
		    mmap((void *)(at & -guard_page), guard_page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			continue;
		g->cut = 1;
		return;
	}
	/* Not our mapping: restores the default action. */
	if (guard_before.sa_flags & SA_SIGINFO)
		guard_before.sa_sigaction(sig, info, context);
	else if (guard_before.sa_handler != SIG_DFL && guard_before.sa_handler != SIG_IGN)
		guard_before.sa_handler(sig);
	else
		signal(sig, SIG_DFL);            /* the access is repeated, and ends the process */
}

static void guard_install(void)
{
	struct sigaction act = { .sa_sigaction = guard_on_bus,
				 .sa_flags = SA_SIGINFO | SA_NODEFER };

	guard_page = sysconf(_SC_PAGESIZE);
	sigaction(SIGBUS, &act, &guard_before);
}

struct guard *guard_mapping(const void *at, size_t len)
{
	struct guard *g;

	pthread_mutex_lock(&guard_lock);
	if (!guard_first)
		guard_install();
	for (g = guard_first; g && g->end; g = g->next)
		;
	if (!g) {
		g = xcalloc(1, sizeof(*g));
		g->next = guard_first;
		__atomic_store_n(&guard_first, g, __ATOMIC_RELEASE);
	}
	g->cut = 0;
	g->at = (uintptr_t)at;
	g->end = (uintptr_t)at + len;
	pthread_mutex_unlock(&guard_lock);
	return g;
}

void guard_forget(const void *at, size_t len)
{
	uintptr_t from = (uintptr_t)at, end = (from + len) & -guard_page;

	for (struct guard *g = __atomic_load_n(&guard_first, __ATOMIC_ACQUIRE); g; g = g->next) {
		if (from < g->at || from + len > g->end)
			continue;
		from = (from + guard_page - 1) & -guard_page;
		if (from < end)
			madvise((void *)from, end - from, MADV_DONTNEED);
		return;
	}
}

bool guard_was_cut(const struct guard *g)
{
	return g->cut;
}

void guard_end(struct guard *g)
{
	if (g)
		g->at = g->end = 0;
}
