#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * softirqs.d - how much time do the soft interrupts of the kernel take?
 *
 * USAGE: softirqs.d [OPTION]... [TIME [COUNT]]
 *
 * Prints for each kind of soft interrupt how often it ran and its time in microseconds, or with
 * --dist the distribution of its times. Network packets are NET_RX, timers TIMER and HRTIMER, the
 * end of block I/O BLOCK.
 *
 * EXAMPLES
 *    softirqs.d --duration 10s
 *    softirqs.d -d               distributions
 */
#pragma D param dist,d flag "the distribution of the times"

inline string NAME[unsigned int n] =
    n == 0 ? "HI" : n == 1 ? "TIMER" : n == 2 ? "NET_TX" : n == 3 ? "NET_RX" :
    n == 4 ? "BLOCK" : n == 5 ? "IRQ_POLL" : n == 6 ? "TASKLET" : n == 7 ? "SCHED" :
    n == 8 ? "HRTIMER" : n == 9 ? "RCU" : "other";

tracepoint:irq:softirq_entry
{
	start[cpu] = timestamp;
}

tracepoint:irq:softirq_exit
/start[cpu] && $dist/
{
	@dist[NAME[vec]] = quantize((timestamp - start[cpu]) / 1000);
	start[cpu] = 0;
}

tracepoint:irq:softirq_exit
/start[cpu] && !$dist/
{
	@time[NAME[vec]] = sum(timestamp - start[cpu]);
	@count[NAME[vec]] = count();
	start[cpu] = 0;
}

END
/$dist/
{
	printa("\n%s (us):%@d\n", @dist);
}

END
/!$dist/
{
	normalize(@time, 1000);
	printf("%-12s %14s %12s\n", "SOFTIRQ", "TIME(us)", "COUNT");
	printa("%-12s %@14d %@12d\n", @time, @count);
}
