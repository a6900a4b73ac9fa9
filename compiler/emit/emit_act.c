/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_act.c - statements, and the record of a clause.
 *
 * The record is built while the statements run and sent when the clause is complete:
 * a fault drops the whole record.  Strings follow the fixed part, in order.
 */
#include "compiler/emit/emit-private.h"
#include "compiler/front/builtin.h"

/* ---- the record --------------------------------------------------------------------- */

static const struct img_site *site_of(const struct emit *e)
{
	return &e->c->img->sites[e->p.inst->site];
}

static bool has_strings(const struct img_site *s)
{
	for (u32 i = 0; i < s->nactions; i++)
		for (u32 k = 0; k < s->actions[i].nfields; k++)
			if (s->actions[i].fields[k].type == IMG_STR)
				return true;
	return false;
}

static bool has_branches(const struct node *list)
{
	for (; list; list = list->next)
		if (list->kind == N_IF || list->kind == N_LOOP || list->kind == N_JUMP ||
		    (list->kind == N_BLOCK && has_branches(list->b)))
			return true;
	return false;
}

/* Nothing else writes the bytes between fields. */
static void zero_gaps(struct emit *e, const struct img_site *s)
{
	u32 end = s->frame_off ? s->frame_off + sizeof(u64) :
		  s->time_off ? s->time_off + sizeof(struct dtx_rectime) : sizeof(struct dtx_rec);

	for (u32 i = 0; i < s->nactions; i++) {
		for (u32 k = 0; k < s->actions[i].nfields; k++) {
			const struct img_field *f = &s->actions[i].fields[k];

			if (f->off > end)
				ll_zero_gap(e, ll_off(e, e->f.rec, end), f->off - end);
			end = f->off + f->size;
		}
	}
	if (s->rec_size > end)
		ll_zero_gap(e, ll_off(e, e->f.rec, end), s->rec_size - end);
}

static void record_time(struct emit *e, u32 off)
{
	val to = ll_off(e, e->f.rec, off);

	ll_store(e, ll_call(e, "dtx_timestamp", e->f.frame),
		 ll_off(e, to, offsetof(struct dtx_rectime, time)), 8);
	ll_store(e, ll_call(e, "dtx_tid", e->f.frame),
		 ll_off(e, to, offsetof(struct dtx_rectime, tid)), 4);
	ll_store(e, ll_call(e, "dtx_pid", e->f.frame),
		 ll_off(e, to, offsetof(struct dtx_rectime, pid)), 4);
}

void emit_rec_place(struct emit *e)
{
	const struct img_site *s = site_of(e);

	e->f.rec = e->f.tail = NULL;
	if (!s->rec_size)
		return;
	if (has_strings(s) || s->rec_size > STACK_REC_MAX || e->p.large)
		e->f.rec = emit_scratch(e, e->c->plan->rec_off);
	else
		e->f.rec = ll_alloca(e, LLVMArrayType2(e->i64, s->rec_size / 8), "rec");
	if (has_strings(s))
		e->f.tail = e->p.large ? emit_scratch(e, e->c->plan->tail_off)
				   : ll_alloca(e, e->i64, "tail");
}

void emit_rec_begin(struct emit *e)
{
	const struct img_site *s = site_of(e);

	emit_rec_place(e);
	if (!e->f.rec)
		return;
	if (e->f.tail)
		ll_store(e, ll_num(e, s->rec_size), e->f.tail, 8);
	if (has_branches(e->p.inst->body))
		ll_zero(e, e->f.rec, s->rec_size);
	else
		zero_gaps(e, s);
	if (s->time_off)
		record_time(e, s->time_off);
	if (s->frame_off)
		ll_store(e, emit_call_frame(e), ll_off(e, e->f.rec, s->frame_off), 8);
}

static bool calls(const struct node *list, enum builtin_id id)
{
	for (; list; list = list->next) {
		const struct node *n = list->kind == N_EXPR ? list->a : list;

		if (builtin_is(n->row, id))
			return true;
		if ((n->kind == N_IF || n->kind == N_BLOCK || n->kind == N_LOOP) &&
		    (calls(n->b, id) || calls(n->c, id)))
			return true;
	}
	return false;
}

