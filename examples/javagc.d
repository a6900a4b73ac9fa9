#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * javagc.d - when does Java collect garbage, for how long, and how much is freed?
 *
 * USAGE: javagc.d [OPTION]...
 *
 * Prints each collection of each Java process that takes at least as long as --min, with the memory
 * that its pools used before and after, and at the end the distribution of all times. It uses the
 * probes of HotSpot (gc-begin, mem-pool-gc-end …), which Debian's OpenJDK has. Java that starts
 * later is seen, too. Collectors that work beside the program (ZGC, Shenandoah) have no such probes.
 *
 * EXAMPLES
 *    javagc.d                    all collections, until ^C
 *    javagc.d -m 50ms -p 1234    the long ones of one process
 */
#pragma D param min,m time 0 "only collections that take at least this long"
#pragma D option zdefs

BEGIN
{
	printf("%-8s %7s %-5s %10s %10s %10s\n", "TIME", "PID", "KIND", "US", "BEFORE_KB", "AFTER_KB");
}

hotspot*:::gc-begin
{
	self->start = timestamp;
	self->full = arg0;
	self->before = 0;
	self->after = 0;
	self->ended = 0;
}

/* arg5: the bytes that the pool uses. A collection may have two parts, with the same pools. */
hotspot*:::mem-pool-gc-begin
/self->start/
{
	self->before += self->ended ? 0 : arg5;
	self->after = 0;
}

hotspot*:::mem-pool-gc-end
/self->start/
{
	self->after += arg5;
	self->ended = 1;
}

hotspot*:::gc-end
/self->start/
{
	this->ns = timestamp - self->start;
	@ = quantize(this->ns / 1000);
}

hotspot*:::gc-end
/self->start && this->ns >= $min/
{
	printf("%-8s %7d %-5s %10d %10d %10d\n", strftime("%H:%M:%S", walltimestamp), pid,
	    self->full ? "full" : "young", this->ns / 1000, self->before / 1024, self->after / 1024);
}

hotspot*:::gc-end
{
	self->start = 0;
	self->full = 0;
	self->before = 0;
	self->after = 0;
	self->ended = 0;
}

END
{
	printf("\nMicroseconds of all collections:");
	printa(@);
}
