/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * facts.h - x86-64 in constants, for the compiler, the runtime and bpf/ (see dtx/arch.h).
 */
#ifndef DTX_ARCH_FACTS_H
#define DTX_ARCH_FACTS_H

#define ARCH_MACHINE       "x86_64"      /* uname -m */

/* Bytes in struct pt_regs. */
#define ARCH_REG_RESULT    80            /* ax: what a function returns */
#define ARCH_REG_SYSNR     120           /* orig_ax: the number of the system call */
#define ARCH_SYSNR_BYTES   8
#define ARCH_REG_IP        128
#define ARCH_REG_MODE      136           /* cs: user or kernel code, 32 or 64 bits */
#define ARCH_REG_SP        152
#define ARCH_REG_FP        32            /* bp: the frame pointer */

#define ARCH_IS_USER(mode)   ((mode) & 3)
#define ARCH_IS_32BIT(mode)  ((mode) == 0x23)    /* __USER32_CS */

/* Calls. */
/* A BPF trampoline returns at most so far into the function: after endbr64 and the call, which has
 * the place of the five-byte nop.  Calls of the function itself come after it. */
#define ARCH_TRAMPOLINE_CALL 9
#define ARCH_ARG_REGS      6             /* integer arguments in registers: ABI, 3.2.3 */
#define ARCH_RESULT_ARGS   1             /* of them, for the place of a result in memory */
#define ARCH_STACK_ARGS 8 /* the first argument on the stack, from the stack pointer at the entry \
			   */
#define ARCH_STACK_ARGS32  4             /* of 32-bit programs */
/* DWARF's number of a register, by its number in instructions */
#define ARCH_DWARF_OF(r)   ((r) < 8 ? (0x54673120 >> 4 * (r) & 15) : (r))
#define ARCH_ENTRY_CFA     8             /* the frame's address (CFA), from the same: ABI, 3.2.2 */
#define ARCH_ENTRY_CFA32   4             /* of 32-bit programs */
#define ARCH_INSN_MAX      15            /* bytes of an instruction */
#define ARCH_UNFIT_CODE    0             /* exclusive accesses, or data of a known size */
#define ARCH_BREAK_BYTES   1             /* how far the program counter is after a breakpoint */

/* After the nop of a USDT site, of 64-bit programs: what kernels replace by a call (past.c). */
#define ARCH_SITE_64       "__x86_64__"
#define ARCH_SITE_LONG     ".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0"

/* Is the thread in a 32-bit system call?  A member of struct task_struct, and the bit in it. */
#define ARCH_COMPAT_REG    (-1)          /* no register says it */
#define ARCH_COMPAT_MEMBER { "thread_info", "status", NULL }
#define ARCH_COMPAT_BIT    2             /* TS_COMPAT */
#define ARCH_COMPAT_MODULE "ia32"        /* syscall:ia32: */
#define ARCH_COMPAT_SYMBOL "__ia32_compat_sys_execve"    /* a symbol of kernels with such calls */
#define ARCH_COMPAT_CONFIG "CONFIG_IA32_EMULATION"

/* User registers lie at the end of the kernel stack; kernels with FRED leave a pad above them. */
#define ARCH_KERNEL_STACK(page)  16384
#define ARCH_PAGE          4096          /* 0: the kernel says it (emit_page()) */
#define ARCH_CALLER_TWICE  0             /* the first frame comes twice: perf_fetch_caller_regs() */
#define ARCH_ENTRY_WALK    1             /* the kernel sees the caller from a kprobe at an entry */
#define ARCH_PAD_TYPE      "fred_frame"
#define ARCH_PAD_BYTES     16            /* TOP_OF_KERNEL_STACK_PADDING */

/* reg("NAME"): members of struct pt_regs, optionally with this letter before the name. */
#define ARCH_REG_LETTER    'r'
#define ARCH_REG_NUMBERED  ""            /* they have names */
#define ARCH_REG_NUMBERS   1             /* of none */
#define ARCH_REG_NAMES     "ax bx cx dx si di bp sp ip flags r8 … r15"
#define ARCH_UREGS         26            /* registers that regs.d names */
#define ARCH_UREGS_NAME    "R_RDI"       /* one of regs.d, as an example */
/* Those that the kernel does not save when it is entered, in their order behind struct pt_regs: the
 * members of struct thread_struct (asm/processor.h) that keep the last known value. */
