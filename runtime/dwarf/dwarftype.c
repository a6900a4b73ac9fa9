/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarftype.c - DWARF types as struct type.
 *
 * Each entry has one node, which is kept: recursive types work, and equal entries are equal
 * pointers.  Members are made on first use (type_complete).  Every pointer of a program is
 * marked as a user pointer, also those reached through it: the compiler copies in.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

#define DEPTH_MAX 64             /* qualifiers around a type; malformed DWARF may have a cycle */

static bool flag(Dwarf_Die *die, int attr)
{
	Dwarf_Attribute a;
	bool v;

	return dwarf_attr(die, attr, &a) && !dwarf_formflag(&a, &v) && v;
}

/* The type of an entry; void if none is given. */
struct type *dwarf_type_of(struct dwarf_obj *o, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die to;

	if (!dwarf_attr_integrate(die, DW_AT_type, &a) || !dwarf_formref_die(&a, &to))
		return &ty_void;
	return dwarf_type(o, &to);
}

/* ---- enumerations --------------------------------------------------------------- */

/*
 * The value of an enumerator.  Compilers write a non-negative one in as few bytes as possible (200
 * in one), unsigned, and a negative one in a signed form.
 */
static bool enumerator_value(Dwarf_Die *die, s64 *value)
{
	Dwarf_Attribute a;
	Dwarf_Sword with_sign;

	if (!dwarf_attr(die, DW_AT_const_value, &a) || dwarf_formsdata(&a, &with_sign))
		return false;
	*value = a.form == DW_FORM_sdata || a.form == DW_FORM_implicit_const ?
		 with_sign : (s64)dwarf_number(die, DW_AT_const_value, 0);
	return true;
}

static struct type *conv_enum(struct dwarf_obj *o, Dwarf_Die *die)
{
	struct type *t = dwarf_node(o, die, T_ENUM), *under = type_base(dwarf_type_of(o, die));
	VEC(struct type_enumerator) found = { 0 };
	Dwarf_Die child;

	if (dwarf_other_order(die))
		return dwarf_opaque_of(o, die, dwarf_other_name);
	t->is_signed = under->kind == T_INT && under->is_signed;
	for (int no = dwarf_child(die, &child); !no; no = dwarf_siblingof(&child, &child)) {
		struct type_enumerator e = { 0 };

		if (dwarf_tag(&child) != DW_TAG_enumerator || !dwarf_diename(&child) ||
		    !enumerator_value(&child, &e.value))
			continue;
		e.name = dwarf_kept_name(o, dwarf_diename(&child));
		t->is_signed |= e.value < 0;
		VEC_PUSH(&found, e);
	}
	t->count = found.n;
	t->enums = arena_memdup(o->env->arena, found.v, found.n * sizeof(*found.v));
	VEC_FREE(&found);
	return t;
}

/* ---- structs and unions: members on demand ----------------------------------------- */

/*
 * The byte offset of a member: a number; before DWARF 3 an expression that adds a number (§5.5.6
 * there).  false: another expression, which is not evaluated; that of a virtual base class reads
 * the object.
 */
static bool member_byte(Dwarf_Die *m, u64 *at)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	*at = 0;                                         /* not given in a union */
	if (!dwarf_attr_integrate(m, DW_AT_data_member_location, &a))
		return true;
	*at = dwarf_number(m, DW_AT_data_member_location, ~0ull);
	if (*at != ~0ull)
		return true;
	if (dwarf_getlocation(&a, &ops, &n) || n != 1 || ops->atom != DW_OP_plus_uconst)
		return false;
	*at = ops->number;
	return true;
}

/* Where a member begins, in bits. */
static bool member_offset(Dwarf_Die *m, u64 size, u64 bits, u32 *off)
{
	u64 at = dwarf_number(m, DW_AT_data_bit_offset, ~0ull);

	if (at == ~0ull) {
		if (!member_byte(m, &at))
			return false;
		at *= 8;
		/* Before DWARF 4: counted from the high end; negative if a packed member extends
		 * beyond the unit. */
		if (bits && dwarf_hasattr(m, DW_AT_bit_offset))
			at += dwarf_number(m, DW_AT_byte_size, size) * 8 -
			      dwarf_number(m, DW_AT_bit_offset, 0) - bits;
	}
	*off = at;
	return true;
}

