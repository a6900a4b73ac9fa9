/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trapprice.c - what a probe in a program costs that program on this machine: the trap, without the
 * BPF program.  A function of dtx is called with a probe and without it; the probe is for the
 * thread that measures, so nobody else meets it.  In the kernel it is a function in a system call,
 * which others meet for some microseconds.
 * Why: docs/decisions/25-max-overhead.md
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

#define ROUNDS      5
#define CALLS       64           /* of a round; in a virtual machine a trap may take 100 µs */

typedef u64 traced_fn(u64);

__attribute__((noinline)) static u64 traced(u64 x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

/* The place of TRAP_NOP. */
extern const char traced_place[] __attribute__((visibility("hidden")));

__attribute__((noinline)) static u64 traced_nop(u64 x)
{
	__asm__ volatile("traced_place: nop" : "+r"(x));
	return x + 1;
}

/* ns of a call on the CPU, the least of some rounds: what else runs here only adds. */
static u64 time_calls(traced_fn *volatile f)
{
	u64 least = UINT64_MAX;

	for (u32 r = 0; r < ROUNDS; r++) {
		u64 from = clock_ns(CLOCK_THREAD_CPUTIME_ID);

		for (u32 i = 0; i < CALLS; i++)
			f(i);
		least = MIN(least, (clock_ns(CLOCK_THREAD_CPUTIME_ID) - from) / CALLS);
	}
	return least;
}

/* A system call with a function in it that all kernels have, and that can be probed. */
#define KERNEL_FUNCTION "__task_pid_nr_ns"

static u64 traced_kernel(u64 x)
{
	return (u64)syscall(SYS_getpid);
}

int trap_open(enum trap t)
{
	bool ret = t == TRAP_USER_RETURN || t == TRAP_KERNEL_RETURN;

	if (t == TRAP_NOP)
		return sys_probe_own(traced_place, false);
	return t <= TRAP_USER_RETURN ? sys_probe_own((const void *)traced, ret) :
	       sys_perf_probe("kprobe", ret, KERNEL_FUNCTION, 0, 0, gettid());
}

u64 trap_price(enum trap t, int fd)
{
	traced_fn *f = t == TRAP_NOP ? traced_nop : t <= TRAP_USER_RETURN ? traced : traced_kernel;
	u64 with, without;

	if (fd < 0)
		return 0;
	with = time_calls(f);
	close(fd);
	without = time_calls(f);
	return with > without ? with - without : 0;
}
