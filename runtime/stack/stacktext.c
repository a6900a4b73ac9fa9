/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacktext.c - stacks as text and as frames.
 *
 *   shop`total+0x1c                      as DTrace prints a frame
 *   shop`total+0x1c (shop.c:42)          option stacklines
 *   shop`price (shop.c:12) [inlined]     options ustackinline, stackinline: before the function
 *                                        that has its code
 *   /srv/shop.py:12 Shop.price           a frame of Python (pyframe.c)
 *
 * The frames of an address that means the same in each stack (in a file, in the kernel) are made
 * once.
 * Why: docs/decisions/40-frame-sources.md
 */
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/code.h"
#include "runtime/stack/stack-private.h"

#define KEPT_MOST 65536          /* addresses; frames of further ones are made each time */

struct spot_key {
	u64 addr;
	u32 caller, user;
};

/* The frames at an address, the innermost first. */
struct spot {
	const struct frame *frames;
	u32 n;
};

struct stacktext {
	struct arena *arena, *tmp;
	struct keytab *spots;            /* struct spot_key → struct spot */
	struct buf buf;
};

static struct stacktext *text_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);
	struct stacktext *t = sym->stacktext;

	if (!t) {
		t = sym->stacktext = xcalloc(1, sizeof(*t));
		t->arena = arena_new();
		t->tmp = arena_new();
		t->spots = keytab_new(sizeof(struct spot_key), sizeof(struct spot));
	}
	return t;
}

void stacktext_free(struct stacktext *t)
{
	if (!t)
		return;
	keytab_free(t->spots);
	buf_free(&t->buf);
	arena_free(t->tmp);
	arena_free(t->arena);
	free(t);
}

/* ---- the source --------------------------------------------------------------------------- */

/* The line is that of the function itself, also where it has code of an inlined one. */
static void put_source(struct dtx_env *env, const struct dwarf_frame *src, struct frame *f,
		       struct buf *text)
{
	const char *slash = src->file ? strrchr(src->file, '/') : NULL;

	if (!stack_lines(env) || !src->file || !src->line)
		return;
	f->file = src->file;
	f->line = src->line;
	buf_puts(text, " (");
	buf_plain_name(text, slash ? slash + 1 : src->file,
		       strlen(slash ? slash + 1 : src->file));
	buf_printf(text, ":%u)", src->line);
}

static void inlined_frame(struct dtx_env *env, struct stacktext *t, struct arena *a,
			  const struct dwarf_frame *src, const struct frame *in, struct frame *f)
{
	buf_reset(&t->buf);
	sym_demangle(src->func ? src->func : "[unknown]", &t->buf);
	buf_plain_from(&t->buf, 0);
	*f = (struct frame){ .addr = in->addr, .object = in->object, .inlined = true };
	f->symbol = arena_strdup(a, t->buf.data);
	buf_reset(&t->buf);
	buf_printf(&t->buf, "%s`%s", plain_name(a, f->object), f->symbol);
	put_source(env, src, f, &t->buf);
	buf_puts(&t->buf, " [inlined]");
	f->text = arena_strdup(a, t->buf.data);
}

/* ---- the frames at an address ---------------------------------------------------------------- */

static void frame_kernel(struct dtx_env *env, struct frame *f, struct usym *s, struct buf *text)
{
	bool known = ksyms_find(ksyms_get(env), f->addr, &f->symbol, &f->object, &f->offset);

	sym_kaddr(env, f->addr, text);
	if (known && (stack_lines(env) || stack_inlined(env, false)))
		s->dwarf = kdebug_place(env, f->object, f->symbol, f->addr, f->offset, &s->vaddr);
}

static void frame_user(struct dtx_env *env, struct stacktext *t, struct arena *a,
		       const struct usym *s, struct frame *f)
{
	u64 addr = f->addr;

	if (addr & DTX_FRAME_FILE)               /* the same in several processes */
		f->addr = 0;
	f->object = s->object;
	f->offset = s->sym ? s->off : s->file_off;
	if (s->sym) {
		sym_demangle(s->sym, &t->buf);
		f->symbol = arena_strdup(a, t->buf.data);
		buf_reset(&t->buf);
	}
	sym_text(env, s, addr, true, &t->buf);
}

