#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hardirqs.d - how much time do the interrupts of devices take?
 *
 * USAGE: hardirqs.d [OPTION]... [TIME [COUNT]]
 *
 * Prints for each interrupt handler how often it ran and its time in microseconds, or with --dist
 * the distribution of its times. The interrupts of the CPU itself (timer, other CPUs) have no
 * handler of this kind.
 *
 * EXAMPLES
 *    hardirqs.d --duration 10s
 *    hardirqs.d -d               distributions
 */
#pragma D param dist,d flag "the distribution of the times"

tracepoint:irq:irq_handler_entry
{
	start[cpu] = timestamp;
	handler[cpu] = args.name;
}

tracepoint:irq:irq_handler_exit
/start[cpu] && $dist/
{
	@dist[handler[cpu]] = quantize((timestamp - start[cpu]) / 1000);
	start[cpu] = 0;
}

tracepoint:irq:irq_handler_exit
/start[cpu] && !$dist/
{
	@time[handler[cpu]] = sum(timestamp - start[cpu]);
	@count[handler[cpu]] = count();
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
	printf("%-24s %14s %12s\n", "HANDLER", "TIME(us)", "COUNT");
	printa("%-24s %@14d %@12d\n", @time, @count);
}
