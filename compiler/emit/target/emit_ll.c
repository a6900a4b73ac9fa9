/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_ll.c - thin wrappers of LLVM-C, which keep the rest of the code generator
 * readable.
 */
#include <stdlib.h>

#include "compiler/emit/emit-private.h"

/*
 * Without these, LLVM and the C++ library abort when memory is short, possibly before
 * main(), where their tables are made: this constructor runs earlier.  The names are
 * those of llvm::install_bad_alloc_error_handler() and std::set_new_handler().
 */
void _ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_(void (*)(void *, const char *, bool),
							     void *);
void *_ZSt15set_new_handlerPFvvE(void (*)(void));

static void no_memory(void)
{
	out_of_memory(0);
}

static void no_llvm_memory(void *arg, const char *reason, bool diag)
{
	out_of_memory(0);
}

__attribute__((constructor(101))) static void ll_start(void)
{
	_ZSt15set_new_handlerPFvvE(no_memory);
	_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_(no_llvm_memory, NULL);
}

/* LLVM's own handler would print and exit. */
static void heard(LLVMDiagnosticInfoRef info, void *arg)
{
	struct emit *e = arg;
	char *text;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || e->said)
		return;
	text = LLVMGetDiagInfoDescription(info);
	e->said = arena_strdup(e->c->arena, text);
	LLVMDisposeMessage(text);
}

bool ll_open(struct emit *e)
{
	link_init();
	e->ctx = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(e->ctx, heard, e);
	e->mod = LLVMModuleCreateWithNameInContext("dtx", e->ctx);
	e->b = LLVMCreateBuilderInContext(e->ctx);
	e->i1 = LLVMInt1TypeInContext(e->ctx);
	e->i8 = LLVMInt8TypeInContext(e->ctx);
	e->i16 = LLVMInt16TypeInContext(e->ctx);
	e->i32 = LLVMInt32TypeInContext(e->ctx);
	e->i64 = LLVMInt64TypeInContext(e->ctx);
	e->none = LLVMVoidTypeInContext(e->ctx);
	e->ptr = LLVMPointerTypeInContext(e->ctx, 0);
	return link_open(e);
}

void ll_close(struct emit *e)
{
	if (e->di)
		LLVMDisposeDIBuilder(e->di);
	LLVMDisposeBuilder(e->b);
	pieces_close(e);
	map_free(e->precompiled);
	LLVMDisposeModule(e->mod);
	if (e->tm)
		LLVMDisposeTargetMachine(e->tm);
	LLVMContextDispose(e->ctx);
}

/* ---- values ---------------------------------------------------------------------- */

val ll_num(struct emit *e, u64 v)
{
	return LLVMConstInt(e->i64, v, false);
}

val ll_num32(struct emit *e, u32 v)
{
	return LLVMConstInt(e->i32, v, false);
}

LLVMTypeRef ll_itype(struct emit *e, u32 bytes)
{
	return bytes == 1 ? e->i8 : bytes == 2 ? e->i16 : bytes == 4 ? e->i32 : e->i64;
}

static LLVMTypeRef ll_bytes(struct emit *e, u32 n)
{
	return LLVMArrayType2(e->i8, n);
}

val ll_ext(struct emit *e, val v, bool is_signed)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(e->b, v, e->i64, "");
	if (t == e->i64)
		return v;
	return is_signed && t != e->i1 ? LLVMBuildSExt(e->b, v, e->i64, "")
				       : LLVMBuildZExt(e->b, v, e->i64, "");
}

static val ll_to_ptr(struct emit *e, val v)
{
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
		return v;
	return LLVMBuildIntToPtr(e->b, v, e->ptr, "");
}

val ll_bool(struct emit *e, val v)
{
	if (LLVMTypeOf(v) == e->i1)
		return v;
	return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* ---- memory ----------------------------------------------------------------------- */

val ll_off(struct emit *e, val p, u64 off)
{
	return off ? ll_off_var(e, p, ll_num(e, off)) : p;
}

val ll_off_var(struct emit *e, val p, val off)
{
	return LLVMBuildInBoundsGEP2(e->b, e->i8, p, &off, 1, "");
}

val ll_load(struct emit *e, val p, u32 bytes, bool is_signed)
{
	return ll_ext(e, LLVMBuildLoad2(e->b, ll_itype(e, bytes), p, ""), is_signed);
}

val ll_load_now(struct emit *e, val p, u32 bytes, bool is_signed)
{
	val v = LLVMBuildLoad2(e->b, ll_itype(e, bytes), p, "");

	LLVMSetVolatile(v, true);
	return ll_ext(e, v, is_signed);
}

void ll_store(struct emit *e, val v, val p, u32 bytes)
{
	LLVMTypeRef t = ll_itype(e, bytes);

	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
		v = ll_ext(e, v, false);
	if (LLVMTypeOf(v) != t)
		v = LLVMBuildIntCast2(e->b, v, t, false, "");
	LLVMBuildStore(e->b, v, p);
}

val ll_load_ptr(struct emit *e, val p)
{
	return LLVMBuildLoad2(e->b, e->ptr, p, "");
}

val ll_alloca(struct emit *e, LLVMTypeRef t, const char *name)
{
	block here = ll_here(e);
	LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(e->b);
	val first = LLVMGetFirstInstruction(e->f.entry), v;

	if (first)
		LLVMPositionBuilderBefore(e->b, first);
	else
		ll_at(e, e->f.entry);
	v = LLVMBuildAlloca(e->b, t, name);
	LLVMSetAlignment(v, 8);
	ll_at(e, here);
	LLVMSetCurrentDebugLocation2(e->b, line);
	return v;
}

static void lifetime(struct emit *e, const char *name, val p)
{
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	val fn = LLVMGetIntrinsicDeclaration(e->mod, id, &e->ptr, 1);
	val args[] = { ll_num(e, ~0ull), p };

	LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, args, 2, "");
}