/* Finds the functions of the source at an address. */
static u32 find_source(const struct usym *s, bool caller,
		       struct dwarf_frame src[DWARF_FRAMES])
{
	const char *file;
	u32 line;

	if (s->dwarf && s->vaddr != ~0ull)
		return dwarf_frames_at(s->dwarf, s->vaddr - caller, src);
	line = s->jit ? jitcode_line(s->jit, s->start + s->off - caller, &file) : 0;
	if (!line)
		return 0;
	src[0] = (struct dwarf_frame){ .file = file, .line = line };
	return 1;
}

/* Is the address that of a return? */
static bool is_return(const struct val *v, u32 i)
{
	u64 exact = DTX_FRAME_FILE | DTX_FRAME_EXACT;

	return i && !(v->user && (v->pcs[i] & exact) == exact);
}

/* The text of a frame is plain already; its parts are what the object says. */
static void plain_frame(struct arena *a, struct frame *f)
{
	f->symbol = plain_name(a, f->symbol);
	f->object = plain_name(a, f->object);
	f->file = plain_name(a, f->file);
}

/* Makes the frames of an address, in the arena.  false: there may be more to say later. */
static bool make_spot(struct dtx_env *env, struct arena *a, const struct val *v, u32 i,
		      struct spot *to)
{
	struct stacktext *t = text_get(env);
	struct dwarf_frame src[DWARF_FRAMES];
	struct usym s = { .vaddr = ~0ull };
	struct frame f = { .addr = v->pcs[i] }, *frames;
	bool caller = is_return(v, i), found;
	u32 n, shown;

	codefiles_trim(env);
	found = v->user && sym_frame(env, v, f.addr, caller, &s);
	buf_reset(&t->buf);
	if (found)
		frame_user(env, t, a, &s, &f);
	else if (v->user)
		buf_printf(&t->buf, "0x%llx", (unsigned long long)f.addr);
	else
		frame_kernel(env, &f, &s, &t->buf);
	n = find_source(&s, caller, src);
	for (u32 k = 0; k < n; k++)              /* what it points to may be thrown out */
		src[k].file = src[k].file ? arena_strdup(a, src[k].file) : NULL;
	if (n)
		put_source(env, &src[n - 1], &f, &t->buf);
	f.text = arena_strdup(a, t->buf.data);
	shown = n && stack_inlined(env, v->user) ? n - 1 : 0;
	to->n = shown + 1;
	to->frames = frames = ARENA_ARRAY(a, struct frame, to->n);
	for (u32 k = 0; k < shown; k++)
		inlined_frame(env, t, a, &src[k], &f, &frames[k]);
	frames[shown] = f;
	for (u32 k = 0; k < to->n; k++)
		plain_frame(a, &frames[k]);
	return !s.unseen && !budget_stopped();
}

/* A frame of Python.  false: its names may be known later. */
static bool make_python(struct dtx_env *env, struct arena *a, u64 word, struct spot *to)
{
	struct frame *f = ARENA_NEW(a, struct frame);

	*to = (struct spot){ f, 1 };
	return pyframe_of(env, a, word, f);
}

/* The frames of the i-th address; those that do not stay the same are in `a`. */
static struct spot spot_at(struct dtx_env *env, struct arena *a, const struct val *v, u32 i)
{
	struct stacktext *t = text_get(env);
	struct spot_key key = { .addr = v->pcs[i], .caller = is_return(v, i), .user = v->user };
	struct spot *kept = keytab_get(t->spots, &key), s;
	bool python = v->user && DTX_FRAME_IS_PY(key.addr);
	bool keep = (!v->user || python || v->pcs[i] & DTX_FRAME_FILE) &&
		    keytab_count(t->spots) < KEPT_MOST && !budget_stopped();

