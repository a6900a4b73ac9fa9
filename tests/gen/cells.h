/* SPDX-License-Identifier: BSD-2-Clause */
/* cells.h - aggregating functions as DTrace guide "Aggregations" has them: parameters, what a value
 * does, how it is shown. */
#ifndef GEN_CELLS_H
#define GEN_CELLS_H

#include <inttypes.h>

#include "model.h"

#define BUCKETS  420

enum kind { COUNT_OF, SUM, AVG, MIN, MAX, STDDEV, QUANTIZE, LQUANTIZE, LLQUANTIZE, KINDS };
static const char *const kinds[] = { "count",  "sum",      "avg",       "min",       "max",
				     "stddev", "quantize", "lquantize", "llquantize" };

typedef __int128 wide;

/* A function and its parameters; of histograms, also the bounds of buckets, from the lowest. */
struct hist {
	enum kind kind;
	int64_t low, high, step;                                 /* lquantize */
	unsigned factor, lmag, hmag, steps, half; /* llquantize; half: buckets beside the middle */
	unsigned n;
};

#define LIMBS  6                 /* of 32 bits: the sum of squares, from the lowest on */
struct cell {
	uint64_t n;
	wide sum;
	uint32_t squares[LIMBS];
	int64_t min, max;
	int64_t b[BUCKETS];
};

/* ---- parameters ------------------------------------------------------------------------ */

/* Enough of it, when it has more than 64 bits. */
static wide power(wide base, unsigned exp)
{
	wide p = 1;

	while (exp-- && p <= UINT64_MAX)
		p *= base;
	return p;
}

static bool ll_valid(const struct hist *h)
{
	if (power(h->factor, h->hmag + 1) > UINT64_MAX || h->half >= BUCKETS / 2)
		return false;
	if (h->steps < h->factor)
		return h->factor % h->steps == 0;
	return h->steps == h->factor ||
	       (h->steps % h->factor == 0 &&
		power(h->factor, h->lmag ? h->lmag + 1 : 2) % h->steps == 0);
}

static void hist_choose(struct hist *h)
{
	h->kind = rnd(KINDS);
	h->n = 127;
	if (h->kind == LQUANTIZE) {
		h->step = chance(30) ? 1 : chance(90) ? 1 + rnd(12) : 1 + rnd(65535);
		h->low = chance(90)   ? (int64_t)rnd(100) - 50
			 : chance(50) ? INT32_MIN
				      : INT32_MAX - 1000 * 65535;
		h->n = 1 + rnd(40);
		h->high = h->low + h->step * h->n + rnd(h->step);
		h->n += 2;
	}
	if (h->kind != LLQUANTIZE)
		return;
	do {
		h->factor = 2 + rnd(15);
		h->lmag = chance(40) ? 0 : rnd(chance(80) ? 4 : 64);
		h->hmag = h->lmag + rnd(6);
		h->steps = chance(30)   ? h->factor
			   : chance(50) ? 1 + rnd(h->factor)
					: h->factor * (1 + rnd(h->factor));
		h->half = (h->hmag - h->lmag + 1) * (h->steps - h->steps / h->factor) + 1;
	} while (!ll_valid(h));
	h->n = 2 * h->half + 1;
}

/* Near the bounds of buckets, mostly. */
static int64_t hist_random(const struct hist *h)
{
	if (h->kind == LQUANTIZE && chance(90))
		return h->low + ((int64_t)rnd(h->n + 2) - 1) * h->step + (int64_t)rnd(3) - 1;
	if (h->kind == LLQUANTIZE && chance(80)) {
		int64_t x = (uint64_t)power(h->factor, h->lmag + rnd(h->hmag - h->lmag + 2)) +
			    rnd(3) - 1;

		x += chance(50) ? 0 : x / (1 + rnd(h->steps));
		return chance(70) ? x : (int64_t)(0 - (uint64_t)x);
	}
	if (chance(40))
		return rnd(200);
	return chance(60) ? number() : 0 - number();
}