val ll_temp(struct emit *e, u32 bytes)
{
	val p = ll_alloca(e, LLVMArrayType2(e->i64, (bytes + 7) / 8), "");

	lifetime(e, "llvm.lifetime.start", p);
	return p;
}

static void ll_temp_end(struct emit *e, val p)
{
	lifetime(e, "llvm.lifetime.end", p);
}

/* A word that is read immediately after it is written.  Large programs have one for all:
 * faults leave lifetimes open, and LLVM would not share the words. */
val ll_word(struct emit *e)
{
	if (!e->p.large)
		return ll_temp(e, 8);
	if (!e->f.word || LLVMGetBasicBlockParent(LLVMGetInstructionParent(e->f.word)) != e->f.fn)
		e->f.word = ll_alloca(e, e->i64, "word");
	return e->f.word;
}

void ll_word_end(struct emit *e, val p)
{
	if (!e->p.large)
		ll_temp_end(e, p);
}

val ll_zero_bytes(struct emit *e, u32 n)
{
	val z = LLVMGetNamedGlobal(e->mod, "dtx_zero");
	u32 have = z ? LLVMGetArrayLength2(LLVMGlobalGetValueType(z)) : 0;
	val bigger;

	if (have >= n)
		return z;
	bigger = LLVMAddGlobal(e->mod, ll_bytes(e, ALIGN_UP(n, 8)), "dtx_zero.");
	LLVMSetInitializer(bigger, LLVMConstNull(ll_bytes(e, ALIGN_UP(n, 8))));
	LLVMSetGlobalConstant(bigger, true);
	LLVMSetLinkage(bigger, LLVMInternalLinkage);
	LLVMSetAlignment(bigger, 8);
	if (z) {
		LLVMReplaceAllUsesWith(z, bigger);
		LLVMDeleteGlobal(z);
	}
	LLVMSetValueName2(bigger, "dtx_zero", 8);
	return bigger;
}

static void zero(struct emit *e, val p, u32 bytes, u32 align)
{
	if (bytes > 512)
		ll_call(e, "dtx_copy", p, ll_num(e, bytes), ll_zero_bytes(e, bytes));
	else if (bytes)
		LLVMBuildMemSet(e->b, p, LLVMConstInt(e->i8, 0, false), ll_num(e, bytes), align);
}

void ll_zero(struct emit *e, val p, u32 bytes)
{
	zero(e, p, bytes, 8);
}

void ll_zero_gap(struct emit *e, val p, u32 bytes)
{
	zero(e, p, bytes, 1);
}

void ll_copy(struct emit *e, val to, val from, u32 bytes)
{
	if (bytes > 256)
		ll_call(e, "dtx_copy", to, ll_num(e, bytes), from);
	else if (bytes)
		LLVMBuildMemCpy(e->b, to, 8, from, 8, ll_num(e, bytes));
}

/* ---- control ------------------------------------------------------------------------ */

block ll_block(struct emit *e, const char *name)
{
	return LLVMAppendBasicBlockInContext(e->ctx, e->f.fn, name);
}

void ll_at(struct emit *e, block b)
{
	LLVMPositionBuilderAtEnd(e->b, b);
}

block ll_here(struct emit *e)
{
	return LLVMGetInsertBlock(e->b);
}

void ll_br(struct emit *e, block to)
{
	if (!LLVMGetBasicBlockTerminator(ll_here(e)))
		LLVMBuildBr(e->b, to);
}

void ll_if(struct emit *e, val cond, block yes, block no)
{
	LLVMBuildCondBr(e->b, ll_bool(e, cond), yes, no);
}

void ll_only_if(struct emit *e, val cond, block quit)
{
	block next = ll_block(e, "next");

	ll_if(e, cond, next, quit);
	ll_at(e, next);
}

