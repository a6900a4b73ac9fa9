/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * goasm.c - functions of Go's runtime that are written in assembly: what stacks need to know of
 * them and their call frame information does not say.
 */
#include "runtime/code/cfi.h"

/*
 * Functions of Go's runtime that are written in assembly, and whose information is wrong, or says
 * that the stack ends there.  Two go on with another stack: the frame pointer, or the goroutine,
 * still leads to the frame that called them.  That of the function that called runtime.morestack is
 * not made yet (arch_go_grow).  runtime.mcall leaves its stack to whoever runs it next: there a
 * stack ends, as Go itself has it; and in what runtime.newstack calls for that, after which the
 * thread may have another goroutine already.  The handler of a signal returns to runtime.sigreturn
 * or into the vDSO, even if its information says that a stack ends there.  Others move to the stack
 * of the thread on their way, to call C or the vDSO, or to that of a goroutine.
 * runtime.asyncPreempt is called where a goroutine is preempted, after its register with a return
 * address was pushed.
 */
enum go_rule { GO_SWITCH, GO_GROW, GO_LEAVE, GO_SIGRETURN, GO_MOVED, GO_CALLS_C,
	       GO_HANDLER, GO_PREEMPT };
static const struct { const char *name; enum go_rule rule; } go_asm[] = {
	{ "runtime.systemstack", GO_SWITCH },
	{ "runtime.systemstack.abi0", GO_SWITCH },
	{ "runtime.morestack", GO_GROW },
	{ "runtime.morestack.abi0", GO_GROW },
	{ "runtime.goexit", GO_LEAVE },  /* where stacks begin: stripped ones do not say it */
	{ "runtime.goexit.abi0", GO_LEAVE },
	{ "runtime.mstart", GO_LEAVE },
	{ "runtime.mstart.abi0", GO_LEAVE },
	{ "runtime.rt0_go", GO_LEAVE },
	{ "runtime.rt0_go.abi0", GO_LEAVE },
	{ "runtime.mcall", GO_LEAVE },
	{ "runtime.mcall.abi0", GO_LEAVE },
	{ "runtime.gopreempt_m", GO_LEAVE },    /* and these put a goroutine away, too */
	{ "runtime.preemptPark", GO_LEAVE },
	{ "runtime.sigtramp", GO_HANDLER },
	{ "runtime.sigtramp.abi0", GO_HANDLER },
	{ "runtime.asyncPreempt", GO_PREEMPT },
	{ "runtime.asyncPreempt.abi0", GO_PREEMPT },
	{ "runtime.sigreturn.abi0", GO_SIGRETURN },              /* before 1.20 */
	{ "runtime.sigreturn__sigaction.abi0", GO_SIGRETURN },
	{ "runtime.sigreturn__sigaction", GO_SIGRETURN },
	{ "runtime.sigreturn", GO_SIGRETURN },
	{ "time.now", GO_MOVED },
	{ "time.now.abi0", GO_MOVED },
	{ "runtime.nanotime1", GO_MOVED },
	{ "runtime.nanotime1.abi0", GO_MOVED },
	{ "runtime.walltime", GO_MOVED },
	{ "runtime.walltime.abi0", GO_MOVED },
	{ "runtime.asmcgocall", GO_CALLS_C },
	{ "runtime.asmcgocall.abi0", GO_CALLS_C },
	{ "runtime.cgocallback", GO_MOVED },
	{ "runtime.cgocallback.abi0", GO_MOVED },
};

void goasm_note(struct goasm *g, const char *name, u64 addr)
{
	if (strncmp(name, "runtime.", 8) && strncmp(name, "time.", 5))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(go_asm) && g->n < GO_ASM; i++)
		if (!strcmp(name, go_asm[i].name)) {     /* several may have it */
			g->at[g->n].addr = addr;
			g->at[g->n++].row = i;
		}
}

/* The row of the function that begins here, -1: none. */
static int goasm_row(const struct goasm *g, u64 begin)
{
	for (u32 i = 0; i < g->n; i++)
		if (g->at[i].addr == begin)
			return (int)g->at[i].row;
	return -1;
}

const struct dtx_uw_rule *goasm_rule(const struct goasm *g, u64 begin)
{
	static const struct dtx_uw_rule rules[] = {
		[GO_LEAVE] = { .kind = DTX_UW_END },
		[GO_SIGRETURN] = {
			.kind = DTX_UW_SIGNAL, .reg = ARCH_DWARF_SP, .off = ARCH_UW_SIGCONTEXT,
		},
	};
	int i = goasm_row(g, begin);

	if (i < 0 || go_asm[i].rule == GO_HANDLER || go_asm[i].rule == GO_PREEMPT)
		return NULL;
	if (go_asm[i].rule == GO_LEAVE || go_asm[i].rule == GO_SIGRETURN)
		return &rules[go_asm[i].rule];
	return go_asm[i].rule == GO_GROW ? &arch_go_grow : &arch_go_switch;
}

s16 goasm_pushed(const struct goasm *g, u64 begin)
{
	int i = goasm_row(g, begin);

	return i >= 0 && go_asm[i].rule == GO_PREEMPT ? arch_go_pushed : 0;
}

bool goasm_is_handler(const struct goasm *g, u64 begin)
{
	int i = goasm_row(g, begin);

	return i >= 0 && go_asm[i].rule == GO_HANDLER;
}

bool goasm_moves(const struct goasm *g, u64 begin)
{
	int i = goasm_row(g, begin);

	return i >= 0 && (go_asm[i].rule == GO_MOVED || go_asm[i].rule == GO_CALLS_C);
}

bool goasm_calls_c(const struct goasm *g, u64 begin)
{
	int i = goasm_row(g, begin);

	return i >= 0 && go_asm[i].rule == GO_CALLS_C;
}

/*
 * The other stack is there from the instruction after the move to the one that loads the caller's
 * frame pointer.  Until then the frame pointer leads back.
 */
void goasm_moved(const u8 *code, u64 len, u64 *from, u64 *to)
{
	bool moved = false;

	*from = *to = len;
	for (u64 at = 0, n; at < len; at += n) {
		struct arch_stackop op;

		n = arch_insn_len(code + at, len - at);
		if (!n)
			return;
		op = arch_stack_op(code + at, (u32)n);
		if (!moved && op.kind == ARCH_SP_LOST) {
			moved = true;
			*from = at + n;
		} else if (moved && arch_kept_reg(op.reg) == DTX_UW_FP &&
			   (op.kind == ARCH_SP_LOAD || op.kind == ARCH_SP_POP)) {
			*to = at + n;
			return;
		}
	}
}
