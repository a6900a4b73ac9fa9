/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_var.c - variables: globals, self->, this->, associative arrays.
 *
 * Absent thread-local variables and elements read as zero; storing zero to an element
 * deletes it, storing zero to self-> does not create the storage.
 */
#include "compiler/emit/emit-private.h"

/* ---- keys ------------------------------------------------------------------------- */

struct key_part {
	const struct node *n;
	struct type *type;
	u32 off, size;
	struct held v;           /* scalars, and the address of a symbol */
	struct place at;         /* p: stacks, symbols and structs in a variable */
	struct str s;            /* strings */
	struct held addr;        /* of their text, when that is a number */
};

static u32 key_part_size(struct emit *e, const struct type *t)
{
	if (t->kind == T_STRING)
		return t->size;
	if (t->kind == T_STACK)
		return sizeof(struct dtx_stackref);
	if (t->kind == T_SYMADDR)
		return sizeof(struct dtx_symref);
	return type_size(e->c, t);
}

static bool is_wide(const struct type *t)
{
	return t->kind == T_STACK || t->kind == T_SYMADDR;
}

static bool is_held(const struct node *n)
{
	return n->kind == N_VAR || n->kind == N_ASSOC;
}

/* Operands with their own keys are looked up here: there is room for only one key at a
 * time. */
static void key_value(struct emit *e, struct key_part *k)
{
	if (k->type->kind == T_STRING)
		k->s = emit_str(e, k->n);
	else if (type_is_scalar(k->type))
		k->v = emit_hold(e, emit_expr(e, k->n));
	else if (is_held(k->n) || !is_wide(k->type))
		k->at = emit_place(e, k->n);
	else if (k->type->kind == T_SYMADDR)
		k->v = emit_hold(e, emit_expr(e, k->n->list));
	/* a string in scratch must be read before the buffer is in use */
	if (k->type->kind == T_STRING && k->s.kind == STR_OWN && k->n->kind == N_ASSOC)
		k->s = emit_str_own(e, k->s);
	if (k->s.p && LLVMTypeOf(k->s.p) == e->i64)
		k->addr = emit_hold(e, k->s.p);
}

static void key_store(struct emit *e, struct key_part *k, val buf)
{
	val to = ll_off(e, buf, k->off);

	if (k->addr.at)
		k->s.p = emit_take(e, k->addr);
	if (k->type->kind == T_STRING)
		emit_str_into(e, k->s, to, k->size, true);
	else if (k->at.p)
		emit_read(e, to, k->size, &k->at);
	else if (k->type->kind == T_SYMADDR)
		emit_symref(e, k->n, emit_take(e, k->v), to);
	else if (k->type->kind == T_STACK)
		emit_wide(e, k->n, to);
	else
		ll_store(e, emit_take(e, k->v), to, k->size);
}

/* Computes the keys, before the rest of the statement. */
struct keys emit_keys_eval(struct emit *e, const struct sym *s, const struct node *list)
{
	struct keys ks = { s, ARENA_ARRAY(e->c->arena, struct key_part, s->nkeys) };
	u32 i = 0;

	for (const struct node *n = list; n && i < s->nkeys; n = n->next, i++) {
		struct key_part *k = &ks.parts[i];

		k->n = n;
		k->type = type_base(s->keys[i]);
		k->off = s->key_off[i];
		k->size = key_part_size(e, k->type);
		key_value(e, k);
	}
	return ks;
}

/* One place on the stack for all keys of a function: a key is used as soon as it is built. */
static val key_room(struct emit *e, u32 bytes)
{
	val old = e->f.key;

	if (old && e->f.key_bytes >= bytes)
		return old;
	e->f.key = ll_alloca(e, LLVMArrayType2(e->i64, bytes / 8), "key");
	e->f.key_bytes = bytes;
	if (old)
		LLVMReplaceAllUsesWith(old, e->f.key);
	return e->f.key;
}

