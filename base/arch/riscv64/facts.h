/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* facts.h - riscv64 in constants, for the compiler, the runtime and bpf/ (see dtx/arch.h). */
#ifndef DTX_ARCH_FACTS_H
#define DTX_ARCH_FACTS_H

#define ARCH_MACHINE       "riscv64"     /* uname -m */

/* Bytes in struct pt_regs (kernel: asm/ptrace.h): the program counter, x1 … x31, status. */
#define ARCH_REG_RESULT    80            /* a0, which is x10 */
#define ARCH_REG_SYSNR     136           /* a7 */
#define ARCH_CHILD_SILENT                /* the return of clone is not traced in the new thread */
#define ARCH_SYSNR_BYTES   8
#define ARCH_REG_IP        0
#define ARCH_REG_MODE      256           /* status */
#define ARCH_REG_SP        16
#define ARCH_REG_FP        64            /* s0 */
#define ARCH_REG_LINK      8             /* ra: the return address, as a call leaves it */

#define ARCH_IS_USER(mode)   (!((mode) & 0x100))         /* SR_SPP */
#define ARCH_IS_32BIT(mode)  (((mode) >> 32 & 3) == 1)   /* SR_UXL */

/* Calls: RISC-V ELF psABI, "Procedure Calling Convention". */
#define ARCH_TRAMPOLINE_CALL 12  /* bytes of a function up to the call of a BPF trampoline */
#define ARCH_ARG_REGS      8
#define ARCH_RESULT_ARGS   1             /* the place of a result in memory is in a0 */
#define ARCH_STACK_ARGS    0             /* the first argument on the stack, from its pointer */
#define ARCH_STACK_ARGS32  0             /* of 32-bit programs */
#define ARCH_DWARF_OF(r)   (r)
#define ARCH_ENTRY_CFA     0             /* a call puts nothing on the stack */
#define ARCH_ENTRY_CFA32   0
#define ARCH_INSN_MAX      4
#define ARCH_UNFIT_CODE    1             /* exclusive accesses, or data of a known size */
#define ARCH_BREAK_BYTES   0             /* c.ebreak: the program counter is at it */

/* Is the thread of a 32-bit program?  A member of struct task_struct, and the bit in it. */
#define ARCH_COMPAT_REG    (-1)          /* no register says it */
#define ARCH_COMPAT_MEMBER { "thread_info", "flags", NULL }
#define ARCH_COMPAT_BIT    (1u << 11)    /* _TIF_32BIT */
#define ARCH_COMPAT_MODULE "rv32"        /* syscall:rv32: */
#define ARCH_COMPAT_SYMBOL "compat_sys_call_table"       /* a symbol of kernels with such calls */
#define ARCH_COMPAT_CONFIG "CONFIG_COMPAT"

/* User registers lie at the end of the kernel stack: THREAD_SIZE. */
#define ARCH_KERNEL_STACK(page)  16384
#define ARCH_PAGE          4096
#define ARCH_CALLER_TWICE  1             /* the first frame comes twice: perf_fetch_caller_regs() */
#define ARCH_ENTRY_WALK    0             /* the kernel sees the caller from a kprobe at an entry */
#define ARCH_PAD_TYPE      "no_pad"
#define ARCH_PAD_BYTES     0

/* reg("NAME"): members of struct pt_regs, optionally with this letter before the name; or one of
 * these letters and a number. */
#define ARCH_REG_LETTER    'r'
#define ARCH_REG_NUMBERED  "x"
#define ARCH_REG_NUMBERS   32
#define ARCH_REG_NAMES     "epc ra sp gp tp t0 … t6 s0 … s11 a0 … a7 status"
#define ARCH_UREGS         33            /* registers that regs.d names */
#define ARCH_UREGS_NAME    "R_A0"        /* one of regs.d, as an example */
#define ARCH_UREGS_KEPT    { "none" }    /* all are in struct pt_regs */

/* Call frame information: numbers of registers (RISC-V DWARF Specification). */
#define ARCH_DWARF_FP      8
#define ARCH_DWARF_SP      2
#define ARCH_DWARF_RA      1             /* the column of the return address: ra itself */
#define ARCH_DWARF_REGS    32            /* general registers: 0 … 31; a power of two */
/* Those of enum dtx_uw_reg, in its order; then s1 … s11. */
#define ARCH_DWARF_SAVED   { ARCH_DWARF_RA, ARCH_DWARF_SP, ARCH_DWARF_FP, \
			     9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27 }
#define ARCH_UW_REGS       14            /* their number, and room for them: a power of two */
#define ARCH_UW_ROOM       16
#define ARCH_UW_MASK       u16           /* a bit for each */
#define ARCH_UW_RULE_BYTES 64            /* struct dtx_uw_rule */
#define ARCH_RA_SAVED      0             /* at a function's entry it is in ra */
#define ARCH_FP_CFA        0             /* the frame pointer is the CFA */
#define ARCH_CFA_SKIPPED(op) ((void)(op), 0)
#define ARCH_DWARF_CC      0x01          /* DW_AT_calling_convention of C, where LLVM says it */
/* Bytes in struct sigcontext (asm/sigcontext.h). */
#define ARCH_SIGNAL_SP     16
#define ARCH_SIGNAL_IP     0
/* From sp in its return: struct rt_sigframe, a struct siginfo and ucontext.uc_mcontext. */
#define ARCH_UW_SIGCONTEXT 304
#define ARCH_CONTEXT_CODE  "\xff\xff\xff\xff"     /* no instruction: it is not looked for */
#define ARCH_CONTEXT_MOST  0
#define ARCH_COND_LOOP     255           /* conditions of jumps are not computed, nor opposites */

#define ARCH_ALIGN_MOST    16            /* `aligned` without a number */
#define ARCH_CPP_MACRO     "__riscv"     /* what -C defines */
#define ARCH_ELF_MACHINE   243           /* EM_RISCV, of 64 bits */
#define ARCH_ELF_MACHINE32 243           /* … and of 32 */
#define ARCH_LDSO_FLAGS    0x1003        /* of ld.so.cache: FLAG_RISCV_FLOAT_ABI_DOUBLE, libc6 */
#define ARCH_LIB_FOLDER    "riscv64-linux-gnu"
#define ARCH_SYM_VARIANT   0x80          /* st_other: STO_RISCV_VARIANT_CC */
#define ARCH_PLT_ENTRY     16            /* bytes, of sections that do not say it */
#define ARCH_GO_QUANTUM    4             /* bytes of code that Go counts in: PCQuantum */

#define ARCH_KERNEL_FROM   0x8000000000000000ull         /* addresses of the kernel */
#define ARCH_USER_END      (1ull << 56)  /* of programs: Sv57 */
#define ARCH_UNTAGGED(addr)  (addr)

#endif
