/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fit.c - the manifest of a host, seen from that of the run.  The program is the same, but it is
 * compiled for each kernel: probes have other numbers, and a clause may record other types.
 */
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"

#define COMPARED  (16u << 20)    /* pairs of clauses: a program with more is another one */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_field(const struct img_field *a, const struct img_field *b)
{
	bool sized = a->type == IMG_INT || a->type == IMG_BYTES;

	return a->type == b->type && (!sized || a->size == b->size) &&
	       a->is_signed == b->is_signed && a->is_ptr == b->is_ptr &&
	       a->is_float == b->is_float && a->user == b->user &&
	       same_text(a->symkind, b->symkind);
}

static bool same_fields(const struct img_field *a, const struct img_field *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!same_field(&a[i], &b[i]))
			return false;
	return true;
}

static bool same_format(const struct img_action *a, const struct img_action *b)
{
	if (a->nconvs != b->nconvs || a->has_format != b->has_format)
		return false;
	for (u32 i = 0; i < a->nconvs; i++)
		if (!same_text(a->convs[i].text, b->convs[i].text) ||
		    !same_text(a->convs[i].conv, b->convs[i].conv))
			return false;
	return true;
}

static bool same_action(const struct img_action *a, const struct img_action *b)
{
	return same_text(a->name, b->name) && a->nfields == b->nfields && a->naggs == b->naggs &&
	       a->num == b->num && a->div == b->div && same_text(a->str, b->str) &&
	       (!a->naggs || !memcmp(a->aggs, b->aggs, a->naggs * sizeof(*a->aggs))) &&
	       same_format(a, b) &&
	       same_fields(a->fields, b->fields, a->nfields);
}

static bool same_site(const struct img_site *a, const struct img_site *b)
{
	if (a->clause != b->clause || a->nactions != b->nactions || a->record != b->record ||
	    a->is_default != b->is_default)
		return false;
	for (u32 i = 0; i < a->nactions; i++)
		if (!same_action(&a->actions[i], &b->actions[i]))
			return false;
	return true;
}

static bool same_agg(const struct img_agg *a, const struct img_agg *b)
{
	return same_text(a->name, b->name) && same_text(a->func, b->func) &&
	       a->keyed == b->keyed && a->nkeys == b->nkeys && a->nparams == b->nparams &&
	       !memcmp(a->params, b->params, a->nparams * sizeof(a->params[0])) &&
	       agg_data_words(a) == agg_data_words(b) && same_fields(a->keys, b->keys, a->nkeys);
}

char *fit_probe_name(const struct dtx_probe *p)
{
	return xprintf(PROBE_NAME, PROBE_PARTS(p));
}

u32 fit_probe_add(struct img *run, const struct dtx_probe *p, struct arena *a, u32 *room)
{
	if (run->nprobes >= *room) {     /* at first: the manifest's have their own memory */
		struct dtx_probe *more;

		*room = 2 * run->nprobes + 2;
		more = ARENA_ARRAY(a, struct dtx_probe, *room);
		if (run->nprobes)
			memcpy(more, run->probes, run->nprobes * sizeof(*more));
		run->probes = more;
	}
	run->probes[run->nprobes] = *p;
	return run->nprobes++;
}

u32 fit_probe(struct img *run, const struct dtx_probe *p, struct arena *a, struct map *probes,
	      u32 *room)
{
	char *name = fit_probe_name(p);
	uintptr_t at = (uintptr_t)map_get(probes, name);

	if (!at) {
		at = fit_probe_add(run, p, a, room) + 1ul;
		map_set(probes, name, (void *)at);
	}
	free(name);
	return (u32)at - 1;
}

void fit_make(struct fit *fit, struct img *run, const struct img *host, struct arena *a,
	      struct map *probes, u32 *room)
{
	*fit = (struct fit){ .img = host, .sites = ARENA_ARRAY(a, u32, host->nsites + 1),
			     .aggs = ARENA_ARRAY(a, u32, host->naggs + 1),
			     .probes = ARENA_ARRAY(a, u32, host->nprobes + 1) };
	for (u32 i = 0; i < host->naggs && i < run->naggs; i++)
		fit->aggs[i] = same_agg(&host->aggs[i], &run->aggs[i]) ? i + 1 : 0;
	for (u32 i = 0; i < host->nsites && (u64)i * run->nsites < COMPARED; i++)
		for (u32 k = 0; k < run->nsites && !fit->sites[i]; k++)
			fit->sites[i] = same_site(&host->sites[i], &run->sites[k]) ? k + 1 : 0;
	for (u32 i = 0; i < host->nprobes; i++)
		fit->probes[i] = fit_probe(run, img_probe(host, i), a, probes, room);
}