/* The structs whose members are being made, each inside the previous one. */
struct making {
	const struct type *t;
	const struct making *outer;
};

static __thread const struct making *making;

/* In damaged DWARF a struct may contain itself: a walk over it would never end. */
static bool holds_itself(struct type *member)
{
	struct type *b = type_base(member);

	while (b && b->kind == T_ARRAY)
		b = type_base(b->to);
	for (const struct making *m = making; m; m = m->outer)
		if (m->t == b)
			return true;
	return false;
}

/* The address in memory identifies an entry: offsets are not unique, because .debug_types and
 * shared files (dwz) have their own. */
struct entry {
	struct dwarf_obj *o;
	Dwarf_Die die;
};

/* Is the type of a member a number in the other order of bytes? */
static bool has_other_order(Dwarf_Die *m)
{
	Dwarf_Attribute a;
	Dwarf_Die type;

	return dwarf_attr_integrate(m, DW_AT_type, &a) && dwarf_formref_die(&a, &type) &&
	       !dwarf_peel_type(&type, &type) && dwarf_other_order(&type);
}

/* gcc does not say it of an enum, but all numbers of a struct have one order. */
static void turn_enum(struct dwarf_obj *o, struct type_member *m)
{
	const struct type *b = type_base(m->type);

	if (b->kind == T_ENUM)
		m->type = dwarf_opaque(o, dwarf_other_name, b->name, b->size);
}

static bool read_member(struct dwarf_obj *o, Dwarf_Die *m, struct type_member *to)
{
	int tag = dwarf_tag(m);

	/* A base class becomes a member without a name: its members are found in it. */
	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || flag(m, DW_AT_external))
		return false;
	to->name = tag == DW_TAG_member ? dwarf_kept_name(o, dwarf_diename(m)) : NULL;
	to->type = dwarf_type_of(o, m);
	to->bit_size = dwarf_number(m, DW_AT_bit_size, 0);
	to->align = dwarf_number(m, DW_AT_alignment, 0);
	if (to->bit_size && type_base(to->type)->kind == T_STRUCT)       /* dwarf_opaque() */
		return false;
	return !holds_itself(to->type) &&
	       member_offset(m, to->type->size, to->bit_size, &to->bit_off);
}

static void fill_struct(struct type *t)
{
	const struct making here = { t, making };
	struct entry *e = t->fill_arg;
	struct dwarf_obj *o = e->o;
	VEC(struct type_member) found = { 0 };
	bool other = false;
	Dwarf_Die m;

	making = &here;
	for (int no = dwarf_child(&e->die, &m); !no; no = dwarf_siblingof(&m, &m)) {
		struct type_member to = { 0 };

		other |= dwarf_tag(&m) == DW_TAG_member && has_other_order(&m);
		if (read_member(o, &m, &to))
			VEC_PUSH(&found, to);
	}
	for (u32 i = 0; i < found.n && other; i++)
		turn_enum(o, &found.v[i]);
	t->count = found.n;
	t->members = arena_memdup(o->env->arena, found.v, found.n * sizeof(*found.v));
	VEC_FREE(&found);
	type_complete_held(t);
	making = here.outer;
}

/* The definition of a declared type, in the same namespace. */
static bool definition(struct dwarf_obj *o, Dwarf_Die *die, const char *name, Dwarf_Die *def)
{
	char whole[256] = "", tail[256];
	Dwarf_Die *scopes = NULL;
	bool any = dwarf_named(o, 's', name, def);
	int n = any && o->scoped ? dwarf_getscopes_die(die, &scopes) : 0;

	for (int i = 1; i < n; i++) {            /* from the innermost */
		const char *outer = dwarf_tag(&scopes[i]) == DW_TAG_namespace
					    ? dwarf_diename(&scopes[i])
					    : NULL;

		strcpy(tail, whole);
		if (outer)
			snprintf(whole, sizeof(whole), "%s::%s", outer, tail);
	}
	free(scopes);
	snprintf(tail, sizeof(tail), "%s%s", whole, name);
	return any && (dwarf_named(o, 'S', tail, def) || dwarf_named(o, 's', name, def));
}

