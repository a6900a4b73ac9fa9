/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * link.c - links module and BPF library to one optimised object.
 *
 * The library is bitcode made at build time (pieces.c).  What of LLVM runs is side by side in the
 * binary: docs/decisions/62-side-by-side.md.
 */
#include <stdlib.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <linux/bpf.h>

#include <dtx/tag.h>

#include "compiler/emit/emit-private.h"

/* instcombine must not check that one round was enough: otherwise LLVM ends the process if
 * it was not. */
#define COMBINE     "instcombine<no-verify-fixpoint>"

/* The passes of LLVM's -O2 that help here: in four fifths of the time they make the same code,
 * except for constants passed to a subprogram.  Jumps are threaded before simplifycfg turns them
 * into conditional moves: BPF has none, and would branch twice on the condition. */
#define PASSES                                                                                  \
	"always-inline,globaldce,globalopt,require<globals-aa>,function(invalidate<aa>,"        \
	"sroa<modify-cfg>,early-cse<memssa>," COMBINE ",jump-threading,gvn,"                    \
	"correlated-propagation,dse,simplifycfg<hoist-common-insts;sink-common-insts>," COMBINE \
	"),globaldce"

/* The passes that BPF code needs, and few others: paths must stay separate, as they were
 * made. */
#define FEW_PASSES  "always-inline,globaldce,function(sroa<modify-cfg>," COMBINE \
		    ",simplifycfg,early-cse,dse),globaldce"

bool link_fail(struct emit *e, const char *what, char *message)
{
	struct diag *d =
		diag_error(&e->c->env->diags, DIAG_NONE, (struct range){ 0 },
			   "internal error: %s: %s", what, message ? message : "LLVM refused");

	diag_hint(&e->c->env->diags, d, "please report this with the program");
	LLVMDisposeMessage(message);
	return false;
}

/* LLVM's static constructors, if the linker script llvm.ld holds them back. */
extern void (*const dtx_late_init[])(void) __attribute__((weak, visibility("hidden")));
extern void (*const dtx_late_init_end[])(void) __attribute__((weak, visibility("hidden")));

void link_init(void)
{
	static bool done;        /* LLVM's own registry is one per process */

	if (done)
		return;
	for (void (*const *f)(void) = dtx_late_init; f < dtx_late_init_end; f++)
		(*f)();
	LLVMInitializeBPFTargetInfo();
	LLVMInitializeBPFTarget();
	LLVMInitializeBPFTargetMC();
	LLVMInitializeBPFAsmPrinter();
	LLVMInitializeBPFAsmParser();
	done = true;
}

/*
 * Keeps the order of blocks.  The backend would place the blocks of a loop so that the last one
 * falls through into the first one; kernels before 6.7 accept a way back only from a jump
 * instruction (check_cfg() in kernel/bpf/verifier.c).  This costs one jump per turn.  LLVM has this
 * option only for the whole process, and only once.
 */
void link_keep_order(void)
{
	static const char *const args[] = { "dtx", "-disable-block-placement" };
	static bool done;

	if (!done)
		LLVMParseCommandLineOptions(ARRAY_SIZE(args), args, NULL);
	done = true;
}

bool link_open(struct emit *e)
{
	LLVMTargetRef target;
	LLVMTargetDataRef layout;
	char *err = NULL;

	if (LLVMGetTargetFromTriple("bpf", &target, &err))
		return link_fail(e, "no BPF target", err);
	e->tm = LLVMCreateTargetMachine(target, "bpf", "v3", "", LLVMCodeGenLevelDefault,
					LLVMRelocDefault, LLVMCodeModelDefault);
	layout = LLVMCreateTargetDataLayout(e->tm);
	LLVMSetModuleDataLayout(e->mod, layout);
	LLVMDisposeTargetData(layout);
	LLVMSetTarget(e->mod, "bpf");
	return true;
}

