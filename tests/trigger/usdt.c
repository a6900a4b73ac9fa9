/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt COUNT [wait]: a program with probes of its own; "wait": a line on standard input starts it.
 *
 *   app:step(int i, const char *name, long square)   COUNT times, from two sites in turn
 *   app:guarded(int -i)                               COUNT times, when somebody looks
 *   app:places, app:values, app:sums                  once: each way to write an argument
 *
 * How often it found app:guarded enabled is said on standard error.
 */
#include <stdio.h>
#include <stdlib.h>

#define _SDT_HAS_SEMAPHORES 1
__extension__ unsigned short app_guarded_semaphore __attribute__((section(".probes"), used));
unsigned short app_step_semaphore __attribute__((section(".probes"), used));
#include <sys/sdt.h>

/* A site whose argument text is ours: what compilers write, and what they write seldom. */
#define NOTE(name, args)                                       \
	"990: nop\n"                                           \
	".pushsection .note.stapsdt, \"\", \"note\"\n"         \
	".balign 4\n"                                          \
	".4byte 992f-991f, 994f-993f, 3\n"                     \
	"991: .asciz \"stapsdt\"\n"                            \
	"992: .balign 4\n"                                     \
	"993: .8byte 990b, _.stapsdt.base, 0\n"                \
	".asciz \"app\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
	"994: .balign 4\n"                                     \
	".popsection\n"

long table[4] = { -10, 20, -30, 40 };

/* The same values in the words of each assembler. */
#ifdef __x86_64__
__attribute__((noinline)) void places(void)
{
	register unsigned long a __asm__("rax") = 0x1122334455667788;
	register long *b __asm__("rbx") = table;
	register long c __asm__("rcx") = 2;

	__asm__ volatile(NOTE("places",
			      "8@%%rax 4@%%eax -2@%%ax 1@%%al 1@%%ah -8@(%%rbx) -8@8(%%rbx) "
			      "-8@(%%rbx,%%rcx,8) -8@8(%%rbx,%%rcx,8) -4@-8(%%rbx,%%rcx,4)")
			 :
			 : "r"(a), "r"(b), "r"(c)
			 : "memory");
}

__attribute__((noinline)) void values(void)
{
	__asm__ volatile(NOTE("values",
			      "8@$12 -4@$-3 4@$-1 -1@$200 2@$0x1ffff 8f@%%xmm0 -8@table(%%rip) "
			      "-8@table+24(%%rip) -8@8+table(%%rip) -8@table-8+16(%%rip)")
			 :
			 :
			 : "memory");
}

__attribute__((noinline)) void sums(void)
{
	register long c __asm__("r12") = 16;

	__asm__ volatile(NOTE("sums", "8@%%r12 -4@%%r12d") : : "r"(c) : "memory");
}
#else
__attribute__((noinline)) void places(void)
{
	static unsigned long word = 0x1122334455667788;
	register unsigned long a __asm__("x19") = word;
	register long *b __asm__("x20") = table;
	register long c __asm__("x21") = 2;
	register void *d __asm__("x22") = (char *)&word - 16;

	__asm__ volatile(NOTE("places",
			      "8@x19 4@w19 -2@w19 1@w19 1@[x22, 17] -8@[x20] -8@[x20, 8] "
			      "-8@[x20, x21, lsl 3] -8@[x20, #24] -4@[x20, 0]")
			 :
			 : "r"(a), "r"(b), "r"(c), "r"(d)
			 : "memory");
}

__attribute__((noinline)) void values(void)
{
	register long *b __asm__("x9") = table + 2;

	__asm__ volatile(NOTE("values", "8@12 -4@-3 4@-1 -1@200 2@0x1ffff 8f@d0 -8@[x9, -16] "
			      "-8@[x9, 8] -8@[x9, #-8] -8@[x9,-8]")
			 :
			 : "r"(b)
			 : "memory");
}

__attribute__((noinline)) void sums(void)
{
	register long c __asm__("x12") = 16;

	__asm__ volatile(NOTE("sums", "8@x12 -4@w12") : : "r"(c) : "memory");
}
#endif

__attribute__((noinline)) int steps(int count)
{
	char odd[] = "odd", even[] = "even", four[] = "four";    /* in memory that is there */
	int enabled = 0;

	for (int i = 1; i <= count; i++) {
		long square = (long)i * i;

		if (i % 2)
			STAP_PROBE3(app, step, i, odd, square);
		else
			STAP_PROBE3(app, step, i, i % 4 ? even : four, (int)square);
		if (app_guarded_semaphore) {
			enabled++;
			STAP_PROBE1(app, guarded, -i);
		}
	}
	return enabled;
}

int main(int argc, char **argv)
{
	int enabled;

	if (argc > 2)
		getchar();
	enabled = steps(argc > 1 ? atoi(argv[1]) : 1);
	places();
	values();
	sums();
	fprintf(stderr, "enabled %d\n", enabled);
	return 0;
}
