/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - reads what record.c wrote (runtime/sink/record.h), as its bytes come, from files and
 * from other machines.  None of it is trusted: each number is checked before it is used, and what
 * a part needs in memory follows from its own size.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <zstd.h>

#include "runtime/read/read-private.h"
#include "runtime/sink/record.h"

/* ---- records ------------------------------------------------------- */

/* What a printa() shows are the aggregations that it names, or nothing. */
static bool print_is_of(const struct img *img, const struct agg_print *p,
			const struct img_action *act)
{
	for (u32 i = 0; i < p->naggs && p->naggs == act->naggs; i++)
		if (p->aggs[i] - img->aggs != (ptrdiff_t)act->aggs[i])
			return false;
	return !p->naggs || p->naggs == act->naggs;
}

static void take_item(struct replay *r, const struct img_site *site, struct item *it)
{
	const struct img_action *act;
	struct val *vals;
	u32 len;

	act = it->act = &site->actions[take_below(r, site->nactions, "no such action")];
	it->kind = (enum item_kind)take_num(r);
	if (r->bad || it->kind != action_kind(act->name)) {
		replay_bad(r, "an action is shown as another one");
		return;
	}
	it->vals = vals = ARENA_ARRAY(r->part, struct val, act->nfields + 1);
	for (u32 i = 0; i < act->nfields && !r->bad; i++)
		take_val(r, r->part, &act->fields[i], &vals[i]);
	if (it->kind == ITEM_TEXT || it->kind == ITEM_OBJECT) {
		it->text = take_text(r, r->part, 0, &len);
		it->text = it->text ? it->text : "";
		it->len = len;
	} else if (it->kind == ITEM_AGGS) {
		it->print = take_print(r, act);
		if (!r->bad && !print_is_of(r->img, it->print, act))
			replay_bad(r, "a printa() shows aggregations that it does not name");
	}
}

static void replay_event(struct replay *r)
{
	struct event ev = { 0 };
	u32 probe = take_below(r, r->nprobes, "no such probe");
	u32 site = take_below(r, r->img->nsites, "no such clause");
	u64 flags;

	if (r->bad)
		return;
	ev.site = &r->img->sites[site];
	flags = take_num(r);
	ev.cpu = (u32)MIN(flags >> 2, DTX_MAX_CPUS - 1ull);
	ev.cont = flags & 2;
	ev.more = flags & 1;
	ev.time = take_num(r);
	ev.tid = (u32)take_num(r);
	ev.nitems = take_below(r, ev.site->nactions + 1ull, "more actions than the clause has");
	ev.items = ARENA_ARRAY(r->part, struct item, ev.nitems + 1);
	for (u32 i = 0; i < ev.nitems && !r->bad; i++)
		take_item(r, ev.site, &ev.items[i]);
	if (r->at < r->end)
		ev.frame = take_num(r);
	if (r->bad)
		return;
	r->records++;
	r->to->event(r->arg, &ev, probe);
}

/* A probe that was found while the program ran. */
static void replay_probe(struct replay *r)
{
	struct dtx_probe p = { .id = (u32)take_num(r) };

	p.prov = plain_name(r->arena, take_name(r, r->arena));
	p.mod = plain_name(r->arena, take_name(r, r->arena));
	p.func = plain_name(r->arena, take_name(r, r->arena));
	p.name = plain_name(r->arena, take_name(r, r->arena));
	if (r->bad)
		return;
	r->nprobes++;
	r->to->probe(r->arg, &p);
}

/* ---- the other parts ------------------------------------------------------- */

static void replay_aggs(struct replay *r, bool sample)
{
	struct agg_print *p = take_print(r, NULL);

	if (sample && !p->naggs && r->at < r->end)
		p->time = (s64)take_num(r);
	if (r->bad)
		return;
	if (sample && p->naggs == 1)
		replay_sampled(r, p->aggs[0]);
	if (sample)
		r->to->sample(r->arg, p);
	else
		r->to->aggs(r->arg, p);
}

/* To the end of the part. */
static const struct dtx_message *replay_notes(struct replay *r)
{
	const struct dtx_message *first = NULL, **last = &first;

	while (r->at < r->end && !r->bad) {
		struct dtx_message *n = ARENA_NEW(r->part, struct dtx_message);

		*n = MESSAGE(DTX_NOTICE, DTX_NOTE);
		n->text = take_name(r, r->part);
		n->at.file = take_str(r, r->part);
		n->at.line = (u32)take_num(r);
		n->at.column = (u32)take_num(r);
		*last = n;
		last = &n->next;
	}
	return first;
}