/* The call. */
static void hist_write(const struct hist *h, const char *x, const int64_t *weight)
{
	printf("%s(%s", kinds[h->kind], h->kind == COUNT_OF ? "" : x);
	if (h->kind == LQUANTIZE)
		printf(", %lld, %lld", (long long)h->low, (long long)h->high);
	if (h->kind == LQUANTIZE && (h->step != 1 || weight))
		printf(", %lld", (long long)h->step);
	if (h->kind == LLQUANTIZE)
		printf(", %u, %u, %u, %u", h->factor, h->lmag, h->hmag, h->steps);
	if (weight)
		printf(", %lluULL", (unsigned long long)*weight);
	fputs(");\n", stdout);
}

/* ---- buckets: the middle one has index 0 on this scale, but lquantize begins there --- */

/* llquantize: the bound of step s of magnitude m, times steps. */
static wide ll_bound(const struct hist *h, unsigned m, unsigned s)
{
	wide at = power(h->factor, m + 1) * s, least = power(h->factor, m) * h->steps;

	return at < least ? least : at;
}

/* llquantize: which magnitude and step is the bucket at a distance of 1 … half - 1 from the
 * middle? */
static wide ll_bound_of(const struct hist *h, unsigned distance)
{
	unsigned per = h->steps - h->steps / h->factor;

	return ll_bound(h, h->lmag + (distance - 1) / per,
			h->steps / h->factor + (distance - 1) % per);
}

static unsigned ll_bucket(const struct hist *h, int64_t x)
{
	wide a = x < 0 ? -(wide)x : x;
	unsigned distance = 0;

	if (a >= power(h->factor, h->hmag + 1))
		distance = h->half;
	else
		for (unsigned d = 1; d < h->half; d++)
			if (a * h->steps >= ll_bound_of(h, d))
				distance = d;
	return x < 0 ? h->half - distance : h->half + distance;
}

static unsigned bucket(const struct hist *h, int64_t x)
{
	wide a = x < 0 ? -(wide)x : x;
	unsigned k = 0;

	if (h->kind == LQUANTIZE) {
		int64_t levels = h->n - 2;

		return x < h->low                       ? 0
		       : x >= h->low + levels * h->step ? h->n - 1
							: 1 + (x - h->low) / h->step;
	}
	if (h->kind == LLQUANTIZE)
		return ll_bucket(h, x);
	while (a > 1 && k < 62)
		a >>= 1, k++;
	return !x ? 63 : x < 0 ? 62 - k : 64 + k;
}

/* What stands for the bucket in sums, and as its label. */
static wide bucket_value(const struct hist *h, unsigned i)
{
	unsigned d = i > h->half ? i - h->half : h->half - i;
	wide v;

	if (h->kind == LQUANTIZE)
		return i ? h->low + (wide)(i - 1) * h->step : h->low - 1;
	if (h->kind == QUANTIZE)
		return i == 63 ? 0 : i < 63 ? -power(2, 62 - i) : power(2, i - 64);
	v = !d ? 0 : d == h->half ? power(h->factor, h->hmag + 1) : ll_bound_of(h, d) / h->steps;
	return i < h->half ? -v : v;
}

/* llquantize with more steps than numbers in the first magnitude: a bound that is no integer. */
static bool bucket_hidden(const struct hist *h, unsigned i)
{
	unsigned d = i > h->half ? i - h->half : h->half - i;

	return h->kind == LLQUANTIZE && d && d < h->half && ll_bound_of(h, d) % h->steps;
}

/* ---- cells ------------------------------------------------------------------------------- */

static void cell_clear(struct cell *c)
{
	memset(c, 0, sizeof(*c));
	c->min = INT64_MAX;
	c->max = INT64_MIN;
}

