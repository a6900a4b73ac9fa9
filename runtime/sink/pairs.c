/* SPDX-License-Identifier: BSD-2-Clause */
/* pairs.c - probes that belong together as the begin and the end of a span: entry and return. */
#include <errno.h>
#include <stdlib.h>

#include "runtime/sink/sink.h"

struct pairs {
	struct map *halves;      /* "prov:mod:func:" + name without entry, return -> which exist */
	u8 *half;                /* by probe: enum half, if its other half exists */
	u32 nprobes;
};

struct pairs *pairs_new(void)
{
	struct pairs *p = xcalloc(1, sizeof(*p));

	p->halves = map_new();
	return p;
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	map_free(p->halves);
	free(p->half);
	free(p);
}

/* "entry", "x-entry": which half, and the length of what is before the word. */
static enum half name_half(const char *name, size_t *before)
{
	static const char *const words[] = { [HALF_ENTRY] = "entry", [HALF_RETURN] = "return" };
	size_t len = strlen(name);

	for (enum half h = HALF_ENTRY; h <= HALF_RETURN; h++) {
		size_t n = strlen(words[h]);

		*before = len - MIN(n, len);
		if (len >= n && !strcmp(name + *before, words[h]) &&
		    (!*before || name[*before - 1] == '-'))
			return h;
	}
	return HALF_NONE;
}

static char *pair_key(const struct dtx_probe *p, enum half *half)
{
	size_t before;

	*half = name_half(p->name, &before);
	return xprintf("%s:%s:%s:%.*s", p->prov, p->mod, p->func, (int)before, p->name);
}

/* Looks at the probes that came since: a half counts if the other one is there. */
static void pairs_read(struct pairs *p, const struct img *img)
{
	u32 from = p->nprobes;

	p->half = xrealloc(p->half, img->nprobes + 1);
	for (u32 i = from; i < img->nprobes; i++) {
		enum half h;
		char *key = pair_key(img_probe(img, i), &h);
		uintptr_t seen = (uintptr_t)map_get(p->halves, key);

		if (h)
			map_set(p->halves, key, (void *)(seen | 1u << h));
		free(key);
	}
	for (u32 i = 0; i < img->nprobes; i++) {
		enum half h;
		char *key = pair_key(img_probe(img, i), &h);
		uintptr_t both = 1u << HALF_ENTRY | 1u << HALF_RETURN;

		p->half[i] = h && (uintptr_t)map_get(p->halves, key) == both ? h : HALF_NONE;
		free(key);
	}
	p->nprobes = img->nprobes;
}

enum half pairs_half(struct pairs *p, const struct img *img, const struct dtx_probe *probe)
{
	if (img->nprobes != p->nprobes)
		pairs_read(p, img);
	return p->half[img_probe_at(img, probe)];
}

bool pairs_match(const struct dtx_probe *entry, u64 frame, const struct event *ev)
{
	return frame == ev->frame && !strcmp(entry->func, ev->probe->func) &&
	       !strcmp(entry->mod, ev->probe->mod) && !strcmp(entry->prov, ev->probe->prov);
}

int pairs_check(struct out *o, const char *option)
{
	const struct img *img = o->run->img;

	if (o->run->nhosts)
		return dtx_env_fail(o->env, -EINVAL, "%s is not there for a run of several hosts: "
				    "their threads have the same numbers", option);
	for (u32 i = 0; i < img->nsites; i++)
		if (img->sites[i].rec_size && !img->sites[i].time_off)
			return dtx_env_fail(o->env, -EINVAL, "a time line needs the time of each "
					    "record: compile the image with -x timestamps, or "
					    "record with %s or --record", option);
	return 0;
}
