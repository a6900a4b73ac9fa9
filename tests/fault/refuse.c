/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * refuse.c - preloaded into dtx by a test: the kernel refuses its programs, with the words of the
 * file DTX_REFUSE.
 *
 * Programs with debugging information are refused, which those of dtx are and those are not that
 * only try an ability. A buffer too small for the words gives ENOSPC, as kernels before 6.4 do,
 * with what fits.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *words;
static size_t len;

__attribute__((constructor)) static void start(void)
{
	const char *name = getenv("DTX_REFUSE");
	FILE *f = name ? fopen(name, "r") : NULL;

	if (f && getdelim(&words, &len, '\0', f) > 0)
		len = strlen(words);
	if (f)
		fclose(f);
}

static long refuse(union bpf_attr *a)
{
	size_t n = len < a->log_size ? len : a->log_size - 1;

	errno = EACCES;
	if (!a->log_level || !a->log_buf)
		return -1;
	memcpy((char *)(unsigned long)a->log_buf, words, n);
	((char *)(unsigned long)a->log_buf)[n] = '\0';
	if (n < len)
		errno = ENOSPC;
	return -1;
}

long syscall(long nr, ...)
{
	long a[6], ret;
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_bpf && a[0] == BPF_PROG_LOAD && words &&
	    ((union bpf_attr *)a[1])->func_info_cnt)
		return refuse((union bpf_attr *)a[1]);

	register long r10 __asm__("r10") = a[3], r8 __asm__("r8") = a[4], r9 __asm__("r9") = a[5];

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	if (ret >= 0 || ret < -4095)
		return ret;
	errno = -ret;
	return -1;
}
