/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.c - decodes bytes of records and keys to values, as the manifest
 * describes them.
 *
 * Lengths and offsets come from a program in the kernel and from an image of
 * unknown origin: each is checked against the actual size.
 */
#include <stdio.h>

#include <bpf/bpf.h>

#include <dtx/base.h>
#include <dtx/stack.h>
#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/stack/stack.h"
#include "runtime/value/value.h"

static u64 decode_int(const u8 *p, u32 size, bool is_signed)
{
	u64 v = 0;

	memcpy(&v, p, MIN(size, 8u));
	if (is_signed && size < 8 && size)
		v = (u64)((s64)(v << (64 - size * 8)) >> (64 - size * 8));
	return v;
}

/* In a record: a reference to the tail; NULL strings have length 0. */
static bool decode_tail(const u8 *base, size_t size, const u8 *p, struct val *out)
{
	struct dtx_strref ref;

	memcpy(&ref, p, sizeof(ref));
	out->null = !ref.len;
	out->p = "";
	out->len = 0;
	if (!ref.len)
		return true;
	if (ref.off > size || ref.len > size - ref.off)
		return false;
	out->p = (const char *)base + ref.off;
	out->len = strnlen(out->p, ref.len);
	return out->len < ref.len;
}

/* In a key: zero-padded bytes. */
static void decode_inline(struct arena *a, const u8 *p, u32 size, struct val *out)
{
	out->len = strnlen((const char *)p, size);
	out->p = (const char *)p;
	if (out->len == size)
		out->p = arena_strndup(a, out->p, size);
}

/* Asks the programs for the names of functions of Python that are new. */
static void decode_python(struct loaded *ld, const u64 *frames, u32 n)
{
	int fd = -1;

	for (u32 i = 0; i < n; i++) {
		u64 number = DTX_PY_FUNC(frames[i]);
		struct dtx_pyfunc f;

		if (!DTX_FRAME_IS_PY(frames[i]) || pyframe_known(ld->env, number))
			continue;
		if (fd < 0)
			fd = load_role_fd(ld, ROLE_pyfuncs);
		if (fd < 0 || bpf_map_lookup_elem(fd, &number, &f))
			continue;
		pyframe_note(ld->env, number, &f);
	}
}

/* A stack that was not kept has no frames. */
static void decode_stack(struct loaded *ld, struct arena *a, const struct img_field *f,
			 const u8 *p, struct val *out)
{
	struct dtx_stackref ref;
	struct dtx_stack *s = out->pcs ? (struct dtx_stack *)out->pcs - 1 : NULL;

	memcpy(&ref, p, sizeof(ref));
	out->npcs = out->pid = out->exec = out->end = 0;
	if (!ref.id || !ld->obj || f->depth > DTX_STACK_MAX)
		return;
	if (!s)
		s = arena_alloc(a, sizeof(*s) + f->depth * sizeof(u64));
	if (!stacktake_find(ld, ref.id, f->depth, s))
		return;
	out->pcs = (const u64 *)(s + 1);
	out->npcs = MIN(s->n, f->depth);
	out->pid = s->pid;
	out->exec = s->exec;
	out->end = s->end;
	if (f->user)
		decode_python(ld, out->pcs, out->npcs);
}

static const u8 decode_kinds[] = {
	[IMG_INT] = VAL_INT, [IMG_STR] = VAL_STR, [IMG_BYTES] = VAL_BYTES,
	[IMG_STACK] = VAL_STACK, [IMG_SYM] = VAL_SYM,
};

/* Does the field lie in the record or key, and is it as large as its kind needs? */
static bool decode_fits(const struct img_field *f, size_t size, bool in_key)
{
	static const u8 least[ARRAY_SIZE(decode_kinds)] = {
		[IMG_INT] = 1, [IMG_STACK] = sizeof(struct dtx_stackref),
		[IMG_SYM] = sizeof(struct dtx_symref),
	};
	u32 need = f->type == IMG_STR && !in_key ? sizeof(struct dtx_strref) : f->size;

	return (u32)f->type < ARRAY_SIZE(decode_kinds) && f->off <= size && need <= size - f->off &&
	       f->size >= least[f->type];
}

