/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.c - the time as one number. */
#include <dtx/base.h>

s64 clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}
