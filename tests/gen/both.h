/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * both.h - for generators of a C program and the D program that looks at it: one random walk writes
 * both, of which only one is printed.
 */
#ifndef GEN_BOTH_H
#define GEN_BOTH_H

#include <stdarg.h>
#include <stdio.h>

#include "random.h"

static bool want_d, want_c = true;       /* which is printed: both are not if it is another text */

/* As snprintf(); what does not fit is left out. */
static inline int __attribute__((format(printf, 3, 4)))
put(char *to, size_t size, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(to, size, format, ap);
	va_end(ap);
	return n;
}

static inline void __attribute__((format(printf, 1, 2))) c(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (want_c && !want_d)
		vprintf(format, ap);
	va_end(ap);
}

static inline void __attribute__((format(printf, 1, 2))) d(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (want_d)
		vprintf(format, ap);
	va_end(ap);
}

#endif
