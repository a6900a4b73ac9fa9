/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_dbg.c - line information and BTF: with them the verifier's log quotes D
 * lines, and libbpf understands the maps.
 *
 * LLVM-C cannot make a file node with the program's text; it is read from a line of
 * LLVM assembly instead.  Without the text the BTF writer would read a file, and -n
 * has none.
 */
#include <llvm-c/IRReader.h>

#include "compiler/emit/emit-private.h"

static void quote(const char *s, u32 len, struct buf *out)
{
	for (u32 i = 0; i < len; i++) {
		u8 c = s[i];

		if (c < ' ' || c > '~' || c == '"' || c == '\\')
			buf_printf(out, "\\%02X", c);
		else
			buf_putc(out, c);
	}
}

static LLVMMetadataRef file_with_text(struct emit *e, const struct source *src)
{
	struct buf text = { 0 };
	LLVMMemoryBufferRef bytes;
	LLVMModuleRef mod = NULL;
	LLVMMetadataRef file = NULL;
	val node = NULL;
	char *err = NULL;

	buf_puts(&text, "!f = !{!0}\n!0 = !DIFile(filename: \"");
	quote(src->name, strlen(src->name), &text);
	buf_puts(&text, "\", directory: \"\", source: \"");
	quote(src->text, src->len, &text);
	buf_puts(&text, "\")\n");
	bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data, text.len, "file");
	if (!LLVMParseIRInContext(e->ctx, bytes, &mod, &err)) {
		LLVMGetNamedMetadataOperands(mod, "f", &node);
		file = LLVMValueAsMetadata(node);
		LLVMDisposeModule(mod);
	}
	LLVMDisposeMessage(err);
	buf_free(&text);
	return file;
}

static LLVMMetadataRef file_of(struct emit *e, const struct source *src)
{
	if (!src || src->is_library || src->index >= e->nfiles || emit_is_huge(e))
		return e->file0;
	if (!e->files[src->index])
		e->files[src->index] = file_with_text(e, src);
	return e->files[src->index] ? e->files[src->index] : e->file0;
}

static void module_flag(struct emit *e, const char *name, u32 value)
{
	LLVMAddModuleFlag(e->mod, LLVMModuleFlagBehaviorWarning, name, strlen(name),
			  LLVMValueAsMetadata(ll_num32(e, value)));
}

void dbg_open(struct emit *e)
{
	LLVMMetadataRef nothing = NULL;

	e->di = LLVMCreateDIBuilder(e->mod);
	e->nfiles = e->c->nprogs;
	e->files = ARENA_ARRAY(e->c->arena, LLVMMetadataRef, e->nfiles + 1);
	e->file0 = LLVMDIBuilderCreateFile(e->di, "/dev/null", 9, "", 0);
	e->unit = LLVMDIBuilderCreateCompileUnit(e->di, LLVMDWARFSourceLanguageC, e->file0, "dtx",
						 3, true, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0,
						 false, false, "", 0, "", 0);
	e->fn_type =
		LLVMDIBuilderCreateSubroutineType(e->di, e->file0, &nothing, 1, LLVMDIFlagZero);
	module_flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
}

void dbg_close(struct emit *e)
{
	LLVMDIBuilderFinalize(e->di);
}

/* Type "int ()": parameters would need names for the kernel. */
static LLVMMetadataRef program_type(struct emit *e)
{
	LLVMMetadataRef ret =
		LLVMDIBuilderCreateBasicType(e->di, "int", 3, 32, 0x05, LLVMDIFlagZero);

	return LLVMDIBuilderCreateSubroutineType(e->di, e->file0, &ret, 1, LLVMDIFlagZero);
}

void dbg_function(struct emit *e, val fn, struct range at, bool global)
{
	size_t len;
	const char *name = LLVMGetValueName2(fn, &len);
	LLVMMetadataRef file = file_of(e, at.src);
	u32 line = 0, col;

	if (!global && emit_is_huge(e)) {
		name = "clause";
		len = strlen(name);
	}
	if (at.src)
		source_pos(at.src, at.from, &line, &col);
	e->scope = LLVMDIBuilderCreateFunction(e->di, file, name, len, "", 0, file, line,
		global ? program_type(e) : e->fn_type, !global, true, line, LLVMDIFlagZero, true);
	LLVMSetSubprogram(fn, e->scope);
}

