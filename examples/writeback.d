#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * writeback.d - when does the kernel write changed pages to the disks, why, and for how long?
 *
 * USAGE: writeback.d [OPTION]...
 *
 * Prints a line when a piece of work of the kernel's writers ends: the device (major:minor), why
 * it was begun, and how many pages it has written. Programs that call fsync write themselves:
 * syncsnoop.d shows these.
 *
 * EXAMPLES
 *    writeback.d                 all, until ^C
 *    writeback.d -m 100ms        only those that took long
 *    writeback.d -t              sums by device and reason at the end
 */
#pragma D param min,m time 0 "only those that took at least this time"
#pragma D param totals,t flag "only sums, at the end"

/* enum wb_reason of the kernel: its texts are in include/trace/events/writeback.h. */
inline string REASON[int n] =
    n == 0 ? "background" : n == 1 ? "vmscan" : n == 2 ? "sync" : n == 3 ? "periodic" :
    n == 4 ? "laptop-timer" : n == 5 ? "fs-free-space" : n == 6 ? "forker" : n == 7 ?
    "foreign-flush" : "other";

BEGIN
/!$totals/
{
	printf("%-8s %-16s %-14s %10s %10s\n", "TIME", "DEVICE", "REASON", "PAGES", "US");
}

/* One writer does one piece of work at a time; it says how many pages are left before and after. */
tracepoint:writeback:writeback_start
{
	self->began = timestamp;
	self->pages = args.nr_pages;
}

tracepoint:writeback:writeback_written
/self->began && timestamp - self->began >= $min/
{
	this->device = stringof((char *)args.name);
	this->wrote = self->pages - args.nr_pages;
}

tracepoint:writeback:writeback_written
/self->began && timestamp - self->began >= $min && !$totals/
{
	printf("%-8s %-16s %-14s %10d %10d\n", strftime("%H:%M:%S", walltimestamp), this->device,
	    REASON[args.reason], this->wrote, (timestamp - self->began) / 1000);
}

tracepoint:writeback:writeback_written
/self->began && $totals && timestamp - self->began >= $min/
{
	@pages[this->device, REASON[args.reason]] = sum(this->wrote);
	@us[this->device, REASON[args.reason]] = sum((timestamp - self->began) / 1000);
}

tracepoint:writeback:writeback_written
{
	self->began = 0;
}

END
/$totals/
{
	printf("%-16s %-14s %10s %10s\n", "DEVICE", "REASON", "PAGES", "US");
	printa("%-16s %-14s %@10d %@10d\n", @pages, @us);
}
