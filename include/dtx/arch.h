/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.h - what an architecture provides: the files of base/arch/MACHINE.  The Makefile selects
 * those of the machine it builds for (ARCH=).
 *
 *   facts.h    constants, for both halves and for bpf/: places in struct pt_regs, names, sizes
 *   probe.h    what bpf/ computes from the registers of a probe
 *   *.c        the functions below: registers, system calls, instructions, the calling
 *              convention, operands in assembly syntax
 *   *.d        a part of the D library: uregs[] indices, flags of open()
 *   *.def      system calls by number
 */
#ifndef DTX_ARCH_H
#define DTX_ARCH_H

#include <dtx/base.h>
#include <dtx/provider.h>
#include <facts.h>

/* ---- registers ----------------------------------------------------------------------- */

/* Offsets in struct pt_regs. */
/* of 64-bit and of 32-bit system calls */
extern const u32 arch_syscall_regs[6], arch_compat_regs[6];
/*
 * Finds a register by its assembly name: its offset in struct pt_regs, and
 * how many bits lie below the named part.  false: not a general register.
 */
bool arch_user_reg(const char *name, size_t len, u32 *off, u32 *shift);
/* The same by its number in debugging information. */
bool arch_dwarf_reg(u64 n, u32 *off);
bool arch_reg_kept(u32 off);     /* does a function give it back to its caller as it was? */
bool arch_dwarf_reg32(u64 n, u32 *off);          /* of 32-bit programs */

/* After the nop of a USDT site, in programs where ARCH_SITE_64 is defined: a nop that new kernels
 * replace by a harmless call; "": nothing. */
#ifndef ARCH_SITE_64
#define ARCH_SITE_64   "__LP64__"
#define ARCH_SITE_LONG ""
#endif

/* ---- system calls -------------------------------------------------------------------- */

const char *arch_syscall_name(u32 nr);           /* NULL: none */
const char *arch_compat_name(u32 nr);            /* of 32-bit programs */
u32 arch_syscall_max(void);

/* ---- instructions -------------------------------------------------------------------- */

long arch_breakpoint(long word);                 /* the word, beginning with a breakpoint */
/* The program counter of a process that ptrace(2) has stopped. */
u64 arch_stopped_at(int pid);
void arch_go_on_at(int pid, u64 pc);
/* Length in bytes of the instruction at `code`; 0: unknown instruction. */
u32 arch_insn_len(const u8 *code, size_t size);
/* Can the kernel set a probe on it?  (It must be able to run the instruction at another
 * address.) */
bool arch_insn_probed(const u8 *code, u32 len);
/* Does it do the instruction itself at a probe, and step over no copy of it?
 * ARCH_EMULATED_BYTES are there. */
bool arch_insn_emulated(const u8 *code);
#define ARCH_EMULATED_BYTES 4
/* Bytes from the entry of a function to the first such instruction, if those before it change
 * nothing that a probe of a function reads: no argument, no memory, and not the stack.  0: it is
 * the first, or there is none, or programs write over such ones.  *starts: bit n if an instruction
 * begins n bytes after the entry. */
u32 arch_past_entry(const u8 *code, size_t size, u64 *starts);
/* Is a register the same there as at the entry?  `off`: its byte in struct pt_regs. */
bool arch_past_keeps(u32 off);
/* Does a kernel that replaces nops by calls (nopcall.c) replace it?  `code`: a whole
 * instruction. */
bool arch_becomes_call(const u8 *code, u32 len);
/* May a function keep values below its stack pointer, which a call would overwrite? */
bool arch_has_red_zone(const u8 *code, size_t size);
void arch_nop_place(void);       /* a function that begins with such a nop */
/* A USDT site may be a nop, and after it one that becomes a harmless call: bytes from the first to
 * the second; 0: it is no such site.  ARCH_INSN_MAX are there. */
u32 arch_long_nop(const u8 *code);
void arch_long_nop_place(void);  /* a function that begins with the second */
/* Could bytes of the code at `addr` be a jump to one of `bytes` bytes at `to`?  Instructions are
 * not told apart, which takes thirty times as long; false is certain. */
