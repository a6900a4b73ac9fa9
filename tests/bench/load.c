/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load KIND N [ROUNDS]: do one thing N times in a tight loop, five times over, and append "KIND N
 * NANOSECONDS END PROCESSOR" to the file named by LOAD_OUT: the median of the five, for the N times
 * together, when it ended in seconds since 1970, and the median of the processor time in
 * nanoseconds.
 *
 * In a guest whose clock counts instructions, nanoseconds are instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 5            /* at most */

static int zero;
static char byte[16];

/* What user probes are set on; the names are part of the programs in guest.cases. */
__attribute__((noinline)) long load_call(long x)
{
	asm volatile("" : "+r"(x));
	return x + 1;
}

#ifdef __aarch64__
#define NAKED                            /* it makes no frame */
#define SITE_RETURN "add x0, x0, 1\nret\n"
#define SITE_ARG    "8@x0"
#else
#define NAKED       __attribute__((naked))
#define SITE_RETURN "lea 1(%rdi), %rax\nret\n"
#define SITE_ARG    "8@%rdi"
#endif

/* As functions of programs begin that are built for control-flow enforcement. */
__attribute__((noinline)) NAKED long load_cet(long x)
{
	asm volatile(
#ifdef __aarch64__
		     "bti c\n"
#else
		     "endbr64\n"
		     "push %rbx\n"
		     "pop %rbx\n"
#endif
		     SITE_RETURN);
}

/* A USDT probe load:site with one argument, the number of the round, in its register: a nop and its
 * note. */
__attribute__((noinline)) NAKED long load_usdt(long x)
{
	asm volatile(
		".globl load_site\n"
		".type load_site, @function\n"
		"load_site: nop\n"
		SITE_RETURN
		".pushsection .note.stapsdt,\"?\",\"note\"\n"
		".balign 4\n"
		".4byte 2f-1f, 4f-3f, 3\n"
		"1: .asciz \"stapsdt\"\n"
		"2: .balign 4\n"
		"3: .8byte load_site, _.stapsdt.base, 0\n"
		".asciz \"load\"\n"
		".asciz \"site\"\n"
		".asciz \"" SITE_ARG "\"\n"
		"4: .balign 4\n"
		".popsection\n"
		".ifndef _.stapsdt.base\n"
		".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
		".weak _.stapsdt.base\n"
		".hidden _.stapsdt.base\n"
		"_.stapsdt.base: .space 1\n"
		".size _.stapsdt.base, 1\n"
		".popsection\n"
		".endif\n");
}

/* 2^DEPTH ways to get to load_leaf(), by the low bits of a number. */
#define DEPTH 14
#define FRAMES \
	__attribute__((noinline, optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")))

FRAMES long load_leaf(long x)
{
	asm volatile("" : "+r"(x));
	return x + 1;
}

static long path(long x, int depth);
FRAMES static long left(long x, int depth)  { return path(x, depth) + 1; }
FRAMES static long right(long x, int depth) { return path(x, depth) + 2; }

FRAMES static long path(long x, int depth)
{
	if (depth == DEPTH)
		return load_leaf(x) + 1;
	return x >> depth & 1 ? left(x, depth + 1) + 1 : right(x, depth + 1) + 1;
}

static void do_getppid(long i) { syscall(SYS_getppid); }
static void do_rename(long i)  { prctl(PR_SET_NAME, "load"); }
static void do_read(long i)    { if (read(zero, byte, 1) < 0) exit(1); }
static void do_call(long i)    { load_call(i); }
static void do_cet(long i)     { load_cet(i); }
static void do_path(long i)    { path(i, 0); }
static void do_usdt(long i)    { load_usdt(i); }
static void do_spin(long i)    { for (int k = 0; k < 1000; k++) asm volatile(""); }

static const struct { const char *name; void (*one)(long); } kinds[] = {
	{ "getppid", do_getppid }, { "rename", do_rename }, { "read", do_read },
	{ "call", do_call }, { "cet", do_cet }, { "path", do_path }, { "usdt", do_usdt },
	{ "spin", do_spin },
};

static long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	long x = *(long *)a, y = *(long *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	const char *out = getenv("LOAD_OUT");
	long n = argc > 2 ? atol(argv[2]) : 0, rounds = argc > 3 ? atol(argv[3]) : ROUNDS,
	     took[ROUNDS], used[ROUNDS];
	struct timespec end;
	void (*one)(long) = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (argc > 2 && !strcmp(kinds[i].name, argv[1]))
			one = kinds[i].one;
	zero = open("/dev/zero", O_RDONLY);
	if (!one || n < 1 || rounds < 1 || rounds > ROUNDS || zero < 0) {
		fprintf(stderr, "usage: load KIND N [ROUNDS]\n");
		return 2;
	}
	for (int r = 0; r < rounds; r++) {
		long from = now(CLOCK_MONOTONIC), used_from = now(CLOCK_PROCESS_CPUTIME_ID);

		for (long i = 0; i < n; i++)
			one(i);
		took[r] = now(CLOCK_MONOTONIC) - from;
		used[r] = now(CLOCK_PROCESS_CPUTIME_ID) - used_from;
	}
	clock_gettime(CLOCK_REALTIME, &end);
	qsort(took, rounds, sizeof(long), ascending);
	qsort(used, rounds, sizeof(long), ascending);
	FILE *f = out ? fopen(out, "a") : stdout;
	if (!f)
		return 1;
	fprintf(f, "%s %ld %ld %ld.%09ld %ld\n", argv[1], n, took[rounds / 2], end.tv_sec,
		end.tv_nsec, used[rounds / 2]);
	return fclose(f) ? 1 : 0;
}
