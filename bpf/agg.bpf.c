/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * agg.bpf.c - finds or creates an entry of an aggregation, and updates it.
 *
 * Values are per CPU, but a program may be interrupted or preempted there by another
 * one that updates the same value: every update is one atomic instruction per word
 * (or a compare-and-exchange), so no update is lost.  Words: see
 * runtime/value/aggop.c.
 * Why: docs/decisions/12-cpu-in-key.md, docs/decisions/56-exact-sums.md
 */
#include "dtx.bpf.h"
#include "bucket.h"

/* Creates an entry; in `reserve` if `map` has no memory for it.  Out of line: it is rare,
 * and long. */
DTX_SUB u64 *agg_make(void *map, void *reserve, void *key, const void *zero)
{
	u64 *v;

	bpf_map_update_elem(map, key, zero, BPF_NOEXIST);
	v = bpf_map_lookup_elem(map, key);
	if (v)
		return v;
	bpf_map_update_elem(reserve, key, zero, BPF_NOEXIST);
	return bpf_map_lookup_elem(reserve, key);
}

/*
 * Entry of a keyed aggregation; `zero`: bytes of a new one.  It is in `reserve` if `map`
 * has no memory for it.  NULL: full, counted.
 */
DTX_FN u64 *dtx_agg_entry(struct dtx_mst *m, void *map, void *reserve, void *key, const void *zero)
{
	u64 *v = bpf_map_lookup_elem(map, key);

	if (v)
		return v;
	v = agg_make(map, reserve, key, zero);
	if (!v)
		dtx_drop(m, DTX_DROP_AGG);
	return v;
}

static inline __attribute__((always_inline)) u64 *agg_turn(struct dtx_mst *m, void *map,
							   void *reserve, void *key,
							   const void *zero)
{
	u64 *v = bpf_map_lookup_elem(map, key);

	if (v)
		return v;
	v = agg_make(map, reserve, key, zero);
	if (v)
		__sync_fetch_and_add(&dtx_ctl.rows, 1);
	else
		dtx_drop(m, DTX_DROP_AGG);
	return v;
}

/*
 * The same for an aggregation whose rows dtx takes out while the program runs: no program uses the
 * pair of maps that is being emptied (runtime/value/aggcarry.c).
 */
DTX_FN u64 *dtx_agg_entry_turn(struct dtx_mst *m, void *map, void *reserve, void *map2,
			       void *reserve2, void *key, const void *zero)
{
	return dtx_ctl.turn ? agg_turn(m, map2, reserve2, key, zero)
			    : agg_turn(m, map, reserve, key, zero);
}

/* Value of a keyless aggregation, marked as used: so many bytes after `slots`, and its stride. */
static inline __attribute__((always_inline)) u64 *agg_slot(char *slots, u64 after, u64 stride,
							   bool mark)
{
	u64 cpu = cpu_number(), *v;

	asm volatile("%0 &= %1" : "+r"(cpu) : "i"(DTX_SLOT_MAGIC));
	barrier_var(slots);
	v = (u64 *)(slots + cpu * stride + after);
	if (mark)
		asm("*(u64 *)%0 = 1" : "=m"(v[-1])); /* as C, two instructions */
	return v;
}

/*
 * `map` is the address of its first value, not the map itself: runtime/load/load.c.  Where a
 * machine's atomic instructions take no offset, an address that needs none saves two.
 */
DTX_FN u64 *dtx_agg_single(char *map, u64 stride, bool mark)
{
	return agg_slot(map, 0, stride, mark);
}

/* The same for an aggregation whose maps are on shelves: maps of maps, by its slot.  Nothing is
 * missing there, but the verifier does not know that. */
DTX_FN u64 *dtx_agg_entry_of(struct dtx_mst *m, void *shelf, void *reserves, u32 slot, void *key,
			     const void *zero)
{
	void *map = bpf_map_lookup_elem(shelf, &slot), *reserve;

	if (!map)
		return 0;
	reserve = bpf_map_lookup_elem(reserves, &slot);
	return reserve ? dtx_agg_entry(m, map, reserve, key, zero) : 0;
}

/* The map at a slot; never NULL, but the verifier does not know that. */
DTX_FN void *dtx_shelved(void *shelf, u32 slot)
{
	return bpf_map_lookup_elem(shelf, &slot);
}

DTX_FN u64 *dtx_agg_single_of(void *shelf, u32 slot, u64 stride, bool mark)
{
	void *map = bpf_map_lookup_elem(shelf, &slot);
	u32 first = 0;
	char *slots = map ? bpf_map_lookup_elem(map, &first) : 0;

	return slots ? agg_slot(slots, DTX_SLOT_VALUE, stride, mark) : 0;
}

static inline __attribute__((always_inline)) void agg_add(u64 *v, u64 n)
{
	if (!dtx_opt_atomics)
		barrier_var(n);          /* LLVM turns adding a constant 0 into an atomic or */
	__sync_fetch_and_add(v, n);
}

/* The same; what was there before. */
static inline __attribute__((always_inline)) u64 agg_fetch_add(u64 *v, u64 n)
{
	u64 old;

	if (dtx_opt_atomics)
		return __sync_fetch_and_add(v, n);
	old = *(volatile u64 *)v;
	agg_add(v, n);
	return old;
}

/* v = max(v, x) as unsigned numbers; bounded, and each lost round means that
 * another program on this CPU raised v meanwhile. */
