/* SPDX-License-Identifier: BSD-2-Clause */
/* random.h - the random numbers of the generators: the same ones for the same seed. */
#ifndef GEN_RANDOM_H
#define GEN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))
#define PICK(a)   ((a)[rnd(COUNT(a))])

static uint64_t state;           /* begins as the seed */

/* splitmix64 */
static inline uint64_t next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline unsigned rnd(unsigned n)
{
	return next() % n;
}

static inline bool chance(unsigned percent)
{
	return rnd(100) < percent;
}

#endif
