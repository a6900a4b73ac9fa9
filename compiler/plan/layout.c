/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.c - every variable, key tuple, record field and string gets its place.
 *
 * Needs the typed clauses and the grouped programs; fills comp->plan and comp->img. No
 * later pass decides a size.
 *
 * One scratch slot (per CPU and nesting level), if a program needs it:
 *
 *   +--------+--------+-------------+----------------------+-------------+
 *   | record | key    | this->      | string temporaries   | alloca area |
 *   +--------+--------+-------------+----------------------+-------------+
 *   rec_off  key_off  this_off      str_off (nstrs × slot) mem_off
 *
 * After this->: pending values (held_off, large programs).
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtx/base.h>
#include <dtx/feat.h>
#include <dtx/opt.h>
#include <dtx/stack.h>
#include <dtx/tag.h>
#include <dtx/tables/maprole.h>

#include "compiler/front/builtin.h"
#include "compiler/plan/plan.h"

#define LOCALS_MAX  128          /* bytes of this-> scalars kept as locals (BPF stack: 512) */

u32 layout_string(struct comp *c, const struct type *t)
{
	return t->size ? MIN(t->size, c->plan->strsize + 1) : c->plan->strsize + 1;
}

/* Bytes of a value as a variable, a key part or a record field. */
u32 layout_size(struct comp *c, struct type *type)
{
	struct type *t = type_base(type);

	switch (t->kind) {
	case T_STRING:
		return layout_string(c, t);
	case T_STACK:
		return sizeof(struct dtx_stackref);
	case T_SYMADDR:
		return sizeof(struct dtx_symref);
	default:
		return type_size(c, t);
	}
}

u32 layout_align(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	switch (t->kind) {
	case T_STRING:
	case T_STRUCT:
	case T_UNION:
	case T_ARRAY:
	case T_SYMADDR:
		return 8;
	case T_STACK:
		return 8;
	default:
		return t->size >= 8 ? 8 : t->size >= 4 ? 4 : t->size >= 2 ? 2 : 1;
	}
}

u32 layout_at(u32 *off, u32 size, u32 align)
{
	u32 at = ALIGN_UP(*off, align);

	*off = at + size;
	return at;
}

/* ---- fields ------------------------------------------------------------------ */

void layout_field(struct comp *c, struct type *type, bool in_key, struct img_field *f)
{
	struct type *t = type_base(type);

	f->size = layout_size(c, t);
	f->ctype = type_name(c->img->arena, type);
	switch (t->kind) {
	case T_STRING:
		f->type = IMG_STR;
		f->str_max = f->size;
		if (!in_key)
			f->size = sizeof(struct dtx_strref);
		break;
	case T_STACK:
		f->type = IMG_STACK;
		f->user = t->is_user;
		f->depth = t->count;
		break;
	case T_SYMADDR:
		f->type = IMG_SYM;
		f->user = t->is_user;
		f->symkind = t->name;
		break;
	case T_STRUCT:
	case T_UNION:
	case T_ARRAY:
		f->type = IMG_BYTES;
		break;
	case T_FLOAT:
		f->type = IMG_BYTES;
		f->is_float = type_is_real(t);
		break;
	default:
		f->type = type_is_wide(t) ? IMG_BYTES : IMG_INT;
		f->is_signed = type_signed(t);
		f->is_char = t->is_char;
		f->is_ptr = t->kind == T_PTR;
		f->user = t->is_user;
	}
}

struct img_map *layout_add_map(struct comp *c, const char *name, u32 role)
{
	const struct maprole *row = &maproles[role];
	struct img *img = c->img;
	struct img_map m = { .name = arena_strdup(img->arena, name), .role = role,
			     .type = row->type, .key_size = row->key_size,
			     .val_size = row->val_size };

	if (img_map_named(img, name))
		return img_map_named(img, name);
	ARENA_PUSH(img->arena, img->maps, img->nmaps, m);
	return &img->maps[img->nmaps - 1];
}

