#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lockwait.d - which programs wait for locks, how long, and where in their code?
 *
 * USAGE: lockwait.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Sums the time that threads wait in futex by program and user stack, in microseconds; the longest
 * come last. Mutexes, condition variables and semaphores of the C library wait there: a thread that
 * waits for work looks the same as one that waits for a lock, and the stack tells them apart.
 *
 * EXAMPLES
 *    lockwait.d -p 1234          process 1234, until ^C
 *    lockwait.d -t 3 -m 1ms      the three longest, without waits of less than a millisecond
 */
#pragma D param name,n string "only programs of this name"
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param min,m time 0 "only waits of at least this time"
#pragma D option aggtop=$top

/* The lower bits of the operation: FUTEX_WAIT 0, FUTEX_LOCK_PI 6, FUTEX_WAIT_BITSET 9. */
syscall::futex:entry
/((arg1 & 0x7f) == 0 || (arg1 & 0x7f) == 6 || (arg1 & 0x7f) == 9) &&
    ($name == "" || execname == $name) && pid != $pid/
{
	self->start = timestamp;
}

syscall::futex:return
/self->start && timestamp - self->start >= $min/
{
	this->us = (timestamp - self->start) / 1000;
	@us[execname, ustack()] = sum(this->us);
	@waits[execname, ustack()] = count();
}

syscall::futex:return
/self->start/
{
	self->start = 0;
}

END
{
	printa("\n%s%k%@16d us in %@d waits\n", @us, @waits);
}
