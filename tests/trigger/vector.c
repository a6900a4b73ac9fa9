/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.c - a function that begins with an AVX2 instruction whose opcode, without its prefix, is a
 * jump: prints what it computes, N times (default 3).
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) unsigned long spread(unsigned long byte);
asm(".globl spread\n"
    ".type spread, @function\n"
    "spread: vpbroadcastb %xmm0, %xmm0\n"
    "        vmovq %xmm0, %rax\n"
    "        ret\n"
    ".size spread, . - spread\n");

int main(int argc, char **argv)
{
	unsigned long r;

	for (int n = argc > 1 ? atoi(argv[1]) : 3; n > 0; n--) {
		asm volatile("vmovq %1, %%xmm0\n\tcall spread\n\tmov %%rax, %0"
			     : "=r"(r) : "r"(0x41UL) : "rax", "xmm0", "memory");
		printf("%lx\n", r);
	}
	return 0;
}