static void stack_map(struct comp *c, u32 depth)
{
	struct img_map *m;
	char name[32];

	snprintf(name, sizeof(name), "dtx_stack_%u", depth);
	m = layout_add_map(c, name, ROLE_stack);
	m->key_size = 8;
	m->val_size = sizeof(struct dtx_stack) + depth * 8;
}

/* The walk that a stack, its depth or its caller needs. */
static void want_walk(struct comp *c, const struct inst *inst, const struct node *n)
{
	const struct type *t = n->type ? type_base(n->type) : NULL;
	u32 flags = n->kind == N_BUILTIN ? n->row->flags : 0;
	bool python = t && type_is_python(t);
	bool user = (t && t->kind == T_STACK && t->is_user && !python) ||
		    flags & BF_USTACK;
	bool kernel = flags & BF_KSTACK;
	enum walk walk;

	if (!user && !kernel && !(t && t->kind == T_STACK))
		return;
	walk = user ? need_user_walk(c) : WALK_PLAIN;
	c->plan->walk = MAX(c->plan->walk, walk);
	c->plan->python |= python;
	if (user || python)
		return;
	kcaller_want(c, inst, n->at);
	kends_want(c);
	made_want(c, env_has(c->env, FEAT_FENTRY));
	traceiter_want(c, inst);
}

/* ---- records ------------------------------------------------------------------- */

struct site_walk {
	struct comp *c;
	struct inst *inst;
	struct img_site *site;
	u32 off;                 /* next free byte of the fixed part */
	u32 tails;               /* bytes all strings may take */
	u32 strs;                /* string temporaries of the current statement */
	u32 ifs;                 /* `if` statements around it */
};

/* Expressions whose string value is built in a temporary. */
static bool wants_temp(const struct node *n)
{
	const struct type *t = type_base(n->type);

	if (!t || t->kind != T_STRING)
		return false;
	return n->kind == N_CALL || n->kind == N_STRINGOF || n->kind == N_BUILTIN ||
	       n->kind == N_CAST || n->kind == N_COND || n->kind == N_ARG ||
	       n->kind == N_ASSOC;
}

/* String operations done in the work areas. */
static bool wants_work(const struct node *n)
{
	if (n->kind == N_BINARY)
		return type_is_string(n->a->type) || type_is_string(n->b->type);
	if (n->kind == N_BUILTIN)
		return n->row->flags & BF_WORK;
	if (n->kind != N_CALL || n->row->kind == BK_VAR)
		return false;
	if (type_is_string(n->type) || n->row->flags & BF_WORK)
		return true;
	for (const struct node *a = n->list; a; a = a->next)
		if (type_is_string(a->type))
			return true;
	return false;
}

static bool walk_temps(struct node *n, void *arg)
{
	struct site_walk *w = arg;

	w->c->plan->work_size |= wants_work(n);

	if (wants_temp(n))
		n->place = ++w->strs;
	if (n->type && type_base(n->type)->kind == T_STACK)
		stack_map(w->c, type_base(n->type)->count);
	want_walk(w->c, w->inst, n);
	return true;
}

static void count_temps(struct site_walk *w, struct node *n)
{
	w->strs = 0;
	node_walk(n, walk_temps, w);
	w->inst->nstrs = MAX(w->inst->nstrs, w->strs);
	w->c->plan->nstrs = MAX(w->c->plan->nstrs, w->strs);
}

