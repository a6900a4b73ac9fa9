/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.c - how two values of bits() become one, and what one prints. */
#include <inttypes.h>

#include "runtime/value/value.h"

static void bits_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	into[0] |= from[0];
}

extern const struct agg_merge agg_merge_bits;
const struct agg_merge agg_merge_bits = { bits_add, NULL };

static s128 bits_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return (s64)data[0];
}

static void bits_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	buf_printf(out, " %#16" PRIx64, data[0]);
}

extern const struct agg_reader agg_value_bits;
const struct agg_reader agg_value_bits = { .number = bits_number, .render = bits_render };
