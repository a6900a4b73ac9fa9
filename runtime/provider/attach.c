/* SPDX-License-Identifier: BSD-2-Clause */
/* attach.c - results of providers for the session: links, refusals, notes; slow attaching. */
#include <stdlib.h>
#include <unistd.h>

#include "runtime/code/names.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/attach.h"

#define ATTACH_LONG   3000000000ull      /* remaining ns from which the user is warned */
#define ATTACH_FIRST  32                 /* probes used for timing */

void attach_keep(struct attach *at, int link)
{
	VEC_PUSH(&at->links, link);
}

void attach_made_code(struct attach *at)
{
	at->made_code = true;
	ksyms_outdated(at->env);
}

void attach_refuse(struct attach *at, const struct dtx_probe *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct attach_refusal r = { p, arena_vprintf(at->arena, fmt, ap) };
	va_end(ap);
	VEC_PUSH(&at->refused, r);
}

void attach_note(struct attach *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	VEC_PUSH(&at->notes, arena_vprintf(at->arena, fmt, ap));
	va_end(ap);
}

bool attach_interrupted(const struct attach *at)
{
	return at->interrupted && at->interrupted(at->arg);
}

void attach_estimate(struct attach *at, u64 began, u32 done, u32 all, const char *how)
{
	u64 left = done ? (clock_ns(CLOCK_MONOTONIC) - began) / done * (all - done) : 0;

	if (at->estimated || !at->tell || done < ATTACH_FIRST || left < ATTACH_LONG)
		return;
	at->estimated = true;
	at->tell(at->arg, arena_printf(at->arena,
				       "attaching %u probes by %s takes about %u s; name "
				       "fewer, or press Ctrl-C",
				       all, how, (u32)(left / 1000000000)));
}

u32 attach_same_prog(const struct attach *at, u32 attached)
{
	u32 i = 0;

	while (at->attached.v[i].prog_fd != at->attached.v[attached].prog_fd)
		i++;
	return i;
}

bool attach_is_off(const struct attach *at, u32 prog)
{
	for (u32 i = 0; i < at->attached.n; i++)
		if (at->attached.v[i].prog == prog && at->attached.v[i].off)
			return true;
	return false;
}

const char *attach_name(struct attach *at, const struct attached *a)
{
	const struct dtx_probe **probes = xcalloc(a->nprobes, sizeof(*probes));

	for (u32 i = 0; i < a->nprobes; i++)
		probes[i] = img_probe(at->img, a->probes[i]);
	const char *name = prov_common(at->arena, probes, a->nprobes);

	free(probes);
	return a->nprobes == 1 ? name : arena_printf(at->arena, "%s (%u probes)", name, a->nprobes);
}

void attach_free(struct attach *at)
{
	for (u32 i = 0; i < at->sampled.n; i++)
		if (at->sampled.v[i].fd >= 0)
			close(at->sampled.v[i].fd);
	VEC_FREE(&at->links);
	VEC_FREE(&at->walks);
	VEC_FREE(&at->sampled);
	VEC_FREE(&at->percpu);
	VEC_FREE(&at->attached);
	VEC_FREE(&at->refused);
	VEC_FREE(&at->notes);
}