static void cell_add(const struct hist *h, struct cell *c, int64_t x, int64_t weight)
{
	c->n++;
	c->sum += x;
	for (unsigned __int128 i = 0, add = (unsigned __int128)((wide)x * x); i < LIMBS; i++) {
		add += c->squares[i];
		c->squares[i] = (uint32_t)add;
		add >>= 32;
	}
	c->min = x < c->min ? x : c->min;
	c->max = x > c->max ? x : c->max;
	if (h->kind >= QUANTIZE)
		c->b[bucket(h, x)] += weight;
}

static uint64_t root(unsigned __int128 v)
{
	unsigned __int128 r = 0;

	for (int bit = 63; bit >= 0; bit--) {
		unsigned __int128 next = r | (unsigned __int128)1 << bit;

		if (next * next <= v)
			r = next;
	}
	return r;
}

/* The sum of squares, divided: of 128 bits again. */
static unsigned __int128 mean_square(const struct cell *c, uint64_t norm)
{
	uint64_t by[] = { norm, norm, c->n };
	unsigned __int128 v = 0;
	uint32_t limbs[LIMBS];

	memcpy(limbs, c->squares, sizeof(limbs));
	for (unsigned d = 0; d < 3; d++) {
		unsigned __int128 rest = 0;

		for (unsigned i = LIMBS; i--; rest %= by[d]) {
			rest = rest << 32 | limbs[i];
			limbs[i] = (uint32_t)(rest / by[d]);
		}
	}
	for (unsigned i = 4; i--;)
		v = v << 32 | limbs[i];
	return v;
}

/* The number of a scalar function. */
static wide cell_value(const struct hist *h, const struct cell *c, int64_t norm)
{
	int64_t mean = c->n ? (int64_t)(c->sum / norm / (wide)c->n) : 0;
	unsigned __int128 squares = c->n ? mean_square(c, norm) : 0, square = (wide)mean * mean;

	switch (h->kind) {
	case COUNT_OF: return c->n / norm;
	case SUM: return c->sum / norm;
	case AVG: return mean;
	case MIN: return c->min / norm;
	case MAX: return c->max / norm;
	default: return squares > square ? root(squares - square) : 0;
	}
}

/* In sums the last bucket of lquantize() counts one more than its bound. */
static wide bucket_weight(const struct hist *h, unsigned i)
{
	return bucket_value(h, i) + (h->kind == LQUANTIZE && i == h->n - 1);
}

static wide weighted(const struct hist *h, const struct cell *c)
{
	wide sum = 0;

	for (unsigned i = 0; i < h->n; i++)
		sum += bucket_weight(h, i) * c->b[i];
	return sum;
}

static int64_t zeros(const struct hist *h, const struct cell *c)
{
	for (unsigned i = 0; i < h->n; i++)
		if (!bucket_weight(h, i))
			return c->b[i];
	return 0;
}

static int cell_compare(const struct hist *h, const struct cell *a, const struct cell *b)
{
	wide x, y;

	if (h->kind < QUANTIZE) {
		x = cell_value(h, a, 1);
		y = cell_value(h, b, 1);
	} else {
		x = weighted(h, a);
		y = weighted(h, b);
		if (x == y) {
			x = zeros(h, a);
			y = zeros(h, b);
		}
	}
	return x < y ? -1 : x > y;
}