static bool ends_speculation(const struct img_action *act)
{
	return builtin_named(act->name, BI_commit) || builtin_named(act->name, BI_discard);
}

/* The number in the record must be one that nspec allows, or 0. */
static void check_given(struct emit *e, const struct img_action *act)
{
	ll_call(e, "dtx_spec_given", e->f.frame,
		ll_load(e, ll_off(e, e->f.rec, act->fields[0].off), 4, true));
	emit_check_fault(e);
}

/* commit() and discard(): the number in the record tells the consumer what to do. */
static void end_speculation(struct emit *e, const struct img_action *act)
{
	bool commit = builtin_named(act->name, BI_commit);
	block end = ll_block(e, "end"), go = ll_block(e, "ends");
	val at = ll_off(e, e->f.rec, act->fields[0].off), id;

	if (act->ran_off)
		ll_if(e, ll_bool(e, ll_load(e, ll_off(e, e->f.rec, act->ran_off), 1, false)), go,
		      end);
	else
		ll_br(e, go);
	ll_at(e, go);
	id = ll_call(e, "dtx_spec_end", e->f.frame, ll_load(e, at, 4, true),
		     ll_num(e, commit ? DTX_SPEC_COMMIT : DTX_SPEC_DISCARD));
	ll_store(e, id, at, 4);
	ll_br(e, end);
	ll_at(e, end);
}

/* Where the next string goes. */
static val tail(struct emit *e)
{
	return e->p.large ? ll_load_now(e, e->f.tail, 8, false) : ll_load(e, e->f.tail, 8, false);
}

void emit_rec_end(struct emit *e)
{
	const struct img_site *s = site_of(e);
	val len;

	if (!s->rec_size)
		return;
	len = e->f.tail ? tail(e) : ll_num(e, s->rec_size);
	if (e->f.tail)
		len = ll_call(e, "dtx_clamp", len, ll_num(e, e->c->plan->rec_size));
	ll_call(e, "dtx_rec", e->f.frame, e->f.rec);
	for (u32 i = 0; i < s->nactions; i++)
		if (ends_speculation(&s->actions[i]))
			end_speculation(e, &s->actions[i]);
	ll_call(e, calls(e->p.inst->body, BI_speculate) ? "dtx_send_spec" : "dtx_send", e->f.frame,
		e->f.rec, len);
}

/* ---- fields ---------------------------------------------------------------------------- */

static void field_string(struct emit *e, const struct node *v, const struct img_field *f)
{
	u32 max = e->c->plan->rec_size - f->str_max;
	val ref = ll_off(e, e->f.rec, f->off);
	struct str s = emit_str(e, v);
	val at, len;

	emit_str_needed(e, &s);
	at = ll_call(e, "dtx_clamp", tail(e), ll_num(e, max));
	len = emit_str_tail(e, s, ll_off_var(e, e->f.rec, at), f->str_max);

	ll_store(e, at, ll_off(e, ref, offsetof(struct dtx_strref, off)), 4);
	ll_store(e, len, ll_off(e, ref, offsetof(struct dtx_strref, len)), 4);
	ll_store(e, LLVMBuildAdd(e->b, at, len, ""), e->f.tail, 8);
}

/* buf() whose size is an expression; the rest is zero. */
static void bytes(struct emit *e, const struct node *n, val to, u32 max)
{
	const char *reader = n->list->leads == MEM_USER ? "dtx_uread_var" :
			     n->list->leads == MEM_ANY ? "dtx_aread_var" : "dtx_kread_var";
	val addr, size;

	emit_both(e, n->list, n->list->next, &addr, &size);
	ll_zero(e, to, max);
	ll_call(e, reader, e->f.frame, to, size, addr, ll_num(e, max));
	emit_check_fault(e);
}

static void field(struct emit *e, const struct node *v, const struct img_field *f)
{
	val to = ll_off(e, e->f.rec, f->off);
	struct place at;

	switch (f->type) {
	case IMG_INT:
		ll_store(e, emit_expr(e, v), to, f->size);
		break;
	case IMG_STR:
		field_string(e, v, f);
		break;
	case IMG_BYTES:
		if (v->kind == N_CALL) {
			bytes(e, v, to, f->size);
			break;
		}
		at = emit_place(e, v);
		emit_read(e, to, f->size, &at);
		break;
	default:
		emit_wide(e, v, to);
	}
}

