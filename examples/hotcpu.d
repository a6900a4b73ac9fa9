#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotcpu.d - who is using the CPUs, and where in the code?
 *
 * USAGE: hotcpu.d [SECONDS]
 *
 *    SECONDS    how long to run (default: until ^C or until the command of -c ends)
 *
 * Samples every CPU 997 times a second, so 997 samples are one second of one CPU. Prints the
 * samples of each program in user and in kernel code, and the five hottest stacks, with the kernel
 * part first. IDLE counts the samples of idle CPUs.
 *
 * EXAMPLES
 *    hotcpu.d 10                 ten seconds of the whole system
 *    hotcpu.d -c 'make -j8'      the whole system, while a command runs
 */
#pragma D option defaultargs
#pragma D option ustackframes=30

/* arg0 is the program counter in the kernel, arg1 the one in user code; one of them is 0. */
profile-997
/pid/
{
	@user[execname] = sum(arg1 != 0);
	@kernel[execname] = sum(arg0 != 0);
	@stacks[execname, stack(), ustack()] = count();
}

profile-997
/!pid/
{
	@idle["IDLE"] = count();
}

tick-1s
/++seconds == $1/
{
	exit(0);
}

END
{
	printf("%-15s %8s %8s\n", "PROGRAM", "USER", "KERNEL");
	printa("%-15s %@8d %@8d\n", @user, @kernel);
	printa("%-15s %@17d\n", @idle);
	trunc(@stacks, 5);
	printf("\nHottest stacks:\n");
	printa("\n%s%k%k%@16d\n", @stacks);
}