static inline __attribute__((always_inline)) void agg_raise(u64 *v, u64 x)
{
	u64 old = *(volatile u64 *)v, seen;

	if (!dtx_opt_atomics) {
		if (x > old)
			*(volatile u64 *)v = x;
		return;
	}
#pragma unroll
	for (u32 i = 0; i < DTX_NEST_MAX; i++) {
		if (x <= old)
			return;
		seen = __sync_val_compare_and_swap(v, old, x);
		if (seen == old)
			return;
		old = seen;
	}
}

/* No instruction: LLVM may believe it. */
DTX_FN void dtx_narrow(u64 x, u64 limit)
{
	__builtin_assume(x < limit);
}

/* old + x, into the register of x: as C, LLVM takes a copy of old for it. */
static inline __attribute__((always_inline)) s64 agg_plus(s64 x, s64 old)
{
	asm("%0 += %1" : "+r"(x) : "r"(old));
	return x;
}

/*
 * v[0] += x, exactly: v[1] counts how often the sum went up or down beyond 64 bits.  It did if it
 * is smaller after an addition of x >= 0, or not smaller after one of x < 0.  The barriers keep
 * the two apart: LLVM makes one addition of them, with a second test.
 */
static inline __attribute__((always_inline)) void agg_add_wide(u64 *v, s64 x)
{
	s64 old, step = 1;

	if (x >= 0) {
		barrier_var(x);
		old = agg_fetch_add(v, x);
		if (agg_plus(x, old) >= old)
			return;
		barrier_var(step);
	} else {
		old = agg_fetch_add(v, x);
		if (agg_plus(x, old) < old)
			return;
		step = -1;
	}
	agg_add(&v[1], step);
}

DTX_FN void dtx_agg_count(u64 *v)
{
	agg_add(v, 1);
}

DTX_FN void dtx_agg_sum(u64 *v, s64 x)
{
	agg_add_wide(v, x);
}

DTX_FN void dtx_agg_avg(u64 *v, s64 x)
{
	agg_add(&v[0], 1);
	agg_add_wide(&v[1], x);
}

DTX_FN void dtx_agg_stats(u64 *v, s64 x)
{
	dtx_agg_avg(v, x);
}

DTX_FN void dtx_agg_min(u64 *v, s64 x)
{
	agg_raise(v, 0x7fffffffffffffffull - (u64)x);
}

DTX_FN void dtx_agg_max(u64 *v, s64 x)
{
	agg_raise(v, (u64)x ^ 1ull << 63);
}

/* *v += n; does it pass 64 bits? */
static inline __attribute__((always_inline)) bool agg_add_carry(u64 *v, u64 n)
{
	u64 old = agg_fetch_add(v, n);

	return old + n < old;
}

DTX_FN void dtx_agg_stddev(u64 *v, s64 x)
{
	u64 a = x < 0 ? 0 - (u64)x : (u64)x, lo32 = a & 0xffffffff, hi32 = a >> 32;
	u64 mid = lo32 * hi32, low = lo32 * lo32, high = hi32 * hi32 + (mid >> 31), old;

	/* a² = hi² · 2^64 + 2 · hi · lo · 2^32 + lo² */
	old = low;
	low += mid << 33;
	high += low < old;
	agg_add(&v[0], 1);
	agg_add_wide(&v[1], x);
	high += agg_add_carry(&v[3], low);
	if (agg_add_carry(&v[4], high))
		agg_add(&v[5], 1);
}

/* *v += n, but not beyond 64 bits: true if it stays as it was. */
static inline __attribute__((always_inline)) bool agg_add_within(u64 *v, s64 n)
{
	s64 old = agg_fetch_add(v, n);

	if (n >= 0 ? agg_plus(n, old) >= old : agg_plus(n, old) < old)
		return 0;
	agg_add(v, 0 - (u64)n);
	return 1;
}

/*
 * Histograms: dtx_agg_NAME() finds the bucket, and one of these two adds to it.  The first, if the
 * increment is so small that no run lasts until the bucket leaves 64 bits.  The second, else: true
 * if it would leave them.
 */
DTX_FN void dtx_bucket_add(u64 *v, u64 i, u64 words, s64 n)
{
	barrier_var(i);
	if (i < words)
		agg_add(&v[i], n);
}

DTX_FN bool dtx_bucket_add_within(u64 *v, u64 i, u64 words, s64 n)
{
	barrier_var(i);
	return i < words && agg_add_within(&v[i], n);
}

DTX_FN u64 dtx_agg_quantize(s64 x)
{
	return bucket_quantize(x);
}

DTX_GLOBAL u64 dtx_g_quantize(s64 x)
{
	return bucket_quantize(x);
}

/* The same for programs with many updates: the bucket is found out of line. */
DTX_FN u64 dtx_agg_quantize_far(s64 x)
{
	return dtx_g_quantize(x);
}

/* The words of a value (aggs.def), of the constants p[]: a number when the program is compiled. */
#define AGG(name, signature, words, ...) BUCKET_FN u64 words_##name(const s64 *p) { return words; }
#include "dtx/tables/aggs.def"

DTX_FN u64 dtx_agg_lquantize(s64 x, s64 low, s64 high, s64 step)
{
	return bucket_lquantize(x, low, words_lquantize((s64[]){ low, high, step }) - 2, step);
}

/* mags: lmag in the low half, hmag in the high one. */
DTX_GLOBAL u64 dtx_g_llquantize(s64 x, u64 factor, u64 mags, u64 steps)
{
	return bucket_llquantize(x, factor, (u32)mags, mags >> 32, steps);
}

DTX_FN u64 dtx_agg_llquantize(s64 x, s64 factor, s64 lmag, s64 hmag, s64 steps)
{
	return dtx_g_llquantize(x, factor, lmag | hmag << 32, steps);
}