bool arch_may_reach(const u8 *code, u64 size, u64 addr, u64 to, u64 bytes);
/* Could the bytes be a jump or call that says where it goes, or take the address of code?
 * ARCH_REACH_BYTES are there.  Near: no more than ARCH_REACH_NEAR_MOST bytes away. */
enum arch_reach { ARCH_REACH_NONE, ARCH_REACH_NEAR, ARCH_REACH_FAR };
enum arch_reach arch_reach(const u8 *code, u64 addr, u64 *to);
#define ARCH_REACH_BYTES      8
#define ARCH_REACH_NEAR_MOST  130
/* The same for code whose first instruction may be unknown; `size` may be 0. */
static inline bool arch_code_probed(const u8 *code, size_t size)
{
	u32 len = size ? arch_insn_len(code, size) : 0;

	return len && arch_insn_probed(code, len);
}
/* Does execution never continue after it (return, jump, breakpoint)? */
bool arch_insn_ends(const u8 *code);
bool arch_insn_returns(const u8 *code, u32 len);         /* from a function */
/* Does it stop the program, or jump to an address that it does not say itself? */
bool arch_insn_stops(const u8 *code, u32 len);
/* Where execution goes after an instruction. */
enum arch_flow {
	ARCH_NEXT,               /* to the next one; also system calls */
	ARCH_CALL,               /* the same, when the function that it calls has returned */
	ARCH_RETURN,
	ARCH_JUMP,               /* to `to` */
	ARCH_BRANCH,             /* to `to` on a condition, else to the next one */
	ARCH_INDIRECT,           /* to an address in a register or in memory */
	ARCH_STOP,               /* nowhere: it is not executed, or ends the program */
	ARCH_ODD,                /* programs have no such instruction: the bytes are data */
};
struct arch_insn {
	u8 len;
	u8 inner;                /* bytes that a jump may skip: the C library jumps behind `lock` */
	enum arch_flow flow;
	bool probed;             /* can the kernel set a probe on it? */
	/* An exclusive load and its store, which fails if an exception came between them.  Only
	 * where ARCH_UNFIT_CODE is 1. */
	enum { ARCH_SHARED, ARCH_EXCLUSIVE_LOAD, ARCH_EXCLUSIVE_STORE } exclusive;
	bool is_padding;         /* between functions and in front of loops; does nothing */
	bool is_unclear;         /* `to`, the condition or the address cannot be computed */
	bool is_table;           /* ARCH_INDIRECT: the compiler says it stays in the function */
	u8 cond;                 /* ARCH_BRANCH: for arch_condition() of probe.h */
	u64 to;                  /* ARCH_JUMP, ARCH_BRANCH; ARCH_CALL: 0 if it is not in the code */
	/* ARCH_INDIRECT: words of struct pt_regs, or ARCH_NO_WORD; the address is their sum, index
	 * times scale, and disp; in_memory: what lies there. */
	u8 reg, index, scale;
	bool in_memory;
	s64 disp;
	u64 data;                /* address of its operand, if the code says it; 0: none */
	bool is_address;         /* only the address is taken; is_unclear: or its page alone */
	bool is_code;            /* and it is one to return to */
	u8 data_size;            /* bytes there, 0: not known; only where ARCH_UNFIT_CODE is 1 */
	u64 number;              /* that it puts into a register: maybe an address; 0: none */
};
#define ARCH_NO_WORD  255
/* Its length, 0: unknown instruction. */
u32 arch_insn_read(const u8 *code, size_t size, u64 addr, struct arch_insn *);

/*
 * Code that returns or jumps for other code, so that the processor does not guess where to: gcc's
 * -mfunction-return and -mindirect-branch, clang's -mretpoline, -mlvi-hardening and -mseses.  What
 * begins at `code`, *len bytes; a jump goes to the address in *reg, a word of struct pt_regs.
 */
enum arch_thunk { ARCH_THUNK_NONE, ARCH_THUNK_RETURN, ARCH_THUNK_JUMP };
#define ARCH_THUNK_BYTES 48
enum arch_thunk arch_thunk(const u8 *code, size_t size, u32 *len, u8 *reg);

