/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - --replay FILE: reads what record.c wrote (runtime/sink/record.h) and gives it to the
 * sinks.  The file is not trusted: each number is checked before it is used, and what a part
 * needs in memory follows from its own size.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include <dtx/opt.h>

#include "runtime/read/replay.h"

#define READ_PIECE     (1u << 20)        /* a block is read in pieces: its length may be a lie */

/* ---- records ------------------------------------------------------- */

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
	}
}

static void replay_event(struct replay *r)
{
	struct event ev = { 0 };
	u64 flags;

	ev.probe = &r->img->probes[take_below(r, r->img->nprobes, "no such probe")];
	u32 site = take_below(r, r->img->nsites, "no such clause");

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
	if (r->bad)
		return;
	r->records++;
	outs_event(&r->outs, &ev);
}

/* A probe that was found while the program ran. */
static void replay_probe(struct replay *r)
{
	struct img *img = r->img;
	struct dtx_probe p = { .id = (u32)take_num(r) };

	p.prov = plain_name(r->arena, take_name(r, r->arena));
	p.mod = plain_name(r->arena, take_name(r, r->arena));
	p.func = plain_name(r->arena, take_name(r, r->arena));
	p.name = plain_name(r->arena, take_name(r, r->arena));
	if (r->bad)
		return;
	if (img->nprobes >= r->room) {   /* at first: the manifest's have memory for themselves */
		u32 room = 2 * img->nprobes + 2;
		struct dtx_probe *more = ARENA_ARRAY(r->arena, struct dtx_probe, room);

		if (img->nprobes)
			memcpy(more, img->probes, img->nprobes * sizeof(p));
		img->probes = more;
		r->room = room;
	}
	img->probes[img->nprobes++] = p;
}

/* ---- the other parts ------------------------------------------------------- */

static void replay_aggs(struct replay *r, bool sample)
{
	struct agg_print *p = take_print(r, NULL);

	if (sample && !p->naggs && r->at < r->end)
		p->time = (s64)take_num(r);
	if (r->bad)
		return;
	if (sample)
		outs_sample(&r->outs, p);
	else
		outs_aggs(&r->outs, p);
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
	if (r->bad)
		return;
	outs_flush(&r->outs);
	outs_message(&r->outs, &m, also_said);
	/* The place is part of the text, and the program is not here. */
	m.at = (struct dtx_place){ 0 };
	if (also_said)
		diags_send(&r->env->diags, &m);
}

/* Options that say where output goes are those of the replay; so are those it was given. */
static void replay_set(struct replay *r, const char *name, const char *value)
{
	enum opt_id id = name ? options_find(name) : OPT_N;
	const char *near;

	if (id == OPT_N || opt_rows[id].outside || id == OPT_format || id == OPT_jsonint ||
	    opt_is_set(r->env, id))
		return;
	if (options_set(r->env->opts, r->env->arena, name, value, &near))
		replay_bad(r, "an option has no such value");
}

static void replay_option(struct replay *r)
{
	const char *name = take_str(r, r->part), *value = take_str(r, r->part);
	enum opt_id id = name ? options_find(name) : OPT_N;

	if (r->bad || id == OPT_N)
		return;
	r->env->opts->v[id].set = false;  /* what the program sets counts */
	replay_set(r, name, value);
	outs_option(&r->outs, name, value);
}

static void replay_run_info(struct replay *r)
{
	struct run_info *i = &r->info;
	const char **programs;

	i->replayed = true;
	i->kind = action_kind;
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

		replay_set(r, name, value);
	}
}

static int replay_begin(struct replay *r)
{
	replay_run_info(r);
	if (r->bad)
		return 0;
	int err = outs_open(&r->outs, r->env, r->img, r->out, &r->info);

	r->begun = !err;
	if (!err)
		outs_begin(&r->outs);
	return err;
}

static void replay_end(struct replay *r)
{
	struct run_end end = { .time = take_signed(r), .wall = take_signed(r) };

	end.status = (int)take_signed(r);
	end.error = (int)take_signed(r);
	if (r->bad)
		return;
	outs_end(&r->outs, &end);
	r->ended = true;
}

