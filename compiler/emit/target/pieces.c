/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pieces.c - the BPF library: bitcode made at build time, in pieces (bpf/rules.mk).  A program
 * reads those that have what it names, and the linkage of their functions lets the linker leave out
 * the others: a small program reads a small part of it.
 * Why: docs/decisions/61-library-in-pieces.md
 */
#include <stdlib.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "compiler/emit/emit-private.h"

extern const struct piece {
	const char *name;
	const unsigned char *bytes, *end;
} dtx_bpf_lib[];                         /* ends with zeros; one names what those after it have */
/* Lines "function or variable, name of its piece". */
extern const char dtx_bpf_names[], dtx_bpf_names_end[];

struct pieces {
	struct map *of;                  /* function or variable → struct piece */
	LLVMModuleRef *v;                /* by piece; NULL: it is not read, or linked already */
};

static const struct piece *piece_called(const char *name, size_t len)
{
	const struct piece *p = dtx_bpf_lib;

	while (strncmp(p->name, name, len) || p->name[len])
		p++;
	return p;
}

static struct pieces *pieces_of(struct emit *e)
{
	const char *at = dtx_bpf_names, *piece, *end;
	u32 n = 0;

	if (e->pieces)
		return e->pieces;
	while (dtx_bpf_lib[n].name)
		n++;
	e->pieces = xcalloc(1, sizeof(*e->pieces));
	e->pieces->v = xcalloc(n, sizeof(*e->pieces->v));
	e->pieces->of = map_new();
	for (; at < dtx_bpf_names_end; at = end + 1) {
		piece = strchr(at, ' ') + 1;
		end = strchr(piece, '\n');
		map_set(e->pieces->of, arena_strndup(e->c->arena, at, piece - 1 - at),
			(void *)piece_called(piece, end - piece));
	}
	return e->pieces;
}

void pieces_close(struct emit *e)
{
	if (!e->pieces)
		return;
	for (u32 i = 0; dtx_bpf_lib[i].name; i++)
		if (e->pieces->v[i])
			LLVMDisposeModule(e->pieces->v[i]);
	map_free(e->pieces->of);
	free(e->pieces->v);
	free(e->pieces);
}

/* Marks what the linker may leave out, and what the optimiser may remove later. */
static void make_lazy(LLVMModuleRef lib)
{
	for (val f = LLVMGetFirstFunction(lib); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage)
			LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
	for (val g = LLVMGetFirstGlobal(lib); g; g = LLVMGetNextGlobal(g))
		if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
			LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
}

/* The piece that has it, to be linked; NULL: none has, or it cannot be read. */
static LLVMModuleRef *piece_with(struct emit *e, const char *name)
{
	struct pieces *all = pieces_of(e);
	const struct piece *p = map_get(all->of, name);
	LLVMModuleRef *lib = p ? &all->v[p - dtx_bpf_lib] : NULL;
	LLVMMemoryBufferRef bytes;

	if (!p || *lib)
		return lib;
	bytes = LLVMCreateMemoryBufferWithMemoryRange((const char *)p->bytes, p->end - p->bytes,
						      p->name, false);
	if (LLVMGetBitcodeModuleInContext2(e->ctx, bytes, lib))
		return NULL;
	make_lazy(*lib);
	return lib;
}

val pieces_function(struct emit *e, const char *name)
{
	LLVMModuleRef *lib = piece_with(e, name);

	return lib ? LLVMGetNamedFunction(*lib, name) : NULL;
}

static bool is_of(struct emit *e, val v, const struct piece *p)
{
	size_t len;

	return LLVMIsDeclaration(v) && map_get(pieces_of(e)->of, LLVMGetValueName2(v, &len)) == p;
}

/* What the module names of a piece; NULL: nothing. */
static val named_of(struct emit *e, const struct piece *p)
{
	for (val f = LLVMGetFirstFunction(e->mod); f; f = LLVMGetNextFunction(f))
		if (is_of(e, f, p))
			return f;
	for (val g = LLVMGetFirstGlobal(e->mod); g; g = LLVMGetNextGlobal(g))
		if (is_of(e, g, p))
			return g;
	return NULL;
}

bool pieces_link(struct emit *e)
{
	for (const struct piece *p = dtx_bpf_lib; p->name; p++) {
		val named = named_of(e, p);
		LLVMModuleRef *lib, piece;
		size_t len;

		if (!named)
			continue;
		lib = piece_with(e, LLVMGetValueName2(named, &len));
		piece = lib ? *lib : NULL;
		if (!piece)
			return false;
		*lib = NULL;
		if (LLVMLinkModules2(e->mod, piece))
			return false;
	}
	return true;
}