/* Bytes between the return address of a function and what the stack and the frame pointer point
 * to: `sp` is 0 at its entry and where it returns. */
struct arch_stack { s32 sp, bp; };
#define ARCH_DEEP_UNKNOWN INT32_MIN
void arch_insn_stack(const u8 *code, u32 len, struct arch_stack *);
/* Is it a jump, with a condition or without, to an address that it says itself (no call)? */
bool arch_insn_jumps(const u8 *code, u32 len, u64 addr, u64 *to);
/* Is another tracer's kernel probe set there?  Then `code` is a breakpoint, or a jump to *to. */
bool arch_insn_replaced(const u8 *code, u64 addr, u64 *to);

/* Bytes before its opcode that change nothing of where it goes. */
u32 arch_insn_prefix(const u8 *code, u32 len);
/* Of those that stop: does it end the program, and jumps nowhere?  Without prefix. */
bool arch_insn_halts(const u8 *code);
/* Does it look as if a function ends before `end`?  `n` bytes are there. */
bool arch_code_ended(const u8 *end, u32 n);

/* What an instruction does to the stack and to the registers that functions keep. */
enum arch_stackop_kind {
	ARCH_SP_NONE,
	ARCH_SP_PUSH,                    /* reg, or ARCH_SP_NOREG: another value */
	ARCH_SP_PUSH_COPY,               /* the word at stack pointer + n */
	ARCH_SP_POP,
	ARCH_SP_ADD,                     /* n to the stack pointer */
	ARCH_SP_FROM_FP,                 /* the stack pointer = frame pointer + n */
	ARCH_SP_TO_FP,                   /* the frame pointer = stack pointer + n */
	ARCH_SP_LEAVE,
	ARCH_SP_LOST,                    /* the stack pointer gets another value */
	ARCH_SP_STORE,                   /* reg to stack pointer + n; a pair: `next` behind it */
	ARCH_SP_LOAD,                    /* … and from there */
	ARCH_SP_WRITE,                   /* reg gets another value */
	ARCH_SP_ZERO_FP,                 /* the frame pointer becomes 0 */
	ARCH_SP_SYSCALL,
};
#define ARCH_SP_NOREG  255
struct arch_stackop {
	enum arch_stackop_kind kind;
	u8 reg;                          /* as instructions number it */
	s64 n;
	u8 next;
	bool pair;
	s32 before, after;               /* STORE, LOAD: added to the stack pointer */
};
/* Of enum dtx_uw_reg (dtx/unwind.h), by its number in instructions; ARCH_UW_REGS: another one. */
u32 arch_kept_reg(u8 reg);
struct arch_stackop arch_stack_op(const u8 *code, u32 len);
/* Does it call?  *to: the function, 0: it does not say itself. */
bool arch_insn_calls(const u8 *code, u32 len, u64 addr, u64 *to);
bool arch_insn_pads(const u8 *code, u32 len);    /* does nothing: between functions */
bool arch_insn_marks_entry(const u8 *code);      /* of functions that may be called by an address */
/* Bytes of code that is only returned to: from a signal's handler (the kernel's call), and from the
 * first function of a context (it ends the program); 0: it is another one. */
u32 arch_sigreturn(const u8 *code, size_t size);
u32 arch_context_ends(const u8 *code, size_t size);

/* Frames of Go's functions, which its call frame information does not say whole: one that has this
 * size in its tables; the caller's frame pointer is kept, too; where it goes on with another stack,
 * and the frame pointer (or the goroutine) leads back. */
struct dtx_uw_rule;
void arch_go_rule(s64 size, struct dtx_uw_rule *);
void arch_go_keeps_fp(struct dtx_uw_rule *);
extern const struct dtx_uw_rule arch_go_switch;
extern const struct dtx_uw_rule arch_go_grow;    /* in runtime.morestack */
/* Bytes of the stack in which the register with the return address is kept by a signal's handler
 * that lets what it interrupted call runtime.asyncPreempt (sigctxt.pushCall); 0: there is none. */
extern const s16 arch_go_pushed;
/* The same in a function that calls the vDSO, whose frame has the rule `framed`; false:
 * arch_go_switch holds. */
