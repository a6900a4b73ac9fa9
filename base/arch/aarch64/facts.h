/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * facts.h - arm64 in constants, for the compiler, the runtime and bpf/ (see dtx/arch.h).
 */
#ifndef DTX_ARCH_FACTS_H
#define DTX_ARCH_FACTS_H

#define ARCH_MACHINE       "aarch64"     /* uname -m */

/* Bytes in struct pt_regs, which begins with struct user_pt_regs: x0 … x30, sp, pc, pstate. */
#define ARCH_REG_RESULT    0
#define ARCH_REG_SYSNR     280           /* syscallno, behind orig_x0 (kernel: asm/ptrace.h) */
#define ARCH_CHILD_SILENT                /* the return of clone is not traced in the new thread */
#define ARCH_SYSNR_BYTES   4
#define ARCH_REG_IP        256
#define ARCH_REG_MODE      264           /* pstate: PSR_MODE_MASK */
#define ARCH_REG_SP        248
#define ARCH_REG_FP        232           /* x29 */
#define ARCH_REG_LINK      240           /* x30: the return address, as a call leaves it */

#define ARCH_IS_USER(mode)   (!((mode) & 15))            /* EL0 */
#define ARCH_IS_32BIT(mode)  ((mode) & 16)               /* PSR_MODE32_BIT */

/* Calls: AAPCS64, 6.4 to 6.9. */
/* The call of a BPF trampoline is within so many bytes of a function: bti, mov x9, x30, bl. */
#define ARCH_TRAMPOLINE_CALL 12
#define ARCH_ARG_REGS      8
#define ARCH_RESULT_ARGS   0             /* x8 has the place of a result in memory */
#define ARCH_STACK_ARGS    0             /* the first argument on the stack, from its pointer */
#define ARCH_STACK_ARGS32  0             /* of 32-bit programs */
#define ARCH_DWARF_OF(r)   (r)
#define ARCH_ENTRY_CFA     0             /* a call puts nothing on the stack */
#define ARCH_ENTRY_CFA32   0
#define ARCH_INSN_MAX      4
#define ARCH_UNFIT_CODE    1             /* exclusive accesses, or data of a known size */
#define ARCH_BREAK_BYTES   0             /* brk: the program counter is at it */

/* Is the system call of a 32-bit program?  A register that says it, and the bit in it. */
#define ARCH_COMPAT_REG    ARCH_REG_MODE
#define ARCH_COMPAT_MEMBER { NULL }
#define ARCH_COMPAT_BIT    16            /* PSR_MODE32_BIT */
#define ARCH_COMPAT_MODULE "arm"         /* syscall:arm: */
#define ARCH_COMPAT_SYMBOL "do_el0_svc_compat"   /* a function of kernels with such calls */
#define ARCH_COMPAT_CONFIG "CONFIG_COMPAT"

/* User registers lie at the end of the kernel stack: THREAD_SIZE (kernel: asm/memory.h). */
#define ARCH_KERNEL_STACK(page)  ((page) > 16384 ? (page) : 16384)
#define ARCH_PAGE          0             /* 4, 16 or 64 KB: the kernel says it (emit_page()) */
#define ARCH_CALLER_TWICE  1             /* the first frame comes twice: perf_fetch_caller_regs() */
#define ARCH_ENTRY_WALK    0             /* the kernel sees the caller from a kprobe at an entry */
#define ARCH_PAD_TYPE      "no_pad"
#define ARCH_PAD_BYTES     0

/* reg("NAME"): members of struct pt_regs, optionally with this letter before the name; or one of
 * these letters and a number. */
#define ARCH_REG_LETTER    'r'
#define ARCH_REG_NUMBERED  "xr"
#define ARCH_REG_NUMBERS   31
#define ARCH_REG_NAMES     "x0 … x30 sp pc pstate"
#define ARCH_UREGS         34            /* registers that regs.d names */
#define ARCH_UREGS_NAME    "R_X0"        /* one of regs.d, as an example */
#define ARCH_UREGS_KEPT    { "none" }    /* all are in struct pt_regs */

