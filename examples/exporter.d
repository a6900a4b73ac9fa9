#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exporter.d - how much is read and which programs start, as metrics for Prometheus?
 *
 * USAGE: exporter.d --serve [ADDRESS:]PORT [OPTION]...
 *
 * Each named aggregation is a metric, its keys are labels, and the comment in front of its clause
 * is its help: see http://127.0.0.1:PORT/metrics. The same port shows them as a page, with a heat
 * map of the latency. As a service: dtx-metrics@.service.
 *
 * EXAMPLES
 *    exporter.d --serve 9477
 */

/* Bytes that programs read, by name. */
syscall::read:return
/arg1 > 0/
{
	@read_bytes[execname] = sum(arg1);
}

syscall::read:entry
{
	self->since = timestamp;
}

/* Nanoseconds that reads take. */
syscall::read:return
/self->since/
{
	@read_latency = quantize(timestamp - self->since);
	self->since = 0;
}

/* Programs that were started, by name. */
proc:::exec-success
{
	@started[execname] = count();
}
