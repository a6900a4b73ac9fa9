/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_sub.c - subroutines: strings, scratch memory, addresses, kernel objects.
 *
 * Strings are worked on in the work areas of the scratch slot (bpf/text/strfn.h): the
 * arguments are computed, then copied there with their lengths; the function gets
 * only numbers, and writes its result to the temporary of the call.
 */
#include "compiler/emit/expr/rows.h"

#define AF_INET     2
#define AF_INET6    10
#define LINK_ETHER  1
#define LINK_IB     32

/* ---- the work areas ------------------------------------------------------------------ */

enum area { AREA_A, AREA_B, AREA_T };

static u32 area_off(const struct emit *e, enum area a)
{
	u32 size = ALIGN_UP(e->c->plan->strsize + 1 + DTX_STR_BLOCK, DTX_STR_BLOCK);

	return e->c->plan->work_off + DTX_STR_STATE + a * size;
}

/* Address of an area.  Hidden from the optimiser, which would keep the address of every byte. */
static val area(struct emit *e, enum area a)
{
	return ll_call(e, "dtx_keep", emit_scratch(e, area_off(e, a)));
}

static val out_off(struct emit *e, const struct node *n)
{
	const struct plan *p = e->c->plan;

	return ll_num(e, p->str_off + (n->place - 1) * p->str_slot);
}

static val always(struct emit *e)
{
	return LLVMConstInt(e->i1, 1, false);
}

static struct str made(struct emit *e, const struct node *n, val null)
{
	val at = ll_call(e, "dtx_keep", emit_str_room(e, n));

	return (struct str){ STR_OWN, at, e->c->plan->strsize + 1, n, null, NULL };
}

static bool is_null(const struct node *n)
{
	return n->kind == N_INT;
}

static struct str text(struct emit *e, const struct node *n)
{
	if (is_null(n))
		return (struct str){ STR_LIT, ll_zero_bytes(e, 8), 1, n, always(e), NULL };
	return emit_str(e, n);
}

#define LITERAL_MAX  64          /* bytes written as words */

/* The text to an area; its length. */
static val load_text(struct emit *e, struct str s, enum area a)
{
	u32 max = e->c->plan->strsize + 1;
	val n;

	emit_str_needed(e, &s);
	if (s.kind == STR_LIT && s.cap <= LITERAL_MAX) {
		ll_copy(e, area(e, a), s.p, ALIGN_UP(s.cap, 8));
		return ll_num(e, s.cap - 1);
	}
	n = emit_str_tail(e, s, area(e, a), max);
	n = LLVMBuildSub(e->b, n, ll_num(e, 1), "");
	return LLVMIsAConstantInt(n) ? n : ll_call(e, "dtx_clamp", n, ll_num(e, max - 1));
}

static val load_one(struct emit *e, const struct node *n)
{
	return load_text(e, text(e, n), AREA_A);
}

/* All arguments are computed before the areas are written, because they may be calls. */
static void load_two(struct emit *e, const struct node *n, val *la, val *lb)
{
	struct str a = text(e, n), b = text(e, n->next);

	*la = load_text(e, a, AREA_A);
	*lb = load_text(e, b, AREA_B);
}

/* ---- numbers from strings --------------------------------------------------------------- */

static val find(struct emit *e, const struct node *n, bool last)
{
	const struct node *sub = n->list->next, *start = sub->next;
	struct str a = text(e, n->list), b = text(e, sub);
	val from = start ? emit_expr(e, start) : ll_num(e, last ? INT32_MAX : 0), la, lb;

	la = load_text(e, a, AREA_A);
	lb = load_text(e, b, AREA_B);
	return ll_call(e, last ? "dtx_g_rindex" : "dtx_g_index", emit_level(e), la, lb, from);
}

val emit_index(struct emit *e, const struct node *n)
{
	return find(e, n, false);
}

val emit_rindex(struct emit *e, const struct node *n)
{
	return find(e, n, true);
}

#define LOOP_MAX  64             /* up to this many bytes are compared in a loop without copying */