static void place_action(struct site_walk *w, struct node *n)
{
	struct img_action *act = n->act;
	u32 nvals = node_count(n->list), i = 0;

	act->name = n->row->name;
	act->fields = ARENA_ARRAY(w->c->img->arena, struct img_field, nvals);
	act->nfields = nvals;
	for (struct node *v = n->list; v; v = v->next, i++) {
		struct img_field *f = &act->fields[i];
		u32 align;

		layout_field(w->c, v->type, false, f);
		if (builtin_is(n->row, BI_print) && i) {  /* the cut part is printed as "..." */
			f->objtype = layout_type(w->c, v->type);
			f->size = MIN(f->size, (u32)opt_num(w->c->env, OPT_printsize));
		}
		if (v->names)
			f->objtype = layout_names(w->c, v->names);
		f->name = label_of_field(w->c, n->row, i, v);
		label_unique(w->c, act->fields, i);
		f->unit = unit_of(v);
		align = f->type == IMG_STR ? 4 : layout_align(v->type);
		f->off = layout_at(&w->off, f->size, align);
		if (f->type == IMG_STR)
			w->tails += f->str_max;
	}
	if (w->ifs)
		act->ran_off = layout_at(&w->off, 1, 1);
	w->site->actions[w->site->nactions++] = *act;
	n->act = &w->site->actions[w->site->nactions - 1];
	if (!(n->row->flags & BF_NODATA))
		w->site->record = true;
}

static u32 count_actions(const struct node *list)
{
	u32 n = 0;

	for (; list; list = list->next) {
		if (list->kind == N_ACTION)
			n++;
		else if (list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP)
			n += count_actions(list->b) + count_actions(list->c);
	}
	return n;
}

/* raise() and stop() do, if the clause records nothing else. */
static bool shows_itself(const struct node *n)
{
	const struct builtin *row = n->kind == N_EXPR ? n->a->row : NULL;

	return row && row->flags & BF_SIGNAL;
}

/* A line in any case, or, for those in branches, an action without fields that tells whether one of
 * them ran. */
static void mark_calls(struct site_walk *w, struct node *list, bool branch)
{
	struct img_site *site = w->site;

	for (; list; list = list->next) {
		if (shows_itself(list) && !branch) {
			site->is_default = site->record = true;
		} else if (shows_itself(list)) {
			if (!site->nactions++) {
				site->actions = ARENA_ARRAY(w->c->img->arena, struct img_action, 1);
				site->actions->name = list->a->row->name;
				site->actions->ran_off = layout_at(&w->off, 1, 1);
			}
			site->nactions = 1;
			site->record = true;
			list->act = site->actions;
		} else if (list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP) {
			mark_calls(w, list->b, branch || list->kind != N_BLOCK);
			mark_calls(w, list->c, true);
		}
	}
}

static void walk_statements(struct site_walk *w, struct node *list)
{
	for (; list; list = list->next) {
		if (list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP) {
			if (list->a)
				count_temps(w, list->a);
			w->ifs += list->kind != N_BLOCK;
			walk_statements(w, list->b);
			walk_statements(w, list->c);
			w->ifs -= list->kind != N_BLOCK;
			continue;
		}
		/* next is not part of the statement */
		struct node *next = list->next;

		list->next = NULL;
		count_temps(w, list);
		list->next = next;
		if (list->kind == N_ACTION)
			place_action(w, list);
	}
}

/* A clause with only speculate() is an empty clause in the speculation. */
static bool is_default(const struct node *body)
{
	const struct builtin *row = body && body->kind == N_EXPR ? body->a->row : NULL;

	return !body || (!body->next && builtin_is(row, BI_speculate));
}

/* Does a sink, or -F, want the time of each record?  Pragmas set run-time options later. */
static bool layout_times(const struct comp *c)
{
	const struct options *o = c->env->opts;
	const char *format = o->v[OPT_format].s;

	for (u32 i = 0; i < c->img->noptions; i++)
		if (!strcmp(c->img->options[i].name, "format"))
			format = c->img->options[i].value;
	return o->v[OPT_flowtime].n || options_want_times(o, format);
}

/* Exceptions, coroutines and deep recursion leave only the frame to tell which return of a
 * program's function belongs to which entry. */
static bool is_at_calls(const struct inst *inst)
{
	for (u32 i = 0; i < inst->nprobes; i++)
		if (probe_at_call(inst->probes[i]))
			return true;
	return false;
}

