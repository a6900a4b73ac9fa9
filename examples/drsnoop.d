#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drsnoop.d - which programs have to free memory themselves before they get some, and how long?
 *
 * USAGE: drsnoop.d [OPTION]...
 *
 * Prints a line for each direct reclaim: a program asks for memory, there is none, and it searches
 * pages to free. KIND is "direct" for the whole machine, "cgroup" at the limit of a control group.
 * PAGES were freed. Each is a delay that the program did not expect.
 *
 * EXAMPLES
 *    drsnoop.d                   all, until ^C
 *    drsnoop.d -m 10ms           only those of 10 ms and more
 */
#pragma D param name,n string "only programs of this name"
#pragma D param min,m time 0 "only those of at least this time"

BEGIN
{
	printf("%-8s %7s %-15s %-6s %9s %8s\n", "TIME", "PID", "PROGRAM", "KIND", "US", "PAGES");
}

tracepoint:vmscan:mm_vmscan_direct_reclaim_begin,
tracepoint:vmscan:mm_vmscan_memcg_reclaim_begin
/$name == "" || execname == $name/
{
	self->start = timestamp;
}

tracepoint:vmscan:mm_vmscan_direct_reclaim_end,
tracepoint:vmscan:mm_vmscan_memcg_reclaim_end
/self->start && timestamp - self->start >= $min/
{
	printf("%-8s %7d %-15s %-6s %9d %8d\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    index(probename, "memcg") >= 0 ? "cgroup" : "direct",
	    (timestamp - self->start) / 1000, nr_reclaimed);
}

tracepoint:vmscan:mm_vmscan_direct_reclaim_end,
tracepoint:vmscan:mm_vmscan_memcg_reclaim_end
/self->start/
{
	self->start = 0;
}
