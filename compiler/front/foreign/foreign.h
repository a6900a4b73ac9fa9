/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.h - private to the files foreign*.c: reading the text of a bpftrace program.
 */
#ifndef DTX_FOREIGN_H
#define DTX_FOREIGN_H

#include "compiler/front/front.h"

/* ---- foreign_text.c: pieces of text; positions are bytes of the text ---------------- */

u32 foreign_blanks(const char *text, u32 at, u32 end);    /* the position after them */
u32 foreign_word_end(const char *text, u32 at, u32 end);
/* The position after the string or comment at `at`, if there is one. */
u32 foreign_quoted(const char *text, u32 at, u32 end);
/* The position after the bracket that closes the one at `at`; `at` if it is none or open. */
u32 foreign_closed(const char *text, u32 at, u32 end);
/* Length of the name that ends before text + at, ignoring blanks; *from: where it begins. */
u32 foreign_word_before(const char *text, u32 at, u32 *from);
bool foreign_follows(const char *text, u32 at, char c);   /* is c before it, blanks ignored? */
bool foreign_is(const char *text, u32 len, const char *word);

/* ---- foreign_map.c: what a map is in D ------------------------------------------------ */

/* One use of a map: @NAME[KEYS]. */
struct foreign_map {
	u32 name, end;           /* the name; empty for @ */
	u32 keys;                /* the position after [KEYS]; `end` without */
	u32 op;                  /* what follows: an operator, a bracket … */
	const struct agg_func *fn;       /* = fn( */
	u32 bare;                /* the position after "= fn" whose brackets are forgotten, or 0 */
};

enum foreign_kind {
	FOREIGN_AGG,             /* only added to and printed: an aggregation */
	FOREIGN_VAR,             /* read or stored */
	FOREIGN_ARRAY,           /* the same, with keys */
	FOREIGN_THREAD,          /* the same, always with the key [tid]: self->NAME */
};

/* The map at text + at, which is a '@'. */
struct foreign_map foreign_map_at(const char *text, u32 at, u32 end);
/* What all the uses in the text make of it. */
enum foreign_kind foreign_map_kind(const struct source *, const struct foreign_map *);

/* ---- foreign_say.c: the text rewritten ------------------------------------------------ */

struct said {
	struct arena *arena;
	const struct source *src;
	const char *text;        /* of src */
	u32 at, end;
	struct buf out;
	bool changed;
	u32 close;               /* brackets that the end of the statement closes */
	u32 depth;               /* open braces */
	bool at_end;             /* in a clause of END */
	const char *why;         /* it cannot be said in D, or NULL */
	u32 unrolled, unrolled_end;      /* the name of a variable with a fixed value … */
	u64 value;               /* … and the value */
};

void said_skip(struct said *, u32 to);   /* leaves out what is before */
void said_until(struct said *, u32 to);  /* rewrites what is before */
void said_cannot(struct said *, const char *why);
bool said_is(const struct said *, u32 at, const char *what);     /* begins with this text */

/* ---- foreign.c ---------------------------------------------------------------------------- */

bool foreign_accepted(struct comp *, const struct source *, const char *said);

/* ---- foreign_loop.c --------------------------------------------------------------------- */

/* The loop at s->at, a word; false: it is copied. */
bool foreign_for(struct said *);
bool foreign_unroll(struct said *);
bool foreign_while(struct said *);

#endif