	if (kept)
		return *kept;
	if ((python ? make_python(env, keep ? t->arena : a, key.addr, &s)
		    : make_spot(env, keep ? t->arena : a, v, i, &s)) && keep)
		*(struct spot *)keytab_put(t->spots, &key) = s;
	return s;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Beyond the first frame the kernel follows what it finds: data ends the stack. */
static bool stack_ends(struct dtx_env *env, const struct val *v, u32 i)
{
	return i && v->user && !(v->pcs[i] & DTX_FRAME_FILE) && v->pid &&
	       usyms_no_code(usyms_get(env), v->pid, v->exec, v->pcs[i]);
}

static bool is_trampoline(const struct frame *f)
{
	return f->object && f->symbol && !strcmp(f->object, "bpf") &&
	       !strncmp(f->symbol, "bpf_trampoline_", 15);
}

/* Is the i-th address where a traced function has called a trampoline? */
static bool calls_trampoline(struct dtx_env *env, struct arena *a, const struct val *v, u32 i)
{
	struct spot s;
	const struct frame *f;

	if (i >= v->npcs || !v->pcs[i])
		return false;
	s = spot_at(env, a, v, i);
	f = s.frames + s.n - 1;
	return f->symbol && f->offset <= ARCH_TRAMPOLINE_CALL;
}

/*
 * The frames of the *i-th address, which moves on.  None for a trampoline of the kernel's BPF,
 * which calls the traced function, and for the place from which the function called it: these are
 * of the tracer.  They are shown if the kernel's walk has found nothing else.
 */
static struct spot next_spot(struct dtx_env *env, struct arena *a, const struct val *v, u32 *i)
{
	u32 first = (*i)++, next;
	struct spot s = spot_at(env, a, v, first);

	if (v->user || !is_trampoline(s.frames + s.n - 1))
		return s;
	next = *i + calls_trampoline(env, a, v, *i);
	if (!first && (next >= v->npcs || !v->pcs[next]))
		return s;
	*i = next;
	return (struct spot){ NULL, 0 };
}

static const char *const stack_ends_text[] = {
	[DTX_END_MAKING] = "its unwind table was being made",
	[DTX_END_NOTABLE] = "no unwind table",
	[DTX_END_MEMORY] = "memory that cannot be read",
	[DTX_END_LOST] = "a register that is not known",
	[DTX_END_FRAMES] = "more frames than option ustackframes or jstackframes allows",
	[DTX_END_32BIT] = "a 32-bit program, followed by frame pointers",
	[DTX_END_NOCODE] = "no code at a return address",
	[DTX_END_RETURN] = "the kernel's walk ends at a return probe",
};

const char *sym_stack_end(u32 end)
{
	return end < ARRAY_SIZE(stack_ends_text) ? stack_ends_text[end] : pyframe_end(end);
}

static void put_frame(const struct frame *f, int indent, struct buf *out)
{
	buf_pad(out, ' ', indent);
	buf_puts(out, f->text);
	buf_putc(out, '\n');
}

void sym_stack(struct dtx_env *env, const struct val *v, int indent, struct buf *out)
{
	const char *end = sym_stack_end(v->end);
	struct arena *tmp = text_get(env)->tmp;

	buf_putc(out, '\n');
	budget_reading(true);
	for (u32 i = 0; i < v->nframes; i++)
		put_frame(&v->frames[i], indent, out);
	for (u32 i = 0; !v->frames && i < v->npcs && v->pcs[i] && !stack_ends(env, v, i);) {
		struct spot s = next_spot(env, tmp, v, &i);

		for (u32 k = 0; k < s.n; k++)
			put_frame(&s.frames[k], indent, out);
	}
	budget_reading(false);
	arena_clear(tmp);
	if (end) {
		buf_pad(out, ' ', indent);
		buf_printf(out, pyframe_end(v->end) ? "[no Python frames: %s]\n"
						    : "[incomplete: %s]\n", end);
	}
}

const struct frame *sym_frames(struct dtx_env *env, struct arena *a, const struct val *v, u32 *n)
{
	struct frame *frames = NULL;
	struct spot *spots;
	u32 nspots = 0, at = 0;

	*n = v->nframes;
	if (v->frames)
		return v->frames;
	spots = ARENA_ARRAY(a, struct spot, v->npcs + 1);
	budget_reading(true);
	for (u32 i = 0; i < v->npcs && v->pcs[i] && !stack_ends(env, v, i);) {
		spots[nspots] = next_spot(env, a, v, &i);
		*n += spots[nspots++].n;
	}
	budget_reading(false);
	frames = ARENA_ARRAY(a, struct frame, *n + 1);
	for (u32 i = 0; i < nspots; i++) {
		if (spots[i].n)
			memcpy(frames + at, spots[i].frames, spots[i].n * sizeof(*frames));
		at += spots[i].n;
	}
	return frames;
}