val ll_phi(struct emit *e, LLVMTypeRef t, val a, block from_a, val b, block from_b)
{
	val phi = LLVMBuildPhi(e->b, t, "");
	val vals[] = { a, b };
	block from[] = { from_a, from_b };

	LLVMAddIncoming(phi, vals, from, 2);
	return phi;
}

/* ---- functions ------------------------------------------------------------------------ */

static val convert(struct emit *e, val v, LLVMTypeRef to)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	if (t == to)
		return v;
	if (LLVMGetTypeKind(to) == LLVMPointerTypeKind)
		return ll_to_ptr(e, v);
	return LLVMBuildIntCast2(e->b, ll_ext(e, v, false), to, false, "");
}

/* A declaration, in our module, of a library function; its types are those of the library. */
static val declared(struct emit *e, const char *name)
{
	val fn = LLVMGetNamedFunction(e->mod, name), def;
	LLVMTypeRef type;

	if (fn)
		return fn;
	def = pieces_function(e, name);
	type = def ? LLVMGlobalGetValueType(def) : precompiled_type(e, name);
	return type ? LLVMAddFunction(e->mod, name, type) : NULL;
}

val ll_call_n(struct emit *e, const char *name, val *args, u32 n)
{
	val fn = declared(e, name), conv[8];
	LLVMTypeRef type, params[8];

	if (!fn) {
		diag_error(&e->c->env->diags, DIAG_NONE, (struct range){ 0 },
			   "the BPF library has no function %s", name);
		return LLVMGetUndef(e->i64);
	}
	type = LLVMGlobalGetValueType(fn);
	if (LLVMCountParamTypes(type) != n || n > 8) {
		diag_error(&e->c->env->diags, DIAG_NONE, (struct range){ 0 },
			   "%s of the BPF library takes %u arguments, not %u", name,
			   LLVMCountParamTypes(type), n);
		return LLVMGetUndef(e->i64);
	}
	LLVMGetParamTypes(type, params);
	for (u32 i = 0; i < n; i++)
		conv[i] = convert(e, args[i], params[i]);
	return LLVMBuildCall2(e->b, type, fn, conv, n, "");
}

val ll_asm(struct emit *e, const char *text, const char *constraints, val *args, u32 n)
{
	LLVMTypeRef types[4], type;
	val fn;

	for (u32 i = 0; i < n; i++)
		types[i] = LLVMTypeOf(args[i]);
	type = LLVMFunctionType(e->i64, types, n, false);
	fn = LLVMGetInlineAsm(type, (char *)text, strlen(text), (char *)constraints,
			      strlen(constraints), false, false, LLVMInlineAsmDialectATT, false);
	return LLVMBuildCall2(e->b, type, fn, args, n, "");
}

val ll_rodata(struct emit *e, const void *bytes, u32 n, const char *name)
{
	val g = LLVMAddGlobal(e->mod, ll_bytes(e, n), name);

	LLVMSetInitializer(g, LLVMConstStringInContext(e->ctx, bytes, n, true));
	LLVMSetGlobalConstant(g, true);
	/* For private ones LLVM makes BTF of an empty section.  5.10 refuses it and with it
	 * all BTF; then functions would not be verified separately. */
	LLVMSetLinkage(g, LLVMInternalLinkage);
	LLVMSetAlignment(g, 8);
	return g;
}

val ll_constants(struct emit *e, const char *name, const u64 *n, u32 count)
{
	LLVMTypeRef type = LLVMArrayType2(e->i64, count);
	val g = LLVMGetNamedGlobal(e->mod, name), *v;

	if (g)
		return g;
	v = xcalloc(count, sizeof(*v));
	for (u32 i = 0; i < count; i++)
		v[i] = ll_num(e, n[i]);
	g = LLVMAddGlobal(e->mod, type, name);
	LLVMSetInitializer(g, LLVMConstArray2(e->i64, v, count));
	LLVMSetGlobalConstant(g, true);
	LLVMSetAlignment(g, 8);
	free(v);
	return g;
}

val ll_string(struct emit *e, const char *text, u32 len, u32 padded)
{
	char *bytes = xcalloc(1, padded);
	val g;

	memcpy(bytes, text, MIN(len, padded - 1));
	g = ll_rodata(e, bytes, padded, "str");
	LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
	free(bytes);
	return g;
}

val ll_function(struct emit *e, const char *name, LLVMTypeRef ret, LLVMTypeRef arg)
{
	val fn = LLVMAddFunction(e->mod, name, LLVMFunctionType(ret, &arg, 1, false));

	ll_target(e, fn);
	return fn;
}

void ll_target(struct emit *e, val fn)
{
	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
				LLVMCreateStringAttribute(e->ctx, "target-cpu", 10, "v3", 2));
	ll_attr(e, fn, "nounwind");
}

void ll_attr(struct emit *e, val fn, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(e->ctx, kind, 0));
}