/* A declaration is replaced by the definition, which may be in another unit. */
static struct type *conv_struct(struct dwarf_obj *o, Dwarf_Die *die, enum type_kind kind)
{
	struct entry *e;
	struct type *t;

	if (flag(die, DW_AT_declaration)) {
		const char *name = dwarf_diename(die);
		Dwarf_Die def;

		if (name && definition(o, die, name, &def) && !flag(&def, DW_AT_declaration))
			return dwarf_type(o, &def);
		t = dwarf_node(o, die, kind);
		t->incomplete = true;
		return t;
	}
	t = dwarf_node(o, die, kind);
	t->is_user = !o->module;
	t->align = dwarf_number(die, DW_AT_alignment, 0);
	t->fill = fill_struct;
	t->fill_arg = e = ARENA_NEW(o->env->arena, struct entry);
	*e = (struct entry){ o, *die };
	return t;
}

/* ---- what is made of other types ----------------------------------------------------- */

/* memo: set before the target is made, because that may point back. */
static struct type *conv_ptr(struct dwarf_obj *o, Dwarf_Die *die, const char *memo)
{
	struct type *t = dwarf_node(o, die, T_PTR);

	map_set(o->types, memo, t);
	t->name = NULL;
	t->size = dwarf_number(die, DW_AT_byte_size, dwarf_word(o));
	t->size = t->size == 4 ? 4 : 8;          /* of 32-bit programs, or not */
	t->is_user = !o->module;
	t->to = dwarf_type_of(o, die);
	return t;
}

/* A pointer to a data member is an offset; to a member function it is two words (Itanium C++ ABI
 * 2.3). */
static struct type *conv_member_ptr(struct dwarf_obj *o, Dwarf_Die *die)
{
	static struct type_member words[] = {
		{ "ptr", &ty_long, 0, 0 }, { "adj", &ty_long, 64, 0 },
	};
	struct type *t;

	if (type_base(dwarf_type_of(o, die))->kind != T_FUNC)
		return &ty_long;
	t = dwarf_node(o, die, T_STRUCT);
	t->size = 16;
	t->is_user = !o->module;
	t->members = words;
	t->count = ARRAY_SIZE(words);
	return t;
}

static struct type *conv_typedef(struct dwarf_obj *o, Dwarf_Die *die, const char *memo)
{
	struct type *t = dwarf_node(o, die, T_TYPEDEF);

	map_set(o->types, memo, t);
	type_alias(t, dwarf_type_of(o, die));
	return t;
}

/* Numbers of another type within limits (Ada, Pascal); a biased one (gcc's) is not the number. */
static struct type *conv_range(struct dwarf_obj *o, Dwarf_Die *die)
{
	struct type *of = dwarf_type_of(o, die), *t;
	u64 size = dwarf_number(die, DW_AT_byte_size, of->size);

	if (dwarf_hasattr(die, DW_AT_GNU_bias))
		return dwarf_opaque_of(o, die, "");
	if (size == of->size || type_base(of)->kind != T_INT)
		return of;
	t = ARENA_NEW(o->env->arena, struct type);
	*t = *type_base(of);
	t->name = dwarf_kept_name(o, dwarf_diename(die));
	t->size = size;
	t->int_rank = size >= 16 ? 7 : size == 8 ? 5 : size;
	return t;
}

static struct type *conv_tag(struct dwarf_obj *o, Dwarf_Die *die, const char *memo)
{
	switch (dwarf_tag(die)) {        /* dispatch */
	case DW_TAG_base_type:
		return dwarf_base(o, die);
	case DW_TAG_enumeration_type:
		return conv_enum(o, die);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return conv_struct(o, die, T_STRUCT);
	case DW_TAG_union_type:
		return conv_struct(o, die, T_UNION);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return conv_ptr(o, die, memo);
	case DW_TAG_array_type:
		return dwarf_array(o, die, dwarf_type_of(o, die));
	case DW_TAG_typedef:
		return conv_typedef(o, die, memo);
	case DW_TAG_subroutine_type:
		return dwarf_prototype(o, die, NULL);
	case DW_TAG_ptr_to_member_type:
		return conv_member_ptr(o, die);
	case DW_TAG_unspecified_type:            /* std::nullptr_t */
		return dwarf_hasattr(die, DW_AT_name) && strstr(dwarf_diename(die), "nullptr") ?
		       conv_ptr(o, die, memo) : &ty_void;
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return dwarf_type_of(o, die);
	case DW_TAG_subrange_type:
		return conv_range(o, die);
	default:                                 /* sets of Pascal */
		return dwarf_opaque_of(o, die, "");
	}
}