/* ---- parts, blocks, the file ------------------------------------------------------- */

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
		r->img = img_read_text(r->arena, &r->env->diags,
				       arena_memdup(r->arena, r->at, r->end - r->at),
				       r->end - r->at);
		return r->img ? 0 : -EINVAL;
	case REC_RUN:
		return replay_begin(r);
	case REC_EVENT:
		replay_event(r);
		break;
	case REC_AGGS:
	case REC_SAMPLE:
		replay_aggs(r, kind == REC_SAMPLE);
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
		if (!err && r->begun && r->outs.v[0].err)
			err = -r->outs.v[0].err;
		if (r->begun && outs_stop(&r->outs))
			r->ended = true;
	}
	return err;
}

static u32 take_u32(const u8 *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

/* false: the file ends before. */
static bool read_bytes(FILE *f, struct buf *to, size_t n)
{
	while (n) {
		size_t piece = MIN(n, (size_t)READ_PIECE), before = to->len;

		buf_pad(to, 0, (int)piece);
		if (fread(to->data + before, 1, piece, f) != piece)
			return false;
		n -= piece;
	}
	return true;
}

static int replay_packed(struct replay *r, const struct buf *packed, u32 size)
{
	int err = 0;
	char *text;

	if (size > REC_BLOCK_MAX || ZSTD_getFrameContentSize(packed->data, packed->len) != size) {
		replay_bad(r, "a block is not as long as it says");
		return 0;
	}
	text = xmalloc(size + 1);
	if (ZSTD_decompress(text, size, packed->data, packed->len) != size)
		replay_bad(r, "a block cannot be unpacked");
	else
		err = replay_block(r, (u8 *)text, (u8 *)text + size);
	free(text);
	return err;
}

static int replay_blocks(struct replay *r, FILE *f)
{
	struct buf packed = { 0 };
	int err = 0;

	while (!r->bad && !err && !r->ended) {
		u8 head[8];
		size_t n = fread(head, 1, sizeof(head), f);

		buf_reset(&packed);
		if (!n)
			break;
		if (n != sizeof(head) || !read_bytes(f, &packed, take_u32(head)))
			break;           /* cut: replay_stream() says so */
		err = replay_packed(r, &packed, take_u32(head + 4));
		if (r->begun && !err)
			outs_flush(&r->outs);
	}
	buf_free(&packed);
	return err;
}

/* What is wrong with the file, as a failure of the environment. */
static int replay_check(struct replay *r, int err)
{
	if (err && !r->img)
		return dtx_env_fail(r->env, -EINVAL, "%s is no recording that can be read: %s",
				    r->path, diags_take(&r->env->diags, "its manifest is wrong"));
	if (r->bad)
		return dtx_env_fail(r->env, -EINVAL,
				    "%s is damaged after %" PRIu64 " records: %s", r->path,
				    r->records, r->bad);
	if (!err && !r->ended)
		return dtx_env_fail(r->env, -EINVAL, "%s ends after %" PRIu64 " records, without "
				    "the end of the run: it was cut, or dtx was killed", r->path,
				    r->records);
	return err;
}

int replay_stream(struct dtx_env *env, FILE *f, const char *path, FILE *out)
{
	struct replay r = { .env = env, .path = path, .out = out, .arena = arena_new(),
			    .part = arena_new(), .row = arena_new() };
	char magic[sizeof(REC_MAGIC) - 1];
	int err;

	if (fread(magic, 1, sizeof(magic), f) != sizeof(magic) ||
	    memcmp(magic, REC_MAGIC, sizeof(magic)))
		err = dtx_env_fail(env, -EINVAL, "%s is no recording of this version of dtx: "
				   "recordings are made with --record FILE", path);
	else
		err = replay_check(&r, replay_blocks(&r, f));
	if (r.begun) {
		outs_flush(&r.outs);
		if (!err && r.outs.v[0].err)
			err = env_fail_write(env, -r.outs.v[0].err, "the output");
		if (!err)
			err = -r.outs.failed;
	}
	outs_close(&r.outs);
	VEC_FREE(&r.words);
	arena_free(r.row);
	arena_free(r.part);
	arena_free(r.arena);
	return err;
}

int replay_file(struct dtx_env *env, const char *path, FILE *out)
{
	int err, fd = file_open_named(path, O_RDONLY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f)
		return dtx_env_fail(env, -errno, "cannot read the recording %s: %s", path,
				    file_why(errno));
	err = replay_stream(env, f, path, out);
	fclose(f);
	return err;
}