val emit_strlen(struct emit *e, const struct node *n)
{
	struct str s = text(e, n->list);

	if (s.kind == STR_LIT && !s.null)
		return ll_num(e, s.cap - 1);
	if (s.kind != STR_OWN || s.cap > LOOP_MAX)
		return load_text(e, s, AREA_A);
	emit_str_needed(e, &s);
	return ll_ext(e, ll_call(e, "dtx_strlen_max", s.p, ll_num(e, s.cap)), false);
}

static val base_of(struct emit *e, const struct node *n)
{
	val base, low;

	if (!n)
		return ll_num(e, 10);
	base = emit_expr(e, n);
	low = LLVMBuildSub(e->b, base, ll_num(e, 2), "");
	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, low, ll_num(e, 34), ""),
		      DTX_FAULT_ILLOP, base);
	return base;
}

val emit_strtoll(struct emit *e, const struct node *n)
{
	struct str s = text(e, n->list);
	val base = base_of(e, n->list->next);

	return ll_call(e, "dtx_g_strtoll", emit_level(e), load_text(e, s, AREA_A), base);
}

/* a against b, both of any length: -1, 0, 1. */
val emit_str_order(struct emit *e, struct str a, struct str b)
{
	val la, lb;

	a.null = b.null = NULL;
	la = load_text(e, a, AREA_A);
	lb = load_text(e, b, AREA_B);
	return ll_call(e, "dtx_g_compare", emit_level(e), la, lb);
}

/* ---- strings from strings -------------------------------------------------------------------- */

static val not_found(struct emit *e, val found)
{
	return LLVMBuildICmp(e->b, LLVMIntEQ, found, ll_num(e, 0), "");
}

struct str emit_strstr(struct emit *e, const struct node *n)
{
	val la, lb;

	load_two(e, n->list, &la, &lb);
	return made(e, n,
		    not_found(e, ll_call(e, "dtx_g_strstr", emit_level(e), la, lb, out_off(e, n))));
}

struct str emit_json(struct emit *e, const struct node *n)
{
	val la, lb;

	load_two(e, n->list, &la, &lb);
	return made(e, n,
		    not_found(e, ll_call(e, "dtx_g_json", emit_level(e), la, lb, out_off(e, n))));
}

static struct str find_char(struct emit *e, const struct node *n, bool last)
{
	struct str s = text(e, n->list);
	val c = LLVMBuildAnd(e->b, emit_expr(e, n->list->next), ll_num(e, 255), ""), la;

	if (last)
		c = LLVMBuildOr(e->b, c, ll_num(e, 256), "");
	la = load_text(e, s, AREA_A);
	return made(e, n,
		    not_found(e, ll_call(e, "dtx_g_strchr", emit_level(e), la, c, out_off(e, n))));
}

struct str emit_strchr(struct emit *e, const struct node *n)
{
	return find_char(e, n, false);
}

struct str emit_strrchr(struct emit *e, const struct node *n)
{
	return find_char(e, n, true);
}

struct str emit_strtok(struct emit *e, const struct node *n)
{
	const struct node *delims = n->list->next;
	struct str s = text(e, n->list), d = text(e, delims);
	val la = ll_num(e, ~0ull), lb;

	if (is_null(n->list)) {
		val begun = emit_forget(e, ll_load(e, emit_m(e, tok), 4, false));

		emit_fault_if(e, not_found(e, begun), DTX_FAULT_BADADDR, ll_num(e, 0));
	} else {
		la = load_text(e, s, AREA_T);
		ll_store(e, ll_num(e, 1), emit_m(e, tok), 4);
	}
	lb = load_text(e, d, AREA_B);
	return made(e, n,
		    not_found(e, ll_call(e, "dtx_g_strtok", emit_level(e), la, lb, out_off(e, n))));
}

struct str emit_substr(struct emit *e, const struct node *n)
{
	const struct node *len = n->list->next->next;
	struct str s = text(e, n->list);
	val at = emit_expr(e, n->list->next);
	val max = len ? emit_expr(e, len) : ll_num(e, e->c->plan->strsize), la;