/* Functions that the verifier checks once, not at each call: bpf/text/strfn.h. */
static bool is_global(val f)
{
	size_t len;

	return !strncmp(LLVMGetValueName2(f, &len), "dtx_g_", 6);
}

static bool in_section(val g, const char *prefix)
{
	const char *s = LLVMGetSection(g);

	return s && !strncmp(s, prefix, strlen(prefix));
}

/* Helpers without effects whose result stays the same while a program runs. */
static bool is_constant_helper(val callee)
{
	val n;

	if (!LLVMIsAConstantExpr(callee) || LLVMGetConstOpcode(callee) != LLVMIntToPtr)
		return false;
	n = LLVMGetOperand(callee, 0);
	switch (LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0) {
	case BPF_FUNC_get_smp_processor_id:      /* programs do not migrate */
	case BPF_FUNC_get_current_pid_tgid:
	case BPF_FUNC_get_current_uid_gid:
	case BPF_FUNC_get_current_task_btf:
	case BPF_FUNC_get_attach_cookie:
		return true;
	}
	return false;
}

/* Lets the optimiser remove unused and repeated calls. */
static void mark_constant_helpers(struct emit *e)
{
	static const char *const names[] = { "memory", "nounwind", "willreturn" };

	for (val f = LLVMGetFirstFunction(e->mod); f; f = LLVMGetNextFunction(f))
		for (block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (val i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
				if (!LLVMIsACallInst(i) ||
				    !is_constant_helper(LLVMGetCalledValue(i)))
					continue;
				for (u32 k = 0; k < ARRAY_SIZE(names); k++)
					LLVMAddCallSiteAttribute(
						i, LLVMAttributeFunctionIndex,
						LLVMCreateEnumAttribute(
							e->ctx,
							LLVMGetEnumAttributeKindForName(
								names[k], strlen(names[k])),
							0));
			}
}

static bool is_shelved(const struct emit *e, val map)
{
	const struct img_map *m = img_map_named(e->c->img, LLVMGetValueName(map));

	return m && m->shelf;
}

/* Programs and the manifest are for the loader; everything else may be changed. */
static void internalise(struct emit *e)
{
	for (val f = LLVMGetFirstFunction(e->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && !in_section(f, "dtx/") && !is_global(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	for (val g = LLVMGetFirstGlobal(e->mod); g; g = LLVMGetNextGlobal(g)) {
		if (LLVMIsDeclaration(g) || in_section(g, "license") ||
		    in_section(g, IMG_SECTION) || in_section(g, IMG_SCRIPT) ||
		    in_section(g, "llvm."))
			continue;
		/* The user side reads and writes these: the optimiser must not assume their
		 * contents. */
		if (in_section(g, ".data.dtxctl") || in_section(g, IMG_KSYMS))
			LLVMSetLinkage(g, LLVMExternalLinkage);
		else if (in_section(g, ".maps") && is_shelved(e, g))
			LLVMSetLinkage(g, LLVMExternalLinkage);     /* no code names it */
		else if (in_section(g, ".maps") || in_section(g, ".data."))
			LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
		else if (LLVMGetLinkage(g) != LLVMPrivateLinkage &&
			 LLVMGetLinkage(g) != LLVMAppendingLinkage)
			LLVMSetLinkage(g, LLVMInternalLinkage);
	}
}

/* Subprograms of the library that stayed subprograms need a name in BTF. */
static void describe_subprograms(struct emit *e)
{
	for (val f = LLVMGetFirstFunction(e->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && !LLVMGetSubprogram(f) && is_global(f))
			dbg_library_global(e, f);
		else if (!LLVMIsDeclaration(f) && !LLVMGetSubprogram(f))
			dbg_function(e, f, (struct range){ 0 }, false);
}

static void expose_maps(struct emit *e)
{
	for (val f = LLVMGetFirstFunction(e->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && is_global(f))
			LLVMSetLinkage(f, LLVMExternalLinkage);
	for (val g = LLVMGetFirstGlobal(e->mod); g; g = LLVMGetNextGlobal(g))
		if (in_section(g, ".maps") || in_section(g, ".data."))
			LLVMSetLinkage(g, LLVMExternalLinkage);
}

/*
 * A program with so many clauses that compile time matters: less is optimised, and BTF has
 * no source lines, because its writer compares each new string with all others.
 */
bool emit_is_huge(const struct emit *e)
{
	return e->c->ast.nclauses > HUGE_CLAUSES;
}

static bool is_large(const struct emit *e)
{
	const struct prog *p = e->c->bprogs;

	while (p && !p->large)
		p = p->next;
	return p || emit_is_huge(e);
}

static bool optimise(struct emit *e)
{
	LLVMPassBuilderOptionsRef opts = LLVMCreatePassBuilderOptions();
	LLVMErrorRef err;

	err = LLVMRunPasses(e->mod, e->frugal || is_large(e) ? FEW_PASSES : PASSES, e->tm,
			    opts);
	LLVMDisposePassBuilderOptions(opts);
	return err ? link_fail(e, "the optimiser failed", LLVMGetErrorMessage(err)) : true;
}

bool link_module(struct emit *e)
{
	char *err = NULL;

	if (!pieces_link(e) || !precompiled_define(e))
		return link_fail(e, "the BPF library does not link", NULL);
	internalise(e);
	mark_constant_helpers(e);
	dbg_close(e);
	if (LLVMVerifyModule(e->mod, LLVMReturnStatusAction, &err))
		return link_fail(e, "the generated code is not well formed", err);
	LLVMDisposeMessage(err);
	if (!optimise(e))
		return false;
	describe_subprograms(e);
	dbg_close(e);
	return true;
}

/* The program that a message of the code generator is about: "in function dtx_prog_3 …". */
static const struct prog *blamed(const struct emit *e, const char *message)
{
	const char *name = strstr(message, "dtx_prog_");
	u32 index = name ? strtoul(name + strlen("dtx_prog_"), NULL, 10) : 0;
	const struct prog *p = e->c->bprogs;

	while (p && p->index != index)
		p = p->next;
	return p && p->groups[0].ninsts ? p : NULL;
}

static void on_message(LLVMDiagnosticInfoRef info, void *arg)
{
	struct emit *e = arg;
	char *text = LLVMGetDiagInfoDescription(info);
	const struct prog *p = blamed(e, text);
	struct range at = p ? p->groups[0].insts[0]->clause->at : (struct range){ 0 };
	bool stack = strstr(text, "stack");
	struct diag *d;

	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError && !e->refused) {
		e->refused = true;
		d = diag_error(&e->c->env->diags, D_UNKNOWN, at, stack ?
			       "what this probe does needs more than the 512 bytes of a BPF stack" :
			       "this cannot be compiled: %s", text);
		diag_hint(&e->c->env->diags, d,
			  stack ? "divide the work among several clauses, or use "
				  "fewer and smaller variables and keys"
				: "please report this with the program");
	}
	LLVMDisposeMessage(text);
}

bool link_object(struct emit *e)
{
	struct img *img = e->c->img;
	LLVMMemoryBufferRef obj;
	char *err = NULL;
	void *copy;

	expose_maps(e);
	latemaps_hide(e);
	LLVMContextSetDiagnosticHandler(e->ctx, on_message, e);
	if (LLVMTargetMachineEmitToMemoryBuffer(e->tm, e->mod, LLVMObjectFile, &err, &obj))
		return link_fail(e, "code generation failed", err);
	img->elf_len = LLVMGetBufferSize(obj);
	img->elf = copy = arena_memdup(img->arena, LLVMGetBufferStart(obj), img->elf_len);
	LLVMDisposeMemoryBuffer(obj);
	latemaps_show(copy);
	return !e->refused;
}
