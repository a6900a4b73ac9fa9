/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * multi.c - one link for many functions.
 *
 * The kernel accepts all sites of such a link or none: one function that it cannot patch
 * makes it refuse thousands of others.  So a refused set is split in halves until the bad
 * sites are isolated; they are reported to the user and the rest runs, in few links.
 */
#include <errno.h>
#include <stdlib.h>

#include "runtime/provider/provider.h"
#include "runtime/provider/attach.h"

/* Number of sites in a link.  Making a link cannot be interrupted, so the number depends on
 * the time of the last one. */
#define PART_FIRST 4096
#define PART_LEAST                                                                                 \
	2048 /* each link has a cost of its own: the kernel walks all functions that can be traced \
	      */
#define PART_NS    250000000ull  /* time that a part should take */

struct split {
	struct attach *at;
	multi_link_fn *link;
	void *arg;
	int prog_fd;
};

/* Errors that do not go away with fewer sites. */
static bool hopeless(int err)
{
	return err == -EPERM || err == -EMFILE || err == -ENFILE || err == -EOPNOTSUPP;
}

static void refuse_all(struct split *sp, const struct multi_site *sites, u32 n, int err)
{
	for (u32 i = 0; i < n; i++)
		attach_refuse(sp->at, sites[i].probe, "%s", prov_why_of(sites[i].probe, err));
}

/* Halves that work are kept; returns the number of sites attached. */
static u32 halve(struct split *sp, const struct multi_site *sites, u32 n, u32 *nlinks)
{
	int fd = sp->link(sp->arg, sites, n, sp->prog_fd);

	if (fd >= 0) {
		attach_keep(sp->at, fd);
		(*nlinks)++;
		return n;
	}
	if (n == 1 || hopeless(fd)) {
		refuse_all(sp, sites, n, fd);
		return 0;
	}
	return halve(sp, sites, n / 2, nlinks) + halve(sp, sites + n / 2, n - n / 2, nlinks);
}

/*
 * How many sites fit into PART_NS, when `n` took `took` and `before` sites, the part before them,
 * took `took_before`.  A link has a fixed cost, possibly most of its cost, and a cost per site:
 * the times of two parts give both.
 */
static u32 next_part(u32 n, u64 took, u32 before, u64 took_before)
{
	u64 fits = n * PART_NS / MAX(took, 1ull);

	if (took < PART_NS && before && n > before && took > took_before)
		fits = n + (PART_NS - took) * (n - before) / (took - took_before);
	return MIN(MAX(fits, PART_LEAST), 8ull * n);
}

u32 multi_attach(struct attach *at, const struct multi_site *sites, u32 n, int prog_fd,
		 struct multi_linker by, u32 *nlinks)
{
	struct split sp = { .at = at, .link = by.link, .arg = by.arg, .prog_fd = prog_fd };
	u32 done = 0, next = 0, part, size = PART_FIRST, before = 0;
	u64 began = clock_ns(CLOCK_MONOTONIC), took, took_before = 0;

	for (; next < n && !attach_interrupted(at); next += part) {
		u64 start = clock_ns(CLOCK_MONOTONIC);

		part = MIN(n - next, size);
		done += halve(&sp, sites + next, part, nlinks);
		took = clock_ns(CLOCK_MONOTONIC) - start;
		size = next_part(part, took, before, took_before);
		before = part;
		took_before = took;
		attach_estimate(at, began, next + part, n, "links of many");
	}
	at->unattached += n - next;
	return done;
}
