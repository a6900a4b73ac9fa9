/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* probe.h - riscv64: what bpf/ computes from the registers of a probe. */
#include "../linkprobe.h"

/* Modules and what the kernel makes at run time: the last 4 GB (arch/riscv/vm-layout.rst). */
#define ARCH_MADE_CODE       0xffffffff00000000ull
#define ARCH_TRAMPOLINE_SIZE 4096