static void replay_message(struct replay *r)
{
	struct dtx_message m = { .tool = r->env->diags.tool };
	struct dtx_loss *losses;
	bool also_said;

	m.kind = take_below(r, DTX_PROGRESS + 1, "no such message");
	m.severity = take_below(r, DTX_INFO + 1, "no such message");
	also_said = take_num(r);
	m.text = take_name(r, r->part);
	m.tag = take_str(r, r->part);
	m.hint = take_str(r, r->part);
	m.probe = take_str(r, r->part);
	m.probe_id = (u32)take_num(r);
	m.cpu = (int)take_signed(r);
	m.reason = take_str(r, r->part);
	m.has_value = take_num(r);
	m.value = take_num(r);
	m.count = take_num(r);
	m.error = (int)take_signed(r);
	m.at.file = take_str(r, r->part);
	m.at.line = (u32)take_num(r);
	m.at.column = (u32)take_num(r);
	m.nlosses = take_below(r, r->end - r->at + 1, "more losses than bytes");
	m.losses = losses = ARENA_ARRAY(r->part, struct dtx_loss, m.nlosses + 1);
	for (u32 i = 0; i < m.nlosses && !r->bad; i++) {
		losses[i].reason = take_name(r, r->part);
		losses[i].count = take_num(r);
	}
	if (r->at < r->end)              /* older recordings do not have it */
		m.expression = take_str(r, r->part);
	m.notes = replay_notes(r);
	if (!r->bad)
		r->to->message(r->arg, &m, also_said);
}

static void replay_option(struct replay *r)
{
	const char *name = take_str(r, r->part), *value = take_str(r, r->part);

	if (!r->bad && name)
		r->to->option(r->arg, name, value, true);
}

static void replay_host(struct replay *r)
{
	const char *name = plain_name(r->arena, take_word(r));

	r->within = name;
	if (!r->bad)
		r->to->host(r->arg, name);
}

static void replay_run_info(struct replay *r)
{
	struct run_info *i = &r->info;
	const char **programs;

	i->replayed = true;
	i->version = take_name(r, r->arena);
	i->host = take_name(r, r->arena);
	i->system = take_name(r, r->arena);
	i->kernel = take_name(r, r->arena);
	i->machine = take_name(r, r->arena);
	i->ncpus = take_below(r, DTX_MAX_CPUS + 1, "too many CPUs");
	i->pid = (u32)take_num(r);
	i->time = take_signed(r);
	i->wall = take_signed(r);
	i->nprograms = take_below(r, r->end - r->at + 1, "more programs than bytes");
	i->programs = programs = ARENA_ARRAY(r->arena, const char *, i->nprograms + 1);
	for (u32 k = 0; k < i->nprograms; k++)
		programs[k] = take_name(r, r->arena);
	for (u64 n = take_num(r); n && !r->bad; n--) {
		const char *name = take_str(r, r->part), *value = take_str(r, r->part);

		if (name && !r->bad && r->to->option(r->arg, name, value, false))
			replay_bad(r, "an option has no such value");
	}
	if (r->at < r->end && !r->bad)   /* older recordings do not have it */
		i->nhosts = take_below(r, 1u << 20, "too many hosts");
}

static int replay_begin(struct replay *r)
{
	replay_run_info(r);
	if (r->bad)
		return 0;
	int err = r->to->begin(r->arg, &r->info);

	r->begun = !err;
	return err;
}

static void replay_end(struct replay *r)
{
	struct run_end end = { .time = take_signed(r), .wall = take_signed(r) };

	end.status = (int)take_signed(r);
	end.error = (int)take_signed(r);
	if (r->bad)
		return;
	r->to->end(r->arg, &end);
	r->ended = true;
}

/* ---- parts, blocks, the stream ----------------------------------------------------- */

static int replay_manifest(struct replay *r)
{
	r->img = r->to->image(r->arg, (const char *)r->at, r->end - r->at);
	r->nprobes = r->img ? r->img->nprobes : 0;
	return r->img ? 0 : -EINVAL;
}

/* 0, or -errno with a failure; r->bad: it cannot be read. */
static int replay_part(struct replay *r, u8 kind)
{
	if (r->ended || (kind == REC_MANIFEST) != !r->img ||
	    (kind == REC_RUN) != (r->img && !r->begun)) {
		replay_bad(r, "its parts are out of order");
		return 0;
	}
	switch (kind) {
	case REC_MANIFEST:
		return replay_manifest(r);
	case REC_RUN:
		return replay_begin(r);
	case REC_EVENT:
		replay_event(r);
		break;
	case REC_AGGS:
	case REC_SAMPLE:
		replay_aggs(r, kind == REC_SAMPLE);
		break;
	case REC_STATE:
		take_state(r);
		break;
	case REC_MESSAGE:
		replay_message(r);
		break;
	case REC_OPTION:
		replay_option(r);
		break;
	case REC_PROBE:
		replay_probe(r);
		break;
	case REC_HOST:
		replay_host(r);
		break;
	case REC_END:
		replay_end(r);
		break;
	default:
		replay_bad(r, "a part has no known letter");
	}
	return 0;
}