bool arch_go_switched(const struct dtx_uw_rule *framed, struct dtx_uw_rule *);

/* How functions of the kernel begin (ended by NULL) that only this machine has: those by which it
 * patches its own code, and those that an interrupt of the timer runs. */
extern const char *const arch_patching[], *const arch_ticking[];

/* Bytes that a relocation of debugging information writes; 0: it is of another kind. */
u32 arch_reloc_size(u32 type);
/* Does it write what the code at its addend returns (IFUNC)? */
bool arch_reloc_chooses(u32 type);

/* A stub of the procedure linkage table at `addr`: does it jump to where *slot points? */
bool arch_plt_slot(const u8 *code, size_t len, u64 addr, u64 *slot);

/* ---- the calling convention ---------------------------------------------------------- */

/* What the preceding arguments have used.  Starts as zeros, or with one register if the caller
 * passes a place for the result. */
struct arch_call {
	u32 reg, floats;                 /* registers */
	u32 stack;                       /* bytes */
	u32 low, high;                   /* of one found in registers without LOC_REG: as in
					  * dtx_arg.off, or ARCH_NO_REG */
};
#define ARCH_NO_REG  (~0u)
/* Where the next argument is, by its type and size: LOC_REG, LOC_STACK, LOC_NONE, or LOC_VALUE for
 * a struct in the registers low and high, or LOC_PLACE for one whose address is in low; if that is
 * ARCH_NO_REG, on the stack. */
void arch_place(struct dtx_arg *, bool user, struct arch_call *);
/* Is a result of this type written to memory, at the address in a hidden first argument? */
bool arch_result_in_memory(struct type *);
/* Where a result is that is a struct or union: LOC_REG, LOC_VALUE as above, LOC_NONE, or LOC_PLACE
 * if the register low has its address.  `in_memory`: it is in any case (type.in_memory). */
void arch_result(struct dtx_arg *, bool in_memory, struct arch_call *);
/* The same in 32-bit programs: LOC_STACK or LOC_NONE, and for results LOC_REG, LOC_PLACE (at the
 * address in low), or LOC_VALUE: a number in low and high, 4 bytes in each. */
void arch_place32(struct dtx_arg *, struct arch_call *);
void arch_result32(struct dtx_arg *, struct arch_call *);
/* Is the whole result in the register ARCH_REG_RESULT?  NULL: a number. */
bool arch_result_in_reg(struct type *);

/* Where a value was at the call: in a register or on the stack. */
struct arch_origin {
	s32 at;                          /* byte in struct pt_regs; on the stack: from the CFA */
	u32 bytes;                       /* of it; 0: unknown */
	bool stack;
	bool behind;                     /* `disp` bytes behind the address in that register */
	s32 disp;
};
/* `bytes` that were stored, at a place counted from the CFA; sp: the stack pointer then, so too. */
struct arch_store {
	s32 at;
	u32 bytes;
	s32 sp;
	struct arch_origin from;
};
/* reg: byte in struct pt_regs; from: what it holds, or the last of it that was known. */
struct arch_home { u32 reg; struct arch_origin from; bool lost; };
/* What the instructions at the begin of a function do, as far as they are understood. */
struct arch_prologue {
	struct arch_store stores[48];    /* in their order; the first to each place */
	u32 n;
	struct arch_home regs[ARCH_DWARF_REGS];          /* what is in registers behind them */
	s32 sp, fp;                      /* stack and frame pointer, from the CFA */
	bool has_sp, has_fp;             /* they are known */
};
void arch_prologue(const u8 *code, size_t size, bool bits32, struct arch_prologue *);

/* ---- assembly ------------------------------------------------------------------------ */

/* Where an operand of a USDT probe was found, and how to look up symbols in it. */
struct arch_site {
	struct arena *arena;
	u64 addr;                        /* of the instruction, in the object */
	bool (*symbol)(void *arg, const char *name, u64 *value);
	void *arg;
};
/* Sets the place; NULL, or a sentence why it cannot be read. */
const char *arch_operand(const struct arch_site *, const char *s, const char *end,
			 struct dtx_arg *);

#endif
