#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * klockstat.d - which code of the kernel waits for locks of the kernel, how often and how long?
 *
 * USAGE: klockstat.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Sums by kernel stack the time that threads wait for spin locks, mutexes and semaphores which
 * another thread holds, in microseconds; the longest come last. A lock that is free costs nothing
 * and is not seen. It needs Linux 5.19 (tracepoints of lock:contention_begin).
 *
 * EXAMPLES
 *    klockstat.d --duration 10s  ten seconds of the whole system
 *    klockstat.d -s              only spin locks
 *    klockstat.d -a              by the address of the lock as well
 */
#pragma D param name,n string "only programs of this name"
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param spin,s flag "only spin locks"
#pragma D param address,a flag "by the address of the lock, too"
#pragma D option aggtop=$top

/* LCB_F_SPIN and LCB_F_MUTEX of the kernel: a mutex spins for a while, too, before it sleeps. */
inline int SPIN = 1;
inline int MUTEX = 32;

/* By lock: a thread that waits for a mutex waits for spin locks meanwhile. */
inline uint64_t LOCK = (uint64_t)args.lock_addr;

/* A mutex says it several times: when a thread begins to spin, to sleep, and to spin when it was
 * woken. The first counts. Any other begin is that of a new wait: the kernel may have skipped the
 * end of the last one.
 * Arrays named self->__x[] need no memory of the thread, which must not be asked for in here. */
tracepoint:lock:contention_begin
/!(self->__began[LOCK] && args.flags & MUTEX &&
    (!(args.flags & SPIN) || __mutex_sleeps[(struct mutex *)LOCK])) &&
    (!$spin || (args.flags & (SPIN | MUTEX)) == SPIN) && ($name == "" || execname == $name)/
{
	self->__began[LOCK] = timestamp;
}

tracepoint:lock:contention_end
/self->__began[LOCK] && !$address/
{
	this->us = (timestamp - self->__began[LOCK]) / 1000;
	@us[stack()] = sum(this->us);
	@longest[stack()] = max(this->us);
	@waits[stack()] = count();
}

tracepoint:lock:contention_end
/self->__began[LOCK] && $address/
{
	this->us = (timestamp - self->__began[LOCK]) / 1000;
	@lus[LOCK, stack()] = sum(this->us);
	@llongest[LOCK, stack()] = max(this->us);
	@lwaits[LOCK, stack()] = count();
}

tracepoint:lock:contention_end
/self->__began[LOCK]/
{
	self->__began[LOCK] = 0;
}

END
/!$address/
{
	printa("%k%@16d us, the longest %@d us, in %@d waits\n", @us, @longest, @waits);
}

END
/$address/
{
	printa("\nlock 0x%x%k%@16d us, the longest %@d us, in %@d waits\n", @lus, @llongest, @lwaits);
}