/* A declaration may say in which type unit the definition is (gcc -fdebug-types-section): DWARF
 * 5, 5.7.1. */
static bool by_signature(Dwarf_Die *die, Dwarf_Die *def)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, DW_AT_signature, &a) && dwarf_formref_die(&a, def) &&
	       def->addr != die->addr && !dwarf_hasattr(def, DW_AT_signature);
}

struct type *dwarf_type(struct dwarf_obj *o, Dwarf_Die *die)
{
	static __thread u32 depth;
	struct type *t;
	Dwarf_Die unit;
	char memo[24];

	if (by_signature(die, &unit))
		die = &unit;
	snprintf(memo, sizeof(memo), "%p", die->addr);
	t = map_get(o->types, memo);
	if (t || depth > DEPTH_MAX)
		return t ? t : &ty_void;
	depth++;
	t = conv_tag(o, die, memo);
	depth--;
	map_set(o->types, memo, t);
	return t;
}

static bool by_reference(struct dwarf_obj *o, Dwarf_Die *die, u32 depth);

/* Is this function of a class its copy or move constructor, written in the source? */
static bool is_copying(Dwarf_Die *class, Dwarf_Die *func)
{
	const char *own = dwarf_diename(class), *name = dwarf_diename(func);
	Dwarf_Die p, to;
	Dwarf_Attribute a;
	u32 n = 0;

	if (dwarf_tag(func) != DW_TAG_subprogram || !own || !name || flag(func, DW_AT_artificial) ||
	    strlen(name) != strcspn(own, "<") || strncmp(own, name, strlen(name)))
		return false;
	for (int no = dwarf_child(func, &p); !no; no = dwarf_siblingof(&p, &p))
		if (dwarf_tag(&p) == DW_TAG_formal_parameter && n++ == 1)
			break;
	return n == 2 && dwarf_attr(&p, DW_AT_type, &a) && dwarf_formref_die(&a, &to) &&
	       (dwarf_tag(&to) == DW_TAG_reference_type ||
		dwarf_tag(&to) == DW_TAG_rvalue_reference_type) &&
	       dwarf_attr(&to, DW_AT_type, &a) && dwarf_formref_die(&a, &to) &&
	       !dwarf_peel_type(&to, &to) && to.addr == class->addr;
}

static bool is_defaulted(Dwarf_Die *func)
{
	return dwarf_number(func, DW_AT_defaulted, 0) == DW_DEFAULTED_in_class;
}

/* Does it make its class non-trivial?  A destructor or a copying constructor of the program, a
 * virtual function or base class, a member of such a class. */
static bool makes_by_reference(struct dwarf_obj *o, Dwarf_Die *class, Dwarf_Die *part, u32 depth)
{
	const char *name = dwarf_diename(part);
	int tag = dwarf_tag(part);

	if (tag == DW_TAG_member)
		return !flag(part, DW_AT_external) && by_reference(o, part, depth);
	if (dwarf_number(part, DW_AT_virtuality, 0))
		return tag == DW_TAG_subprogram || tag == DW_TAG_inheritance;
	if (tag == DW_TAG_inheritance)
		return by_reference(o, part, depth);
	if (is_copying(class, part))
		return !is_defaulted(part) && !flag(part, DW_AT_deleted);
	return tag == DW_TAG_subprogram && name && *name == '~' && !is_defaulted(part);
}

/* Are all copying constructors deleted?  Without a declared one there is one of the compiler. */
static bool is_never_copied(Dwarf_Die *class)
{
	u32 copying = 0, deleted = 0;
	Dwarf_Die part;

	for (int no = dwarf_child(class, &part); !no; no = dwarf_siblingof(&part, &part))
		if (is_copying(class, &part)) {
			copying++;
			deleted += flag(&part, DW_AT_deleted);
		}
	return copying && copying == deleted;
}