/* In decimal; the text is at the end of `to`. */
static const char *wide_text(wide v, char to[48])
{
	unsigned __int128 n = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
	unsigned at = 47;

	to[at] = 0;
	do
		to[--at] = '0' + (char)(n % 10);
	while (n /= 10);
	if (v < 0)
		to[--at] = '-';
	return to + at;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void bucket_label(const struct hist *h, unsigned i, bool negative, char *out, size_t size)
{
	wide v = bucket_value(h, i);
	const char *sign = "";

	if (h->kind == LQUANTIZE) {
		sign = !i ? "< " : i == h->n - 1 ? ">= " : "";
		v += !i;
	}
	if (h->kind == LLQUANTIZE) {
		sign = !i                        ? "<= "
		       : i == h->n - 1           ? ">= "
		       : i == h->half && h->lmag ? negative ? "abs() < " : "< "
						 : "";
		if (i == h->half && h->lmag)
			v = power(h->factor, h->lmag);
	}
	if (v < 0)
		snprintf(out, size, "%s-%" PRIu64, sign, (uint64_t)-v);
	else
		snprintf(out, size, "%s%" PRIu64, sign, (uint64_t)v);
}

/* A bar of `count` in this many columns where `whole`/20 fills nineteen of twenty of them (zoom),
 * or whole all. */
static unsigned bar(int64_t count, wide whole, unsigned columns, bool zoom)
{
	wide c = count < 0 ? -(wide)count : count, part = c * columns * (zoom ? 19 : 20),
	     of = whole * 20;

	return of ? (2 * part + of) / (2 * of) : 0;
}

static void row_show(unsigned n, bool left, bool right, bool negative)
{
	static const char at[] = "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@";
	int columns = left && right ? 20 : 40;

	if (left)
		fprintf(stderr, "%*.*s", columns, right && !negative ? 0 : (int)n, at);
	fputc('|', stderr);
	if (right)
		fprintf(stderr, "%-*.*s", columns, left && negative ? 0 : (int)n, at);
	else if (!left)
		fprintf(stderr, "%40s", "");
}

static void rows_show(const struct hist *h, const struct cell *c, unsigned from, unsigned to,
		      int64_t norm, bool zoom)
{
	bool negative = false, positive = false, below = h->kind == LLQUANTIZE && from < h->half;
	wide total = 0, most = 0;
	char label[64];

	for (unsigned i = from; i <= to; i++) {
		wide v = c->b[i] < 0 ? -(wide)c->b[i] : c->b[i];

		total += v;
		most = v > most ? v : most;
		negative |= c->b[i] < 0;
		positive |= c->b[i] > 0;
	}
	for (unsigned i = from; i <= to; i++) {
		if (bucket_hidden(h, i))
			continue;
		bucket_label(h, i, below, label, sizeof(label));
		fprintf(stderr, "%16s ", label);
		row_show(bar(c->b[i], zoom ? most : total, negative && positive ? 20 : 40, zoom),
			 negative, positive || !negative, c->b[i] <= 0);
		fprintf(stderr, " %-9lld\n", (long long)(c->b[i] / norm));
	}
}

static unsigned row_below(const struct hist *h, unsigned i)
{
	do i -= i > 0;
	while (i && bucket_hidden(h, i));
	return i;
}

static unsigned row_above(const struct hist *h, unsigned i)
{
	do i += i < h->n - 1;
	while (i < h->n - 1 && bucket_hidden(h, i));
	return i;
}

/* Of one CPU: has it no value, where others have some? */
static bool cell_lacks(const struct hist *h, const struct cell *c, const struct cell *all)
{
	return h->kind >= AVG && h->kind <= STDDEV && !c->n && all->n;
}

/* The rows with counts and one more on each side; an empty llquantize() has both above. */
static void cell_show(const struct hist *h, const struct cell *c, int64_t norm, bool zoom)
{
	unsigned from = 0, to = h->n - 1;

	if (h->kind < QUANTIZE) {
		char text[48];

		fprintf(stderr, " %16s", wide_text(cell_value(h, c, norm), text));
		return;
	}
	while (from < h->n && !c->b[from])
		from++;
	while (to && !c->b[to])
		to--;
	bool none = from == h->n, above = none && h->kind == LLQUANTIZE;

	if (none)
		from = to = h->kind == QUANTIZE ? 63 : h->kind == LQUANTIZE ? 1 : h->half;
	from = above ? from : row_below(h, from);
	to = row_above(h, to);
	to = above ? row_above(h, to) : to;
	fprintf(stderr, "\n%16s %41s %-9s\n", "value", "------------- Distribution -------------",
		"count");
	rows_show(h, c, from, to, norm, zoom);
}

#endif
