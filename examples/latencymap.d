#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latencymap.d - how long do system calls take, and how does that change while one looks?
 *
 * USAGE: latencymap.d [NAME]
 *
 *    NAME    this system call (default: read)
 *
 * With --live it is a heat map: time goes to the right, the duration goes up, and a cell is the
 * darker the more calls took that long. Press h for the map, Tab for the map of each program,
 * Enter for one program. Without --live it prints both distributions at the end.
 *
 * EXAMPLES
 *    latencymap.d --live              reads, until q is pressed
 *    latencymap.d --live fsync        what a disk does
 *    latencymap.d pwrite64            the distributions, printed at ^C
 */
#pragma D option defaultargs

inline string NAME = $$1 == "" ? "read" : $$1;

syscall:::entry
/pid != $pid && probefunc == NAME/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	@calls["ns"] = quantize(timestamp - self->start);
	@programs[execname] = quantize(timestamp - self->start);
	self->start = 0;
}