/* ---- statements --------------------------------------------------------------------------- */

/* Computed once and kept in the record. */
static val exit_status(struct emit *e, const struct node *n)
{
	const struct img_field *f = n->act->fields;

	if (!n->act->nfields)
		return n->list ? emit_expr(e, n->list) : ll_num(e, 0);
	return ll_load(e, ll_off(e, e->f.rec, f->off), f->size, f->is_signed);
}

/* A numeric member of a socket buffer; 0 if this kernel does not have it. */
static val skb_number(struct emit *e, val skb, const char *member)
{
	struct type t = { .kind = T_INT };
	struct place at = { MEM_KERNEL, skb, 0 };
	u32 size = 8;

	if (!member_of_kernel(e->c, "sk_buff", member, &at.off, &size))
		return ll_num(e, 0);
	t.size = size;
	return emit_load(e, &at, &t);
}

/* pcap(): the linear part of the packet; the rest is not contiguous. */
static void packet(struct emit *e, const struct node *n)
{
	const struct img_field *f = n->act->fields;
	const struct node *proto = n->list->next->next->next->next;
	val skb = emit_expr(e, n->list->a->a), len = skb_number(e, skb, "len");
	val linear = LLVMBuildSub(e->b, len, skb_number(e, skb, "data_len"), "");

	linear = ll_call(e, "dtx_clamp", linear, ll_num(e, f[0].size));
	ll_call(e, "dtx_kread_var", e->f.frame, ll_off(e, e->f.rec, f[0].off), linear,
		skb_number(e, skb, "data"), ll_num(e, f[0].size));
	emit_check_fault(e);
	ll_store(e, len, ll_off(e, e->f.rec, f[1].off), 4);
	ll_store(e, linear, ll_off(e, e->f.rec, f[2].off), 4);
	ll_store(e, ll_call(e, "dtx_walltimestamp", e->f.frame), ll_off(e, e->f.rec, f[3].off), 8);
	ll_store(e, emit_expr(e, proto), ll_off(e, e->f.rec, f[4].off), 4);
}

/* An action in a branch says that it ran. */
static void ran(struct emit *e, const struct img_action *act)
{
	if (act->ran_off)
		ll_store(e, ll_num(e, 1), ll_off(e, e->f.rec, act->ran_off), 1);
}

static void action(struct emit *e, const struct node *n)
{
	u32 i = 0;

	ran(e, n->act);
	if (n->row->lower == BL_CONSUMER || n->row->flags & BF_DESTRUCTIVE)
		n->act->place = emit_text_place(e, &n->at);
	if (builtin_is(n->row, BI_pcap)) {
		packet(e, n);
		return;
	}
	for (const struct node *v = n->list; v && i < n->act->nfields; v = v->next, i++)
		field(e, v, &n->act->fields[i]);
	if (builtin_is(n->row, BI_exit))
		ll_call(e, "dtx_exit", e->f.frame, exit_status(e, n));
	else if (ends_speculation(n->act))
		check_given(e, n->act);
}

static void branch(struct emit *e, const struct node *n)
{
	block yes = ll_block(e, "then"), no = ll_block(e, "else"), end = ll_block(e, "end");

	emit_jump(e, n->a, yes, no);
	ll_at(e, yes);
	emit_statements(e, n->b);
	ll_br(e, end);
	ll_at(e, no);
	emit_statements(e, n->c);
	ll_br(e, end);
	ll_at(e, end);
}

void emit_statements(struct emit *e, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		struct range outer = diags_use(&e->c->env->diags, n->at);

		dbg_line(e, n->at);
		e->x.held = 0;
		switch (n->kind) {
		case N_EXPR:
			if (n->act)
				ran(e, n->act);
			emit_void(e, n->a);
			break;
		case N_AGG:
			emit_agg(e, n);
			break;
		case N_ACTION:
			action(e, n);
			break;
		case N_IF:
			branch(e, n);
			break;
		case N_BLOCK:
			emit_statements(e, n->b);
			break;
		case N_LOOP:
			emit_loop(e, n);
			break;
		case N_JUMP:
			emit_goto(e, n);
			break;
		default:
			emit_void(e, n);
		}
		e->c->env->diags.use = outer;
	}
}
