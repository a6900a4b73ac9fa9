/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speculate.c - records of speculations are held here until a clause commits or
 * discards them.
 *
 * The number of a speculation is reused after its end was read. Its turn distinguishes
 * a late record from a record of the next owner (struct dtx_spec in abi.h).
 */
#include <stdlib.h>

#include <bpf/bpf.h>

#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"

struct spec_held {
	struct buf b;            /* length-prefixed records */
	u16 turn;
	bool ended, printed;     /* this turn was committed or discarded */
	u32 ending;              /* state and turn seen by spec_recover() */
};

struct specs {
	VEC(struct spec_held) v; /* by number */
};

/* The speculation of a tag, in the turn of the tag; NULL: that turn is over. */
static struct spec_held *spec_at(struct consumer *c, u32 tag)
{
	static const struct spec_held none;
	u32 id = tag & 0xffff;
	u16 turn = tag >> 16;
	struct spec_held *h;

	if (!c->specs)
		c->specs = xcalloc(1, sizeof(*c->specs));
	while (c->specs->v.n <= id)
		VEC_PUSH(&c->specs->v, none);
	h = &c->specs->v.v[id];
	if ((s16)(turn - h->turn) < 0)
		return NULL;
	if (turn != h->turn) {
		buf_reset(&h->b);
		h->turn = turn;
		h->ended = h->printed = false;
	}
	return h;
}

void spec_free(struct consumer *c)
{
	for (u32 i = 0; c->specs && i < c->specs->v.n; i++)
		buf_free(&c->specs->v.v[i].b);
	if (c->specs)
		VEC_FREE(&c->specs->v);
	free(c->specs);
	c->specs = NULL;
}

/* A record of a clause that speculates and also commits or discards must be processed at once. */
static bool spec_ends_one(const struct consumer *c, const void *data)
{
	const struct img *img = c->ld->img;
	u32 site;

	memcpy(&site, data, sizeof(site));
	for (u32 i = 0; site < img->nsites && i < img->sites[site].nactions; i++)
		if (action_has(&img->sites[site].actions[i], ACTF_SPEC))
			return true;
	return false;
}

/* true: the record is held, or was discarded; false: print it now. */
bool spec_hold(struct consumer *c, u32 tag, const void *data, size_t size)
{
	struct spec_held *h = spec_ends_one(c, data) ? NULL : spec_at(c, tag);
	u32 len = size;

	if (!h)
		return !spec_ends_one(c, data);
	if (h->ended)
		return !h->printed;
	buf_add(&h->b, &len, sizeof(len));
	buf_add(&h->b, data, size);
	return true;
}

/* Makes the number free again. */
static void spec_release(struct consumer *c, u32 tag)
{
	struct dtx_spec s = { .state = DTX_SPEC_FREE, .turn = tag >> 16 };
	int fd = c->ld->obj ? load_role_fd(c->ld, ROLE_spec) : -1;
	u32 id = tag & 0xffff;

	if (fd >= 0)
		bpf_map_update_elem(fd, &id, &s, BPF_EXIST);
}

void consumer_commit(struct consumer *c, u32 tag, bool print)
{
	struct spec_held *h = tag & 0xffff ? spec_at(c, tag) : NULL;

	if (!h || h->ended)
		return;
	/* Printing may make the table grow: take the buffer out first. */
	struct buf b = h->b;

	h->b = (struct buf){ 0 };
	h->ended = true;
	h->printed = print;
	for (size_t at = 0; print && at < b.len;) {
		u32 len;

		memcpy(&len, b.data + at, sizeof(len));
		at += sizeof(len);
		consumer_one(c, b.data + at, len);
		at += len;
	}
	buf_free(&b);
	spec_release(c, tag);
}

/* After losses the record of an end may be missing. Then the end is taken from the map,
 * if it is seen there twice and all records were read in between. */
void spec_recover(struct consumer *c)
{
	int fd = c->ld->obj ? load_role_fd(c->ld, ROLE_spec) : -1;
	struct dtx_spec s;

	for (u32 id = 1; fd >= 0 && !bpf_map_lookup_elem(fd, &id, &s); id++) {
		if (s.state <= DTX_SPEC_ACTIVE)
			continue;
		u32 tag = DTX_SPEC_TAG(id, s.turn), ending = s.state << 16 | s.turn;
		struct spec_held *h = spec_at(c, tag);

		if (h && h->ending == ending)
			consumer_commit(c, tag, s.state == DTX_SPEC_COMMIT);
		else if (h)
			h->ending = ending;
	}
}