static void layout_site(struct comp *c, struct inst *inst)
{
	struct img_site *site = &c->img->sites[inst->site];
	struct site_walk w = { .c = c, .inst = inst, .site = site,
			       .off = sizeof(struct dtx_rec) };

	source_place(inst->clause->at.src, inst->clause->at.from, &site->file, &site->line,
		     &site->column);
	site->clause = inst->clause->index;
	layout_site_probes(c, inst, site);
	site->actions = ARENA_ARRAY(c->img->arena, struct img_action, count_actions(inst->body));
	if (inst->pred)
		count_temps(&w, inst->pred);
	if (layout_times(c))
		site->time_off = layout_at(&w.off, sizeof(struct dtx_rectime), 8);
	if (site->time_off && is_at_calls(inst))
		site->frame_off = layout_at(&w.off, sizeof(u64), 8);
	w.ifs = inst->leaves;            /* after a return, statements may not run */
	walk_statements(&w, inst->body);
	if (is_default(inst->body))
		site->is_default = site->record = true;
	else if (!count_actions(inst->body))
		mark_calls(&w, inst->body, inst->leaves);
	inst->records = site->nactions || site->is_default;
	if (!inst->records) {
		site->time_off = site->frame_off = 0;
		return;
	}
	site->rec_size = ALIGN_UP(w.off, 8);
	c->plan->rec_size = MAX(c->plan->rec_size, site->rec_size + w.tails);
}

static bool layout_sites(struct comp *c)
{
	u32 n = 0;

	for (struct inst *i = c->insts; i; i = i->next)
		i->site = n++;
	c->img->nsites = n;
	c->img->sites = ARENA_ARRAY(c->img->arena, struct img_site, n);
	for (struct inst *i = c->insts; i; i = i->next) {
		layout_site(c, i);
		if (c->plan->rec_size > DTX_REC_MAX) {
			struct diag *d = diag_error(
				&c->env->diags, D_UNKNOWN, i->clause->at,
				"this clause records up to %u bytes at once, more than the %u a "
				"record holds",
				c->plan->rec_size, DTX_REC_MAX);

			diag_hint(&c->env->diags, d, "lower strsize, or split the clause in two");
			return false;
		}
	}
	return true;
}

/* ---- variables --------------------------------------------------------------------- */

/* Is self->x[] keyed by an identity that no other thread ever has?  It is in the thread's storage,
 * which is made where it is first set.  Those of stable.def (self->__x[]) are keyed by its number:
 * lockstat's probes fire where the kernel must not be asked for memory, and they set them to 0. */
bool sym_has_thread(struct dtx_env *env, const struct sym *s)
{
	return s->space == SPACE_SELF && strncmp(s->name, "__", 2) &&
	       env_has(env, FEAT_TASK_STORAGE);
}

static void layout_assoc(struct comp *c, struct sym *s, u32 n)
{
	struct img_map *m;

	s->place = PLACE_MAP;
	s->map = arena_printf(c->img->arena, "dtx_assoc_%u", n);
	layout_keys(c, s, s->space == SPACE_SELF ? 8 : 0, NULL);
	if (s->shelved) {
		s->key_size = layout_shelf_room(s->key_size);
		c->plan->key_size = MAX(c->plan->key_size, s->key_size);
	}
	s->size = ALIGN_UP(layout_size(c, s->type), 8);
	m = layout_add_map(c, s->map, ROLE_assoc);
	m->key_size = s->key_size;
	m->val_size = s->size;
	if (s->shelved)
		layout_shelve(c, s->map);
}

static bool is_local(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return type_is_int(t) || t->kind == T_PTR;
}

static void layout_var(struct comp *c, struct sym *s, u32 *locals)
{
	struct plan *p = c->plan;
	u32 align = layout_align(s->type);

	s->size = layout_size(c, s->type);
	switch (s->space) {
	case SPACE_SELF:
		s->place = PLACE_SELF;
		s->off = layout_at(&p->self_size, s->size, align);
		break;
	case SPACE_THIS:
		if (is_local(s->type) && *locals + 8 <= LOCALS_MAX) {
			s->place = PLACE_LOCAL;
			s->slot_off = layout_at(&p->this_size, 8, 8);
			*locals += 8;
			break;
		}
		s->place = PLACE_SCRATCH;
		s->off = layout_at(&p->this_size, s->size, align);
		break;
	default:
		s->place = PLACE_GLOBAL;
		s->off = layout_at(&p->globals_size, s->size, align);
	}
}