#define ARCH_UREGS_KEPT    { "ds", "es", "fsindex", "gsindex", "trap_nr" }

/* Call frame information: numbers of registers (x86-64 ABI, figure 3.36). */
#define ARCH_DWARF_FP      6             /* rbp */
#define ARCH_DWARF_SP      7
#define ARCH_DWARF_RA      16            /* the column of the return address */
#define ARCH_DWARF_REGS    16            /* general registers: 0 … 15; a power of two */
/* Those of enum dtx_uw_reg, in its order; 3: rbx. */
#define ARCH_DWARF_SAVED   { ARCH_DWARF_RA, ARCH_DWARF_SP, ARCH_DWARF_FP, 3, 12, 13, 14, 15 }
#define ARCH_UW_REGS       8             /* their number, and room for them: a power of two */
#define ARCH_UW_ROOM       8
#define ARCH_UW_MASK       u8            /* a bit for each */
#define ARCH_UW_RULE_BYTES 32            /* struct dtx_uw_rule */
#define ARCH_RA_SAVED      (-8)          /* the return address at an entry, from the CFA */
#define ARCH_FP_CFA        16            /* the CFA, from the frame pointer; 0: nothing says it */
/* Instructions of call frame programs that change nothing for us. */
#define ARCH_CFA_SKIPPED(op) false
#define ARCH_DWARF_CC      0xc2          /* DW_AT_calling_convention of C, where LLVM says it */
/* Bytes in struct sigcontext (asm/sigcontext.h). */
#define ARCH_SIGNAL_SP     120
#define ARCH_SIGNAL_IP     128
#define ARCH_UW_SIGCONTEXT 40            /* from sp in its return: struct ucontext.uc_mcontext */

/* glibc's __start_context, which has no symbol, begins with mov %rbx,%rsp; mov (%rsp),%rdi;
 * test %rdi,%rdi (sysdeps/unix/sysv/linux/x86_64/__start_context.S). */
#define ARCH_CONTEXT_CODE  "\x48\x89\xdc\x48\x8b\x3c\x24\x48\x85\xff"
#define ARCH_CONTEXT_MOST  64            /* bytes of it; with shadow stacks it is longer */

/* Conditions of jumps: 0 … 15 by the flags (SDM, volume 2, appendix B.1.4.7), an odd one is the
 * opposite of the one before it; then loopne, loope, loop, jrcxz. */
#define ARCH_COND_LOOP     16
#define ARCH_REG_FLAGS     144
#define ARCH_REG_COUNT     88            /* cx */

/* C. */
#define ARCH_ALIGN_MOST    16 /* `aligned` without a number: as long double, ABI 3.1.2 */
#define ARCH_CPP_MACRO     "__amd64"     /* what -C defines */

/* Object files. */
#define ARCH_ELF_MACHINE   62            /* EM_X86_64 */
#define ARCH_ELF_MACHINE32 3             /* EM_386: its 32-bit programs */
#define ARCH_LDSO_FLAGS    0x0303        /* of ld.so.cache: ELF for glibc, FLAG_X8664_LIB64 */
#define ARCH_LIB_FOLDER    "x86_64-linux-gnu"
#define ARCH_SYM_VARIANT   0             /* symbols do not say their calling convention */
#define ARCH_PLT_ENTRY     16            /* bytes, of sections that do not say it */
#define ARCH_GO_QUANTUM    1             /* bytes of code that Go counts in: PCQuantum */

#define ARCH_KERNEL_FROM   0x8000000000000000ull         /* addresses of the kernel */
#define ARCH_USER_END      (1ull << 47)  /* of programs: mappings above it are asked for */
#define ARCH_UNTAGGED(addr)  (addr)      /* without the bits that the processor ignores */

#endif