/* Call frame information: numbers of registers (DWARF for the Arm 64-bit Architecture, 4.1). */
#define ARCH_DWARF_FP      29
#define ARCH_DWARF_SP      31
#define ARCH_DWARF_RA      30            /* the column of the return address: x30 itself */
#define ARCH_DWARF_REGS    32            /* general registers: 0 … 31; a power of two */
/* Those of enum dtx_uw_reg, in its order; then x19 … x28. */
#define ARCH_DWARF_SAVED   { ARCH_DWARF_RA, ARCH_DWARF_SP, ARCH_DWARF_FP, \
			     19, 20, 21, 22, 23, 24, 25, 26, 27, 28 }
#define ARCH_UW_REGS       13            /* their number, and room for them: a power of two */
#define ARCH_UW_ROOM       16
#define ARCH_UW_MASK       u16           /* a bit for each */
#define ARCH_UW_RULE_BYTES 64            /* struct dtx_uw_rule */
#define ARCH_RA_SAVED      0             /* at a function's entry it is in x30 */
#define ARCH_FP_CFA        0             /* a frame record may lie anywhere in its frame */
/* Instructions of call frame programs that change nothing for us: the return address is signed from
 * here on, or no more (DW_CFA_AARCH64_negate_ra_state, …_with_pc).  Its signature is taken away
 * from each return address (arch_uw_code()). */
#define ARCH_CFA_SKIPPED(op) ((op) == 0x2d || (op) == 0x2c)
#define ARCH_DWARF_CC      0xc3          /* DW_AT_calling_convention of C, where LLVM says it */
/* Bytes in struct sigcontext (asm/sigcontext.h). */
#define ARCH_SIGNAL_SP     256
#define ARCH_SIGNAL_IP     264
/* From sp in its return: struct rt_sigframe, a struct siginfo and ucontext.uc_mcontext. */
#define ARCH_UW_SIGCONTEXT 304

/* glibc's __start_context, which has no symbol, begins with mov x0, x19; cbnz x19, +8
 * (sysdeps/unix/sysv/linux/aarch64/setcontext.S). */
#define ARCH_CONTEXT_CODE  "\xe0\x03\x13\xaa\x53\x00\x00\xb5"
#define ARCH_CONTEXT_MOST  64

/* Conditions of jumps: 0 … 13 by the flags, an odd one is the opposite of the one before it; then
 * cbz and cbnz of a register: ARCH_COND_ZERO + 4 * number + 2 (64 bits) + 1 (not zero). */
#define ARCH_COND_ZERO     16
#define ARCH_COND_LOOP     255           /* from here on, conditions have no opposite: none */
#define ARCH_REG_FLAGS     264           /* pstate */

/* C. */
#define ARCH_ALIGN_MOST    16            /* `aligned` without a number */
#define ARCH_CPP_MACRO     "__aarch64__" /* what -C defines */

/* Object files. */
#define ARCH_ELF_MACHINE   183           /* EM_AARCH64 */
#define ARCH_ELF_MACHINE32 40            /* EM_ARM: its 32-bit programs */
#define ARCH_LDSO_FLAGS    0x0a03        /* of ld.so.cache: ELF for glibc, FLAG_AARCH64_LIB64 */
#define ARCH_LIB_FOLDER    "aarch64-linux-gnu"
#define ARCH_SYM_VARIANT   0x80          /* st_other: STO_AARCH64_VARIANT_PCS */
#define ARCH_PLT_ENTRY     16            /* bytes, of sections that do not say it */
#define ARCH_GO_QUANTUM    4             /* bytes of code that Go counts in: PCQuantum */

#define ARCH_KERNEL_FROM   0x8000000000000000ull         /* addresses of the kernel */
#define ARCH_USER_END      (1ull << 52)  /* of programs */
/* Without the bits that the processor ignores: a program may keep a tag in the highest byte of an
 * address (Documentation/arch/arm64/tagged-address-abi.rst).  Bit 55 says whose address it is. */
#define ARCH_UNTAGGED(addr)  ((u64)((s64)((u64)(addr) << 8) >> 8))

#endif