static void layout_vars(struct comp *c)
{
	u32 locals = 0, narrays = 0;
	bool threads = false;

	for (struct sym *s = c->syms; s; s = s->next) {
		if (!s->type || s->type->kind == T_VOID)
			continue;
		threads |= s->kind == SYM_ASSOC && sym_has_thread(c->env, s);
		if (s->kind == SYM_ASSOC)
			layout_assoc(c, s, narrays++);
		else if (s->kind == SYM_VAR)
			layout_var(c, s, &locals);
	}
	if (c->uses_vtime)
		c->plan->vtime_off = layout_at(&c->plan->self_size, 8, 8);
	if (threads)
		c->plan->thread_off = layout_at(&c->plan->self_size, 8, 8);
	c->plan->globals_size = ALIGN_UP(c->plan->globals_size, 8);
	c->plan->this_size = ALIGN_UP(c->plan->this_size, 8);
	c->plan->self_size = ALIGN_UP(c->plan->self_size, 8);
	if (c->plan->self_size) {
		bool storage = env_has(c->env, FEAT_TASK_STORAGE);
		struct img_map *m = layout_add_map(c, maproles[ROLE_self].name, ROLE_self);

		if (storage)
			m->type = BPF_MAP_TYPE_TASK_STORAGE;
		m->val_size = c->plan->self_size;
		m->flags = storage ? BPF_F_NO_PREALLOC
				   : 0; /* old kernels allow perf events no other hashes */
	}
}

/* ---- the scratch slot ---------------------------------------------------------------- */

static void layout_scratch(struct comp *c)
{
	struct plan *p = c->plan;
	u32 off = 0, loops = weigh_loops(c);

	p->rec_size = ALIGN_UP(p->rec_size, 8);
	p->rec_off = layout_at(&off, p->rec_size, 8);
	p->key_off = layout_at(&off, p->key_size, 8);
	p->this_off = layout_at(&off, p->this_size, 8);
	p->held_off = layout_at(&off, 8 * p->held, 8);
	p->tail_off = layout_at(&off, 8, 8);
	if (loops)
		p->loop_off = layout_at(&off, 8 * loops, 8);
	p->str_slot = ALIGN_UP(p->strsize + 1, 8) + 8;
	p->str_off = layout_at(&off, p->nstrs * p->str_slot, 8);
	layout_memory(c);
	if (p->work_size) {
		u32 area = ALIGN_UP(p->strsize + 1 + DTX_STR_BLOCK, DTX_STR_BLOCK);

		p->work_size = DTX_STR_STATE + 4 * area; /* the last byte is never reached */
		p->work_off = layout_at(&off, p->work_size, 8);
	}
	if (p->walk)
		p->walk_off = layout_at(&off, DTX_WALK_BYTES + (p->python ? DTX_PY_BYTES : 0), 8);
	/* Twice the size: the verifier adds the largest offset and the largest size. */
	p->mem_off =
		layout_at(&off, ALIGN_UP(MAX(p->mem_size, p->mem_mask) + p->mem_size + 8, 8), 8);
	p->scratch_size = ALIGN_UP(off, 64);
}

bool layout(struct comp *c)
{

	c->plan->strsize = opt_num(c->env, OPT_strsize) - 1;
	c->img->version = IMG_VERSION;
	c->img->abi = DTX_ABI_VERSION;
	c->img->strsize = c->plan->strsize;
	label_units(c);
	label_samples(c);
	layout_programs(c);
	if (!layout_sites(c))
		return false;
	layout_key_strings(c);
	layout_aggs(c);
	layout_vars(c);
	weigh_programs(c);
	c->plan->held = weigh_waiting(c);
	layout_scratch(c);
	layout_add_map(c, maproles[ROLE_ring].name, ROLE_ring);
	return c->env->diags.nerrors == 0;
}