/* Bytes from *end to `to`, between keys: the CPU number, if its place is there, and zeros. */
static void key_gap(struct emit *e, const struct sym *s, val buf, u32 *end, u32 to)
{
	while (*end < to) {
		bool cpu = s->kind == SYM_AGG && *end == s->cpu_off;
		bool word = !(*end % 8) && to - *end >= 8;
		u32 bytes = word ? 8 : cpu ? DTX_AGG_CPU_BYTES : 1;

		ll_store(e, cpu ? ll_call(e, "dtx_cpu", e->f.frame) : ll_num(e, 0),
			 ll_off(e, buf, *end), bytes);
		*end += bytes;
	}
}

static val key_thread(struct emit *e, const struct keys *ks)
{
	const struct plan *p = e->c->plan;

	if (!sym_has_thread(e->c->env, ks->sym))
		return ll_call(e, "dtx_thread", );
	if (ks->looks)
		return ll_call(e, "dtx_thread_seen", e->f.frame, ll_num(e, p->thread_off));
	return ll_call(e, "dtx_thread_id", e->f.frame, ll_zero_bytes(e, p->self_size),
		       ll_num(e, p->thread_off));
}

/* The tuple, with every byte set; on the stack if small. */
val emit_keys_store(struct emit *e, struct keys ks)
{
	const struct sym *s = ks.sym;
	u32 end = 0, size = s->kind == SYM_AGG ? img_agg_map_key(&e->c->img->aggs[s->index])
						: s->key_size;
	val buf = size <= STACK_KEY_MAX && !e->p.large ? key_room(e, size)
						     : emit_scratch(e, e->c->plan->key_off);

	if (s->kind == SYM_ASSOC && s->space == SPACE_SELF) {
		ll_store(e, key_thread(e, &ks), buf, 8);
		end = 8;
	}
	for (u32 i = 0; i < s->nkeys; i++) {
		struct key_part *k = &ks.parts[i];

		key_gap(e, s, buf, &end, k->off);
		key_store(e, k, buf);
		end = k->off + k->size;
	}
	key_gap(e, s, buf, &end, size);
	if (s->kind == SYM_AGG && s->cpu_size < DTX_AGG_CPU_BYTES) /* in the last byte of a
								    * string */
		ll_store(e, ll_call(e, "dtx_cpu", e->f.frame), ll_off(e, buf, s->cpu_off),
			 s->cpu_size);
	return buf;
}

static val emit_keys(struct emit *e, const struct sym *s, const struct node *list, bool looks)
{
	struct keys ks = emit_keys_eval(e, s, list);

	ks.looks = looks;
	return emit_keys_store(e, ks);
}

static val self_get(struct emit *e)
{
	e->p.uses |= USES_SELF;
	return ll_call(e, "dtx_self_get", e->f.frame);
}

/* ---- addresses ----------------------------------------------------------------------- */

static val globals(struct emit *e)
{
	val g = LLVMGetNamedGlobal(e->mod, "dtx_globals");
	LLVMTypeRef t = LLVMArrayType2(e->i64, MAX(e->c->plan->globals_size / 8, 1));

	if (g)
		return g;
	g = LLVMAddGlobal(e->mod, t, "dtx_globals");
	LLVMSetInitializer(g, LLVMConstNull(t));
	LLVMSetAlignment(g, 8);
	return g;
}

/* p + off; NULL stays NULL.  The barrier keeps the addition after the check: the
 * verifier forbids it before. */
static val unless_null(struct emit *e, val p, u32 off)
{
	block have, end, from = ll_here(e);
	val q;

	if (!off)
		return p;
	have = ll_block(e, "have");
	end = ll_block(e, "end");
	ll_if(e, LLVMBuildIsNotNull(e->b, p, ""), have, end);
	ll_at(e, have);
	q = ll_off(e, ll_call(e, "dtx_keep", p), off);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->ptr, q, have, LLVMConstNull(e->ptr), from);
}

/* The map of an associative array. */
static val elements(struct emit *e, const struct sym *s)
{
	val map;

	if (!s->shelved)
		return emit_map(e, s->map);
	map = ll_call(e, "dtx_shelved", emit_shelf(e, s->map), emit_slot(e, s->map));
	emit_fault_if(e, LLVMBuildIsNull(e->b, map, ""), DTX_FAULT_BADADDR, ll_num(e, 0));
	return map;
}