static void decode_sym(const u8 *p, struct val *out)
{
	struct dtx_symref sym;

	memcpy(&sym, p, sizeof(sym));
	out->u = sym.addr;
	out->pid = sym.pid;
	out->exec = sym.exec;
}

bool decode_field(struct loaded *ld, struct arena *a, const struct img_field *f,
		  const struct decode_from *from, struct val *out)
{
	if (!decode_fits(f, from->size, from->in_key))
		return false;
	const u8 *p = from->base + f->off;

	out->kind = decode_kinds[f->type];
	out->size = f->size;
	out->is_signed = f->is_signed;
	out->is_char = f->is_char;
	out->is_ptr = f->is_ptr;
	out->user = f->user;
	out->symkind = f->symkind;
	out->ctype = f->ctype;
	out->field = f;
	switch (f->type) {
	case IMG_INT:
		out->u = decode_int(p, f->size, f->is_signed);
		out->names = f->obj && f->obj->kind == T_ENUM ? f->obj : NULL;
		break;
	case IMG_STR:
		if (!from->in_key)
			return decode_tail(from->base, from->size, p, out);
		decode_inline(a, p, f->size, out);
		break;
	case IMG_BYTES:
		out->p = (const char *)p;
		out->len = f->size;
		break;
	case IMG_STACK:
		decode_stack(ld, a, f, p, out);
		break;
	case IMG_SYM:
		decode_sym(p, out);
		break;
	}
	return true;
}

/* Allocates the memory of an event of this site, once. */
static void decode_alloc(struct arena *a, const struct img_site *site, struct event *out)
{
	out->items = ARENA_ARRAY(a, struct item, MAX(site->nactions, 1u));
	for (u32 i = 0; i < site->nactions; i++) {
		const struct img_action *act = &site->actions[i];

		out->items[i].act = act;
		out->items[i].vals = ARENA_ARRAY(a, struct val, MAX(act->nfields, 1u));
	}
	out->nitems = site->nactions;
	out->site = site;
}

static void decode_time(const struct img_site *site, const void *data, struct event *out)
{
	struct dtx_rectime t = { 0 };

	if (site->time_off)
		memcpy(&t, (const u8 *)data + site->time_off, sizeof(t));
	out->frame = 0;
	if (site->frame_off)
		memcpy(&out->frame, (const u8 *)data + site->frame_off, sizeof(out->frame));
	out->time = t.time;
	out->tid = t.tid;
	out->pid = t.pid;
}

bool decode_event(struct loaded *ld, struct arena *a, const void *data, size_t size,
		  struct event *out)
{
	const struct img *img = ld->img;
	struct decode_from from = { data, size, false };
	struct dtx_rec rec;

	if (size < sizeof(rec))
		return false;
	memcpy(&rec, data, sizeof(rec));
	if (rec.site >= img->nsites || rec.probe >= img->nprobes)
		return false;
	const struct img_site *site = &img->sites[rec.site];

	if (size < site->rec_size)
		return false;
	if (out->site != site)
		decode_alloc(a, site, out);
	out->probe = img_probe(img, rec.probe);
	out->cpu = rec.cpu;
	decode_time(site, data, out);
	for (u32 i = 0; i < site->nactions; i++) {
		const struct img_action *act = &site->actions[i];

		if (act->ran_off >= size)
			return false;
		out->items[i].skipped = act->ran_off && !((const u8 *)data)[act->ran_off];
		for (u32 f = 0; f < act->nfields && !out->items[i].skipped; f++)
			if (!decode_field(ld, a, &act->fields[f], &from, &out->items[i].vals[f]))
				return false;
	}
	return true;
}
