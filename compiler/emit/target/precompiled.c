/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * precompiled.c - functions of the BPF library that were compiled when dtx was built: strings,
 * paths, JSON, the walks along user stacks and along frames of Python.  LLVM needs longer for them
 * than for the rest of most programs.
 *
 * They are text in assembly, made by bpf/precompiled.awk.  Numbers that are known only now
 * (DECIDED of bpf/dtx.bpf.h) are put in.  Each function becomes one piece of inline assembly; the
 * maps and functions that it names are its operands too, so that LLVM keeps them.
 * Why: docs/decisions/42-precompiled.md
 */
#include <stdlib.h>

#include <llvm-c/Core.h>

#include "compiler/emit/emit-private.h"

#define NAMED_MAX  32            /* maps and functions that a function names */

struct pre {
	struct emit *e;
	struct buf text, kinds;          /* kinds: of the operands, as LLVM wants them */
	val named[NAMED_MAX];
	u32 nnamed;
	bool in_codes;           /* the text ends within a string of bytes */
};

static val define(struct emit *e, const char *name);

/* The texts by the names of the functions.  Each begins after "@name ". */
static struct map *find_texts(struct emit *e)
{
	const char *at = (const char *)dtx_bpf_precompiled, *after, *end;
	struct map *texts = map_new();

	for (; at < (const char *)dtx_bpf_precompiled_end && *at == '@'; at = end + 2) {
		after = strchr(at, ' ');
		end = strstr(after, "\n\n");
		map_set(texts, arena_strndup(e->c->arena, at + 1, after - at - 1),
			(char *)after + 1);
	}
	return texts;
}

/* NULL: it is not one of them. */
static const char *text_of(struct emit *e, const char *name)
{
	if (!e->precompiled)
		e->precompiled = find_texts(e);
	return map_get(e->precompiled, name);
}

static bool operand(struct pre *r, val v)
{
	for (u32 i = 0; i < r->nnamed; i++)
		if (r->named[i] == v)
			return true;
	if (!v || r->nnamed == NAMED_MAX)
		return false;
	buf_printf(&r->kinds, "%si", r->nnamed ? "," : "");
	r->named[r->nnamed++] = v;
	return true;
}

/* "rN = NAME+OFF ll": the number at the place in the constant, or the address of a map. */
static bool symbol(struct pre *r, const char *line, const char *name, const char *end)
{
	u32 len = strcspn(name, "+ ");
	u64 off = name[len] == '+' ? strtoul(name + len + 1, NULL, 10) : 0;
	s64 v;
	val g = LLVMGetNamedGlobal(r->e->mod, arena_printf(r->e->c->arena, "%.*s", len, name)), n;

	if (!g || !LLVMIsGlobalConstant(g)) {
		buf_add(&r->text, line, end - line);
		return operand(r, g);
	}
	n = LLVMGetInitializer(g);
	if (LLVMGetTypeKind(LLVMTypeOf(n)) == LLVMArrayTypeKind)
		n = LLVMGetAggregateElement(n, off / 8);
	v = LLVMConstIntGetSExtValue(n);
	buf_printf(&r->text, "%.*s%lld%s\n", (int)(name - line), line, (long long)v,
		   v == (s32)v ? "" : " ll");
	return true;
}

static void end_codes(struct pre *r)
{
	if (r->in_codes)
		buf_puts(&r->text, "\"\n");
	r->in_codes = false;
}

/* "BYTES<tab>INSTRUCTION": LLVM reads the bytes far sooner, people read the instruction. */
static void with_code(struct pre *r, const char *line, const char *end)
{
	const char *insn = memchr(line, '\t', end - line);

	if (r->e->c->opts && r->e->c->opts->dump) {
		buf_add(&r->text, insn, end - insn);
		return;
	}
	if (!r->in_codes)
		buf_puts(&r->text, "\t.ascii \"");
	buf_add(&r->text, line, insn - line);
	r->in_codes = true;
}

static bool one_line(struct pre *r, const char *line, const char *end)
{
	if (*line == '\\') {
		with_code(r, line, end);
		return true;
	}
	end_codes(r);

	const char *call = memmem(line, end - line, "call dtx_", 9);
	const char *named = memmem(line, end - line, "= dtx_", 6);

	if (named)
		return symbol(r, line, named + 2, end);
	buf_add(&r->text, line, end - line);
	return !call || operand(r, define(r->e, arena_printf(r->e->c->arena, "%.*s",
							     (int)(end - call - 6), call + 5)));
}

LLVMTypeRef precompiled_type(struct emit *e, const char *name)
{
	const char *text = text_of(e, name);
	LLVMTypeRef params[5];
	u32 n = text ? strtoul(text, NULL, 10) : 0;

	for (u32 i = 0; i < ARRAY_SIZE(params); i++)
		params[i] = e->i64;
	return text ? LLVMFunctionType(e->i64, params, MIN(n, (u32)ARRAY_SIZE(params)), false)
		    : NULL;
}

static void attribute(struct emit *e, val fn, const char *name)
{
	u32 kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(e->ctx, kind, 0));
}

static void body(struct pre *r, val fn)
{
	struct emit *e = r->e;
	LLVMTypeRef types[NAMED_MAX], type;
	val code;

	for (u32 i = 0; i < r->nnamed; i++)
		types[i] = e->ptr;
	type = LLVMFunctionType(e->none, types, r->nnamed, false);
	code = LLVMGetInlineAsm(type, r->text.data, r->text.len,
				r->nnamed ? r->kinds.data : "", r->kinds.len, true, false,
				LLVMInlineAsmDialectATT, false);
	attribute(e, fn, "naked");
	attribute(e, fn, "noinline");
	attribute(e, fn, "nounwind");
	LLVMSetLinkage(fn, LLVMLinkOnceODRLinkage);
	LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->ctx, fn, ""));
	LLVMSetCurrentDebugLocation2(e->b, NULL);
	LLVMBuildCall2(e->b, type, code, r->named, r->nnamed, "");
	LLVMBuildUnreachable(e->b);
}

/* The function, with those that it calls.  NULL: it is none of them, or names what is unknown. */
static val define(struct emit *e, const char *name)
{
	struct pre r = { .e = e };
	val fn = LLVMGetNamedFunction(e->mod, name);
	const char *at = text_of(e, name);
	bool fine = true;

	if (!at || (fn && !LLVMIsDeclaration(fn)))
		return fn;
	fn = fn ? fn : LLVMAddFunction(e->mod, name, precompiled_type(e, name));
	at = strchr(at, '\n') + 1;
	while (fine && *at != '\n') {
		const char *end = strchr(at, '\n') + 1;

		fine = one_line(&r, at, end);
		at = end;
	}
	end_codes(&r);
	if (fine)
		body(&r, fn);
	buf_free(&r.text);
	buf_free(&r.kinds);
	return fine ? fn : NULL;
}

bool precompiled_define(struct emit *e)
{
	size_t len;

	for (val f = LLVMGetFirstFunction(e->mod); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && text_of(e, LLVMGetValueName2(f, &len)) &&
		    !define(e, LLVMGetValueName2(f, &len)))
			return false;
	return true;
}