/* The same for an element or thread-local variable, created with zeros if absent; NULL if
 * there is no room. */
val emit_var_make(struct emit *e, const struct node *n)
{
	const struct sym *s = n->sym;
	val p;

	if (s->place == PLACE_SELF) {
		p = ll_call(e, "dtx_self_make", e->f.frame,
			    ll_zero_bytes(e, e->c->plan->self_size));
		return unless_null(e, p, s->off);
	}
	return ll_call(e, "dtx_assoc_make", e->f.frame, elements(e, s),
		       emit_keys(e, s, n->list, false), ll_zero_bytes(e, s->size));
}

val emit_var_addr(struct emit *e, const struct node *n)
{
	const struct sym *s = n->sym;

	switch (s->place) {
	case PLACE_GLOBAL:
		return ll_off(e, globals(e), s->off);
	case PLACE_LOCAL:
		return e->p.large ? emit_scratch(e, e->c->plan->this_off + s->slot_off)
				: emit_mst(e, s->off);
	case PLACE_SCRATCH:
		return emit_scratch(e, e->c->plan->this_off + s->off);
	case PLACE_SELF:
		return unless_null(e, self_get(e), s->off);
	case PLACE_MAP:
		return ll_call(e, "dtx_assoc_get", elements(e, s),
			       emit_keys(e, s, n->list, true));
	default:
		return LLVMConstNull(e->ptr);
	}
}

/* ---- scalars --------------------------------------------------------------------------- */

static u32 scalar_size(struct emit *e, const struct node *n)
{
	return type_size(e->c, n->sym->type);
}

static val get_if_there(struct emit *e, val base, u32 off, u32 size, bool is_signed)
{
	block have = ll_block(e, "have"), end = ll_block(e, "end"), from = ll_here(e);
	val v;

	ll_if(e, LLVMBuildIsNotNull(e->b, base, ""), have, end);
	ll_at(e, have);
	v = ll_load(e, ll_off(e, base, off), size, is_signed);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->i64, v, have, ll_num(e, 0), from);
}

val emit_var_get(struct emit *e, const struct node *n)
{
	const struct sym *s = n->sym;
	bool is_signed = type_signed(s->type);
	u32 size = scalar_size(e, n);

	if (s->place == PLACE_SELF)
		return get_if_there(e, self_get(e), s->off, size, is_signed);
	if (s->place == PLACE_MAP)
		return get_if_there(e, emit_var_addr(e, n), 0, size, is_signed);
	if (e->p.large)            /* otherwise the stored value stays in a register */
		return ll_load_now(e, emit_var_addr(e, n), size, is_signed);
	return ll_load(e, emit_var_addr(e, n), size, is_signed);
}

