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

#include "runtime/sym/tables.h"

static void put_hex(struct buf *out, u64 v)
{
	buf_printf(out, "0x%llx", (unsigned long long)v);
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
	buf_printf(out, "%s`%s", module, name);
	if (offset)
		put_offset(out, off);
}

/* An address of a process, or a frame in a file. */
static bool user_lookup(struct dtx_env *env, u32 pid, u64 addr, struct usym *s)
{
	return addr & DTX_FRAME_FILE ? stackfile_lookup(env, addr, s)
				     : usyms_lookup(usyms_get(env), pid, addr, s);
}

/*
 * The same; caller: it is a return address.  A call that does not return may be the last
 * instruction of its function: the address is then after it, perhaps in the next function.
 */
static bool frame_lookup(struct dtx_env *env, u32 pid, u64 addr, bool caller, struct usym *s)
{
	bool found = user_lookup(env, pid, addr, s);
	struct usym before;

	if (!found || !caller || (s->sym && s->off) || !user_lookup(env, pid, addr - 1, &before) ||
	    !before.sym)
		return found;
	*s = before;
	s->off++;
	s->file_off++;
	return true;
}

static void user_text(struct dtx_env *env, u32 pid, u64 addr, bool caller, bool offset,
		      struct buf *out)
{
	bool raw = env->opts.v[OPT_noresolve].n;
	struct usym s;

	if (!frame_lookup(env, pid, addr, caller, &s)) {
		put_hex(out, addr);
		return;
	}
	buf_puts(out, s.object);
	if (raw) {
		buf_putc(out, ':');
		put_hex(out, s.file_off);
		return;
	}
	if (!s.sym && addr & DTX_FRAME_FILE) {
		put_offset(out, s.file_off);
		return;
	}
	buf_putc(out, '`');
	if (!s.sym) {
		put_hex(out, addr);
		return;
	}
	sym_demangle(s.sym, out);
	if (offset)
		put_offset(out, s.off);
}

void sym_kaddr(struct dtx_env *env, u64 addr, struct buf *out)
{
	kernel_text(env, addr, true, out);
}

void sym_uaddr(struct dtx_env *env, u32 pid, u64 addr, struct buf *out)
{
	user_text(env, pid, addr, false, true, out);
}

static void module_text(struct dtx_env *env, const struct val *v, struct buf *out)
{
	const char *name, *module;
	struct usym s;
	u64 off;

	if (*v->symkind == 'u' && usyms_lookup(usyms_get(env), v->pid, v->u, &s))
		buf_puts(out, s.object);
	else if (*v->symkind != 'u' && ksyms_find(ksyms_get(env), v->u, &name, &module, &off))
		buf_puts(out, module);
	else
		put_hex(out, v->u);
}

void sym_val(struct dtx_env *env, const struct val *v, struct buf *out)
{
	const char *kind = v->symkind ? v->symkind : v->user ? "uaddr" : "kaddr";

	if (v->text) {
		buf_puts(out, v->text);
		return;
	}
	if (shown_text(kind, v->u, out))
		return;
	if (!strcmp(kind, "mod") || !strcmp(kind, "umod"))
		module_text(env, v, out);
	else if (*kind == 'u')
		user_text(env, v->pid, v->u, false, !strcmp(kind, "uaddr"), out);
	else
		kernel_text(env, v->u, !strcmp(kind, "kaddr"), out);
}

/* Beyond the first frame the kernel follows what it finds: data ends the stack. */
static bool stack_ends(struct dtx_env *env, const struct val *v, u32 i)
{
	return i && v->user && !(v->pcs[i] & DTX_FRAME_FILE) && v->pid &&
	       usyms_no_code(usyms_get(env), v->pid, v->pcs[i]);
}

static const char *const stack_ends_text[] = {
	[DTX_END_MAKING] = "its unwind table was being made",
	[DTX_END_NOTABLE] = "no unwind table",
	[DTX_END_MEMORY] = "memory that cannot be read",
	[DTX_END_LOST] = "a register that is not known",
};

const char *sym_stack_end(u32 end)
{
	return end < ARRAY_SIZE(stack_ends_text) ? stack_ends_text[end] : NULL;
}

void sym_stack(struct dtx_env *env, const struct val *v, int indent, struct buf *out)
{
	const char *end = sym_stack_end(v->end);


	buf_putc(out, '\n');
	for (u32 i = 0; i < v->nframes; i++) {
		buf_pad(out, ' ', indent);
		buf_puts(out, v->frames[i].text);
		buf_putc(out, '\n');
	}
	for (u32 i = 0; !v->frames && i < v->npcs && v->pcs[i] && !stack_ends(env, v, i); i++) {
		buf_pad(out, ' ', indent);
		if (v->user)
			user_text(env, v->pid, v->pcs[i], i, true, out);
		else
			sym_kaddr(env, v->pcs[i], out);
		buf_putc(out, '\n');
	}
	if (end) {
		buf_pad(out, ' ', indent);
		buf_printf(out, "[incomplete: %s]\n", end);
	}
}

/* ---- frames as data ------------------------------------------------------------------ */

static void frame_kernel(struct dtx_env *env, struct frame *f)
{
	ksyms_find(ksyms_get(env), f->addr, &f->symbol, &f->object, &f->offset);
}

static void frame_user(struct dtx_env *env, struct arena *a, u32 pid, bool caller, struct frame *f)
{
	struct buf name = { 0 };
	struct usym s;

	if (!frame_lookup(env, pid, f->addr, caller, &s))
		return;
	if (f->addr & DTX_FRAME_FILE)            /* the same in several processes */
		f->addr = 0;
	f->object = s.object;
	f->offset = s.sym ? s.off : s.file_off;
	if (s.sym) {
		sym_demangle(s.sym, &name);
		f->symbol = arena_strdup(a, name.data);
	}
	buf_free(&name);
}

const struct frame *sym_frames(struct dtx_env *env, struct arena *a, const struct val *v, u32 *n)
{
	struct frame *frames = ARENA_ARRAY(a, struct frame, MAX(v->npcs, 1u));
	struct buf text = { 0 };

	*n = v->nframes;
	if (v->frames)
		return v->frames;
	for (*n = 0; *n < v->npcs && v->pcs[*n] && !stack_ends(env, v, *n); ++*n) {
		struct frame *f = &frames[*n];

		f->addr = v->pcs[*n];
		buf_reset(&text);
		if (v->user) {
			user_text(env, v->pid, f->addr, *n, true, &text);
			frame_user(env, a, v->pid, *n, f);
		} else {
			sym_kaddr(env, f->addr, &text);
			frame_kernel(env, f);
		}
		f->text = arena_strdup(a, text.data);
	}
	buf_free(&text);
	return frames;
}