	la = load_text(e, s, AREA_A);
	ll_call(e, "dtx_g_substr", emit_level(e), la, at, max, out_off(e, n));
	return made(e, n, NULL);
}

/* text + n: the rest after the first n characters. */
struct str emit_behind_text(struct emit *e, const struct node *n)
{
	struct str s = text(e, n->list);
	val at = emit_expr(e, n->list->next), max = ll_num(e, e->c->plan->strsize), la;

	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, at, max, ""), DTX_FAULT_BADINDEX, at);
	la = load_text(e, s, AREA_A);
	ll_call(e, "dtx_g_substr", emit_level(e), la, at, max, out_off(e, n));
	return made(e, n, NULL);
}

struct str emit_strjoin(struct emit *e, const struct node *n)
{
	struct str a = text(e, n->list), b = text(e, n->list->next), out;
	u32 max = e->c->plan->strsize + 1;
	val la;

	/* Not directly to the temporary: b may be there. */
	la = load_text(e, a, AREA_A);
	emit_str_needed(e, &b);
	emit_str_tail(e, b, ll_off_var(e, area(e, AREA_A), la), max);
	out = made(e, n, NULL);
	ll_call(e, "dtx_joinstr", e->f.frame, out.p, ll_num(e, max), area(e, AREA_A));
	return out;
}

struct str emit_path_part(struct emit *e, const struct node *n)
{
	const char *name = arena_printf(e->c->arena, "dtx_g_%s", n->row->name);
	val la = load_one(e, n->list);

	ll_call(e, name, emit_level(e), la, out_off(e, n));
	return made(e, n, NULL);
}

/* from: the first of the letters that change, 'A' or 'a'. */
static struct str change_case(struct emit *e, const struct node *n, char from)
{
	val la = load_one(e, n->list);

	ll_call(e, "dtx_g_case", emit_level(e), la, ll_num(e, from), out_off(e, n));
	return made(e, n, NULL);
}

struct str emit_tolower(struct emit *e, const struct node *n)
{
	return change_case(e, n, 'A');
}

struct str emit_toupper(struct emit *e, const struct node *n)
{
	return change_case(e, n, 'a');
}

struct str emit_lltostr(struct emit *e, const struct node *n)
{
	val v = emit_expr(e, n->list), base = base_of(e, n->list->next);

	ll_call(e, "dtx_g_lltostr", emit_level(e), v, base, out_off(e, n));
	return made(e, n, NULL);
}

/* The string with its NUL, at most that many bytes, to user memory. */
val emit_copyoutstr(struct emit *e, const struct node *n)
{
	struct str s = text(e, n->list);
	u32 max = e->c->plan->strsize + 1;
	val to = emit_expr(e, n->list->next), size = emit_expr(e, n->list->next->next), len;

	len = LLVMBuildAdd(e->b, load_text(e, s, AREA_A), ll_num(e, 1), "");
	size = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntULT, size, len, ""), size, len, "");
	emit_write_user(e, to, area(e, AREA_A), size, ll_num(e, max));
	return ll_num(e, 0);
}

/* Copies the bytes at a pointer, or a text, to an area. */
static void load_memory(struct emit *e, const struct node *n, enum area a, u32 bytes)
{
	struct place at;

	if (type_is_string(n->type)) {
		load_text(e, text(e, n), a);
		return;
	}
	at = emit_behind(e, n);
	emit_read(e, area(e, a), bytes, &at);
}