static bool is_zero(val v)
{
	return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

static val self_for_store(struct emit *e, bool zero)
{
	if (zero)
		return self_get(e);
	return ll_call(e, "dtx_self_make", e->f.frame, ll_zero_bytes(e, e->c->plan->self_size));
}

static void set_self(struct emit *e, const struct node *n, val v)
{
	block have = ll_block(e, "have"), end = ll_block(e, "end");
	val p = self_for_store(e, is_zero(v));

	ll_if(e, LLVMBuildIsNotNull(e->b, p, ""), have, end);
	ll_at(e, have);
	if (n->sym->gate)
		ll_call(e, "dtx_gate_set", ll_num(e, n->sym->gate - 1), ll_off(e, p, n->sym->off),
			v, ll_num(e, scalar_size(e, n)));
	else
		ll_store(e, v, ll_off(e, p, n->sym->off), scalar_size(e, n));
	ll_br(e, end);
	ll_at(e, end);
}

static void set_element(struct emit *e, const struct node *n, struct keys ks, val v)
{
	block put = ll_block(e, "put"), del = ll_block(e, "del"), end = ll_block(e, "end");
	val map = elements(e, n->sym), key = emit_keys_store(e, ks), room;

	ll_if(e, v, put, del);
	ll_at(e, put);
	room = ll_word(e);
	ll_store(e, emit_narrow(e, v, n->sym->type), room, 8);
	ll_call(e, "dtx_assoc_set", e->f.frame, map, key, room);
	ll_word_end(e, room);
	ll_br(e, end);
	ll_at(e, del);
	ll_call(e, "dtx_assoc_del", map, key);
	ll_br(e, end);
	ll_at(e, end);
}

/* Keys of an element, evaluated once for reading and writing it. */
static struct keys keys_of(struct emit *e, const struct node *n)
{
	return n->sym->place == PLACE_MAP ? emit_keys_eval(e, n->sym, n->list) : (struct keys){ 0 };
}

static val get_scalar(struct emit *e, const struct node *n, struct keys ks)
{
	val p;

	if (n->sym->place != PLACE_MAP)
		return emit_var_get(e, n);
	ks.looks = true;
	p = ll_call(e, "dtx_assoc_get", elements(e, n->sym), emit_keys_store(e, ks));
	return get_if_there(e, p, 0, scalar_size(e, n), type_signed(n->sym->type));
}

static void set_scalar(struct emit *e, const struct node *n, struct keys ks, val v)
{
	if (n->sym->place == PLACE_SELF)
		set_self(e, n, v);
	else if (n->sym->place == PLACE_MAP)
		set_element(e, n, ks, emit_narrow(e, v, n->sym->type));
	else
		ll_store(e, v, emit_var_addr(e, n), scalar_size(e, n));
}

/* ---- strings and structs ---------------------------------------------------------------- */

/* Stores a string, struct or stack.  Returns whether the value is the NULL string
 * (i1); NULL: it cannot be. */
val emit_fill(struct emit *e, const struct node *value, val to, u32 size)
{
	struct str s = { .null = NULL };
	struct place at;

	if (type_is_string(value->type) || type_is_strcompat(value->type)) {
		s = emit_str(e, value);
		emit_str_into(e, s, to, size, false);
		emit_str_mark(e, s, to, size);
	} else if (type_base(value->type)->kind == T_STACK ||
		   type_base(value->type)->kind == T_SYMADDR) {
		emit_wide(e, value, to);
	} else {
		at = emit_place(e, value);
		emit_read(e, to, size, &at);
	}
	return s.null;
}

/* `= 0` deletes an element, makes a string NULL and empties anything else. */
static void clear_wide(struct emit *e, const struct node *n)
{
	block have, end;
	val p;

	if (n->sym->place == PLACE_MAP) {
		ll_call(e, "dtx_assoc_del", elements(e, n->sym),
			emit_keys(e, n->sym, n->list, true));
		return;
	}
	have = ll_block(e, "have");
	end = ll_block(e, "end");
	p = emit_var_addr(e, n);
	ll_if(e, LLVMBuildIsNotNull(e->b, p, ""), have, end);
	ll_at(e, have);
	ll_zero(e, p, n->sym->size);
	if (type_is_string(n->sym->type))
		emit_str_mark_null(e, p, n->sym->size);
	ll_br(e, end);
	ll_at(e, end);
}

/* A large struct is created with zeros, then written in place. */
static void set_large_element(struct emit *e, const struct node *n, const struct node *value)
{
	block have = ll_block(e, "have"), end = ll_block(e, "end");
	val p = emit_var_make(e, n);

	ll_if(e, LLVMBuildIsNotNull(e->b, p, ""), have, end);
	ll_at(e, have);
	emit_fill(e, value, p, type_size(e->c, n->sym->type));
	ll_br(e, end);
	ll_at(e, end);
}

/* Any other element is built outside the map, then stored as a whole. */
static void set_wide_element(struct emit *e, const struct node *n, const struct node *value)
{
	struct plan *p = e->c->plan;
	struct keys ks = keys_of(e, n);
	block put = ll_block(e, "put"), del = ll_block(e, "del"), end = ll_block(e, "end");
	u32 mark = e->x.held;
	val key, null, room = n->sym->size <= STACK_KEY_MAX ? emit_room(e, n->sym->size)
		 : emit_scratch(e, p->str_off + (n->place ? n->place - 1 : 0) * p->str_slot);

	if (n->sym->size <= STACK_KEY_MAX)
		ll_zero(e, room, n->sym->size);
	null = emit_fill(e, value, room, MIN(n->sym->size, type_size(e->c, n->sym->type)));
	key = emit_keys_store(e, ks);
	ll_if(e, null ? null : LLVMConstInt(e->i1, 0, false), del, put);
	ll_at(e, put);
	ll_call(e, "dtx_assoc_set", e->f.frame, elements(e, n->sym), key, room);
	ll_br(e, end);
	ll_at(e, del);
	ll_call(e, "dtx_assoc_del", elements(e, n->sym), key);
	ll_br(e, end);
	ll_at(e, end);
	e->x.held = mark;
}

static void set_wide(struct emit *e, const struct node *n, const struct node *value)
{
	block have, end;
	val p;

	if (n->sym->place == PLACE_MAP) {
		if (n->sym->size > STACK_KEY_MAX && type_is_struct(n->sym->type))
			set_large_element(e, n, value);
		else
			set_wide_element(e, n, value);
		return;
	}
	if (n->sym->place != PLACE_SELF) {
		emit_fill(e, value, emit_var_addr(e, n), n->sym->size);
		return;
	}
	have = ll_block(e, "have");
	end = ll_block(e, "end");
	p = self_for_store(e, false);
	ll_if(e, LLVMBuildIsNotNull(e->b, p, ""), have, end);
	ll_at(e, have);
	emit_fill(e, value, ll_off(e, p, n->sym->off), n->sym->size);
	ll_br(e, end);
	ll_at(e, end);
}

/* ---- assignment ------------------------------------------------------------------------------ */

/* old OP= v: the new value. */
val emit_compound(struct emit *e, const struct node *n, val old, val v)
{
	struct node bin = *n;

	bin.kind = N_BINARY;
	return emit_arith(e, &bin, old, v);
}

val emit_assign(struct emit *e, const struct node *n)
{
	const struct node *to = n->a;
	u32 mark = e->x.held;
	struct held new;
	struct keys ks;
	val v;

	if (to->kind != N_VAR && to->kind != N_ASSOC)
		return emit_store(e, n);
	if (!type_is_scalar(to->type)) {
		if (n->b->kind == N_INT)
			clear_wide(e, to);
		else
			set_wide(e, to, n->b);
		return ll_num(e, 0);
	}
	ks = keys_of(e, to);
	if (n->op == '=') {
		v = emit_expr(e, n->b);
	} else {
		struct held old = emit_hold(e, get_scalar(e, to, ks));

		v = emit_expr(e, n->b);
		v = emit_compound(e, n, emit_take(e, old), v);
	}
	new = emit_hold(e, v);
	set_scalar(e, to, ks, v);
	v = emit_narrow(e, emit_take(e, new), to->type);
	e->x.held = mark;
	return v;
}

val emit_incdec(struct emit *e, const struct node *n)
{
	struct type *t = type_base(n->a->type);
	u64 step = t->kind == T_PTR ? type_size(e->c, t->to) : 1;
	u32 mark = e->x.held;
	struct held kept;
	struct keys ks;
	val old, new;

	if (n->a->kind != N_VAR && n->a->kind != N_ASSOC)
		return emit_store_step(e, n, step);
	ks = keys_of(e, n->a);
	old = get_scalar(e, n->a, ks);
	new = n->op == '+' ? LLVMBuildAdd(e->b, old, ll_num(e, step), "")
			   : LLVMBuildSub(e->b, old, ll_num(e, step), "");
	kept = emit_hold(e, n->prefix ? emit_narrow(e, new, n->a->type) : old);
	set_scalar(e, n->a, ks, new);
	old = emit_take(e, kept);
	e->x.held = mark;
	return old;
}