/*
 * Is an argument or a result of this type passed by address, although it is passed by value in the
 * source?  C++ does this for classes that cannot be copied byte by byte.  Some compilers record it.
 */
static bool by_reference(struct dwarf_obj *o, Dwarf_Die *die, u32 depth)
{
	Dwarf_Attribute a;
	Dwarf_Die to, part;
	u64 how;

	if (depth > DEPTH_MAX || !dwarf_attr_integrate(die, DW_AT_type, &a) ||
	    !dwarf_formref_die(&a, &to) || dwarf_peel_type(&to, &to) ||
	    (dwarf_tag(&to) != DW_TAG_structure_type && dwarf_tag(&to) != DW_TAG_class_type))
		return false;
	if (by_signature(&to, &part))
		to = part;
	else if (flag(&to, DW_AT_declaration) && dwarf_diename(&to) &&
		 !definition(o, &to, dwarf_diename(&to), &to))
		return false;
	how = dwarf_number(&to, DW_AT_calling_convention, 0);
	if (how)
		return how == DW_CC_pass_by_reference;
	for (int no = dwarf_child(&to, &part); !no; no = dwarf_siblingof(&part, &part))
		if (makes_by_reference(o, &to, &part, depth + 1))
			return true;
	return is_never_copied(&to);
}

/* The type of an argument or a result as it is passed. */
static struct type *handed_over(struct dwarf_obj *o, Dwarf_Die *die)
{
	struct type *t = dwarf_type_of(o, die);

	if (!by_reference(o, die, 0))
		return t;
	t = type_ptr(o->env->arena, t);
	t->size = dwarf_word(o);
	t->is_user = !o->module;
	return t;
}

bool dwarf_next_parameter(Dwarf_Die *func, struct dwarf_params_at *at, Dwarf_Die *die)
{
	int no;

	do {
		if (at->in_pack && !dwarf_siblingof(&at->inner, &at->inner)) {
			*die = at->inner;
			continue;
		}
		at->in_pack = false;
		no = at->begun ? dwarf_siblingof(&at->outer, &at->outer) :
				 dwarf_child(func, &at->outer);
		at->begun = true;
		if (no)
			return false;
		*die = at->outer;
		if (dwarf_tag(die) == DW_TAG_GNU_formal_parameter_pack &&
		    !dwarf_child(die, &at->inner)) {
			at->in_pack = true;
			*die = at->inner;
		}
	} while (dwarf_tag(die) != DW_TAG_formal_parameter);
	return true;
}

Dwarf_Die *dwarf_as_declared(Dwarf_Die *die, Dwarf_Die *origin)
{
	struct dwarf_params_at at = { 0 };
	Dwarf_Attribute a;
	Dwarf_Die p;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &a) || !dwarf_formref_die(&a, origin))
		return die;
	return dwarf_next_parameter(origin, &at, &p) ? origin : die;
}

static bool is_variadic(Dwarf_Die *die)
{
	Dwarf_Die p;

	for (int no = dwarf_child(die, &p); !no; no = dwarf_siblingof(&p, &p))
		if (dwarf_tag(&p) == DW_TAG_unspecified_parameters)
			return true;
	return false;
}

struct type *dwarf_prototype(struct dwarf_obj *o, Dwarf_Die *die, const char *name)
{
	struct type *t = dwarf_node(o, die, T_FUNC);
	VEC(struct type_member) found = { 0 };
	struct dwarf_params_at at = { 0 };
	Dwarf_Die p, origin;

	t->name = name;
	t->size = 0;
	t->to = handed_over(o, die);
	t->in_memory = by_reference(o, die, 0);
	die = dwarf_as_declared(die, &origin);
	t->variadic = is_variadic(die);
	while (dwarf_next_parameter(die, &at, &p)) {
		const char *own = dwarf_diename(&p);

		if (!own && at.in_pack)
			own = dwarf_diename(&at.outer);
		VEC_PUSH(&found, ((struct type_member){ .name = dwarf_kept_name(o, own),
							.type = handed_over(o, &p) }));
	}
	t->count = found.n;
	t->params = arena_memdup(o->env->arena, found.v, found.n * sizeof(*found.v));
	VEC_FREE(&found);
	return t;
}
