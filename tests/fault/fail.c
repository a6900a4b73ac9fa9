/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fail.c - preloaded into dtx by a test: one call of a kind fails.
 *
 * DTX_FAIL=KIND:K makes the K-th call (from 1) of KIND fail; KIND is malloc (malloc, calloc,
 * realloc), mmap, bpf, perf (perf_event_open) or thread (pthread_create). With DTX_FAIL_SIGNAL=N
 * the call does not fail: DTX_FAIL_TIMES (1) signals N come in front of it. DTX_FAIL_COUNT=FILE
 * gets how many calls of each kind there were, as "KIND N" lines. The programs that dtx starts are
 * left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { MALLOC, MMAP, BPF, PERF, THREAD, KINDS };

static const char *const names[KINDS] = { "malloc", "mmap", "bpf", "perf", "thread" };
static long calls[KINDS], wanted[KINDS];
static const char *count_file;
static int on, signal_no, times = 1;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static int fails(enum kind k)
{
	if (!on || __atomic_add_fetch(&calls[k], 1, __ATOMIC_RELAXED) != wanted[k])
		return 0;
	for (int i = 0; signal_no && i < times; i++)
		kill(getpid(), signal_no);
	return !signal_no;
}

__attribute__((constructor)) static void start(void)
{
	const char *text = getenv("DTX_FAIL");

	if (getenv("DTX_FAIL_SIGNAL"))
		signal_no = atoi(getenv("DTX_FAIL_SIGNAL"));
	if (getenv("DTX_FAIL_TIMES"))
		times = atoi(getenv("DTX_FAIL_TIMES"));
	count_file = getenv("DTX_FAIL_COUNT");
	for (int k = 0; text && k < KINDS; k++) {
		size_t n = strlen(names[k]);

		if (!strncmp(text, names[k], n) && text[n] == ':')
			wanted[k] = atol(text + n + 1);
	}

	on = !strcmp(program_invocation_short_name, "dtx");
}

__attribute__((destructor)) static void end(void)
{
	char text[200] = "";
	int fd, n = 0;

	on = 0;
	for (int k = 0; k < KINDS; k++)
		n += snprintf(text + n, sizeof(text) - n, "%s %ld\n", names[k], calls[k]);
	fd = count_file && calls[MALLOC]
		     ? open(count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
		     : -1;
	if (fd >= 0 && write(fd, text, n) == n)
		close(fd);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *with)
{
	static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (fails(THREAD))
		return errno = EAGAIN;
	if (!next)
		next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, how, start, with);
}

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t n)
{
	return fails(MALLOC) ? no_memory() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails(MALLOC) ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails(MALLOC) ? no_memory() : __libc_realloc(p, n);
}

static long kernel(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	if (ret < 0 && ret > -4096) {
		errno = -ret;
		return -1;
	}
	return ret;
}

void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	if (!fails(MMAP))
		return (void *)kernel(SYS_mmap, (long)at, len, prot, flags, fd, off);
	errno = ENOMEM;
	return MAP_FAILED;
}

void *mmap64(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	return mmap(at, len, prot, flags, fd, off);
}

long syscall(long nr, ...)
{
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if ((nr == SYS_bpf && fails(BPF)) || (nr == SYS_perf_event_open && fails(PERF))) {
		errno = nr == SYS_bpf ? ENOMEM : EMFILE;
		return -1;
	}
	return kernel(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}