/* BTF of a library function, "unsigned long f(unsigned long a, …)". */
void dbg_library_global(struct emit *e, val fn)
{
	LLVMMetadataRef types[6], type = LLVMDIBuilderCreateBasicType(e->di, "long", 4, 64, 0x07,
								      LLVMDIFlagZero), sp;
	u32 n = MIN(LLVMCountParams(fn), 5u);
	size_t len;
	const char *name = LLVMGetValueName2(fn, &len);

	for (u32 i = 0; i <= n; i++)
		types[i] = type;
	sp = LLVMDIBuilderCreateFunction(e->di, e->file0, name, len, "", 0, e->file0, 0,
		LLVMDIBuilderCreateSubroutineType(e->di, e->file0, types, n + 1, LLVMDIFlagZero),
		false, true, 0, LLVMDIFlagZero, true);
	for (u32 i = 0; i < n; i++)
		LLVMDIBuilderCreateParameterVariable(e->di, sp, &"abcde"[i], 1, i + 1, e->file0, 0,
						     type, true, LLVMDIFlagZero);
	LLVMSetSubprogram(fn, sp);
	e->scope = sp;
}

void dbg_line(struct emit *e, struct range at)
{
	LLVMMetadataRef scope = e->scope;
	u32 line = 0, col = 0;

	if (at.src && !at.src->is_library) {
		source_pos(at.src, at.from, &line, &col);
		scope = LLVMDIBuilderCreateLexicalBlockFile(e->di, scope, file_of(e, at.src), 0);
	}
	LLVMSetCurrentDebugLocation2(e->b,
		LLVMDIBuilderCreateDebugLocation(e->ctx, line, col, scope, NULL));
}

/* ---- maps: struct { int (*type)[N]; … }, as libbpf reads them ------------------------ */

static LLVMMetadataRef basic(struct emit *e, const char *name, u32 bits, u32 encoding)
{
	return LLVMDIBuilderCreateBasicType(e->di, name, strlen(name), bits, encoding,
					    LLVMDIFlagZero);
}

static LLVMMetadataRef array(struct emit *e, LLVMMetadataRef of, u32 bits, u32 n)
{
	LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(e->di, 0, n);

	return LLVMDIBuilderCreateArrayType(e->di, (u64)bits * n, 0, of, &range, 1);
}

static void dbg_attach(struct emit *e, val g, const char *name, LLVMMetadataRef type)
{
	LLVMMetadataRef expr = LLVMDIBuilderCreateExpression(e->di, NULL, 0);
	LLVMMetadataRef var = LLVMDIBuilderCreateGlobalVariableExpression(e->di, e->unit, name,
		strlen(name), "", 0, e->file0, 0, type, false, expr, NULL, 0);

	LLVMGlobalSetMetadata(g, LLVMGetMDKindIDInContext(e->ctx, "dbg", 3), var);
}

struct map_members {
	LLVMMetadataRef v[8];
	u32 n;
};

static void member(struct emit *e, struct map_members *m, const char *name, LLVMMetadataRef to)
{
	LLVMMetadataRef p = LLVMDIBuilderCreatePointerType(e->di, to, 64, 0, 0, "", 0);

	m->v[m->n] = LLVMDIBuilderCreateMemberType(e->di, e->file0, name, strlen(name), e->file0, 0,
						   64, 64, 64 * m->n, LLVMDIFlagZero, p);
	m->n++;
}

static void dbg_number(struct emit *e, struct map_members *m, const char *name, u32 n)
{
	member(e, m, name, array(e, basic(e, "int", 32, 0x05), 32, n));
}

/* Task storage needs BTF of key and value; for other maps sizes are enough. */
static void key_and_value(struct emit *e, struct map_members *m, const struct img_map *map)
{
	if (map->type == 29 /* BPF_MAP_TYPE_TASK_STORAGE */) {
		member(e, m, "key", basic(e, "int", 32, 0x05));
		member(e, m, "value", array(e, basic(e, "long", 64, 0x07), 64, map->val_size / 8));
		return;
	}
	if (map->key_size)
		dbg_number(e, m, "key_size", map->key_size);
	if (map->val_size)
		dbg_number(e, m, "value_size", map->val_size);
}

void dbg_map(struct emit *e, val g, const struct img_map *map)
{
	struct map_members m = { .n = 0 };
	LLVMMetadataRef type;

	dbg_number(e, &m, "type", map->type);
	key_and_value(e, &m, map);
	if (map->max_entries)
		dbg_number(e, &m, "max_entries", map->max_entries);
	if (map->flags)
		dbg_number(e, &m, "map_flags", map->flags);
	type = LLVMDIBuilderCreateStructType(e->di, e->file0, "", 0, e->file0, 0, 64 * m.n, 64,
		LLVMDIFlagZero, NULL, m.v, m.n, 0, NULL, "", 0);
	dbg_attach(e, g, map->name, type);
}

/* Data that the user side maps: libbpf needs their type. */
void dbg_datum(struct emit *e, val g, const char *name, u32 size)
{
	dbg_attach(e, g, name, array(e, basic(e, "long", 64, 0x07), 64, size / 8));
}