val emit_memcmp(struct emit *e, const struct node *n)
{
	u32 bytes = n->list->next->next->value;
	val last = ll_num(e, bytes - 1);

	if (!bytes)
		return ll_num(e, 0);
	load_memory(e, n->list, AREA_A, bytes);
	load_memory(e, n->list->next, AREA_B, bytes);
	return ll_call(e, "dtx_g_compare", emit_level(e), last, last);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Copies `bytes` at a pointer to area A, and loads them from there. */
static val load_bytes(struct emit *e, const struct node *ptr, u32 bytes)
{
	struct place at = emit_behind(e, ptr);
	val to = area(e, AREA_A);

	emit_read(e, to, bytes, &at);
	return to;
}

static void inet4(struct emit *e, const struct node *n, const struct node *ptr)
{
	val addr = ll_load(e, load_bytes(e, ptr, 4), 4, false);

	addr = ll_ext(e, ll_call(e, "dtx_htonl", e->f.frame, addr), false);
	ll_call(e, "dtx_g_inet4", emit_level(e), addr, out_off(e, n));
}

static void inet6(struct emit *e, const struct node *n, const struct node *ptr, val strict)
{
	val p = load_bytes(e, ptr, 16), lo = ll_load(e, p, 8, false);
	val hi = ll_load(e, ll_off(e, p, 8), 8, false);

	ll_call(e, "dtx_g_inet6", emit_level(e), lo, hi, strict, out_off(e, n));
}

struct str emit_ntop4(struct emit *e, const struct node *n)
{
	val addr = ll_call(e, "dtx_htonl", e->f.frame, emit_expr(e, n->list));

	ll_call(e, "dtx_g_inet4", emit_level(e), ll_ext(e, addr, false), out_off(e, n));
	return made(e, n, NULL);
}

struct str emit_inet_ntoa(struct emit *e, const struct node *n)
{
	inet4(e, n, n->list);
	return made(e, n, NULL);
}

struct str emit_inet_ntoa6(struct emit *e, const struct node *n)
{
	inet6(e, n, n->list, n->list->next ? emit_expr(e, n->list->next) : ll_num(e, 0));
	return made(e, n, NULL);
}

static void link_n(struct emit *e, const struct node *n, const struct node *ptr, u32 bytes)
{
	load_bytes(e, ptr, bytes);
	ll_call(e, "dtx_g_link", emit_level(e), ll_num(e, bytes), out_off(e, n));
}

/* Selected by a number; a fault for other numbers. */
static struct str ntop(struct emit *e, const struct node *n, bool link)
{
	val kind = emit_expr(e, n->list), first = ll_num(e, link ? LINK_ETHER : AF_INET);
	val second = ll_num(e, link ? LINK_IB : AF_INET6);
	block small = ll_block(e, "first"), large = ll_block(e, "second"), end = ll_block(e, "end");

	emit_fault_if(e, LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntNE, kind, first, ""),
				      LLVMBuildICmp(e->b, LLVMIntNE, kind, second, ""), ""),
		      DTX_FAULT_ILLOP, kind);
	ll_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, kind, first, ""), small, large);
	ll_at(e, small);
	if (link)
		link_n(e, n, n->list->next, 6);
	else
		inet4(e, n, n->list->next);
	ll_br(e, end);
	ll_at(e, large);
	if (link)
		link_n(e, n, n->list->next, 20);
	else
		inet6(e, n, n->list->next, ll_num(e, 0));
	ll_br(e, end);
	ll_at(e, end);
	return made(e, n, NULL);
}

struct str emit_inet_ntop(struct emit *e, const struct node *n)
{
	return ntop(e, n, false);
}

struct str emit_link_ntop(struct emit *e, const struct node *n)
{
	return ntop(e, n, true);
}

/* join(): built in area A, then copied with its true length. */
struct str emit_join(struct emit *e, const struct node *n)
{
	u32 max = e->c->plan->strsize + 1;
	val argv = emit_expr(e, n->list), sep = emit_expr(e, n->list->next);
	struct str out;

	ll_call(e, "dtx_join", e->f.frame, area(e, AREA_A), argv, sep, ll_num(e, max));
	emit_check_fault(e);
	out = made(e, n, NULL);
	ll_call(e, "dtx_joinstr", e->f.frame, out.p, ll_num(e, max), area(e, AREA_A));
	return out;
}

val emit_reg(struct emit *e, const struct node *n)
{
	return e->p.in_error ? ll_num(e, 0) : emit_ctx(e, n->list->value, 8, false);
}
