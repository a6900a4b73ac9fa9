/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * bucket.h - the bucket of a value: pure functions, also compiled as C for the tests.
 * The formulas are those of runtime/value/hist.c.
 */
#ifndef DTX_BUCKET_H
#define DTX_BUCKET_H

#define BUCKET_FN  static inline __attribute__((always_inline))

/* Keeps a branch as one branch: the optimiser would turn each line into a conditional move,
 * and BPF has none. */
#define BUCKET_STEP(v, r, n)                                    \
	if ((v) >> (n)) {                                       \
		(v) >>= (n);                                    \
		(r) += (n);                                     \
		asm volatile("" : "+r"(v), "+r"(r));            \
	}

/* r + the index of the highest bit of v, r for v == 0. */
BUCKET_FN u64 bucket_log2(u64 v, u64 r)
{
	BUCKET_STEP(v, r, 32)
	BUCKET_STEP(v, r, 16)
	BUCKET_STEP(v, r, 8)
	BUCKET_STEP(v, r, 4)
	BUCKET_STEP(v, r, 2)
	return r + (v >> 1);
}

BUCKET_FN u64 bucket_quantize(s64 x)
{
	u64 k;

	if (__builtin_expect(x > 0, 1))
		return bucket_log2(x, 64);
	if (x == 0)
		return 63;
	k = bucket_log2(0 - (u64)x, 0);
	return k > 62 ? 0 : 62 - k;
}

BUCKET_FN u32 bucket_lquantize(s64 x, s64 low, u32 levels, u32 step)
{
	u64 level;

	if (x < low)
		return 0;
	level = ((u64)x - (u64)low) / step;
	return level >= levels ? levels + 1 : level + 1;
}

/* Distance from the middle bucket of a = |x|; B and mid as in hist.c. */
BUCKET_FN u64 bucket_lldist(u64 a, u64 factor, u32 lmag, u32 hmag, u64 steps)
{
	u64 per = steps - steps / factor, from = 1, width;
	u32 m;

	for (m = 0; m < lmag && m < 64; m++)
		from *= factor;
	if (a < from)
		return 0;
	for (m = lmag; m <= hmag && m < 64; m++) {
		/* a < from * factor without overflow */
		if (a / factor < from)
			break;
		from *= factor;
	}
	if (m > hmag)
		return (hmag - lmag + 1) * per + 1;
	if (m == 0 && steps > factor)
		return 1 + a * (steps / factor) - steps / factor;
	width = from * factor / steps;
	return 1 + (m - lmag) * per + a / width - steps / factor;
}

BUCKET_FN u64 bucket_llquantize(s64 x, u64 factor, u32 lmag, u32 hmag, u64 steps)
{
	u64 mid = (hmag - lmag + 1) * (steps - steps / factor) + 1;
	u64 d = bucket_lldist(x < 0 ? 0 - (u64)x : (u64)x, factor, lmag, hmag, steps);

	return x < 0 ? mid - d : mid + d;
}

#endif
