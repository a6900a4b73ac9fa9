/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_fields.h - image_fields.def as tables.  Included only by the writer and the reader of the
 * manifest; the tables are static in each.
 *
 * JSON form: a struct is an object with the members' names; zero numbers, a TEXT that is NULL and
 * empty arrays are left out.  Text that is not UTF-8 is an object {"bytes": "…"} whose characters
 * U+0000 … U+00FF are the bytes.
 *
 * ROWS are for lists of thousands: a member that an element leaves out has the value of the element
 * before, and only the first element leaves out zeros.  A TEXT that becomes NULL is written as
 * null.
 */
#ifndef DTX_IMAGE_FIELDS_H
#define DTX_IMAGE_FIELDS_H

#include "image.h"
#include "tables/maprole.h"
#include "progkind.h"

enum imgf_kind {
	IMGF_NUM, IMGF_ENUM, IMGF_NAME, IMGF_TEXT, IMGF_PROVIDER, IMGF_FIXED, IMGF_LIST,
	IMGF_ROWS, IMGF_NUMS, IMGF_NAMES
};

struct imgf_struct;

struct imgf {
	enum imgf_kind kind;
	const char *name;
	u32 off, size;           /* of the member; IMGF_FIXED: of the whole array */
	bool is_signed;          /* IMGF_NUM */
	bool apart;              /* IMGF_NAME: in img.names */
	u32 count_off;           /* arrays: offset of the u32 count */
	const struct imgf_struct *element;      /* IMGF_LIST, IMGF_ROWS */
	const char *const *names;               /* IMGF_ENUM: NULL-terminated */
};

struct imgf_struct {
	const char *name;
	u32 size;
	const struct imgf *fields;
	u32 nfields;
};

static const char *const imgf_ftype[] = { "int", "str", "bytes", "stack", "sym", NULL };
static const char *const imgf_type_kind[] = {    /* enum type_kind */
	"void", "int", "float", "enum", "pointer", "array", "struct", "union", "function",
	"typedef", "string", "stack", "symbol", "dynamic", NULL
};
static const char *const imgf_ident[] = { "one", "cookie", "dispatch", NULL };

#define IMGF_AT(s, m)     .name = #m, .off = offsetof(struct s, m), \
			  .size = sizeof(((struct s *)0)->m)
/* Member m of the struct that is the member p of s. */
#define IMGF_IN(s, p, m)  .name = #m, .off = offsetof(struct s, p.m), \
			  .size = sizeof(((struct s *)0)->p.m)
#define IMGF_COUNT(s, n)  .count_off = offsetof(struct s, n)
#define IMGF_SIGNED(s, m) ((__typeof__(((struct s *)0)->m))-1 < (__typeof__(((struct s *)0)->m))1)

#define BEGIN(s)             static const struct imgf imgf_rows_##s[] = {
#define NUM(s, m)            { IMGF_NUM, IMGF_AT(s, m), .is_signed = IMGF_SIGNED(s, m) },
#define ENUM(s, m, table)    { IMGF_ENUM, IMGF_AT(s, m), .names = table },
#define NAME(s, m)           { IMGF_NAME, IMGF_AT(s, m) },
#define NAME_APART(s, m)     { IMGF_NAME, IMGF_AT(s, m), .apart = true },
#define TEXT(s, m)           { IMGF_TEXT, IMGF_AT(s, m) },
#define PART_NUM(s, p, m)    { IMGF_NUM, IMGF_IN(s, p, m), .is_signed = IMGF_SIGNED(s, p.m) },
#define PART_ENUM(s, p, m, table)       { IMGF_ENUM, IMGF_IN(s, p, m), .names = table },
#define PART_TEXT(s, p, m)   { IMGF_TEXT, IMGF_IN(s, p, m) },
#define PROVIDER(s, m)       { IMGF_PROVIDER, IMGF_AT(s, m) },
#define FIXED(s, m, n)       { IMGF_FIXED, IMGF_AT(s, m), IMGF_COUNT(s, n) },
#define LIST(s, m, n, e)     { IMGF_LIST, IMGF_AT(s, m), IMGF_COUNT(s, n), .element = &imgf_##e },
#define ROWS(s, m, n, e)     { IMGF_ROWS, IMGF_AT(s, m), IMGF_COUNT(s, n), .element = &imgf_##e },
#define NUMS(s, m, n)        { IMGF_NUMS, IMGF_AT(s, m), IMGF_COUNT(s, n) },
#define NAMES(s, m, n)       { IMGF_NAMES, IMGF_AT(s, m), IMGF_COUNT(s, n) },
#define END(s) };                                                             \
	static const struct imgf_struct imgf_##s = { #s, sizeof(struct s),    \
		imgf_rows_##s, ARRAY_SIZE(imgf_rows_##s) };

#include <dtx/tables/image_fields.def>

#undef BEGIN
#undef NUM
#undef ENUM
#undef NAME
#undef NAME_APART
#undef TEXT
#undef PART_NUM
#undef PART_ENUM
#undef PART_TEXT
#undef PROVIDER
#undef FIXED
#undef LIST
#undef ROWS
#undef NUMS
#undef NAMES
#undef END

#endif
