/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symtext.c - DTrace's text of addresses.
 *
 *   kernel   module`function+0x1c    0xaddress
 *   user     object`function+0x1c    object`0xaddress    0xaddress
 *   a frame whose file is known      object+0xoffset where there is no symbol: an offset in the
 *                                    file, as uprobe:PATH:0xoffset takes it
 */
#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/code.h"
#include "runtime/stack/stack-private.h"

static void put_hex(struct buf *out, u64 v)
{
	buf_printf(out, "0x%llx", (unsigned long long)v);
}

/* Names of modules, objects and functions are what their authors chose. */
static void put_name(struct buf *out, const char *name)
{
	buf_plain_name(out, name, strlen(name));
}

static void put_offset(struct buf *out, u64 off)
{
	if (off) {
		buf_putc(out, '+');
		put_hex(out, off);
	}
}

static void kernel_text(struct dtx_env *env, u64 addr, bool offset, struct buf *out)
{
	const char *name, *module;
	u64 off;

	if (!ksyms_find(ksyms_get(env), addr, &name, &module, &off)) {
		put_hex(out, addr);
		return;
	}
	put_name(out, module);
	buf_putc(out, '`');
	put_name(out, name);
	if (offset)
		put_offset(out, off);
}

/* An address of a process, or a frame in a file. */
static bool user_lookup(struct dtx_env *env, const struct val *v, u64 addr, struct usym *s)
{
	return addr & DTX_FRAME_FILE ? stackfile_lookup(env, addr, s)
				     : usyms_lookup(usyms_get(env), v->pid, v->exec, addr, s);
}

/* A call that does not return may be the last instruction of its function: the return address is
 * then after it, perhaps in the next function. */
bool sym_frame(struct dtx_env *env, const struct val *v, u64 addr, bool caller, struct usym *s)
{
	bool found = user_lookup(env, v, addr, s);
	struct usym before;

	if (!found || !caller || (s->sym && s->off) || !user_lookup(env, v, addr - 1, &before) ||
	    !before.sym)
		return found;
	*s = before;
	s->off++;
	s->file_off++;
	s->vaddr++;
	return true;
}

void sym_text(struct dtx_env *env, const struct usym *s, u64 addr, bool offset, struct buf *out)
{
	size_t from;

	put_name(out, s->object);
	if (!stack_names(env)) {
		buf_putc(out, ':');
		put_hex(out, s->file_off);
		return;
	}
	if (!s->sym && addr & DTX_FRAME_FILE) {
		put_offset(out, s->file_off);
		return;
	}
	buf_putc(out, '`');
	if (!s->sym) {
		put_hex(out, addr);
		return;
	}
	from = out->len;
	sym_demangle(s->sym, out);
	buf_plain_from(out, from);
	if (offset)
		put_offset(out, s->off);
}

static void user_text(struct dtx_env *env, const struct val *v, bool offset, struct buf *out)
{
	struct usym s;

	codefiles_trim(env);
	if (sym_frame(env, v, v->u, false, &s))
		sym_text(env, &s, v->u, offset, out);
	else
		put_hex(out, v->u);
}

void sym_kaddr(struct dtx_env *env, u64 addr, struct buf *out)
{
	kernel_text(env, addr, true, out);
}

void sym_uaddr(struct dtx_env *env, u32 pid, u64 addr, struct buf *out)
{
	const struct val v = { .u = addr, .pid = pid };

	user_text(env, &v, true, out);
}

u32 sym_shows(const char *symkind)
{
	static const struct { const char *kind; u32 shows; } rows[] = {
		{ "mod", SYM_OBJECT }, { "kaddr", SYM_EXACT },
		{ "usym", SYM_OF_USER }, { "ufunc", SYM_OF_USER },
		{ "umod", SYM_OF_USER | SYM_OBJECT }, { "uaddr", SYM_OF_USER | SYM_EXACT },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].kind, symkind))
			return rows[i].shows;
	return 0;                        /* func, sym */
}

static void module_text(struct dtx_env *env, const struct val *v, bool user, struct buf *out)
{
	const char *name, *module;
	struct usym s;
	u64 off;

	codefiles_trim(env);
	if (user && usyms_lookup(usyms_get(env), v->pid, v->exec, v->u, &s))
		put_name(out, s.object);
	else if (!user && ksyms_find(ksyms_get(env), v->u, &name, &module, &off))
		put_name(out, module);
	else
		put_hex(out, v->u);
}

void sym_val(struct dtx_env *env, const struct val *v, struct buf *out)
{
	const char *kind = v->symkind ? v->symkind : v->user ? "uaddr" : "kaddr";

	size_t from = out->len;
	u32 shows;

	if (v->text) {
		put_name(out, v->text);
		return;
	}
	if (shown_text(kind, v->u, out)) {
		buf_plain_from(out, from);
		return;
	}
	budget_reading(true);
	shows = sym_shows(kind);
	if (shows & SYM_OBJECT)
		module_text(env, v, shows & SYM_OF_USER, out);
	else if (shows & SYM_OF_USER)
		user_text(env, v, shows & SYM_EXACT, out);
	else
		kernel_text(env, v->u, shows & SYM_EXACT, out);
	budget_reading(false);
}
