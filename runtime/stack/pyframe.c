/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pyframe.c - frames of Python: the names of their functions, which the programs in the kernel
 * copied (dtx/python.h), and their text.
 */
#include <stdlib.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/stack/stack-private.h"

struct pyname {
	const char *file, *name;         /* UTF-8 */
};

struct pynames {
	struct arena *arena;
	struct keytab *by_number;        /* u64 -> struct pyname */
};

static struct pynames *names_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);

	if (!sym->pynames) {
		sym->pynames = xcalloc(1, sizeof(struct pynames));
		sym->pynames->arena = arena_new();
		sym->pynames->by_number = keytab_new(sizeof(u64), sizeof(struct pyname));
	}
	return sym->pynames;
}

void pynames_free(struct pynames *p)
{
	if (!p)
		return;
	keytab_free(p->by_number);
	arena_free(p->arena);
	free(p);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void put_utf8(struct buf *out, u32 c)
{
	if (c < 0x20 || c == 0x7f || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		c = '?';
	if (c < 0x80) {
		buf_putc(out, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_putc(out, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			buf_putc(out, (char)(0xe0 | c >> 12));
		} else {
			buf_putc(out, (char)(0xf0 | c >> 18));
			buf_putc(out, (char)(0x80 | (c >> 12 & 63)));
		}
		buf_putc(out, (char)(0x80 | (c >> 6 & 63)));
	}
	buf_putc(out, (char)(0x80 | (c & 63)));
}

void py_utf8(const struct dtx_pytext *of, const u8 *text, size_t room, struct buf *out)
{
	size_t len = MIN((size_t)of->len, room);

	if (of->kind != 1 && of->kind != 2 && of->kind != 4)
		return;
	for (size_t at = 0; at + of->kind <= len; at += of->kind) {
		u32 c = 0;

		memcpy(&c, text + at, of->kind);
		put_utf8(out, c);
	}
}

static const char *pytext(struct arena *a, const struct dtx_pytext *of, const u8 *text,
			  size_t room, bool end)
{
	struct buf out = { 0 };
	const char *copy;

	buf_puts(&out, of->cut && end ? "..." : "");
	py_utf8(of, text, room, &out);
	buf_puts(&out, of->cut && !end ? "..." : "");
	buf_plain_from(&out, 0);
	copy = arena_strdup(a, out.len ? out.data : "?");
	buf_free(&out);
	return copy;
}

/* ---- functions ------------------------------------------------------------------------------- */

bool pyframe_known(struct dtx_env *env, u64 number)
{
	return keytab_get(names_get(env)->by_number, &number);
}

void pyframe_note(struct dtx_env *env, u64 number, const struct dtx_pyfunc *f)
{
	struct pynames *p = names_get(env);
	struct pyname *name = keytab_put(p->by_number, &number);

	name->file = pytext(p->arena, &f->of_file, f->file, sizeof(f->file), true);
	name->name = pytext(p->arena, &f->of_name, f->name, sizeof(f->name), false);
}

bool pyframe_of(struct dtx_env *env, struct arena *a, u64 word, struct frame *f)
{
	u64 number = DTX_PY_FUNC(word);
	const struct pyname *name = keytab_get(names_get(env)->by_number, &number);

	*f = (struct frame){ .line = DTX_PY_LINE(word) };
	f->file = name ? name->file : "?";
	f->symbol = name ? name->name : "?";
	f->text = f->line ? arena_printf(a, "%s:%u %s", f->file, f->line, f->symbol)
			  : arena_printf(a, "%s %s", f->file, f->symbol);
	return name;
}

/* ---- the end --------------------------------------------------------------------------------- */

static const char *const ends[] = {
	[DTX_END_PY_ASKED - DTX_END_PY_FIRST] = "its interpreter was being looked for",
	[DTX_END_PY_NONE - DTX_END_PY_FIRST] = "not a Python process",
	[DTX_END_PY_OTHER - DTX_END_PY_FIRST] = "a version of Python that dtx cannot read",
	[DTX_END_PY_THREAD - DTX_END_PY_FIRST] = "not a thread of Python",
	[DTX_END_PY_IDLE - DTX_END_PY_FIRST] = "the thread runs no function of Python",
};

const char *pyframe_end(u32 end)
{
	end -= DTX_END_PY_FIRST;
	return end < ARRAY_SIZE(ends) ? ends[end] : NULL;
}