/* The text of a block: whole parts. */
static int replay_block(struct replay *r, const u8 *p, const u8 *end)
{
	int err = 0;

	while (p < end && !r->bad && !err) {
		u8 kind = *p;
		u64 len;

		r->at = p + 1;
		r->end = end;
		len = take_num(r);
		if (r->bad || len > (size_t)(end - r->at)) {
			replay_bad(r, "a part is longer than its block");
			break;
		}
		r->end = p = r->at + len;
		err = replay_part(r, kind);
		arena_clear(r->part);
		if (!err && r->begun)
			err = r->to->after(r->arg, p == end);
		if (err > 0) {
			r->ended = true;
			return 0;
		}
	}
	return err;
}

static u32 take_u32(const u8 *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

static int replay_packed(struct replay *r, const void *packed)
{
	u32 size = r->head.size, len = r->head.packed;
	int err = 0;
	char *text;

	if (size > r->most || ZSTD_getFrameContentSize(packed, len) != size) {
		replay_bad(r, size > r->most ? "a block is larger than dtx takes"
					     : "a block is not as long as it says");
		return 0;
	}
	text = xmalloc(size + 1);
	if (ZSTD_decompress(text, size, packed, len) != size)
		replay_bad(r, "a block cannot be unpacked");
	else
		err = replay_block(r, (u8 *)text, (u8 *)text + size);
	free(text);
	return err;
}

/* What comes next: its bytes. */
static size_t replay_whole(const struct replay *r)
{
	return !r->magic ? sizeof(REC_MAGIC) - 1 : r->head.packed ? r->head.packed : REC_HEAD;
}

static int replay_take(struct replay *r, const u8 *p)
{
	if (!r->magic) {
		r->resets = !memcmp(p, REC_MAGIC, sizeof(REC_MAGIC) - 1);
		r->magic = r->resets || !memcmp(p, REC_MAGIC_OLD, sizeof(REC_MAGIC_OLD) - 1);
		if (!r->magic)
			replay_bad(r, "it is no recording of this version of dtx");
		return 0;
	}
	if (!r->head.packed) {
		r->head = (struct replay_head){ take_u32(p), take_u32(p + 4) };
		if (!r->head.packed || r->head.packed > ZSTD_compressBound(r->most))
			replay_bad(r, "a block is not as long as it says");
		return 0;
	}
	int err = replay_packed(r, p);

	r->head.packed = 0;
	return err;
}

size_t replay_wants(const struct replay *r, bool *begun)
{
	*begun = r->in.len || r->head.packed;
	return replay_whole(r) - r->in.len;
}

int replay_bytes(struct replay *r, const void *bytes, size_t n)
{
	const char *p = bytes, *end = p + n;
	int err = 0;

	while (!err && !r->bad && !r->ended && p < end) {
		size_t want = replay_whole(r), piece = MIN(want - r->in.len, (size_t)(end - p));

		if (!r->in.len && piece == want) {       /* all of it is here: it is not copied */
			err = replay_take(r, (const u8 *)p);
		} else {
			buf_add(&r->in, p, piece);
			if (r->in.len == want) {
				err = replay_take(r, (u8 *)r->in.data);
				buf_free(&r->in);        /* of many hosts, most wait */
			}
		}
		p += piece;
	}
	return err ? err : r->bad ? -EINVAL : 0;
}

struct replay *replay_new(struct dtx_env *env, const struct replay_to *to, void *arg, u32 most)
{
	struct replay *r = xcalloc(1, sizeof(*r));

	*r = (struct replay){ .env = env, .to = to, .arg = arg, .most = MIN(most, REC_BLOCK_MAX),
			      .arena = arena_new(), .part = arena_new(), .row = arena_new() };
	return r;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	VEC_FREE(&r->words);
	buf_free(&r->in);
	arena_free(r->row);
	arena_free(r->part);
	arena_free(r->arena);
	free(r);
}

size_t replay_kept(const struct replay *r)
{
	return arena_size(r->arena) + r->words.cap * sizeof(*r->words.v) + r->in.cap;
}

enum replay_state replay_state(const struct replay *r, const char **why, u64 *records)
{
	*why = r->bad;
	*records = r->records;
	if (r->bad)
		return r->magic ? REPLAY_BAD : REPLAY_ALIEN;
	return r->ended ? REPLAY_ENDED : r->begun ? REPLAY_BEGUN :
	       r->magic ? REPLAY_HEAD : REPLAY_NOTHING;
}
