/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notices.c - what a run of several hosts says of itself, and of one of them.
 */
#include <stdarg.h>

#include "runtime/fleet/fleet-private.h"
#include "runtime/sink/sink.h"

void fleet_say(struct fleet *f, const struct host *h, enum dtx_severity severity, const char *fmt,
	       ...)
{
	struct dtx_message m = MESSAGE(DTX_NOTICE, severity);
	va_list ap;

	m.host = h ? h->name : NULL;
	if (f->opened)
		outs_flush(f->outs);
	va_start(ap, fmt);
	diags_vsay(&f->env->diags, m, fmt, ap);
	va_end(ap);
}

/* The hosts of a collector that is one itself are named where its output is shown. */
void fleet_note(struct fleet *f, const char *host, const char *text)
{
	struct dtx_message m = MESSAGE(DTX_NOTICE, DTX_WARNING);

	m.host = host ? arena_strdup(f->arena, host) : NULL;
	m.text = arena_strdup(f->arena, text);
	if (f->opened)
		outs_message(f->outs, &m, true);
	else if (!f->relays)
		VEC_PUSH(&f->notes, m);
}

void fleet_notes(struct fleet *f)
{
	for (u32 i = 0; i < f->notes.n; i++)
		outs_message(f->outs, &f->notes.v[i], true);
}

void fleet_say_mixed(struct fleet *f, const struct img_agg *agg)
{
	fleet_say(f, NULL, DTX_WARNING, "the hosts normalized @%s by different factors: its merged "
		  "values are not normalized", agg->name);
}
